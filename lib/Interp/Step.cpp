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
  bool awaitsCaptured = handler.awaitsCaptured || program().isGraph();
  if (await(op->getOperands().take_front(awaited)) &&
      (!awaitsCaptured || await(program().captured(op))))
    handler.run(op, *this);
}

bool Step::await(ValueRange values) {
  const Token *missing = nullptr;
  Tokens all = tokens(values);
  for (const Token &token : all) {
    if (token.isNever()) {
      giveNever();
      return false;
    }
    if (!missing && !token.isSettled())
      missing = &token;
  }
  if (missing)
    whenSettled(*missing, [](Step &later) { later.start(); });
  return !missing;
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

void Step::promise() {
  if (!late)
    for (Value result : op->getResults())
      scope->bind(result, Token());
  late = true;
}

void Step::whenSettled(const Token &token,
                       std::function<void(Step &)> function) {
  if (token.isSettled())
    return function(*this);
  promise();
  Step later = *this;
  execution.whenSettled(token, [later, function]() mutable {
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
  if (token.isSettled())
    return fill(to, token);
  execution.whenSettled(token, [&execution = execution, token, to] {
    execution.fill(to, token);
  });
}

void Step::give(const Tokens &results) {
  for (auto [index, token] : llvm::enumerate(results))
    give(index, token);
}

void Step::giveNever() {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    give(i, Token::never());
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
  Execution &execution = making->execution;
  for (; next < making->parts.size(); ++next) {
    const Token &part = making->parts[next];
    if (!part.isSettled())
      return execution.whenSettled(
          part, [making, next] { continueMaking(making, next); });
    if (part.isNever())
      return execution.fill(making->result, part);
  }
  Array value = making->value();
  if (!execution.failed())
    execution.fill(making->result, value);
}

static Token makeLater(Execution &execution, Tokens parts,
                       std::function<Array(llvm::ArrayRef<Array>)> make) {
  auto making = std::make_shared<Making>(
      Making{execution, Token(), std::move(parts), std::move(make)});
  continueMaking(making, 0);
  return making->result;
}

void Step::giveMade(unsigned index, Tokens parts,
                    std::function<Array(llvm::ArrayRef<Array>)> make) {
  if (!failed()) // Else the parts may be missing.
    give(index, makeLater(execution, std::move(parts), std::move(make)));
}

Token Step::stacked(Type type, Tokens rows) {
  Shape dims(cast<RankedTensorType>(type).getShape());
  dims[0] = rows.size();
  amprt_dtype_t dtype = *elementTypeOf(type);
  return makeLater(execution, std::move(rows),
                   [=](llvm::ArrayRef<Array> arrays) {
                     return Array::joined(dtype, dims, arrays);
                   });
}

void Step::giveRow(const Token &stack, int64_t index, const Token &to) {
  whenSettled(stack, [stack, index, to](Step &later) {
    if (stack.isNever())
      return later.fill(to, stack);
    const Array &all = stack.array();
    if (!later.checkIndex("row", index, all.dims()[0]))
      return;
    Shape dims(llvm::drop_begin(all.dims()));
    int64_t size = elementCount(dims);
    std::vector<int64_t> positions;
    for (int64_t i = 0; i < size; ++i)
      positions.push_back(index * size + i);
    later.fill(to, all.take(dims, positions));
  });
}

void Step::giveJoined(unsigned index, Shape dims, Tokens rows) {
  amprt_dtype_t dtype = *elementTypeOf(op->getResult(index).getType());
  giveMade(index, std::move(rows), [=](llvm::ArrayRef<Array> arrays) {
    return Array::joined(dtype, dims, arrays);
  });
}

void Step::giveStacked(unsigned index, Tokens rows) {
  Value result = op->getResult(index);
  Shape dims(cast<RankedTensorType>(result.getType()).getShape());
  dims[0] = rows.size();
  if (checkDims(dims))
    giveJoined(index, dims, std::move(rows));
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
