//===- PlacementTest.cpp - Cells that belong to workers -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "place/Placement.h"
#include "Running.h"
#include "models/Rows.h"
#include "models/Tree.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

using namespace amprt;
using namespace models;

namespace {

/// A model of cells that are never run.
struct Cells {
  void add(const char *name, uint32_t work, std::vector<uint32_t> params) {
    lists.push_back(std::make_unique<std::vector<uint32_t>>(std::move(params)));
    amprt_cell_desc_t cell = {};
    cell.name = name;
    cell.work = work;
    cell.params = lists.back()->data();
    cell.param_count = uint32_t(lists.back()->size());
    descs.push_back(cell);
  }
  amprt_model_t model() {
    static const amprt_param_desc_t params[8] = {
        {"a", {}, 0, 0, 0, 0}, {"b", {}, 0, 0, 0, 0}, {"c", {}, 0, 0, 0, 0},
        {"d", {}, 0, 0, 0, 0}, {"e", {}, 0, 0, 0, 0}, {"f", {}, 0, 0, 0, 0},
        {"g", {}, 0, 0, 0, 0}, {"h", {}, 0, 0, 0, 0}};
    amprt_model_t model = {};
    model.name = "cells";
    model.cells = descs.data();
    model.cell_count = uint32_t(descs.size());
    model.params = params;
    model.param_count = 8;
    return model;
  }
  std::vector<std::unique_ptr<std::vector<uint32_t>>> lists;
  std::vector<amprt_cell_desc_t> descs;
};

SessionOptions placed(int workers) {
  SessionOptions options;
  options.placement = PlacementMode::model;
  options.workers = workers;
  return options;
}

double processSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

} // namespace

TEST(PlacementTest, CellsThatShareParametersAreAGroup) {
  Cells cells;
  cells.add("0", 1, {0});
  cells.add("1", 1, {1, 2});
  cells.add("2", 1, {});
  cells.add("3", 1, {3});
  cells.add("4", 1, {0, 2});
  CellGroups groups = groupCells(cells.model());
  EXPECT_EQ(groups.of, (std::vector<int32_t>{0, 0, -1, 1, 0}));
  EXPECT_EQ(groups.count, 2);
}

TEST(PlacementTest, BalancesWhatIsTrained) {
  Cells cells;
  const uint32_t work[] = {7, 7, 6, 6, 5, 5, 4, 4};
  const char *names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  for (uint32_t i = 0; i < 8; ++i)
    cells.add(names[i], work[i] * 1000, {i});
  cells.add("none", 50000, {});
  amprt_model_t model = cells.model();
  for (int workers : {1, 2, 3, 4}) {
    PlaceOptions how{workers, true};
    Placement placement = placeCells(model, estimateCosts(model), how);
    EXPECT_TRUE(checkPlacement(model, placement, how).ok());
    EXPECT_EQ(placement.owners[8], Placement::home);
    std::vector<double> loads(size_t(workers), 0);
    for (uint32_t i = 0; i < 8; ++i)
      loads[size_t(placement.owners[i])] += work[i];
    EXPECT_LE(*std::max_element(loads.begin(), loads.end()),
              std::ceil(44.0 / workers) + 1);
  }
}

TEST(PlacementTest, SmallCellsStayAtHomeUnlessTrained) {
  Cells cells;
  cells.add("small", 100, {0});
  cells.add("large", 1000000, {1});
  amprt_model_t model = cells.model();
  Placement fixed = placeCells(model, estimateCosts(model), {2, false});
  EXPECT_EQ(fixed.owners[0], Placement::home);
  EXPECT_NE(fixed.owners[1], Placement::home);
  Placement trained = placeCells(model, estimateCosts(model), {2, true});
  EXPECT_NE(trained.owners[0], Placement::home);
  EXPECT_NE(trained.owners[0], trained.owners[1]);
}

TEST(PlacementTest, ChecksPlacements) {
  Cells cells;
  cells.add("one", 1, {0});
  cells.add("two", 1, {0});
  amprt_model_t model = cells.model();
  EXPECT_TRUE(checkPlacement(model, {{0, 1}}, {2, false}).ok());
  EXPECT_TRUE(checkPlacement(model, {{1, 1}}, {2, true}).ok());
  EXPECT_STATUS(checkPlacement(model, {{0, 2}}, {2, false}),
                StatusCode::invalidArgument,
                "cell 'two' is placed on worker 2, but there are 2");
  EXPECT_STATUS(checkPlacement(model, {{0, 1}}, {2, true}),
                StatusCode::invalidArgument,
                "parameter 'a' is trained, so its cells belong to one worker; "
                "'one' and 'two' do not");
  EXPECT_STATUS(checkPlacement(model, {{0}}, {2, true}),
                StatusCode::invalidArgument, "has 1 cells, the model 2");
}

