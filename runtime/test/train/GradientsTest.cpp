//===- GradientsTest.cpp - What a worker adds up --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Gradients.h"

#include "Running.h"
#include "cpu/LinearProvider.h"
#include "cpu/OneThread.h"
#include "models/Kit.h"

#include <cmath>
#include <random>

using namespace amprt;

static std::vector<float> randomFloats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(random() % 2001) / 1000 - 1;
  return values;
}

/// Parameters [3, 8, 10] and [24, 10], and blocks of them.
static std::vector<Tensor> makeTensors() {
  std::vector<Tensor> tensors;
  tensors.emplace_back(AMPRT_F32, std::vector<int64_t>{3, 8, 10});
  tensors.emplace_back(AMPRT_BF16, std::vector<int64_t>{24, 10});
  tensors.emplace_back(AMPRT_F64, std::vector<int64_t>{2, 2});
  return tensors;
}

static Expected<std::unique_ptr<Gradients>>
make(const std::vector<amprt_gradient_desc_t> &descs) {
  amprt_model_t model = models::emptyModel("gradients");
  model.gradients = descs.data();
  model.gradient_count = uint32_t(descs.size());
  return Gradients::create(model, makeTensors());
}

TEST(GradientsTest, BlocksAndManyRows) {
  constexpr int64_t k = 5, n = 4;
  for (int64_t together : {1, 3, 17, 127, 128, 129, 700}) {
    auto made = make({{1, 1, 2, 3, k, n}});
    ASSERT_TRUE(made.ok()) << made.status().message();
    Gradients &gradients = **made;
    std::vector<double> expected(24 * 10);
    for (int call = 0; call < 4; ++call) {
      std::vector<float> x = randomFloats(size_t(together * k), 1 + call);
      std::vector<float> dy = randomFloats(size_t(together * n), 9 + call);
      gradients.addProduct(0, x.data(), dy.data(), together, nullptr);
      for (int64_t r = 0; r < together; ++r)
        for (int64_t i = 0; i < k; ++i)
          for (int64_t j = 0; j < n; ++j)
            expected[size_t((2 + i) * 10 + 3 + j)] +=
                double(x[size_t(r * k + i)]) * double(dy[size_t(r * n + j)]);
    }
    EXPECT_EQ(gradients[1].touched, Touched::everything);
    gradients.flush();
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(gradients[1].values[i], expected[i], 1e-3);
    gradients.discard();
    EXPECT_EQ(gradients[1].touched, Touched::nothing);
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(gradients[1].values[i], 0);
  }
}

TEST(GradientsTest, AMatrixForEachRow) {
  constexpr int64_t k = 6, n = 7;
  for (int64_t together : {1, 40, 3000}) {
    auto made = make({{0, 3, 1, 2, k, n}});
    ASSERT_TRUE(made.ok());
    Gradients &gradients = **made;
    std::vector<double> expected(3 * 8 * 10);
    for (int call = 0; call < 3; ++call) {
      std::vector<float> x = randomFloats(size_t(together * k), 1 + call);
      std::vector<float> dy = randomFloats(size_t(together * n), 9 + call);
      std::vector<int32_t> which;
      for (int64_t r = 0; r < together; ++r) {
        which.push_back(int32_t((r * r + call) % 3));
        for (int64_t i = 0; i < k; ++i)
          for (int64_t j = 0; j < n; ++j)
            expected[size_t((which.back() * 8 + 1 + i) * 10 + 2 + j)] +=
                double(x[size_t(r * k + i)]) * double(dy[size_t(r * n + j)]);
      }
      gradients.addProduct(0, x.data(), dy.data(), together, which.data());
    }
    gradients.flush();
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(gradients[0].values[i], expected[i], 1e-3);
  }
}

