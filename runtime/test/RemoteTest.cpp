//===- RemoteTest.cpp - Workers in other processes ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The other processes are threads here, which share nothing but a socket with
// the session. (A compiled program's `run --processes` has real ones.)

#include "Running.h"
#include "models/Kit.h"
#include "models/Tree.h"
#include "msg/CellValues.h"

#include <sys/socket.h>
#include <thread>

using namespace amprt;
using namespace models;

namespace {

Weights weightsOf(const Model &model) {
  auto weights = Weights::load(model, "", {});
  EXPECT_TRUE(weights.ok());
  return *weights;
}

/// Ends of a connection.
struct Pair {
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
  int ends[2];
};

class RemoteTest : public testing::Test {
protected:
  ~RemoteTest() override {
    session.reset();
    for (std::thread &each : servers)
      each.join();
  }

  /// A session with so many remote workers; each runs `serve(socket)`.
  Status start(int remotes, const std::function<void(int)> &serve) {
    SessionOptions options;
    options.placement = PlacementMode::model;
    options.workers = remotes + 1;
    options.placementFile = scatteredPlacementFile(treeModel(), remotes + 1);
    options.maxInFlight = 8;
    for (int i = 0; i < remotes; ++i) {
      Pair pair;
      options.remotes.push_back(pair.ends[0]);
      servers.emplace_back([serve, socket = pair.ends[1]] { serve(socket); });
    }
    auto created = Session::create(model, weightsOf(model), options);
    std::remove(options.placementFile.c_str());
    if (!created)
      return created.status();
    session = std::move(*created);
    return {};
  }
  Status startServed(int remotes) {
    return start(remotes, [this](int socket) {
      Status status = serveCells(model, weightsOf(model), {}, socket);
      EXPECT_TRUE(status.ok()) << status.message();
    });
  }

  const Model model = *Model::linked(treeModel());
  std::unique_ptr<Session> session;
  std::vector<std::thread> servers;
};

/// A worker that says it will do, and no more.
void pretend(int socket, const std::function<void(Stream &)> &then) {
  auto stream = Stream::open(socket);
  ASSERT_TRUE(stream.ok());
  PacketReader hello;
  ASSERT_TRUE(hello.receive(**stream));
  PacketWriter reply;
  size_t record = reply.beginRecord();
  reply.add(Status());
  reply.endRecord(record);
  ASSERT_TRUE(reply.send(**stream));
  then(**stream);
}

/// One child is none.
Tree brokenTree() {
  Tree tree;
  tree.add(1);
  tree.left[0] = tree.add(2);
  tree.right[0] = 77;
  return tree;
}

} // namespace

TEST_F(RemoteTest, GivesTheSameResults) {
  for (int remotes : {1, 3}) {
    Status status = startServed(remotes);
    ASSERT_TRUE(status.ok()) << status.message();
    std::mt19937 random(7);
    std::vector<Tree> trees;
    std::vector<Submission> results;
    for (int i = 0; i < 60; ++i) {
      trees.push_back(randomTree(random, 1 + i % 23));
      results.push_back(session->submit(trees.back().fields()));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      Result result = results[i].get();
      ASSERT_TRUE(result.status.ok()) << result.status.message();
      EXPECT_EQ(integer(result, "sum"), trees[i].expected());
      EXPECT_EQ(integer(result, "row"), trees[i].expected());
    }
    session->wait();
    EXPECT_GT(session->stats().messages, 200);
    EXPECT_EQ(session->stats().arenaBytes, 0);
    session.reset();
  }
}

TEST_F(RemoteTest, AFailureStaysWithItsInstance) {
  ASSERT_TRUE(startServed(2).ok());
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    Tree good = randomTree(random, 12);
    Submission bad = session->submit(brokenTree().fields());
    Submission fine = session->submit(good.fields());
    EXPECT_NE(bad.get().status.message().find("index 77 is outside"),
              std::string::npos);
    EXPECT_EQ(integer(fine.get(), "sum"), good.expected());
  }
  session->wait();
  EXPECT_EQ(session->stats().arenaBytes, 0);
}

TEST_F(RemoteTest, EndsWhileInstancesAreOpen) {
  ASSERT_TRUE(startServed(2).ok());
  std::mt19937 random(1);
  std::vector<Submission> results;
  for (int i = 0; i < 16; ++i)
    results.push_back(session->submit(randomTree(random, 500).fields()));
  session.reset();
  for (Submission &each : results) {
    Result result = each.get();
    EXPECT_TRUE(result.status.ok() ||
                result.status.code() == StatusCode::cancelled)
        << result.status.message();
  }
}

