//===- CutTest.cpp - Checkpoints while instances are under way ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include "amprt/checkpoints.hpp"

#include <cmath>
#include <filesystem>
#include <thread>
#include <unistd.h>

using namespace amprt;
using namespace models;
namespace fs = std::filesystem;

namespace {

class CutTest : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "amprt-cut-" + std::to_string(getpid()) +
             "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path(size_t number) const {
    return folder + "/" + std::to_string(number);
  }

  /// Saves each checkpoint amid a pass under its number.
  void saveEach(TrainOptions &options, int64_t every) {
    options.async->checkpointEvery = every;
    options.async->onCheckpoint = [this](const Trainer &trainer) {
      updates.push_back(trainer.updates());
      return trainer.save(path(updates.size() - 1), {{"note", "x"}});
    };
  }

  std::string folder;
  std::vector<int64_t> updates; ///< At each of them.
};

/// Rows wait for their update most of the time, and products are deferred.
TrainOptions waiting(int workers, int64_t keys, OptimiserKind kind) {
  TrainOptions options = asyncOptions(workers, keys, kind);
  options.async->minUpdateFrequency = 23;
  options.async->frequencyOf = {{"E", 11}, {"b", 1}};
  return options;
}

} // namespace

TEST_F(CutTest, OneActiveKeyGoesOnToTheBit) {
  Minibatch data(makeSamples(140)), others(makeSamples(60, 5));
  for (const amprt_model_t *model : {&regressModel(), &halfRegressModel()})
    for (OptimiserKind kind : {OptimiserKind::momentum, OptimiserKind::adam})
      for (int workers : {1, 2, 4}) {
        auto whole = startTrainer(waiting(workers, 1, kind), *model);
        auto result = whole->pass(data.examples);
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->checkpoints, 0);
        TrainOptions options = waiting(workers, 1, kind);
        saveEach(options, 9);
        updates.clear();
        auto watched = startTrainer(options, *model);
        auto seen = watched->pass(data.examples);
        ASSERT_TRUE(seen.ok()) << seen.status().message();
        // A checkpoint changes nothing.
        EXPECT_TRUE(isSame(whole->weights(), watched->weights()));
        EXPECT_GT(seen->checkpoints, 0);
        EXPECT_EQ(size_t(seen->checkpoints), updates.size());
        ASSERT_TRUE(whole->pass(others.examples).ok());
        for (size_t i = 0; i < updates.size(); ++i) {
          auto resumed = startTrainer(waiting(workers, 1, kind), *model);
          auto notes = resumed->restore(path(i));
          ASSERT_TRUE(notes.ok()) << notes.status().message();
          EXPECT_EQ((*notes)["note"], "x");
          auto rest = resumed->pass(data.examples);
          ASSERT_TRUE(rest.ok()) << rest.status().message();
          EXPECT_EQ(rest->instances, 140);
          EXPECT_EQ(rest->lossSum, result->lossSum);
          EXPECT_TRUE(isSame(resumed->weights(), watched->weights()));
          ASSERT_TRUE(resumed->pass(others.examples).ok());
          EXPECT_TRUE(isSame(resumed->weights(), whole->weights()));
          EXPECT_EQ(resumed->updates(), whole->updates());
        }
      }
}

/// Between passes too, with any number of active keys.
TEST_F(CutTest, RowsThatWaitAreInACheckpoint) {
  Minibatch data(makeSamples(100)), others(makeSamples(77, 5));
  auto whole = startTrainer(waiting(1, 16, OptimiserKind::adam));
  ASSERT_TRUE(whole->pass(data.examples).ok());
  ASSERT_TRUE(whole->save(path(0)).ok());
  auto resumed = startTrainer(waiting(1, 16, OptimiserKind::adam));
  ASSERT_TRUE(resumed->pass(others.examples).ok()); // Is forgotten.
  ASSERT_TRUE(resumed->restore(path(0)).ok());
  EXPECT_EQ(resumed->updates(), whole->updates());
  for (auto *each : {whole.get(), resumed.get()})
    ASSERT_TRUE(each->pass(others.examples).ok());
  EXPECT_TRUE(isSame(resumed->weights(), whole->weights()));
}

