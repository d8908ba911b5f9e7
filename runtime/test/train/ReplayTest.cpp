//===- ReplayTest.cpp - Runs that are repeated ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include "io/RecordingFile.h"

using namespace amprt;
using namespace models;

namespace {

TrainOptions recorded(int workers, int64_t activeKeys) {
  TrainOptions options;
  options.optimiser.kind = OptimiserKind::adam;
  options.session.workers = workers;
  options.session.maxInFlight = activeKeys;
  options.session.record = true;
  options.async.emplace();
  options.async->minUpdateFrequency = 5;
  return options;
}

TrainOptions repeated(const Recording &recording) {
  TrainOptions options = recorded(1, 1); // What the recording says counts.
  options.session.record = false;
  options.session.replay = recording;
  return options;
}

} // namespace

TEST(ReplayTest, SameWeightsToTheBit) {
  Minibatch data(makeSamples(1000)), dev(makeSamples(50, 9));
  for (int workers : {1, 2, 4}) {
    auto trainer = startTrainer(recorded(workers, 24));
    double losses[2], devLoss = 0;
    for (double &loss : losses) {
      auto result = trainer->pass(data.examples);
      ASSERT_TRUE(result.ok()) << result.status().message();
      loss = result->lossSum;
      devLoss = trainer->evaluate(dev.examples)->lossSum;
    }
    auto again = startTrainer(repeated(trainer->recording()));
    for (double loss : losses) {
      auto result = again->pass(data.examples);
      ASSERT_TRUE(result.ok()) << result.status().message();
      EXPECT_EQ(result->lossSum, loss);
      auto evaluated = again->evaluate(dev.examples);
      ASSERT_TRUE(evaluated.ok()) << evaluated.status().message();
    }
    EXPECT_EQ(again->evaluate(dev.examples).ok(), false); // Not recorded.
    EXPECT_TRUE(isSame(trainer->weights(), again->weights()));
    EXPECT_GT(devLoss, 0);
    for (size_t i = 0; i < trainer->paramUpdates().size(); ++i)
      EXPECT_EQ(trainer->paramUpdates()[i].staleness,
                again->paramUpdates()[i].staleness);
  }
}

TEST(ReplayTest, AnotherRunFails) {
  std::vector<Sample> samples = makeSamples(200);
  Minibatch data(samples);
  auto trainer = startTrainer(recorded(2, 16));
  ASSERT_TRUE(trainer->pass(data.examples).ok());
  Recording recording = trainer->recording();
  for (Sample &sample : samples)
    sample.words.resize(1 + sample.words.size() / 2);
  Minibatch others(samples);
  auto result = startTrainer(repeated(recording))->pass(others.examples);
  ASSERT_FALSE(result.ok());
  EXPECT_STATUS(result.status(), StatusCode::failedPrecondition,
                "the recorded run was another one");

  auto model = Model::linked(halfRegressModel());
  auto weights = Weights::load(*model, "", {});
  EXPECT_STATUS(Trainer::create(*model, *weights, repeated(recording)).status(),
                StatusCode::failedPrecondition, "another model, 'regress'");
}

TEST(ReplayTest, Files) {
  Minibatch data(makeSamples(60));
  auto trainer = startTrainer(recorded(2, 8));
  ASSERT_TRUE(trainer->pass(data.examples).ok());
  std::string path = temporaryPath("recording");
  ASSERT_TRUE(trainer->recording().save(path).ok());
  auto read = Recording::load(path);
  ::unlink(path.c_str());
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(recordingText(read->contents()),
            recordingText(trainer->recording().contents()));
  auto again = startTrainer(repeated(*read));
  ASSERT_TRUE(again->pass(data.examples).ok());
  EXPECT_TRUE(isSame(trainer->weights(), again->weights()));

  EXPECT_STATUS(Recording::load(path).status(), StatusCode::notFound, path);
  auto expectBroken = [](const std::string &text, const char *part) {
    EXPECT_STATUS(parseRecording(text, "r").status(),
                  StatusCode::invalidArgument, part);
  };
  std::string head =
      "{\"format\":\"amprt-recording\",\"version\":2,"
      "\"model\":\"m\",\"policy\":\"agenda\",\"max_batch\":1,"
      "\"max_in_flight\":1,\"replicas\":1,\"meet_every\":0,\"owners\":";
  expectBroken("[]", "'r' is no recording");
  expectBroken(head + "[2],\"decisions\":[[],[]]}", "2, which is no worker");
  expectBroken(head + "[],\"decisions\":[[1,2]]}", "worker 0: expected");
  expectBroken(head + "[],\"decisions\":[[7,2,3]]}", "of kind 7");
  expectBroken(head + "[],\"decisions\":[]}", "it has no worker");
}

TEST(ReplayTest, OnlyWithModelPlacement) {
  SessionOptions options;
  options.record = true;
  auto model = Model::linked(regressModel());
  auto weights = Weights::load(*model, "", {});
  EXPECT_STATUS(Session::create(*model, *weights, options).status(),
                StatusCode::invalidArgument, "can be recorded");
}
