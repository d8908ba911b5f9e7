//===- LinearTest.cpp - Products against a plain loop ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/LinearProvider.h"
#include "cpu/RowPlan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace amprt;

TEST(RowPlanTest, CoversAllRows) {
  for (RowPlan plan : {RowPlan{6, 4, 24}, RowPlan{8, 4, 24}, RowPlan{16, 8, 32},
                       RowPlan{8, 8, 8}, RowPlan{4, 4, 4}, RowPlan{1, 1, 1}})
    for (int64_t rows = plan.least; rows < 200; ++rows) {
      int64_t done = 0;
      while (rows - done >= plan.least) {
        int64_t count = plan.callRows(rows - done);
        ASSERT_TRUE(plan.mayCall(count)) << count;
        done += count;
        ASSERT_LE(done, rows);
      }
      ASSERT_LT(rows - done, plan.least); // An overlapping call does these.
    }
  RowPlan plan{6, 4, 24};
  EXPECT_EQ(plan.callRows(8), 4);   // And 4.
  EXPECT_EQ(plan.callRows(9), 5);   // And 4.
  EXPECT_EQ(plan.callRows(23), 23); // 18 + 5.
  EXPECT_EQ(plan.callRows(26), 22); // 18 + 4, and 4.
  EXPECT_EQ(plan.callRows(256), 24);
}

struct Shape {
  int64_t k, n;
};
class LinearTest : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, LinearTest,
    testing::Values(Shape{128, 384}, Shape{256, 1024}, Shape{20, 256},
                    Shape{50, 200}, Shape{128, 5}, Shape{1, 1}, Shape{300, 37},
                    Shape{512, 96}, Shape{7, 16}),
    [](const auto &info) {
      return std::to_string(info.param.k) + "x" + std::to_string(info.param.n);
    });

TEST_P(LinearTest, RightAndTheSameForAnyNumberOfRows) {
  auto [k, n] = GetParam();
  constexpr int64_t most = 100;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> w(size_t(k * n)), x(size_t(most * k));
  for (float &value : w)
    value = uniform(random);
  for (float &value : x)
    value = uniform(random);
  auto provider = createOneDnnProvider({{w.data(), k, n}});
  ASSERT_TRUE(provider.ok());
  (*provider)->prepareThread();
  Scratch scratch;

  std::vector<float> expected(size_t(most * n));
  (*provider)->run(0, x.data(), expected.data(), most, scratch);
  for (int64_t row = 0; row < most; ++row)
    for (int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (int64_t i = 0; i < k; ++i)
        sum += double(x[size_t(row * k + i)]) * w[size_t(i * n + column)];
      ASSERT_NEAR(expected[size_t(row * n + column)], sum, 1e-5 * double(k));
    }

  for (int64_t rows = 0; rows <= most; ++rows) {
    // From an odd place, so that a row comes at every position of a tile.
    int64_t start = (rows * 7) % (most - rows + 1);
    std::vector<float> y(size_t(rows * n + 1), NAN);
    (*provider)->run(0, x.data() + start * k, y.data(), rows, scratch);
    scratch.reset();
    EXPECT_EQ(std::memcmp(y.data(), expected.data() + start * n,
                          size_t(rows * n) * sizeof(float)),
              0)
        << rows << " rows from " << start;
    EXPECT_TRUE(std::isnan(y.back())); // Nothing beyond the last row.
  }
}

TEST(LinearProviderTest, EmptyMatrices) {
  float none = 0;
  auto provider = createOneDnnProvider({{&none, 0, 3}, {&none, 3, 0}});
  ASSERT_TRUE(provider.ok());
  Scratch scratch;
  float x[6] = {}, y[6] = {1, 1, 1, 1, 1, 1};
  (*provider)->run(0, x, y, 2, scratch);
  for (float value : y)
    EXPECT_EQ(value, 0);
  (*provider)->run(1, x, y, 2, scratch);
}
