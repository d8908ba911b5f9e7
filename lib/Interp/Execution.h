//===- Execution.h - One instance that is being run -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_EXECUTION_H
#define AMP_LIB_INTERP_EXECUTION_H

#include "Program.h"
#include "Token.h"

#include "amprt/status.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <map>
#include <unordered_map>

namespace amp::interp {

/// The tokens of one activation of a region. What it does not have is found in
/// the activation around it.
class Scope {
public:
  explicit Scope(std::shared_ptr<Scope> parent) : parent(std::move(parent)) {}

  void bind(mlir::Value value, Token token) {
    tokens[value] = std::move(token);
  }
  /// A copy: a reference would not outlive the next bind().
  Token find(mlir::Value value) const;

  Shape point; ///< Of the body of a structured op: the index in each loop.

private:
  llvm::SmallDenseMap<mlir::Value, Token, 8> tokens;
  std::shared_ptr<Scope> parent;
};

/// Runs one instance: ops in the order of the text, except that one whose
/// operands have not arrived waits, with its scope, until they have. Only rows
/// of collectors are ever waited for. In a graph, what needs a token that never
/// comes does not run, and its own results never come.
class Execution {
public:
  Execution(const Program &program, int64_t stepLimit, int64_t depthLimit,
            const void *stackLimit)
      : theProgram(program), stepsLeft(stepLimit), depthLeft(depthLimit),
        stackLimit(stackLimit) {}
  ~Execution();

  const Program &program() const { return theProgram; }

  /// Calls the entry with the instance's fields and lets all that waits run.
  /// The results have arrived unless the execution has failed.
  Tokens runEntry(Tokens fields);

  /// Runs a region's block in a new scope inside `parent`: the operands of its
  /// terminator, or as many empty tokens if the execution failed.
  Tokens runBlock(mlir::Block &block, const Tokens &arguments,
                  const std::shared_ptr<Scope> &parent, Shape point = {});

  /// The same for a function's or graph's body, which sees nothing outside of
  /// it.
  Tokens runBody(mlir::Region &body, const Tokens &arguments);

  /// Fails the instance; the first failure stays.
  void fail(mlir::Operation *op, amprt::StatusCode code,
            const llvm::Twine &message);
  bool failed() const { return !theStatus.ok(); }
  const amprt::Status &status() const { return theStatus; }

  /// Counts an activation towards the step limit.
  void countStep(mlir::Operation *op);

  /// The sum of a parameter's gradients, to be added to.
  Floats &gradient(llvm::StringRef parameter);
  const std::map<std::string, Floats> &gradients() const { return theGradients; }

  /// Gives an empty token its value, that of `from`, which is settled.
  void fill(const Token &to, const Token &from);
  /// Has `function` called after the token is settled, which is still to come.
  void whenSettled(const Token &token, std::function<void()> function);

  std::shared_ptr<Collector>
  makeCollector(mlir::Operation *op, mlir::RankedTensorType row, int64_t count);
  void giveRow(mlir::Operation *op, Collector &collector, int64_t index,
               const Array &row);

private:
  void completeCollector(Collector &collector);
  void checkCollectors();
  void checkResults(mlir::Operation *terminator, const Tokens &results);

  const Program &theProgram;
  amprt::Status theStatus;
  int64_t stepsLeft, depthLeft;
  const void *stackLimit;
  std::deque<std::function<void()>> ready;
  std::unordered_map<const void *, Token>
      awaited; ///< That something waits for.
  std::map<int64_t, std::shared_ptr<Collector>> incomplete; ///< By age.
  int64_t collectorCount = 0;
  std::map<std::string, Floats> theGradients;
};

/// One execution of one op: what its handler reads and gives.
class Step {
public:
  Step(Execution &execution, mlir::Operation *op, std::shared_ptr<Scope> scope)
      : execution(execution), op(op), scope(std::move(scope)) {}

  /// Runs the op as soon as the operands that its handler awaits are there; in
  /// a graph, also all that its regions use.
  void start();

  const Program &program() const { return execution.program(); }

