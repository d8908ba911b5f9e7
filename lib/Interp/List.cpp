//===- List.cpp - Persistent lists ----------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Token.h"

#include <cassert>

using namespace amp::interp;

/// An element on top of the list without it.
struct List::Node {
  Token element;
  int64_t length;
  std::shared_ptr<Node> rest;
  /// A node further down, or null: at() takes these long steps where it can,
  /// and O(log length) in all (Myers 1983, "An applicative random-access
  /// stack").
  Node *jump;

  /// Not by recursion, which would be as deep as the list is long.
  ~Node() {
    while (rest && rest.use_count() == 1)
      rest = std::move(rest->rest);
  }

  static int64_t lengthOf(const Node *node) { return node ? node->length : 0; }
  static Node *jumpOf(const Node *node) { return node ? node->jump : nullptr; }
};

int64_t List::length() const { return Node::lengthOf(top.get()); }

List List::push(Token element) const {
  // Two jumps of the same length make one of both and the step to here.
  Node *jump = top.get(), *first = Node::jumpOf(jump);
  Node *second = Node::jumpOf(first);
  if (length() - Node::lengthOf(first) ==
      Node::lengthOf(first) - Node::lengthOf(second))
    jump = second;
  List longer;
  longer.top =
      std::make_shared<Node>(Node{std::move(element), length() + 1, top, jump});
  return longer;
}

const Token &List::last() const {
  assert(top && "an empty list has no last element");
  return top->element;
}

List List::rest() const {
  assert(top && "an empty list has no last element");
  List shorter;
  shorter.top = top->rest;
  return shorter;
}

const Token &List::at(int64_t index) const {
  assert(0 <= index && index < length());
  const Node *node = top.get();
  while (node->length != index + 1)
    node = Node::lengthOf(node->jump) > index ? node->jump : node->rest.get();
  return node->element;
}
