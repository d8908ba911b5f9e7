//===- Execution.cpp - One instance that is being run ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <cassert>

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::Twine;

/// "file:line:column" of the first place in the text that `loc` tells of.
static std::string placeOf(Location loc) {
  std::string place;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
    return WalkResult::interrupt();
  });
  return place.empty() ? "unknown location" : place;
}

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

Token Scope::find(Value value) const {
  for (const Scope *scope = this;; scope = scope->parent.get()) {
    assert(scope && "verified IR uses no value before it is there");
    auto found = scope->tokens.find(value);
    if (found != scope->tokens.end())
      return found->second;
  }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Execution::~Execution() {
  // What still waits holds scopes, and they hold the tokens that it waits for.
  ready.clear();
  for (const Token &token : awaited)
    token.cell->waiters.clear();
}

Tokens Execution::runEntry(Tokens fields) {
  Operation *entry = theProgram.signature().entry;
  Tokens results = runBody(entry->getRegion(0), fields);
  while (!failed() && !ready.empty()) {
    std::function<void()> next = std::move(ready.front());
    ready.pop_front();
    next();
  }
  if (!failed())
    checkCollectors();
  return results;
}

Tokens Execution::runBlock(Block &block, const Tokens &arguments,
                           const std::shared_ptr<Scope> &parent) {
  Operation *terminator = block.getTerminator();
  if (__builtin_frame_address(0) < stackLimit)
    fail(block.getParentOp(), StatusCode::resourceExhausted,
         "recursion is too deep: the stack is full");
  auto scope = std::make_shared<Scope>(parent);
  if (!failed())
    for (auto [argument, token] :
         llvm::zip_equal(block.getArguments(), arguments))
      scope->bind(argument, token);
  for (Operation &op : block.without_terminator()) {
    if (failed())
      break;
    Step(*this, &op, scope).start();
  }
  if (failed())
    return Tokens(terminator->getNumOperands());
  return Step(*this, terminator, scope).tokens(terminator->getOperands());
}

Tokens Execution::runBody(Region &body, const Tokens &arguments) {
  if (depthLeft-- <= 0)
    fail(body.getParentOp(), StatusCode::resourceExhausted,
         "recursion is too deep: too many calls inside one another");
  Tokens results = runBlock(body.front(), arguments, nullptr);
  ++depthLeft;
  return results;
}

void Execution::fail(Operation *op, StatusCode code, const Twine &message) {
  if (!failed())
    theStatus = {code, (placeOf(op->getLoc()) + ": " + message).str()};
}

void Execution::countStep(Operation *op) {
  if (stepsLeft-- <= 0)
    fail(op, StatusCode::resourceExhausted,
         "the step limit is reached: too many activations");
}

void Execution::fill(const Token &to, const Token &from) {
  assert(from.arrived() && !to.arrived() && "a value arrives once");
  to.cell->value = from.cell->value;
  for (std::function<void()> &waiter : to.cell->waiters)
    ready.push_back(std::move(waiter));
  to.cell->waiters.clear();
}

void Execution::whenArrived(const Token &token,
                            std::function<void()> function) {
  assert(!token.arrived());
  awaited.push_back(token);
  token.cell->waiters.push_back(std::move(function));
}

//===----------------------------------------------------------------------===//
// Collectors
//===----------------------------------------------------------------------===//

std::shared_ptr<Collector>
Execution::makeCollector(Operation *op, RankedTensorType row, int64_t count) {
  auto collector = std::make_shared<Collector>();
  collector->maker = op;
  collector->rowType = row;
  collector->rows.resize(count);
  collector->given.resize(count);
  collector->missing = count;
  collector->number = collectorCount++;
  incomplete[collector->number] = collector;
  if (count == 0)
    completeCollector(*collector);
  return collector;
}

void Execution::giveRow(Operation *op, Collector &collector, int64_t index,
                        const Array &row) {
  if (collector.given[index])
    return fail(op, StatusCode::invalidArgument,
                "row " + Twine(index) + " is given twice");
  collector.given[index] = true;
  collector.rows[index] = row;
  if (--collector.missing == 0)
    completeCollector(collector);
}

void Execution::completeCollector(Collector &collector) {
  Shape dims{int64_t(collector.rows.size())};
  llvm::append_range(dims, collector.rowType.getShape());
  fill(collector.all,
       Array::joined(*elementTypeOf(collector.rowType), dims, collector.rows));
  incomplete.erase(collector.number);
}

void Execution::checkCollectors() {
  if (incomplete.empty())
    return;
  const Collector &oldest = *incomplete.begin()->second;
  fail(oldest.maker, StatusCode::invalidArgument,
       Twine(oldest.missing) + " of " + Twine(oldest.rows.size()) +
           (oldest.rows.size() == 1 ? " row is" : " rows are") + " missing");
}

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

void Step::start() {
  const Handler &handler = program().handler(op);
  for (Value operand : op->getOperands().take_front(
           std::min(handler.awaited, op->getNumOperands())))
    if (!token(operand).arrived())
      return wait(token(operand), [](Step &later) { later.start(); });
  handler.run(op, *this);
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
  making->execution.fill(making->result, making->value());
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
