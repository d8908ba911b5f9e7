//===- ReplicasTest.cpp - Copies of cells that are averaged ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Averaging.h"
#include "train/Training.h"

#include "core/HalfFloat.h"

#include <cmath>
#include <thread>

using namespace amprt;
using namespace models;

namespace {

TrainOptions replicated(int workers, int replicas, int64_t activeKeys,
                        int64_t averageEvery = 0,
                        OptimiserKind kind = OptimiserKind::adam) {
  TrainOptions options = asyncOptions(workers, activeKeys, kind);
  options.async->replicas = replicas;
  options.async->averageEvery = averageEvery;
  return options;
}

std::vector<Sample> learnable(size_t count, uint32_t seed = 1) {
  std::vector<Sample> samples = makeSamples(count, seed);
  for (Sample &sample : samples)
    sample.target = 0.1f * float(sample.words.size());
  return samples;
}

/// Replicas with weights and state that differ, outside of any trainer.
struct Copies {
  Copies(const amprt_model_t &descriptor, size_t count, int workers)
      : model(*Model::linked(descriptor)) {
    OptimiserOptions how;
    optimiser = std::move(*createOptimiser(how)); // Adam: two arrays of state.
    Weights weights = *Weights::load(model, "", {});
    for (size_t r = 0; r < count; ++r) {
      Replica &each = replicas.emplace_back();
      each.weights =
          std::make_shared<WeightsAccess::Data>(WeightsAccess::dataOf(weights));
      each.params = makeTrainedParams(*each.weights, *optimiser);
      prepared.push_back(std::move(*PreparedWeights::prepare(
          model.descriptor(), WeightsAccess::make(each.weights))));
    }
    averaging = std::make_unique<Averaging>(model.descriptor(), prepared,
                                            replicas, workers);
  }

  /// As if all but the last parameter had been updated.
  void disturb() {
    std::mt19937 random(7);
    auto fill = [&](float *values, int64_t count) {
      for (int64_t i = 0; i < count; ++i)
        values[i] = float(random() % 2000) / 1000 - 1;
    };
    for (Replica &each : replicas)
      for (size_t i = 0; i + 1 < each.params.size(); ++i) {
        TrainedParam &param = each.params[i];
        fill(param.weights, param.count);
        for (Tensor &state : param.state)
          fill(static_cast<float *>(state.data()), param.count);
        param.step = 1 + int64_t(random() % 5);
        param.isLive[random() % param.isLive.size()] = 1;
        param.round(0, param.count);
      }
  }

  void average(int workers) {
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i)
      threads.emplace_back([this] { averaging->run(); });
    for (std::thread &thread : threads)
      thread.join();
  }

  std::vector<double> elements(size_t replica) {
    std::vector<double> all;
    for (TrainedParam &param : replicas[replica].params) {
      all.insert(all.end(), param.weights, param.weights + param.count);
      for (Tensor &state : param.state) {
        auto *values = static_cast<float *>(state.data());
        all.insert(all.end(), values, values + param.count);
      }
    }
    return all;
  }

  const Model model;
  std::unique_ptr<Optimiser> optimiser;
  std::vector<Replica> replicas;
  std::vector<PreparedWeights> prepared;
  std::unique_ptr<Averaging> averaging;
};

} // namespace

TEST(ReplicasTest, AveragingIsTheArithmeticMean) {
  for (const amprt_model_t *model : {&regressModel(), &halfRegressModel()})
    for (size_t count : {size_t(2), size_t(3), size_t(4)}) {
      Copies copies(*model, count, int(count)), others(*model, count, 1);
      copies.disturb();
      others.disturb();
      std::vector<double> mean = copies.elements(0);
      for (size_t r = 1; r < count; ++r) {
        std::vector<double> each = copies.elements(r);
        for (size_t i = 0; i < mean.size(); ++i)
          mean[i] += each[i];
      }
      int64_t steps = 0;
      for (const Replica &each : copies.replicas)
        steps = std::max(steps, each.params[1].step);
      copies.average(int(count));
      others.average(1);
      std::vector<double> first = copies.elements(0);
      for (size_t i = 0; i < mean.size(); ++i)
        ASSERT_NEAR(first[i], mean[i] / double(count), 1e-6);
      EXPECT_EQ(others.elements(0), first); // Whoever does what.
      for (size_t r = 0; r < count; ++r) {
        EXPECT_EQ(copies.elements(r), first);
        const Replica &each = copies.replicas[r];
        EXPECT_EQ(each.params[1].step, steps);
        EXPECT_EQ(each.params[0].isLive, copies.replicas[0].params[0].isLive);
        for (size_t i = 0; i < each.params.size(); ++i)
          EXPECT_EQ(0,
                    std::memcmp(each.weights->tensors[i].data(),
                                copies.replicas[0].weights->tensors[i].data(),
                                each.weights->tensors[i].byteCount()));
      }
      // Once more changes nothing.
      copies.average(int(count));
      EXPECT_EQ(copies.elements(0), first);
    }
}