  Token token(mlir::Value operand) const { return scope->find(operand); }
  Tokens tokens(mlir::ValueRange operands) const;
  /// An awaited operand's value, which lives as long as the scope.
  const Array &in(mlir::Value operand) const { return token(operand).array(); }
  const List &list(mlir::Value operand) const { return token(operand).list(); }
  /// An awaited scalar operand's value, as a signed number.
  int64_t integer(mlir::Value operand) const { return in(operand).signedAt(0); }

  /// Numbers of which some are operands: `fixed`, but with those of `open`, in
  /// order, where it says that they are dynamic.
  Shape numbers(llvm::ArrayRef<int64_t> fixed, mlir::ValueRange open) const;

  /// Gives the op's result number `index`.
  void give(unsigned index, Token token);
  void give(Array result) { give(0, std::move(result)); }
  void give(const Tokens &results);
  /// No result ever comes.
  void giveNever();
  /// Gives it as soon as all of `parts` have arrived, unless `make` fails.
  void giveMade(unsigned index, Tokens parts,
                std::function<Array(llvm::ArrayRef<Array>)> make);
  /// Gives the elements of `rows`, one after the other, as one array.
  void giveJoined(unsigned index, Shape dims, Tokens rows);
  /// Gives scalars or tensors of static shape, stacked.
  void giveStacked(unsigned index, Tokens rows);
  /// They as one token, of `type`, that is filled when all have arrived.
  Token stacked(mlir::Type type, Tokens rows);
  /// Fills `to` with row `index` of `stack` when that arrives.
  void giveRow(const Token &stack, int64_t index, const Token &to);

  /// Whether all of these have arrived. If not, the op starts again when they
  /// have; if one never comes, no result does.
  bool await(mlir::ValueRange values);
  /// Binds the results to empty tokens, for what is given from now on.
  void promise();
  /// Continues with `function` when the token is settled, which it may be now.
  void whenSettled(const Token &token, std::function<void(Step &)> function);
  /// Gives an empty token its value, that of `from`, which is settled.
  void fill(const Token &to, const Token &from) { execution.fill(to, from); }

  /// Runs the block of one of the op's regions.
  Tokens run(mlir::Region &region, const Tokens &arguments,
             Shape point = {}) const {
    return execution.runBlock(region.front(), arguments, scope,
                              std::move(point));
  }
  /// The index in a loop of the structured op around.
  int64_t pointOf(uint64_t loop) const { return scope->point[loop]; }
  /// Calls a function or graph.
  Tokens call(llvm::StringRef function, const Tokens &arguments) const {
    return execution.runBody(program().body(function), arguments);
  }
  void countStep() { execution.countStep(op); }
  Floats &gradient(llvm::StringRef parameter) {
    return execution.gradient(parameter);
  }
  /// What dropout depends on: that of an instance outside of training.
  uint64_t instanceSeed() const { return 0; }

  std::shared_ptr<Collector> makeCollector(mlir::RankedTensorType row,
                                           int64_t count) {
    return execution.makeCollector(op, row, count);
  }
  void giveRow(Collector &collector, int64_t index, const Array &row) {
    execution.giveRow(op, collector, index, row);
  }

  /// Fails the instance. Handlers then return, with or without results.
  void fail(amprt::StatusCode code, const llvm::Twine &message) const {
    execution.fail(op, code, message);
  }
  bool failed() const { return execution.failed(); }

  /// Whether 0 <= value < limit; else fails, naming `what`.
  bool checkIndex(const llvm::Twine &what, int64_t value, int64_t limit) const;
  /// Whether an array may have these dimensions; else fails.
  bool checkDims(llvm::ArrayRef<int64_t> dims) const;
  /// Whether both have the same dimensions; else fails.
  bool checkSameDims(const Array &a, const Array &b) const;

private:
  Execution &execution;
  mlir::Operation *op;
  std::shared_ptr<Scope> scope;
  bool late = false; ///< Its results are bound to tokens: give() fills them.
};

} // namespace amp::interp

#endif // AMP_LIB_INTERP_EXECUTION_H