TEST(PlacementTest, Files) {
  Cells cells;
  cells.add("one", 1, {0});
  cells.add("two \"2\"", 1, {});
  amprt_model_t model = cells.model();
  std::string text = placementText(model, {{1, Placement::home}});
  auto read = parsePlacement(text, "p", model);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->owners, (std::vector<int32_t>{1, Placement::home}));

  auto expectError = [&](const std::string &cells, const char *part) {
    EXPECT_STATUS(
        parsePlacement("{\"format\":\"amprt-placement\",\"version\":1,"
                       "\"model\":\"cells\",\"cells\":" +
                           cells + "}",
                       "p", model)
            .status(),
        StatusCode::invalidArgument, part);
  };
  expectError("[]", "\"cells\", an object");
  expectError("{\"three\":0}", "the model has no cell \"three\"");
  expectError("{\"one\":0}", "cell \"two \\\"2\\\"\" is missing");
  expectError("{\"one\":-1}", "cell \"one\" is placed on -1");
  EXPECT_STATUS(parsePlacement("{}", "p", model).status(),
                StatusCode::invalidArgument, "'p' is no placement");
  model.name = "others";
  EXPECT_STATUS(parsePlacement(text, "p", model).status(),
                StatusCode::failedPrecondition, "it is for \"cells\"");
}

TEST(PlacementTest, ActivationsAreSent) {
  std::mt19937 random(7);
  std::vector<Values> instances;
  for (int i = 0; i < 100; ++i)
    instances.push_back(randomTree(random, 20).fields());
  auto session = startSession(treeModel(), placed(2));
  runAll(*session, std::move(instances));
  session->wait();
  Stats stats = session->stats();
  ASSERT_EQ(stats.workers.size(), 2u);
  // Every activation whose owner is not its home is sent and answered.
  EXPECT_GT(stats.messages, stats.activations / 2);
  int64_t received = 0;
  for (const WorkerStats &worker : stats.workers) {
    EXPECT_GT(worker.messages, 0);
    EXPECT_GT(worker.activations, 0);
    received += worker.received;
    EXPECT_GE(worker.meanReceived(), 1);
    EXPECT_LE(worker.meanReceived(), double(worker.mostReceived));
    EXPECT_LE(worker.mostReceived, worker.received);
  }
  // What was sent has come; who sent it last may have yet to count it.
  EXPECT_GE(received, stats.messages);
  session->resetStats();
  for (const WorkerStats &worker : session->stats().workers)
    EXPECT_EQ(worker.looks + worker.received + worker.mostReceived, 0);
}

TEST(PlacementTest, OneInFlightUsesAllWorkers) {
  SessionOptions options = placed(3);
  options.maxInFlight = 1;
  auto session = startSession(treeModel(), options);
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    Tree tree = randomTree(random, 10);
    EXPECT_EQ(integer(session->submit(tree.fields()).get(), "sum"),
              tree.expected());
  }
  Stats stats = session->stats();
  for (const WorkerStats &worker : stats.workers)
    EXPECT_GT(worker.activations, 0);
}

TEST(PlacementTest, EndsWithActivationsElsewhere) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<Submission> submissions;
    {
      auto session = startSession(treeModel(), placed(1 + round % 4));
      std::vector<Values> instances;
      for (int i = 0; i < 60; ++i)
        instances.push_back(randomTree(random, 30).fields());
      submissions = session->submitAll(std::move(instances));
      std::this_thread::sleep_for(std::chrono::microseconds(40 * round));
    }
    for (Submission &submission : submissions) {
      Status status = submission.get().status;
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::cancelled)
          << status.message();
    }
  }
}

TEST(PlacementTest, IdleWorkersSleep) {
  auto session = startSession(treeModel(), placed(4));
  std::mt19937 random(5);
  session->submit(randomTree(random, 30).fields()).get();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  double before = processSeconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processSeconds() - before, 0.005);
  session->submit(randomTree(random, 30).fields()).get();
  double waiting = 0;
  for (const WorkerStats &worker : session->stats().workers)
    waiting = std::max(waiting, worker.waitingSeconds);
  EXPECT_GT(waiting, 0.2); // Whoever got it has waited for it.
}

TEST(PlacementTest, NoProbe) {
  struct Probe : DepthProbe {
    uint32_t onReady(const ReadyEvent &event) override { return event.depth; }
  } probe;
  SessionOptions options = placed(2);
  options.probe = &probe;
  auto model = Model::linked(treeModel());
  auto weights = Weights::load(*model, "", {});
  EXPECT_STATUS(Session::create(*model, *weights, options).status(),
                StatusCode::invalidArgument,
                "a depth probe needs placement 'instance'");
}
