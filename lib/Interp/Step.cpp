//===- Step.cpp - One execution of one op ---------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::Twine;

void Step::start() {
  const Handler &handler = program().handler(op);
  unsigned awaited = std::min(handler.awaited, op->getNumOperands());
  if (await(op->getOperands().take_front(awaited)) &&
      (!handler.awaitsCaptured || await(program().captured(op))))
    handler.run(op, *this);
}

bool Step::await(ValueRange values) {
  for (Value value : values)
    if (!token(value).arrived()) {
      wait(token(value), [](Step &later) { later.start(); });
      return false;
    }
  return true;
}

Tokens Step::tokens(ValueRange operands) const {
  Tokens tokens;
  tokens.reserve(operands.size());
  for (Value operand : operands)
    tokens.push_back(token(operand));
  return tokens;
}

Shape Step::numbers(llvm::ArrayRef<int64_t> fixed, ValueRange open) const {
  Shape numbers(fixed);
  for (int64_t &number : numbers)
    if (ShapedType::isDynamic(number)) {
      number = integer(open.front());
      open = open.drop_front();
    }
  return numbers;
}

void Step::wait(const Token &token, std::function<void(Step &)> function) {
  Step later = *this;
  if (!late)
    for (Value result : op->getResults())
      scope->bind(result, Token());
  later.late = true;
  execution.whenArrived(token, [later, function]() mutable {
    if (!later.failed())
      function(later);
  });
}

void Step::give(unsigned index, Token token) {
  Value result = op->getResult(index);
  if (token.holdsArray() && !token.array().hasType(result.getType()))
    return fail(StatusCode::invalidArgument, "the result is a " +
                                                 token.array().typeString() +
                                                 ", which its type forbids");
  if (!late)
    return scope->bind(result, std::move(token));
  Token to = this->token(result);
  if (token.arrived())
    return execution.fill(to, token);
  execution.whenArrived(token, [&execution = execution, token, to] {
    execution.fill(to, token);
  });
}

void Step::give(const Tokens &results) {
  for (auto [index, token] : llvm::enumerate(results))
    give(index, token);
}

namespace {
/// A value that is made of others, all of which must arrive first.
struct Making {
  Execution &execution;
  Token result;
  Tokens parts;
  std::function<Array(llvm::ArrayRef<Array>)> make;

  Array value() const {
    std::vector<Array> arrays;
    arrays.reserve(parts.size());
    for (const Token &part : parts)
      arrays.push_back(part.array());
    return make(arrays);
  }
};
} // namespace

/// Goes on with the parts from number `next` on.
static void continueMaking(const std::shared_ptr<Making> &making, size_t next) {
  for (; next < making->parts.size(); ++next)
    if (!making->parts[next].arrived())
      return making->execution.whenArrived(making->parts[next], [making, next] {
        continueMaking(making, next + 1);
      });
  Array value = making->value();
  if (!making->execution.failed())
    making->execution.fill(making->result, value);
}

void Step::giveMade(unsigned index, Tokens parts,
                    std::function<Array(llvm::ArrayRef<Array>)> make) {
  if (failed())
    return; // The parts may be missing.
  auto making = std::make_shared<Making>(
      Making{execution, Token(), std::move(parts), std::move(make)});
  continueMaking(making, 0);
  give(index, making->result);
}

void Step::giveJoined(unsigned index, Shape dims, Tokens rows) {
  amprt_dtype_t dtype = *elementTypeOf(op->getResult(index).getType());
  giveMade(index, std::move(rows), [=](llvm::ArrayRef<Array> arrays) {
    return Array::joined(dtype, dims, arrays);
  });
}

bool Step::checkIndex(const Twine &what, int64_t value, int64_t limit) const {
  if (0 <= value && value < limit)
    return true;
  fail(StatusCode::outOfRange,
       what + " " + Twine(value) + " is outside [0, " + Twine(limit) + ")");
  return false;
}

bool Step::checkDims(llvm::ArrayRef<int64_t> dims) const {
  constexpr int64_t limit = int64_t(1) << 28;
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 0) {
      fail(StatusCode::outOfRange, "a dimension is " + Twine(dim));
      return false;
    }
    // Dimensions that are too large are refused beside an empty one, too.
    if (dim > limit || (dim > 0 && count > limit / dim)) {
      fail(StatusCode::resourceExhausted,
           "a tensor has more than " + Twine(limit) + " elements");
      return false;
    }
    count *= std::max<int64_t>(dim, 1);
  }
  return true;
}

bool Step::checkSameDims(const Array &a, const Array &b) const {
  if (a.dims() == b.dims())
    return true;
  fail(StatusCode::invalidArgument,
       "operands have different dimensions: " + a.typeString() + " and " +
           b.typeString());
  return false;
}
