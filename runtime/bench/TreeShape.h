//===- TreeShape.h - The tree-LSTM without its arithmetic -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_BENCH_TREESHAPE_H
#define AMPRT_BENCH_TREESHAPE_H

#include "amprt/amprt.hpp"

#include <vector>

/// Frames, rows, handlers, cells and the collector of the tree-LSTM of
/// /design/architecture.md (section 8) with h = 128 and 5 outputs a node; the
/// compute functions are empty, so what remains is the runtime.
const amprt_model_t &treeShapeModel();

/// The same fields and results, without anything in between.
const amprt_model_t &emptyShapeModel();

/// Random binary trees of 2 to 36 leaves (19 on average, as in SST).
std::vector<amprt::Values> treeShapeInstances(int count);

#endif // AMPRT_BENCH_TREESHAPE_H