TEST(GradientsTest, RowsAndSums) {
  auto made = make({});
  ASSERT_TRUE(made.ok());
  Gradients &gradients = **made;
  std::vector<float> row = randomFloats(10, 1);
  gradients.addRow(1, 5, row.data());
  gradients.addRow(1, 2, row.data());
  gradients.addRow(1, 5, row.data());
  EXPECT_EQ(gradients[1].touched, Touched::rows);
  ASSERT_EQ(gradients[1].rowCount, 2);
  EXPECT_EQ(gradients[1].rows[0], 5);
  EXPECT_EQ(gradients[1].values[53], 2 * row[3]);
  for (int64_t rows : {0, 1, 3, 4, 9}) {
    gradients.discard();
    std::vector<float> values = randomFloats(size_t(rows) * 6, 3);
    gradients.addRows(1, 7, values.data(), rows, 6);
    for (size_t j = 0; j < 6; ++j) {
      double sum = 0;
      for (size_t r = 0; r < size_t(rows); ++r)
        sum += double(values[r * 6 + j]);
      EXPECT_NEAR(gradients[1].values[7 + j], sum, 1e-5);
    }
    EXPECT_EQ(gradients[1].values[6], 0);
    EXPECT_EQ(gradients[1].values[13], 0);
  }
  EXPECT_EQ(gradients[2].values, nullptr); // f64 is not trained.
  gradients.addRow(2, 1, row.data());
  gradients.addRows(2, 0, row.data(), 1, 4);
  EXPECT_EQ(gradients[2].touched, Touched::nothing);
}

TEST(GradientsTest, WhatDoesNotFit) {
  for (amprt_gradient_desc_t desc : {amprt_gradient_desc_t{0, 2, 0, 0, 4, 4},
                                     amprt_gradient_desc_t{0, 3, 5, 0, 4, 4},
                                     amprt_gradient_desc_t{1, 1, 0, 7, 4, 4},
                                     amprt_gradient_desc_t{1, 1, -1, 0, 4, 4},
                                     amprt_gradient_desc_t{1, 0, 0, 0, 4, 4}})
    EXPECT_STATUS(make({desc}).status(), StatusCode::failedPrecondition,
                  "gradient 0 of the model does not fit its parameter");
  for (uint32_t param : {2, 3})
    EXPECT_STATUS(make({{param, 1, 0, 0, 1, 1}}).status(),
                  StatusCode::failedPrecondition,
                  "gradient 0 of the model is not of a parameter of f32");
}

TEST(LinearTest, TransposedAndRepacked) {
  constexpr int64_t k = 9, n = 33, groups = 3, rows = 11;
  std::vector<float> plain = randomFloats(groups * k * n, 1);
  auto transpose = [&](const std::vector<float> &from) {
    std::vector<float> to(from.size());
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < n; ++j)
          to[size_t((g * n + j) * k + i)] = from[size_t((g * k + i) * n + j)];
    return to;
  };
  std::vector<float> other = transpose(plain);
  auto provider =
      createOneDnnProvider({{plain.data(), k, n, groups, AMPRT_F32, false},
                            {other.data(), k, n, groups, AMPRT_F32, true}});
  ASSERT_TRUE(provider.ok());
  OneOpenMPThread alone;
  std::vector<float> x = randomFloats(rows * k, 2);
  std::vector<int32_t> which;
  for (int32_t i = 0; i < rows; ++i)
    which.push_back(i * i % groups);
  auto run = [&](uint32_t linear) {
    Scratch scratch;
    std::vector<float> y(rows * n), grouped(rows * n);
    (*provider)->run(linear, x.data(), y.data(), rows, scratch);
    (*provider)->runGrouped(linear, x.data(), grouped.data(), rows,
                            which.data(), scratch);
    y.insert(y.end(), grouped.begin(), grouped.end());
    return y;
  };
  std::vector<float> before = run(0);
  EXPECT_EQ(before, run(1));
  std::vector<float> changed = randomFloats(groups * k * n, 5);
  std::copy(changed.begin(), changed.end(), plain.begin());
  changed = transpose(plain);
  std::copy(changed.begin(), changed.end(), other.begin());
  EXPECT_EQ(before, run(0));
  for (uint32_t linear : {0, 1})
    for (int64_t group = 0; group < groups; ++group)
      (*provider)->repack(linear, group);
  EXPECT_NE(before, run(0));
  EXPECT_EQ(run(0), run(1));
}
