//===- TrainerTest.cpp - What trainers guarantee --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include <cmath>

using namespace amprt;

static TrainOptions with(OptimiserKind kind, int workers = 1,
                         int64_t inFlight = 64) {
  TrainOptions options;
  options.optimiser.kind = kind;
  options.optimiser.learningRate = 0.01;
  options.session.workers = workers;
  options.session.maxInFlight = inFlight;
  return options;
}

/// Updates with batches that `samples` are cut into.
static void train(Trainer &trainer, const std::vector<Sample> &samples,
                  size_t batchSize) {
  for (size_t first = 0; first < samples.size(); first += batchSize) {
    size_t last = std::min(samples.size(), first + batchSize);
    Minibatch batch({samples.begin() + ptrdiff_t(first),
                     samples.begin() + ptrdiff_t(last)});
    auto result = trainer.update(batch.examples);
    ASSERT_TRUE(result.ok()) << result.status().message();
  }
}

static Weights trained(const TrainOptions &options,
                       const std::vector<Sample> &samples, size_t batchSize,
                       const amprt_model_t &model = models::regressModel()) {
  auto trainer = startTrainer(options, model);
  train(*trainer, samples, batchSize);
  return trainer->weights();
}

TEST(TrainerTest, OneWorkerIsReproducibleToTheBit) {
  std::vector<Sample> samples = makeSamples(300);
  for (OptimiserKind kind : {OptimiserKind::sgd, OptimiserKind::adam}) {
    Weights first = trained(with(kind), samples, 32);
    EXPECT_TRUE(isSame(first, trained(with(kind), samples, 32)));
    // How many are open at once changes the order of sums, no more.
    expectNear(flat(first.tensors()),
               flat(trained(with(kind, 1, 3), samples, 32).tensors()), 1e-4);
  }
}

TEST(TrainerTest, SeveralWorkersAgreeWithinRounding) {
  std::vector<Sample> samples = makeSamples(400);
  for (OptimiserKind kind : {OptimiserKind::sgd, OptimiserKind::momentum,
                             OptimiserKind::adam, OptimiserKind::adagrad}) {
    std::vector<double> one = flat(trained(with(kind), samples, 40).tensors());
    for (int workers : {2, 4}) {
      TrainOptions options = with(kind, workers);
      options.measureNorm = workers == 2;
      expectNear(one, flat(trained(options, samples, 40).tensors()), 2e-3);
    }
  }
}

TEST(TrainerTest, MoreRowsThanAreDeferredTogether) {
  // About 9000 words: many flushes, and some rows left at the end.
  std::vector<Sample> samples = makeSamples(60, 3, 300);
  for (Sample &sample : samples)
    sample.target = float(sample.words.size());
  TrainOptions options = with(OptimiserKind::sgd);
  auto trainer = startTrainer(options);
  Reference reference;
  reference.parameters = flat(trainer->weights().tensors());
  std::vector<double> expected(Reference::count);
  reference.run(samples, expected);
  Minibatch batch(samples);
  auto gradients = trainer->gradients(batch.examples);
  ASSERT_TRUE(gradients.ok());
  std::vector<double> got = flat(*gradients);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i] / double(samples.size()),
                1e-4 * (1 + std::fabs(expected[i] / double(samples.size()))));
  // Asking changes nothing.
  auto again = trainer->gradients(batch.examples);
  EXPECT_EQ(got, flat(*again));
  EXPECT_EQ(trainer->updates(), 0);
  EXPECT_EQ(reference.parameters, flat(trainer->weights().tensors()));
}

TEST(TrainerTest, GradientsAgreeWithFiniteDifferences) {
  std::vector<Sample> samples = makeSamples(5);
  Reference reference;
  reference.parameters =
      flat(startTrainer(with(OptimiserKind::sgd))->weights().tensors());
  std::vector<double> gradients(Reference::count), unused(Reference::count);
  reference.run(samples, gradients);
  for (size_t i = 0; i < Reference::count; i += 7) {
    double at = reference.parameters[i], h = 1e-5;
    reference.parameters[i] = at + h;
    double above = reference.run(samples, unused);
    reference.parameters[i] = at - h;
    double below = reference.run(samples, unused);
    reference.parameters[i] = at;
    EXPECT_NEAR((above - below) / (2 * h), gradients[i],
                1e-6 * (1 + std::fabs(gradients[i])));
  }
}