/// All instances are trained, and no more than those under way twice.
TEST_F(CutTest, ManyActiveKeys) {
  std::vector<Sample> samples = makeSamples(400);
  int64_t words = 0;
  for (Sample &sample : samples) {
    sample.words.resize(3, 6);
    words += int64_t(sample.words.size());
  }
  Minibatch data(samples);
  for (int workers : {1, 2, 4})
    for (int replicas : {1, 2}) {
      if (replicas > workers)
        continue;
      TrainOptions options = asyncOptions(workers, 16, OptimiserKind::adam);
      options.async->replicas = replicas;
      options.async->averageEvery = replicas > 1 ? 30 : 0;
      TrainOptions plain = options;
      saveEach(options, 25);
      updates.clear();
      auto trainer = startTrainer(options);
      auto result = trainer->pass(data.examples);
      ASSERT_TRUE(result.ok()) << result.status().message();
      ASSERT_GT(updates.size(), 0u);
      EXPECT_TRUE(std::is_sorted(updates.begin(), updates.end()));
      for (const WorkerStats &worker : trainer->stats().workers) {
        EXPECT_GE(worker.meetings, int64_t(updates.size()));
        EXPECT_GT(worker.longestMeetingSeconds, 0);
        EXPECT_GE(worker.meetingSeconds, worker.longestMeetingSeconds);
      }
      for (size_t i = 0; i < updates.size(); i += 3) {
        auto resumed = startTrainer(plain);
        ASSERT_TRUE(resumed->restore(path(i)).ok());
        // Ends that were on their way to an owner have come since; each of up
        // to 16 may have made an update of each of the three parameters.
        EXPECT_GE(resumed->updates(), updates[i]);
        EXPECT_LE(resumed->updates(), updates[i] + 3 * 16);
        auto rest = resumed->pass(data.examples);
        ASSERT_TRUE(rest.ok()) << rest.status().message();
        EXPECT_EQ(rest->instances, 400);
        EXPECT_NEAR(rest->lossSum, result->lossSum,
                    0.2 * std::abs(result->lossSum));
        // Rows that were given to W after the checkpoint.
        int64_t rows = 0;
        for (const ParamUpdates &each : resumed->paramUpdates())
          if (each.name == "W")
            rows += each.rows;
        EXPECT_LE(rows, words);
        // Of the first: beside its 25, some may have ended in the same batch.
        if (i == 0) {
          EXPECT_GE(rows, words - 3 * (25 + 16));
        }
      }
    }
}

TEST_F(CutTest, WhileWorkersGoOn) {
  Minibatch data(makeSamples(2000));
  TrainOptions options = asyncOptions(2, 8, OptimiserKind::adam);
  options.async->checkpointEvery = 1;
  int64_t calls = 0, before = 0, after = 0;
  options.async->onCheckpoint = [&](const Trainer &trainer) {
    ++calls;
    before = trainer.updates();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    after = trainer.updates();
    EXPECT_EQ(before, after); // Of its moment, whatever workers do.
    return Status();
  };
  auto trainer = startTrainer(options);
  auto result = trainer->pass(data.examples);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->checkpoints, calls);
  // No other begins while one is written, and nobody waits for that.
  EXPECT_GT(calls, 0);
  EXPECT_LT(calls, 2000);
}

TEST_F(CutTest, Failures) {
  std::vector<Sample> samples = makeSamples(60);
  for (Sample &sample : samples)
    sample.words.assign(2, 4);
  samples[7].words.back() = regressPoison;
  Minibatch data(samples);
  for (bool skips : {true, false}) {
    TrainOptions options = waiting(2, 1, OptimiserKind::adam);
    options.skipFailed = skips;
    TrainOptions plain = options;
    saveEach(options, 20);
    updates.clear();
    auto trainer = startTrainer(options);
    EXPECT_EQ(trainer->pass(data.examples).ok(), skips);
    ASSERT_GT(updates.size(), 0u);
    auto resumed = startTrainer(plain);
    ASSERT_TRUE(resumed->restore(path(0)).ok());
    auto rest = resumed->pass(data.examples);
    ASSERT_EQ(rest.ok(), skips); // Not skipped, it is tried again.
    if (skips) {
      EXPECT_EQ(rest->instances, 59);
      EXPECT_TRUE(isSame(resumed->weights(), trainer->weights()));
    }
  }
}

TEST_F(CutTest, Errors) {
  Minibatch data(makeSamples(50)), fewer(makeSamples(49));
  TrainOptions options = waiting(2, 4, OptimiserKind::adam);
  TrainOptions two = options;
  saveEach(options, 10);
  ASSERT_TRUE(startTrainer(options)->pass(data.examples).ok());
  auto resumed = startTrainer(two);
  ASSERT_TRUE(resumed->restore(path(0)).ok());
  EXPECT_STATUS(resumed->pass(fewer.examples).status(),
                StatusCode::failedPrecondition,
                "the pass to go on with has 50 instances, not 49");
  ASSERT_TRUE(resumed->pass(data.examples).ok());
  ASSERT_TRUE(resumed->pass(fewer.examples).ok());
  // With another number of replicas the pass goes on all the same.
  two.async->replicas = 2;
  resumed = startTrainer(two);
  ASSERT_TRUE(resumed->restore(path(0)).ok());
  EXPECT_EQ(resumed->pass(data.examples)->instances, 50);

  options.async->onCheckpoint = [](const Trainer &) {
    return Status(StatusCode::invalidArgument, "no room");
  };
  EXPECT_STATUS(startTrainer(options)->pass(data.examples).status(),
                StatusCode::invalidArgument, "no room");
  auto create = [&](const TrainOptions &how) {
    auto model = Model::linked(regressModel());
    return Trainer::create(*model, *Weights::load(*model, "", {}), how)
        .status();
  };
  options.session.record = true;
  EXPECT_STATUS(create(options), StatusCode::invalidArgument,
                "can be neither recorded nor repeated");
  options.session.record = false;
  options.async->checkpointEvery = -1;
  EXPECT_STATUS(create(options), StatusCode::invalidArgument,
                "checkpointEvery must not be negative");
}