TEST(ReplicasTest, ProductsFollow) {
  Copies copies(regressModel(), 2, 1);
  copies.disturb();
  copies.average(1);
  Scratch scratch;
  std::vector<float> x(regressIn, 0.0f), y(regressOut);
  for (int64_t row = 0; row < regressIn; ++row) {
    x.assign(regressIn, 0.0f);
    x[size_t(row)] = 1;
    for (size_t r = 0; r < 2; ++r) {
      copies.prepared[r].linears->run(0, x.data(), y.data(), 1, scratch);
      EXPECT_EQ(0, std::memcmp(y.data(),
                               copies.replicas[0].params[1].weights +
                                   row * regressOut,
                               y.size() * sizeof(float)));
    }
  }
}

TEST(ReplicasTest, OneActiveKeyIsTheMeanOfSeveralRuns) {
  // With one key only the first worker opens an instance, so that the second
  // replica stays as it was, and the mean is half of the way.
  Minibatch data(learnable(1));
  auto alone = startTrainer(replicated(1, 1, 1, 0, OptimiserKind::sgd));
  auto trainer = startTrainer(replicated(2, 2, 1, 0, OptimiserKind::sgd));
  std::vector<double> start = flat(trainer->weights().tensors());
  ASSERT_TRUE(alone->pass(data.examples).ok());
  auto result = trainer->pass(data.examples);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->averagings, 1);
  std::vector<double> moved = flat(alone->weights().tensors()),
                      half = flat(trainer->weights().tensors());
  for (size_t i = 0; i < half.size(); ++i)
    EXPECT_NEAR(half[i], (start[i] + moved[i]) / 2, 1e-6);
}

TEST(ReplicasTest, LearnsAndLosesNothing) {
  Minibatch data(learnable(400));
  for (auto [workers, replicas] : {std::pair(2, 2), {4, 4}, {4, 2}})
    for (int64_t every : {0, 20}) {
      auto trainer = startTrainer(
          replicated(workers, replicas, 16, every, OptimiserKind::sgd));
      double before = trainer->evaluate(data.examples)->meanLoss();
      for (int epoch = 0; epoch < 5; ++epoch) {
        auto result = trainer->pass(data.examples);
        ASSERT_TRUE(result.ok()) << result.status().message();
        EXPECT_EQ(result->instances, 400);
        EXPECT_EQ(result->averagings, 1 + (every ? 400 / every : 0));
      }
      EXPECT_LT(trainer->evaluate(data.examples)->meanLoss(), before * 0.8);
      int64_t rows = 0, owners = 0;
      for (const ParamUpdates &each : trainer->paramUpdates())
        if (each.name == "W") {
          rows += each.rows;
          ++owners;
        }
      int64_t words = 0;
      for (const Values &values : data.values)
        words += values.at("word").elementCount();
      EXPECT_EQ(owners, replicas);
      EXPECT_EQ(rows, 5 * words);
    }
}

TEST(ReplicasTest, AReplicaForEachWorkerSendsNoActivations) {
  Minibatch data(learnable(300));
  auto trainer = startTrainer(replicated(2, 2, 16, 50));
  ASSERT_TRUE(trainer->pass(data.examples).ok());
  EXPECT_EQ(trainer->stats().messages, 0);
}

TEST(ReplicasTest, RepeatedToTheBit) {
  Minibatch data(learnable(600)), dev(learnable(40, 9));
  for (auto [workers, replicas] : {std::pair(2, 2), {4, 4}, {4, 2}})
    for (int64_t every : {0, 7, 100}) {
      TrainOptions options = replicated(workers, replicas, 24, every);
      options.session.record = true;
      auto trainer = startTrainer(options);
      for (int pass = 0; pass < 2; ++pass) {
        ASSERT_TRUE(trainer->pass(data.examples).ok());
        ASSERT_TRUE(trainer->evaluate(dev.examples).ok());
      }
      TrainOptions again = replicated(1, 1, 1); // What was recorded counts.
      again.session.replay = trainer->recording();
      auto repeated = startTrainer(again);
      for (int pass = 0; pass < 2; ++pass) {
        auto result = repeated->pass(data.examples);
        ASSERT_TRUE(result.ok()) << result.status().message();
        ASSERT_TRUE(repeated->evaluate(dev.examples).ok());
      }
      EXPECT_TRUE(isSame(trainer->weights(), repeated->weights()));
    }
}