TEST_F(RemoteTest, WhenAProcessIsGoneItsInstancesFail) {
  Status status = start(1, [](int socket) {
    pretend(socket, [](Stream &stream) {
      PacketReader first;
      first.receive(stream);
    });
  });
  ASSERT_TRUE(status.ok()) << status.message();
  std::mt19937 random(1);
  for (int i = 0; i < 30; ++i) {
    Result result = session->submit(randomTree(random, 9).fields()).get();
    EXPECT_EQ(result.status.code(), StatusCode::internal);
    EXPECT_EQ(result.status.message(), "worker 1, another process, is gone: "
                                       "the connection has ended");
  }
}

TEST_F(RemoteTest, WhatIsNoAnswerEndsTheConnection) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Status status = start(1, [&](int socket) {
      pretend(socket, [&](Stream &stream) {
        PacketReader request;
        request.receive(stream);
        PacketWriter answer;
        size_t record = answer.beginRecord();
        for (unsigned i = 0, size = random() % 64; i < size; ++i)
          answer.add(uint8_t(round < 10 ? random() % 4 : random()));
        if (round % 4)
          answer.endRecord(record);
        answer.send(stream);
        request.receive(stream); // Until the session has had enough.
      });
    });
    ASSERT_TRUE(status.ok()) << status.message();
    Result result = session->submit(randomTree(random, 5).fields()).get();
    EXPECT_EQ(result.status.code(), StatusCode::internal);
    session.reset();
    servers.back().join();
    servers.pop_back();
  }
}

TEST_F(RemoteTest, BothSidesAreToldWhatDiffers) {
  for (bool isRenamed : {true, false}) {
    amprt_model_t other = treeModel();
    if (isRenamed)
      other.name = "shrub";
    else
      --other.cell_count;
    Status status = start(1, [&](int socket) {
      const Model linked = *Model::linked(other);
      Status served = serveCells(linked, weightsOf(linked), {}, socket);
      EXPECT_EQ(served.code(), StatusCode::failedPrecondition);
      EXPECT_NE(served.message().find("another model"), std::string::npos);
    });
    EXPECT_EQ(status.code(), StatusCode::failedPrecondition);
    EXPECT_EQ(status.message().find("worker 1: the session's process has "
                                    "another model"),
              0u)
        << status.message();
    servers.back().join();
    servers.pop_back();
  }
}

TEST_F(RemoteTest, OnlyASessionIsServed) {
  Pair pair;
  const char text[] = "GET / HTTP/1.1\r\n\r\n";
  ASSERT_GT(send(pair.ends[0], text, sizeof(text), 0), 0);
  close(pair.ends[0]);
  EXPECT_EQ(serveCells(model, weightsOf(model), {}, pair.ends[1]).code(),
            StatusCode::invalidArgument);
  Pair ended;
  close(ended.ends[0]);
  EXPECT_TRUE(serveCells(model, weightsOf(model), {}, ended.ends[1]).ok());
  EXPECT_EQ(serveCells(model, weightsOf(model), {}, dup(0)).code(),
            StatusCode::invalidArgument);
  EXPECT_EQ(serveCells(model, weightsOf(model), {}, -1).code(),
            StatusCode::invalidArgument);
}

TEST_F(RemoteTest, OptionsMustFit) {
  auto create = [&](SessionOptions options) {
    Pair pair;
    options.remotes = {pair.ends[0]};
    close(pair.ends[1]);
    return Session::create(model, weightsOf(model), options).status();
  };
  SessionOptions options;
  options.workers = 2;
  EXPECT_EQ(create(options).message(),
            "workers in other processes need placement 'model'");
  options.placement = PlacementMode::model;
  EXPECT_EQ(create(options).message(),
            "worker 1: the other process has ended the connection");
  options.record = true;
  EXPECT_EQ(create(options).code(), StatusCode::invalidArgument);
  options.record = false;
  options.workers = 3;
  EXPECT_EQ(create(options).message(),
            "with remotes, workers must be one more than they are");
}

TEST(CellValuesTest, ListsDoNotTravel) {
  const amprt_value_t list = {{AMPRT_OPAQUE, -1, nullptr}, 40, 0};
  const amprt_value_t number = {scalar(AMPRT_I64), 48, 0};
  amprt_cell_desc_t each = cell("c", "", "", 0, 0, nullptr, nullptr);
  EXPECT_FALSE(CellValues(each).mayTravel()); // It says nothing of its values.
  EXPECT_TRUE(CellValues(withValues(each, &number, 1, &number, 1)).mayTravel());
  EXPECT_FALSE(CellValues(withValues(each, &list, 1, &number, 1)).mayTravel());
  EXPECT_FALSE(CellValues(withValues(each, &number, 1, &list, 1)).mayTravel());
}
