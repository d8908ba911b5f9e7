//===- AsyncTest.cpp - Training without steps of the whole ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include <cmath>

using namespace amprt;
using namespace models;

namespace {

TrainOptions asynchronous(int workers, int64_t activeKeys,
                          int64_t frequency = 1,
                          OptimiserKind kind = OptimiserKind::sgd) {
  TrainOptions options = asyncOptions(workers, activeKeys, kind);
  options.async->minUpdateFrequency = frequency;
  return options;
}

/// Each has a word at least, so that every parameter gets a gradient.
std::vector<Sample> samplesWithWords(size_t count) {
  std::vector<Sample> samples = makeSamples(count);
  for (Sample &sample : samples)
    if (sample.words.empty())
      sample.words.push_back(4);
  return samples;
}

int64_t wordsOf(const std::vector<Sample> &samples) {
  int64_t words = 0;
  for (const Sample &sample : samples)
    words += int64_t(sample.words.size());
  return words;
}

const ParamUpdates &of(const std::vector<ParamUpdates> &all, const char *name) {
  for (const ParamUpdates &each : all)
    if (each.name == name)
      return each;
  ADD_FAILURE() << "no parameter " << name;
  return all.front();
}

} // namespace

TEST(AsyncTest, OneActiveKeyIsMinibatchesOfOne) {
  std::vector<Sample> samples = samplesWithWords(150);
  Minibatch data(samples);
  for (OptimiserKind kind : {OptimiserKind::sgd, OptimiserKind::momentum,
                             OptimiserKind::adam, OptimiserKind::adagrad}) {
    TrainOptions options = asynchronous(1, 1, 1, kind);
    options.async.reset();
    auto sync = startTrainer(options);
    for (const Example &example : data.examples)
      ASSERT_TRUE(sync->update(std::vector<Example>{example}).ok());
    for (int workers : {1, 2, 4}) {
      auto trainer = startTrainer(asynchronous(workers, 1, 1, kind));
      auto result = trainer->pass(data.examples);
      ASSERT_TRUE(result.ok()) << result.status().message();
      EXPECT_EQ(result->instances, 150);
      EXPECT_EQ(result->updates, 3 * 150);
      EXPECT_TRUE(isSame(trainer->weights(), sync->weights()));
      for (const ParamUpdates &each : trainer->paramUpdates()) {
        EXPECT_EQ(each.updates, each.name == "unused" ? 0 : 150);
        EXPECT_EQ(each.greatestStaleness, 0);
      }
    }
  }
}

TEST(AsyncTest, NothingIsLost) {
  std::vector<Sample> samples = makeSamples(500);
  Minibatch data(samples);
  for (int workers : {1, 2, 4})
    for (int64_t frequency : {1, 7, 100}) {
      auto trainer = startTrainer(asynchronous(workers, 32, frequency));
      ASSERT_TRUE(trainer->pass(data.examples).ok());
      const std::vector<ParamUpdates> all = trainer->paramUpdates();
      for (const char *name : {"E", "W", "b"}) {
        const ParamUpdates &each = of(all, name);
        // A few rows may wait for the next pass.
        EXPECT_LE(each.rows, wordsOf(samples));
        EXPECT_GT(each.rows, wordsOf(samples) - frequency);
        EXPECT_LE(each.updates, each.rows / frequency);
        EXPECT_GT(each.updates, 0);
        int64_t counted = 0;
        for (int64_t count : each.staleness)
          counted += count;
        EXPECT_EQ(counted, each.instances);
        EXPECT_GE(each.instances, 400); // Those that came to the owner.
      }
    }
}

TEST(AsyncTest, StalenessGrowsWithActiveKeys) {
  std::vector<Sample> samples = samplesWithWords(600);
  Minibatch data(samples);
  double last = 0;
  for (int64_t keys : {1, 4, 64}) {
    auto trainer = startTrainer(asynchronous(1, keys));
    ASSERT_TRUE(trainer->pass(data.examples).ok());
    double mean = of(trainer->paramUpdates(), "W").meanStaleness;
    EXPECT_TRUE(keys == 1 || mean > last);
    EXPECT_LT(mean, double(keys));
    last = mean;
  }
}