TEST(TrainerTest, LazyRowsStayWhereExactOnesMove) {
  // The second update has none of the words of the first.
  std::vector<Sample> first = {{{0, 2}, 1, 0}}, second = {{{4, 6}, 1, 0}};
  auto rowAfter = [&](OptimiserKind kind, bool lazy, double decay, int row) {
    TrainOptions options = with(kind);
    options.optimiser.lazy = lazy;
    options.optimiser.weightDecay = decay;
    auto trainer = startTrainer(options);
    train(*trainer, first, 1);
    double before = trainer->weights().tensors()[0].at(row * 6);
    train(*trainer, second, 1);
    return trainer->weights().tensors()[0].at(row * 6) - before;
  };
  EXPECT_NE(rowAfter(OptimiserKind::adam, false, 0, 0), 0);
  EXPECT_EQ(rowAfter(OptimiserKind::adam, true, 0, 0), 0);
  EXPECT_NE(rowAfter(OptimiserKind::adam, true, 0, 4), 0);
  EXPECT_NE(rowAfter(OptimiserKind::momentum, false, 0, 0), 0);
  EXPECT_EQ(rowAfter(OptimiserKind::momentum, true, 0, 0), 0);
  for (OptimiserKind kind : {OptimiserKind::sgd, OptimiserKind::adagrad})
    for (bool lazy : {false, true}) {
      EXPECT_EQ(rowAfter(kind, lazy, 0, 0), 0);
      EXPECT_NE(rowAfter(kind, lazy, 0, 4), 0);
      EXPECT_EQ(rowAfter(kind, lazy, 0.1, 0) == 0, lazy);
    }
  // Rows that no update has touched move by weight decay alone.
  EXPECT_EQ(rowAfter(OptimiserKind::adam, false, 0, 20), 0);
  EXPECT_NE(rowAfter(OptimiserKind::adam, false, 0.1, 20), 0);
}

TEST(TrainerTest, HalfPrecisionHasMasters) {
  std::vector<Sample> samples = makeSamples(640);
  TrainOptions options = with(OptimiserKind::sgd);
  // Steps far below what bf16 can tell apart still add up.
  options.optimiser.learningRate = 1e-4;
  auto trainer = startTrainer(options, models::halfRegressModel());
  std::vector<double> before = flat(trainer->weights().tensors());
  Minibatch all(samples);
  double first = trainer->evaluate(all.examples)->meanLoss();
  for (int i = 0; i < 20; ++i)
    train(*trainer, samples, 8);
  EXPECT_LT(trainer->evaluate(all.examples)->meanLoss(), 0.8 * first);
  EXPECT_NE(before, flat(trainer->weights().tensors()));
}

TEST(TrainerTest, FailingInstanceRefusesTheUpdate) {
  for (int workers : {1, 2}) {
    std::vector<Sample> samples = makeSamples(20);
    auto trainer = startTrainer(with(OptimiserKind::adam, workers));
    train(*trainer, samples, 10);
    Weights before = trainer->weights();
    std::vector<Sample> poisoned = samples;
    poisoned[7].words = {2, 2, models::regressPoison, 4};
    Minibatch bad(poisoned);
    auto result = trainer->update(bad.examples);
    EXPECT_STATUS(result.status(), StatusCode::invalidArgument,
                  "update 3: instance 7: regress.mlir:9:9: poisoned");
    EXPECT_TRUE(isSame(before, trainer->weights()));
    EXPECT_EQ(trainer->updates(), 2);
    // Nothing of it is left: what follows is as if it had not been.
    train(*trainer, samples, 10);
    auto other = startTrainer(with(OptimiserKind::adam, workers));
    train(*other, samples, 10);
    train(*other, samples, 10);
    if (workers == 1)
      EXPECT_TRUE(isSame(other->weights(), trainer->weights()));
    else
      expectNear(flat(other->weights().tensors()),
                 flat(trainer->weights().tensors()), 1e-4);
  }
}

TEST(TrainerTest, FailingInstancesAreLeftOut) {
  std::vector<Sample> samples = makeSamples(12), some(samples);
  TrainOptions options = with(OptimiserKind::adam);
  options.skipFailed = true;
  auto trainer = startTrainer(options);
  samples.insert(samples.begin() + 3, {{2, models::regressPoison}, 1, 0});
  samples.push_back({{2, -1}, 1, 0});
  Minibatch bad(samples);
  auto result = trainer->update(bad.examples);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->instances, 12);
  ASSERT_EQ(result->failures.size(), 2u);
  EXPECT_EQ(result->failures[0].index, 3u);
  EXPECT_EQ(result->failures[1].index, 13u);
  EXPECT_STATUS(result->failures[1].status, StatusCode::outOfRange,
                "word -1 is outside [0, 40)");
  EXPECT_TRUE(isSame(trainer->weights(),
                     trained(with(OptimiserKind::adam), some, some.size())));
  Minibatch onlyBad({{{-1}, 1, 0}});
  EXPECT_STATUS(trainer->update(onlyBad.examples).status(),
                StatusCode::outOfRange, "update 2: instance 0");
}

