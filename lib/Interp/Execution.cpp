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
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()))
                    .str()
              : "unknown location";
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
  for (const auto &[_, token] : awaited)
    token.cell->waiters.clear();
}

Tokens Execution::runEntry(Tokens fields) {
  Region &body = theProgram.signature().entry->getRegion(0);
  Tokens results = runBody(body, fields);
  while (!failed() && !ready.empty()) {
    std::function<void()> next = std::move(ready.front());
    ready.pop_front();
    next();
  }
  if (!failed())
    checkCollectors();
  if (!failed())
    checkResults(body.front().getTerminator(), results);
  return results;
}

Tokens Execution::runBlock(Block &block, const Tokens &arguments,
                           const std::shared_ptr<Scope> &parent, Shape point) {
  Operation *terminator = block.getTerminator();
  if (__builtin_frame_address(0) < stackLimit)
    fail(block.getParentOp(), StatusCode::resourceExhausted,
         "recursion is too deep: the stack is full");
  auto scope = std::make_shared<Scope>(parent);
  scope->point = std::move(point);
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

Floats &Execution::gradient(llvm::StringRef parameter) {
  Floats &sum = theGradients[parameter.str()];
  if (sum.empty())
    sum.resize(theProgram.parameter(parameter).size());
  return sum;
}

void Execution::fill(const Token &to, const Token &from) {
  assert(from.isSettled() && !to.isSettled() && "a value arrives once");
  to.cell->value = from.cell->value;
  awaited.erase(to.cell.get());
  for (std::function<void()> &waiter : to.cell->waiters)
    ready.push_back(std::move(waiter));
  to.cell->waiters.clear();
}

void Execution::whenSettled(const Token &token,
                            std::function<void()> function) {
  assert(!token.isSettled());
  awaited.emplace(token.cell.get(), token);
  token.cell->waiters.push_back(std::move(function));
}

void Execution::checkResults(Operation *terminator, const Tokens &results) {
  for (auto [index, result] : llvm::enumerate(results))
    if (!result.arrived())
      fail(terminator, StatusCode::internal,
           "result " + Twine(index) + " never arrives");
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