TEST(AsyncTest, Learns) {
  std::vector<Sample> samples = samplesWithWords(300);
  for (Sample &sample : samples)
    sample.target = 0.1f * float(sample.words.size());
  Minibatch data(samples);
  for (int workers : {1, 2})
    for (int64_t keys : {1, 16}) {
      auto trainer = startTrainer(asynchronous(workers, keys));
      double before = trainer->evaluate(data.examples)->meanLoss();
      for (int epoch = 0; epoch < 5; ++epoch)
        ASSERT_TRUE(trainer->pass(data.examples).ok());
      EXPECT_LT(trainer->evaluate(data.examples)->meanLoss(), before * 0.8);
    }
}

TEST(AsyncTest, OneWorkerIsReproducibleToTheBit) {
  Minibatch data(samplesWithWords(300));
  auto run = [&] {
    auto trainer = startTrainer(asynchronous(1, 16, 10, OptimiserKind::adam));
    EXPECT_TRUE(trainer->pass(data.examples).ok());
    return trainer->weights();
  };
  EXPECT_TRUE(isSame(run(), run()));
}

TEST(AsyncTest, FailuresAwayFromHome) {
  std::vector<Sample> samples = samplesWithWords(200);
  for (size_t i = 5; i < samples.size(); i += 10)
    samples[i].words.back() = regressPoison;
  Minibatch data(samples);
  for (int workers : {1, 2, 4}) {
    TrainOptions options = asynchronous(workers, 16);
    options.skipFailed = true;
    auto trainer = startTrainer(options);
    auto result = trainer->pass(data.examples);
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(result->instances, 180);
    ASSERT_EQ(result->failures.size(), 20u);
    for (size_t i = 0; i < 20; ++i)
      EXPECT_EQ(result->failures[i].index, 5 + 10 * i);
    EXPECT_EQ(trainer->stats().arenaBytes, 0);

    options.skipFailed = false;
    EXPECT_STATUS(startTrainer(options)->pass(data.examples).status(),
                  StatusCode::invalidArgument, "instance 5: ");
  }
}

TEST(AsyncTest, Refusals) {
  auto model = Model::linked(regressModel());
  auto weights = Weights::load(*model, "", {});
  auto expectRefused = [&](const TrainOptions &options, const char *part) {
    EXPECT_STATUS(Trainer::create(*model, *weights, options).status(),
                  StatusCode::invalidArgument, part);
  };
  TrainOptions options = asynchronous(2, 4);
  options.async->frequencyOf["X"] = 3;
  expectRefused(options, "the model has no parameter 'X'");
  options.async->frequencyOf = {{"W", 0}};
  expectRefused(options, "frequency of 'W' must be at least 1");
  expectRefused(asynchronous(1, 1, 0), "must be at least 1");

  auto trainer = startTrainer(asynchronous(1, 1));
  Minibatch data(makeSamples(3));
  EXPECT_STATUS(trainer->update(data.examples).status(),
                StatusCode::failedPrecondition, "passes, not updates");
  EXPECT_STATUS(trainer->pass({}).status(), StatusCode::invalidArgument,
                "no instances");
  TrainOptions sync;
  EXPECT_STATUS(startTrainer(sync)->pass(data.examples).status(),
                StatusCode::failedPrecondition, "not made for asynchronous");
}

TEST(AsyncTest, ParametersThatControlReadsHaveOneWorker) {
  amprt_model_t descriptor = regressModel();
  std::vector<amprt_param_desc_t> params(
      descriptor.params, descriptor.params + descriptor.param_count);
  params[1].flags = AMPRT_PARAM_READ_BY_CONTROL;
  descriptor.params = params.data();
  auto model = Model::linked(descriptor);
  auto weights = Weights::load(*model, "", {});
  EXPECT_TRUE(Trainer::create(*model, *weights, asynchronous(1, 4)).ok());
  EXPECT_STATUS(Trainer::create(*model, *weights, asynchronous(2, 4)).status(),
                StatusCode::failedPrecondition,
                "parameter 'W' is read outside of cells");
}
