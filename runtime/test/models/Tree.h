//===- Tree.h - A recursion over trees --------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_TREE_H
#define AMPRT_TEST_MODELS_TREE_H

#include "models/Kit.h"

#include <random>

namespace models {

/// A tree in arrays: node 0 is the root; no left child: a leaf; a left but no
/// right one: a unary node.
struct Tree {
  std::vector<int32_t> value, left, right;

  int add(int32_t nodeValue, int leftChild = -1, int rightChild = -1);
  amprt::Values fields() const;
  /// What the model computes, by a plain loop.
  int64_t expected() const;
};

/// A random tree of so many leaves, with some unary nodes in it.
Tree randomTree(std::mt19937 &random, int leaves);

enum TreeCell { leafCell, innerCell, unaryCell };

/// node(i): a leaf gives its value; an inner one 3 l + 5 r + value, a unary one
/// 7 l + value, all modulo 1000003. The inner cell counts as a product. Fields
/// value, left, right: tensor<?xi32>. Results: sum: i64, row: tensor<1xi64>,
/// both the root's value. A child out of range fails the instance.
const amprt_model_t &treeModel();

} // namespace models

#endif // AMPRT_TEST_MODELS_TREE_H
