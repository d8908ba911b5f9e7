//===- Router.h - Which token of a value an op may use ----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's arm uses values from outside it as they are; a graph's arm needs
// them routed by the condition. The router maps the program's values to the
// graph's and makes the branches, one for each condition and value of a block.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_PROGRAMTOGRAPH_ROUTER_H
#define AMP_LIB_CONVERSION_PROGRAMTOGRAPH_ROUTER_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace amp {

/// A block of the graph that is being written. While the body of one of its
/// nodes is written, the builder stands before that node, so that branches for
/// values which the body captures come first.
struct Level {
  explicit Level(mlir::Block *block)
      : builder(mlir::OpBuilder::atBlockEnd(block)) {}

  mlir::OpBuilder builder;
  /// By condition and value.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, BranchOp> branches;
};

/// Where an op of the program stands: a graph or body (without a condition), or
/// one arm of a decision.
struct Scope {
  Scope *parent = nullptr; ///< Null for the graph.
  Level *level = nullptr;
  mlir::Value condition = nullptr; ///< Of the graph; guarded by `parent`.
  bool side = false;

  bool isArm() const { return static_cast<bool>(condition); }
};

/// A value of the graph.
struct Token {
  mlir::Value value;
  /// The scope under whose conditions it exists, and no others. Null: it needs
  /// none of them (constants, parameters, what an arm computes from only
  /// these).
  Scope *scope = nullptr;

  bool isFree() const { return !scope; }
};

class Router {
public:
  /// A scope without a condition: a graph, or the body of a loop or map.
  Scope &makeBody(Scope *parent, mlir::Block *block);
  Scope &makeArm(Scope &parent, mlir::Value condition, bool side);

  /// `value` of the program is `token` of the graph.
  void define(mlir::Value value, Token token) { tokens[value] = token; }

  /// The token of `value` for an op in `scope`: routed through every arm
  /// between the place that defines it and `scope`, unless it is free.
  Token use(mlir::Value value, Scope &scope, mlir::Location loc);

  /// The same, but in an arm even a free value is routed.
  mlir::Value useGuarded(mlir::Value value, Scope &scope, mlir::Location loc);

  /// What leaves the branch on the arm's condition on the arm's side.
  mlir::Value route(mlir::Value token, Scope &arm, mlir::Location loc);

  /// A token that exists exactly where the arm runs: its condition.
  mlir::Value getSignal(Scope &arm, mlir::Location loc) {
    return route(arm.condition, arm, loc);
  }

private:
  llvm::DenseMap<mlir::Value, Token> tokens;
  std::deque<Level> levels;
  std::deque<Scope> scopes;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_PROGRAMTOGRAPH_ROUTER_H
