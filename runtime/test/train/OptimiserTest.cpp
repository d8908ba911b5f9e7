//===- OptimiserTest.cpp - Optimisers against plain formulas --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include <cmath>
#include <functional>

using namespace amprt;

namespace {
/// One element: weight, gradient, two states, the step from 1, the rate.
using Formula = std::function<void(double &w, double g, double &a, double &b,
                                   int step, double rate)>;

struct Case {
  const char *name;
  TrainOptions options;
  Formula formula;
};

TrainOptions with(OptimiserKind kind, std::optional<double> decay = {}) {
  TrainOptions options;
  options.optimiser.kind = kind;
  options.optimiser.learningRate = 0.02;
  options.optimiser.weightDecay = decay;
  return options;
}

Formula sgd(double decay) {
  return [=](double &w, double g, double &, double &, int, double rate) {
    w -= rate * (g + decay * w);
  };
}

Formula momentum(double decay, bool nesterov) {
  return [=](double &w, double g, double &buffer, double &, int step,
             double rate) {
    g += decay * w;
    buffer = step == 1 ? g : 0.9 * buffer + g;
    w -= rate * (nesterov ? g + 0.9 * buffer : buffer);
  };
}

Formula adam(double decay, bool decoupled) {
  return [=](double &w, double g, double &m, double &v, int step, double rate) {
    if (decoupled)
      w *= 1 - rate * decay;
    else
      g += decay * w;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    double mHat = m / (1 - std::pow(0.9, step));
    double vHat = v / (1 - std::pow(0.999, step));
    w -= rate * mHat / (std::sqrt(vHat) + 1e-8);
  };
}

Formula adagrad(double decay, double rateDecay) {
  return
      [=](double &w, double g, double &sum, double &, int step, double rate) {
        g += decay * w;
        sum += g * g;
        w -= rate / (1 + (step - 1) * rateDecay) * g / (std::sqrt(sum) + 1e-10);
      };
}

std::vector<Case> allCases() {
  std::vector<Case> cases = {
      {"sgd", with(OptimiserKind::sgd), sgd(0)},
      {"sgdDecay", with(OptimiserKind::sgd, 0.1), sgd(0.1)},
      {"momentum", with(OptimiserKind::momentum), momentum(0, false)},
      {"momentumDecay", with(OptimiserKind::momentum, 0.1),
       momentum(0.1, false)},
      {"nesterov", with(OptimiserKind::momentum, 0.1), momentum(0.1, true)},
      {"adam", with(OptimiserKind::adam), adam(0, false)},
      {"adamDecay", with(OptimiserKind::adam, 0.1), adam(0.1, false)},
      {"adamw", with(OptimiserKind::adamw), adam(0.01, true)},
      {"adagrad", with(OptimiserKind::adagrad), adagrad(0, 0)},
      {"adagradDecay", with(OptimiserKind::adagrad, 0.1), adagrad(0.1, 0.5)}};
  cases[4].options.optimiser.nesterov = true;
  cases[9].options.optimiser.learningRateDecay = 0.5;
  return cases;
}

class OptimiserTest : public testing::TestWithParam<Case> {
protected:
  static constexpr int steps = 12;
  static constexpr size_t batchSize = 7;

  /// Steps with `change` done to the gradient of the sum, and compares.
  void compare(TrainOptions options,
               const std::function<void(std::vector<double> &)> &change,
               const std::function<double(int)> &rate) {
    auto trainer = startTrainer(options);
    Reference reference;
    reference.parameters = flat(trainer->weights().tensors());
    std::vector<double> a(Reference::count), b(Reference::count);
    for (int step = 1; step <= steps; ++step) {
      std::vector<Sample> samples = makeSamples(batchSize, uint32_t(step));
      Minibatch batch(samples);
      auto result = trainer->update(batch.examples);
      ASSERT_TRUE(result.ok()) << result.status().message();
      std::vector<double> gradients(Reference::count);
      double loss = reference.run(samples, gradients);
      EXPECT_NEAR(result->lossSum, loss, 1e-4 * (1 + loss));
      EXPECT_EQ(result->instances, int64_t(batchSize));
      EXPECT_NEAR(result->learningRate, rate(step), 1e-12);
      change(gradients);
      // No loss reaches the last parameter, so it stays as it is.
      for (size_t i = 0; i < Reference::count - Reference::out; ++i)
        GetParam().formula(reference.parameters[i], gradients[i], a[i], b[i],
                           step, rate(step));
    }
    expectNear(flat(trainer->weights().tensors()), reference.parameters, 2e-4);
  }
};
INSTANTIATE_TEST_SUITE_P(All, OptimiserTest, testing::ValuesIn(allCases()),
                         [](const auto &info) { return info.param.name; });
} // namespace

static void scaleBy(std::vector<double> &gradients, double factor) {
  for (double &g : gradients)
    g *= factor;
}

TEST_P(OptimiserTest, Mean) {
  compare(
      GetParam().options, [](auto &g) { scaleBy(g, 1.0 / batchSize); },
      [](int) { return 0.02; });
}

TEST_P(OptimiserTest, SumWithSchedule) {
  TrainOptions options = GetParam().options;
  options.optimiser.learningRate = 0.002;
  options.reduction = Reduction::sum;
  options.schedule.kind = ScheduleOptions::Kind::step;
  options.schedule.period = 4;
  options.schedule.factor = 0.5;
  compare(
      options, [](auto &) {},
      [](int step) { return 0.002 * std::pow(0.5, (step - 1) / 4); });
}

TEST_P(OptimiserTest, Clipped) {
  TrainOptions options = GetParam().options;
  options.clipValue = 0.5;
  options.clipNorm = 0.75;
  compare(
      options,
      [](std::vector<double> &gradients) {
        double squares = 0;
        for (double &g : gradients) {
          g = std::max(-0.5, std::min(0.5, g / batchSize));
          squares += g * g;
        }
        scaleBy(gradients, std::min(1.0, 0.75 / (std::sqrt(squares) + 1e-6)));
      },
      [](int) { return 0.02; });
}

TEST(ScheduleTest, Factors) {
  using Kind = ScheduleOptions::Kind;
  ScheduleOptions schedule;
  EXPECT_EQ(scheduledFactor(schedule, 12345), 1);
  schedule.warmup = 4;
  for (int update = 0; update < 4; ++update)
    EXPECT_DOUBLE_EQ(scheduledFactor(schedule, update), (update + 1) / 4.0);
  EXPECT_EQ(scheduledFactor(schedule, 4), 1);
  schedule.kind = Kind::step;
  schedule.period = 10;
  schedule.factor = 0.1;
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 13), 1);
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 14), 0.1);
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 24), 0.01);
  schedule.kind = Kind::exponential;
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 9), std::pow(0.1, 0.5));
  schedule.kind = Kind::cosine;
  schedule.least = 0.2;
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 4), 1);
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 9), 0.6);
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 14), 0.2);
  EXPECT_DOUBLE_EQ(scheduledFactor(schedule, 1000), 0.2);
}

TEST(OptimiserNamesTest, AllAndNone) {
  for (const char *name : {"sgd", "momentum", "adam", "adamw", "adagrad"})
    EXPECT_STREQ(optimiserName(*parseOptimiser(name)), name);
  EXPECT_STATUS(parseOptimiser("lion").status(), StatusCode::invalidArgument,
                "there are: sgd, momentum, adam, adamw, adagrad");
}
