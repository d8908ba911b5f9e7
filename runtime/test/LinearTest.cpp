//===- LinearTest.cpp - Products against a plain loop ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/LinearProvider.h"
#include "cpu/OneThread.h"
#include "cpu/RowPlan.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  OneOpenMPThread alone;
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

/// Rows with a matrix each, in many mixtures, against that matrix alone.
TEST_P(LinearTest, GroupedIsThePlainProductToTheBit) {
  auto [k, n] = GetParam();
  constexpr int64_t most = 150, groups = 8;
  std::mt19937 random(2);
  std::vector<float> w(size_t(groups * k * n)), x(size_t(most * k));
  for (std::vector<float> *values : {&w, &x})
    for (float &value : *values)
      value = float(random() % 2001) / 1000 - 1;
  std::vector<LinearWeights> linears = {{w.data(), k, n, groups}};
  for (int64_t group = 0; group < groups; ++group)
    linears.push_back({w.data() + group * k * n, k, n});
  auto provider = createOneDnnProvider(linears);
  ASSERT_TRUE(provider.ok());
  OneOpenMPThread alone;
  Scratch scratch;
  auto check = [&](const std::vector<int32_t> &which) {
    auto rows = int64_t(which.size());
    std::vector<float> y(size_t(rows * n + 1), NAN), expected(y);
    (*provider)->runGrouped(0, x.data(), y.data(), rows, which.data(), scratch);
    for (int64_t i = 0; i < rows; ++i) {
      (*provider)->run(uint32_t(1 + which[size_t(i)]), x.data() + i * k,
                       expected.data(), 1, scratch);
      ASSERT_EQ(std::memcmp(y.data() + i * n, expected.data(),
                            size_t(n) * sizeof(float)),
                0)
          << "row " << i << " of " << rows;
    }
    EXPECT_TRUE(std::isnan(y.back())); // Nothing beyond the last row.
    scratch.reset();
  };
  check({});
  for (int round = 0; round < 60; ++round) {
    std::vector<int32_t> which(1 + random() % most);
    auto used = uint32_t(1 + random() % groups); // Also a single group.
    for (int32_t &group : which)
      group = int32_t(random() % used);
    check(which);
    std::sort(which.begin(), which.end()); // Groups that lie together.
    check(which);
  }
}

TEST(LinearProviderTest, HalfPrecisionIsWidened) {
  // 1, -2, 0.5, the smallest subnormal, the largest number, 0.1 rounded.
  const uint16_t f16[] = {0x3c00, 0xc000, 0x3800, 0x0001, 0x7bff, 0x2e66};
  const uint16_t bf16[] = {0x3f80, 0xc000, 0x3f00, 0x0001, 0x7f7f, 0x3dcd};
  const float values[] = {1, -2, 0.5, 0x1p-24f, 65504, 0.0999755859375};
  const float wide[] = {1, -2, 0.5, 0x1p-133f, 0x1.fep127f, 0.10009765625};
  auto provider = createOneDnnProvider({{f16, 1, 6, 1, AMPRT_F16},
                                        {bf16, 1, 6, 1, AMPRT_BF16},
                                        {f16, 1, 3, 2, AMPRT_F16}});
  ASSERT_TRUE(provider.ok());
  OneOpenMPThread alone;
  Scratch scratch;
  float one[2] = {1, 1}, y[6];
  (*provider)->run(0, one, y, 1, scratch);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(y[i], values[i]);
  (*provider)->run(1, one, y, 1, scratch);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(y[i], wide[i]);
  const int32_t which[] = {1, 0};
  (*provider)->runGrouped(2, one, y, 2, which, scratch);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(y[i], values[(i + 3) % 6]);
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
  y[0] = 1;
  const int32_t which[2] = {0, 0};
  (*provider)->runGrouped(0, x, y, 2, which, scratch);
  EXPECT_EQ(y[0], 0);
}
