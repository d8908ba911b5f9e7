//===- Token.h - What an SSA value holds ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_TOKEN_H
#define AMP_LIB_INTERP_TOKEN_H

#include "Array.h"

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace amp::interp {

struct Collector;
struct Tape;
class Token;

/// A persistent list. Immutable; lists share what they have in common.
class List {
public:
  int64_t length() const;
  List push(Token element) const;
  /// Of a list that is not empty: its last element, and the list without it.
  const Token &last() const;
  List rest() const;
  /// Element `index` of [0, length()), counted from the first one.
  const Token &at(int64_t index) const;

private:
  struct Node;
  std::shared_ptr<Node> top; ///< Of the last element; null for the empty list.
};

/// What an SSA value holds in one activation: an array, a list, a collector, a
/// tape, or nothing yet. Copies share it, so that whoever holds a token sees the value
/// arrive. In a graph it may also be known that no value ever comes: of a
/// branch one side never does, nor does what needs that.
class Token {
public:
  Token() : cell(std::make_shared<Cell>()) {}
  Token(Array array) : Token() { cell->value = std::move(array); }
  Token(List list) : Token() { cell->value = std::move(list); }
  Token(std::shared_ptr<Collector> collector) : Token() {
    cell->value = std::move(collector);
  }

  Token(std::shared_ptr<Tape> tape) : Token() { cell->value = std::move(tape); }

  /// One whose value never comes.
  static Token never() {
    Token token;
    token.cell->value = Never();
    return token;
  }

  bool arrived() const { return isSettled() && !isNever(); }
  bool isNever() const { return std::holds_alternative<Never>(cell->value); }
  /// Whether it is known if there is a value.
  bool isSettled() const {
    return !std::holds_alternative<std::monostate>(cell->value);
  }
  bool holdsArray() const { return std::holds_alternative<Array>(cell->value); }
  const Array &array() const { return std::get<Array>(cell->value); }
  const List &list() const { return std::get<List>(cell->value); }
  const std::shared_ptr<Collector> &collector() const {
    return std::get<std::shared_ptr<Collector>>(cell->value);
  }

  const std::shared_ptr<Tape> &tape() const {
    return std::get<std::shared_ptr<Tape>>(cell->value);
  }

private:
  friend class Execution;
  struct Never {};
  struct Cell {
    std::variant<std::monostate, Never, Array, List, std::shared_ptr<Collector>,
                 std::shared_ptr<Tape>>
        value;
    std::vector<std::function<void()>> waiters; ///< To call when it is settled.
  };
  std::shared_ptr<Cell> cell;
};

using Tokens = std::vector<Token>;

/// What a call, loop or map leaves open for its backward half: the tokens to fill
/// with gradients, and those that come of it.
struct Tape {
  Tokens inputs, results;
};

/// Token `k` of each row.
inline Tokens columnOf(const std::vector<Tokens> &rows, size_t k) {
  Tokens column;
  for (const Tokens &row : rows)
    column.push_back(row[k]);
  return column;
}

/// Rows given in any order, each once.
struct Collector {
  mlir::Operation *maker;
  int64_t number; ///< Of the instance's collectors, in order.
  mlir::RankedTensorType rowType;
  std::vector<Array> rows;
  std::vector<bool> given;
  int64_t missing;
  Token all; ///< The rows, stacked; arrives with the last one.
};

} // namespace amp::interp

#endif // AMP_LIB_INTERP_TOKEN_H
