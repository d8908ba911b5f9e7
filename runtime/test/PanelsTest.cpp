//===- PanelsTest.cpp - Packed weights ------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/Panels.h"

#include <gtest/gtest.h>

namespace amprt {
namespace {

/// 0, 1, 2, ... : an element is its own place.
Tensor counting(std::vector<int64_t> dims) {
  Tensor tensor(AMPRT_F32, std::move(dims));
  float *elements = static_cast<float *>(tensor.data());
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    elements[i] = float(i);
  return tensor;
}

Expected<Panels> packOne(const amprt_panel_desc_t &panel,
                         const std::vector<Tensor> &tensors) {
  amprt_model_t model = {};
  model.panels = &panel;
  model.panel_count = 1;
  return Panels::pack(model, tensors);
}

TEST(PanelsTest, ColumnsOfSeveralPartsLieSideBySide) {
  // Two gates of 5 columns each, and a matrix [3, 5]; groups of 2 x 2 columns.
  std::vector<Tensor> tensors = {counting({4, 10}), counting({3, 5})};
  const amprt_panel_part_t parts[] = {{0, 0, 1, 0}, {0, 0, 1, 5}, {1, 0, 0, 0}};
  auto packed = packOne({parts, 3, 2, 2, 0, 3, 5}, tensors);
  ASSERT_TRUE(packed.ok()) << packed.status().message();
  const float *next = packed->data()[0];
  EXPECT_EQ(reinterpret_cast<uintptr_t>(next) % 64, 0u);
  for (int64_t first : {0, 1}) // The last group ends with the last column.
    for (int64_t k = 0; k < 3; ++k)
      for (const amprt_panel_part_t &part : parts)
        for (int64_t i = 0; i < 4; ++i) {
          int64_t n = part.param == 0 ? 10 : 5;
          EXPECT_EQ(*next++,
                    float((part.row + k) * n + part.column + first + i));
        }
}

TEST(PanelsTest, LeadingDimensionsAreOne) {
  std::vector<Tensor> tensors = {counting({2, 2, 4})};
  const amprt_panel_part_t part = {0, 0, 2, 0}; // The second matrix.
  auto packed = packOne({&part, 1, 4, 1, 0, 2, 4}, tensors);
  ASSERT_TRUE(packed.ok());
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(packed->data()[0][i], float(8 + i));
}

TEST(PanelsTest, AnyShape) {
  std::vector<Tensor> tensors = {counting({80, 70})};
  for (uint32_t transposed : {0, 1})
    for (uint32_t lanes : {2, 4, 8, 16})
      for (uint32_t unroll : {1, 2, 3, 4})
        for (int64_t k : {1, 4, 7, 67}) {
          int64_t columns = lanes * unroll, width = columns + 2;
          const amprt_panel_part_t parts[] = {{0, transposed, 1, 2},
                                              {0, transposed, 5, 0}};
          const amprt_panel_desc_t panel = {parts, 2, lanes, unroll,
                                            0,     k, width};
          auto packed = packOne(panel, tensors);
          ASSERT_TRUE(packed.ok()) << packed.status().message();
          const float *next = packed->data()[0];
          for (int64_t first : {0, 2})
            for (int64_t i = 0; i < k; ++i)
              for (const amprt_panel_part_t &part : parts)
                for (int64_t j = first; j < first + columns; ++j, ++next)
                  ASSERT_EQ(*next,
                            transposed
                                ? float((part.row + j) * 70 + part.column + i)
                                : float((part.row + i) * 70 + part.column + j))
                      << lanes << "x" << unroll << ", k " << k;
        }
}

TEST(PanelsTest, TransposedParts) {
  // Element (k, j) is param[row + j][column + k].
  std::vector<Tensor> tensors = {counting({12, 7}), counting({3, 5})};
  const amprt_panel_part_t parts[] = {{0, 1, 2, 1}, {1, 0, 0, 0}};
  const amprt_panel_desc_t panel = {parts, 2, 2, 2, 0, 3, 5};
  auto packed = packOne(panel, tensors);
  ASSERT_TRUE(packed.ok()) << packed.status().message();
  auto check = [&](float add) {
    const float *next = packed->data()[0];
    for (int64_t first : {0, 1})
      for (int64_t k = 0; k < 3; ++k) {
        for (int64_t i = 0; i < 4; ++i)
          EXPECT_EQ(*next++, float((2 + first + i) * 7 + 1 + k) + add);
        for (int64_t i = 0; i < 4; ++i)
          EXPECT_EQ(*next++, float(k * 5 + first + i) + add);
      }
  };
  check(0);
  // Packed again after a change, one group after the other.
  for (Tensor &tensor : tensors)
    for (int64_t i = 0; i < tensor.elementCount(); ++i)
      static_cast<float *>(tensor.data())[i] += 1000;
  amprt_model_t model = {};
  model.panels = &panel;
  model.panel_count = 1;
  ASSERT_EQ(Panels::groupCount(panel), 2);
  packed->repack(model, tensors, 0, 1, 2);
  packed->repack(model, tensors, 0, 0, 1);
  check(1000);
}

TEST(PanelsTest, WhatDoesNotFitIsRefused) {
  std::vector<Tensor> tensors = {counting({4, 10})};
  struct Case {
    amprt_panel_part_t part;
    uint32_t lanes;
    int64_t k, width;
  };
  for (const Case &each :
       {Case{{1, 0, 0, 0}, 2, 4, 10}, // no such parameter
        Case{{0, 0, 1, 0}, 2, 4, 10}, // rows past the end
        Case{{0, 0, -1, 0}, 2, 4, 10},
        Case{{0, 0, 0, 6}, 2, 4, 5},   // columns past the end
        Case{{0, 0, 0, 0}, 16, 4, 10}, // too wide a group
        Case{{0, 0, 0, 0}, 2, 0, 10}, Case{{0, 1, 0, 7}, 2, 4, 4}, // transposed
        Case{{0, 1, 1, 0}, 2, 4, 4}}) {
    auto packed =
        packOne({&each.part, 1, each.lanes, 1, 0, each.k, each.width}, tensors);
    ASSERT_FALSE(packed.ok());
    EXPECT_EQ(packed.status().message(),
              "panel 0 of the model does not fit its parameters");
  }
}

} // namespace
} // namespace amprt
