//===- Training.h - What tests of training share ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_TRAIN_TRAINING_H
#define AMPRT_TEST_TRAIN_TRAINING_H

#include "Running.h"
#include "amprt/train.hpp"
#include "models/Regress.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

/// An instance of the regression, and a copy in plain form.
struct Sample {
  std::vector<int32_t> words;
  float target;
  uint64_t seed;
};

inline std::vector<Sample> makeSamples(size_t count, uint32_t seed = 1,
                                       int mostWords = 9) {
  std::mt19937 random(seed);
  std::vector<Sample> samples;
  for (size_t i = 0; i < count; ++i) {
    Sample sample;
    int words = int(random() % unsigned(mostWords + 1));
    // Half of the words are never used.
    for (int w = 0; w < words; ++w)
      sample.words.push_back(int32_t(random() % (models::regressWords / 2)) *
                             2);
    sample.target = float(random() % 1000) / 500;
    sample.seed = random();
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// A batch with the values that it refers to.
struct Minibatch {
  explicit Minibatch(const std::vector<Sample> &samples) {
    for (const Sample &sample : samples)
      values.push_back(models::regressFields(sample.words, sample.target));
    for (size_t i = 0; i < samples.size(); ++i)
      examples.push_back({&values[i], samples[i].seed});
  }
  std::vector<amprt::Values> values;
  std::vector<amprt::Example> examples;
};

/// Asynchronous training, with a rate at which the model learns.
inline amprt::TrainOptions asyncOptions(int workers, int64_t activeKeys,
                                        amprt::OptimiserKind kind) {
  amprt::TrainOptions options;
  options.optimiser.kind = kind;
  options.optimiser.learningRate = 0.003;
  options.session.workers = workers;
  options.session.maxInFlight = activeKeys;
  options.async.emplace();
  return options;
}

inline std::unique_ptr<amprt::Trainer>
startTrainer(const amprt::TrainOptions &options,
             const amprt_model_t &descriptor = models::regressModel()) {
  auto model = amprt::Model::linked(descriptor);
  EXPECT_TRUE(model.ok());
  auto weights = amprt::Weights::load(*model, "", {});
  EXPECT_TRUE(weights.ok());
  auto trainer = amprt::Trainer::create(*model, *weights, options);
  EXPECT_TRUE(trainer.ok()) << trainer.status().message();
  return std::move(*trainer);
}

/// All parameters' elements, one after the other.
inline std::vector<double> flat(const std::vector<amprt::Tensor> &tensors) {
  std::vector<double> all;
  for (const amprt::Tensor &tensor : tensors)
    for (int64_t i = 0; i < tensor.elementCount(); ++i)
      all.push_back(tensor.at(i));
  return all;
}

inline bool isSame(const amprt::Weights &a, const amprt::Weights &b) {
  for (size_t i = 0; i < a.tensors().size(); ++i)
    if (std::memcmp(a.tensors()[i].data(), b.tensors()[i].data(),
                    a.tensors()[i].byteCount()) != 0)
      return false;
  return a.tensors().size() == b.tensors().size();
}

inline void expectNear(const std::vector<double> &a,
                       const std::vector<double> &b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

/// The model again, in f64, as plainly as can be: all parameters in one array.
struct Reference {
  static constexpr size_t words = size_t(models::regressWords),
                          in = size_t(models::regressIn),
                          out = size_t(models::regressOut);
  static constexpr size_t w0 = words * in, b0 = w0 + in * out,
                          count = b0 + 2 * out;

  std::vector<double> parameters;

  /// The sum of losses; gradients are added.
  double run(const std::vector<Sample> &samples,
             std::vector<double> &gradients) const {
    double total = 0;
    for (const Sample &sample : samples) {
      double factor = double(models::regressFactor(sample.seed)), y = 0;
      std::vector<std::vector<double>> rows;
      for (int32_t word : sample.words) {
        std::vector<double> h(out);
        for (size_t j = 0; j < out; ++j) {
          h[j] = parameters[b0 + j];
          for (size_t i = 0; i < in; ++i)
            h[j] += parameters[size_t(word) * in + i] *
                    parameters[w0 + i * out + j];
          y += factor * h[j] * h[j] / 2;
        }
        rows.push_back(h);
      }
      double dy = y - double(sample.target);
      total += dy * dy / 2;
      for (size_t n = 0; n < rows.size(); ++n)
        for (size_t j = 0; j < out; ++j) {
          double dh = dy * factor * rows[n][j];
          gradients[b0 + j] += dh;
          for (size_t i = 0; i < in; ++i) {
            size_t e = size_t(sample.words[n]) * in + i, w = w0 + i * out + j;
            gradients[w] += parameters[e] * dh;
            gradients[e] += parameters[w] * dh;
          }
        }
    }
    return total;
  }
};

#endif // AMPRT_TEST_TRAIN_TRAINING_H
