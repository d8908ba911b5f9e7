//===- Router.cpp - Which token of a value an op may use ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Router.h"

using namespace mlir;
using namespace amp;

Scope &Router::makeBody(Scope *parent, Block *block) {
  Scope &scope = scopes.emplace_back();
  scope.parent = parent;
  scope.level = &levels.emplace_back(block);
  return scope;
}

Scope &Router::makeArm(Scope &parent, Value condition, bool side) {
  Scope &scope = scopes.emplace_back();
  scope.parent = &parent;
  scope.level = parent.level;
  scope.condition = condition;
  scope.side = side;
  return scope;
}

Value Router::route(Value token, Scope &arm, Location loc) {
  BranchOp &branch = arm.level->branches[{arm.condition, token}];
  if (!branch)
    branch = BranchOp::create(arm.level->builder, loc, arm.condition, token);
  return arm.side ? branch.getOnTrue() : branch.getOnFalse();
}

Token Router::use(Value value, Scope &scope, Location loc) {
  Token token = tokens.lookup(value);
  if (token.isFree())
    return token;
  SmallVector<Scope *> arms;
  for (Scope *at = &scope; at != token.scope; at = at->parent)
    if (at->isArm())
      arms.push_back(at);
  for (Scope *arm : llvm::reverse(arms))
    token.value = route(token.value, *arm, loc);
  token.scope = &scope;
  return token;
}

Value Router::useGuarded(Value value, Scope &scope, Location loc) {
  Token token = use(value, scope, loc);
  // The arm's condition is guarded by all arms around, so one branch is enough.
  if (token.isFree() && scope.isArm())
    return route(token.value, scope, loc);
  return token.value;
}