/// Its loss is there, but what it gives to the gradients is not whole.
TEST(TrainerTest, StalledBackwardPass) {
  std::vector<Sample> samples = makeSamples(12), some(samples);
  samples[5].words = {2, 4, models::regressLost, 6, 2};
  auto trainer = startTrainer(with(OptimiserKind::adam));
  Weights before = trainer->weights();
  Minibatch bad(samples);
  EXPECT_STATUS(trainer->update(bad.examples).status(), StatusCode::internal,
                "instance 5: stalled: its backward pass has not come to: the "
                "first word");
  EXPECT_TRUE(isSame(before, trainer->weights()));
  // Without a backward pass there is nothing to miss.
  EXPECT_TRUE(trainer->evaluate(bad.examples).ok());
  some.erase(some.begin() + 5);
  train(*trainer, some, some.size());
  EXPECT_TRUE(isSame(trainer->weights(),
                     trained(with(OptimiserKind::adam), some, some.size())));
}

TEST(TrainerTest, LossThatIsNoNumber) {
  auto trainer = startTrainer(with(OptimiserKind::adam));
  Weights before = trainer->weights();
  for (float target : {NAN, INFINITY, 1e30f}) {
    Minibatch bad({{{2}, 1, 0}, {{2}, target, 0}});
    EXPECT_STATUS(trainer->update(bad.examples).status(),
                  StatusCode::failedPrecondition, "update 1: the loss is ");
  }
  EXPECT_TRUE(isSame(before, trainer->weights()));
  TrainOptions options = with(OptimiserKind::adam);
  options.clipNorm = 1;
  trainer = startTrainer(options);
  Minibatch large({{{2, 4, 6, 8}, 1e19f, 0}, {{2, 2, 2, 2, 2, 2}, -1e19f, 0}});
  auto result = trainer->update(large.examples);
  EXPECT_EQ(result.ok(), false);
  EXPECT_TRUE(isSame(before, trainer->weights()));
}

TEST(TrainerTest, WhatCannotBeTrained) {
  auto create = [](const amprt_model_t &descriptor, TrainOptions options) {
    auto model = Model::linked(descriptor);
    return Trainer::create(*model, *Weights::load(*model, "", {}), options)
        .status();
  };
  amprt_model_t model = models::regressModel();
  model.train = nullptr;
  EXPECT_STATUS(create(model, {}), StatusCode::failedPrecondition,
                "cannot be trained: it was compiled without --train");
  amprt_entry_t entry = *models::regressModel().train;
  entry.loss = AMPRT_NO_LOSS;
  model.train = &entry;
  EXPECT_STATUS(create(model, {}), StatusCode::failedPrecondition,
                "it has no loss");
  amprt_gradient_desc_t gradient = {
      1, 1, 0, 1, models::regressIn, models::regressOut};
  model = models::regressModel();
  model.gradients = &gradient;
  EXPECT_STATUS(create(model, {}), StatusCode::failedPrecondition,
                "gradient 0 of the model does not fit its parameter");
  TrainOptions options;
  options.optimiser.learningRate = -1;
  EXPECT_STATUS(create(models::regressModel(), options),
                StatusCode::invalidArgument, "the learning rate is -1");
  options = {};
  options.clipNorm = NAN;
  EXPECT_STATUS(create(models::regressModel(), options),
                StatusCode::invalidArgument, "clipNorm");
  EXPECT_STATUS(startTrainer({})->update(std::vector<Example>()).status(),
                StatusCode::invalidArgument, "the batch has no instances");
}

TEST(TrainerTest, SessionsRunAllEntries) {
  auto session = startSession(models::regressModel());
  for (Entry entry : {Entry::predict, Entry::evaluate, Entry::train}) {
    SubmitOptions how;
    how.entry = entry;
    Result result =
        session->submit(models::regressFields({2, 4}, 0.5f), how).get();
    ASSERT_TRUE(result.status.ok()) << result.status.message();
    EXPECT_EQ(result.values.count("loss"), entry != Entry::predict);
  }
  amprt_model_t model = models::regressModel();
  model.evaluate = nullptr;
  SubmitOptions how;
  how.entry = Entry::evaluate;
  EXPECT_STATUS(startSession(model)
                    ->submit(models::regressFields({}, 0), how)
                    .get()
                    .status,
                StatusCode::failedPrecondition, "compiled without --train");
}