TEST(ReplicasTest, AnotherRunFails) {
  std::vector<Sample> samples = learnable(200);
  Minibatch data(samples);
  TrainOptions options = replicated(2, 2, 16, 20);
  options.session.record = true;
  auto trainer = startTrainer(options);
  ASSERT_TRUE(trainer->pass(data.examples).ok());
  for (Sample &sample : samples)
    sample.words.resize(1 + sample.words.size() / 2);
  Minibatch others(samples);
  TrainOptions again = replicated(1, 1, 1);
  again.session.replay = trainer->recording();
  EXPECT_STATUS(startTrainer(again)->pass(others.examples).status(),
                StatusCode::failedPrecondition,
                "the recorded run was another one");

  SessionOptions session;
  session.replay = trainer->recording();
  auto model = Model::linked(regressModel());
  auto weights = Weights::load(*model, "", {});
  EXPECT_STATUS(Session::create(*model, *weights, session).status(),
                StatusCode::failedPrecondition, "training with 2 replicas");
}

TEST(ReplicasTest, FailuresOfInstances) {
  std::vector<Sample> samples = learnable(200);
  for (Sample &sample : samples)
    sample.words.push_back(4);
  for (size_t i = 5; i < samples.size(); i += 10)
    samples[i].words.back() = regressPoison;
  Minibatch data(samples);
  for (auto [workers, replicas] : {std::pair(2, 2), {4, 2}}) {
    TrainOptions options = replicated(workers, replicas, 16, 10);
    options.skipFailed = true;
    auto trainer = startTrainer(options);
    auto result = trainer->pass(data.examples);
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(result->instances, 180);
    EXPECT_EQ(result->failures.size(), 20u);
    EXPECT_EQ(result->averagings, 1 + 20); // They have ended, too.
    EXPECT_EQ(trainer->stats().arenaBytes, 0);
    options.skipFailed = false;
    EXPECT_STATUS(startTrainer(options)->pass(data.examples).status(),
                  StatusCode::invalidArgument, "instance 5: ");
  }
}

TEST(ReplicasTest, CheckpointsHoldTheAverage) {
  Minibatch data(learnable(300));
  std::string path = temporaryPath("checkpoint");
  for (const amprt_model_t *model : {&regressModel(), &halfRegressModel()}) {
    auto trainer = startTrainer(replicated(2, 2, 8), *model);
    ASSERT_TRUE(trainer->pass(data.examples).ok());
    ASSERT_TRUE(trainer->save(path).ok());
    // One worker is reproducible, and more so than two.
    std::unique_ptr<Trainer> resumed[2];
    for (std::unique_ptr<Trainer> &each : resumed) {
      TrainOptions options = replicated(1, 1, 8);
      options.schedule.kind = ScheduleOptions::Kind::exponential;
      options.schedule.period = 100;
      options.schedule.factor = 0.5;
      each = startTrainer(options, *model);
      ASSERT_TRUE(each->restore(path).ok());
      EXPECT_TRUE(isSame(each->weights(), trainer->weights()));
      ASSERT_TRUE(each->pass(data.examples).ok());
    }
    EXPECT_TRUE(isSame(resumed[0]->weights(), resumed[1]->weights()));

    // Each replica has what was restored.
    double loss = trainer->evaluate(data.examples)->lossSum;
    auto both = startTrainer(replicated(2, 2, 8), *model);
    ASSERT_TRUE(both->restore(path).ok());
    EXPECT_EQ(both->evaluate(data.examples)->lossSum, loss);
    ASSERT_TRUE(both->pass(data.examples).ok());
    EXPECT_LT(both->evaluate(data.examples)->lossSum, loss);
  }
  ::unlink(path.c_str());
}

TEST(ReplicasTest, ParametersThatControlReads) {
  amprt_model_t descriptor = regressModel();
  std::vector<amprt_param_desc_t> params(
      descriptor.params, descriptor.params + descriptor.param_count);
  params[1].flags = AMPRT_PARAM_READ_BY_CONTROL;
  descriptor.params = params.data();
  auto model = Model::linked(descriptor);
  auto weights = Weights::load(*model, "", {});
  EXPECT_TRUE(Trainer::create(*model, *weights, replicated(2, 2, 4)).ok());
  EXPECT_STATUS(Trainer::create(*model, *weights, replicated(4, 2, 4)).status(),
                StatusCode::failedPrecondition, "or each a replica of its own");
}

TEST(ReplicasTest, Refusals) {
  auto model = Model::linked(regressModel());
  auto weights = Weights::load(*model, "", {});
  auto expectRefused = [&](const TrainOptions &options, const char *part) {
    EXPECT_STATUS(Trainer::create(*model, *weights, options).status(),
                  StatusCode::invalidArgument, part);
  };
  expectRefused(replicated(1, 2, 4), "replicas is 2, but must divide");
  expectRefused(replicated(4, 3, 4), "the number of workers, 4");
  expectRefused(replicated(4, 0, 4), "replicas is 0");
  expectRefused(replicated(2, 2, 4, -1), "averageEvery");
}
