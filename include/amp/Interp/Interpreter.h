//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a per-instance program (level A) or a graph (level B) as its semantics
// read: one instance at a time, op by op, no batching, no lowering shared with
// the compiler. It is what every other way to run a program is compared with,
// so it is written to be obvious, not fast.
//
//   auto interpreter = amp::Interpreter::create(module, parameters);
//   amprt::Expected<amprt::Values> results = (*interpreter)->run(instance);
//
// Numbers. Floating-point ops are computed in double and rounded once to their
// element type, which for + - * / and square roots gives what the type's own
// arithmetic gives; what an op adds up itself (products, soft-max, pools,
// segments, losses) is rounded once after the whole sum, while in a structured
// op (linalg) each op of its body rounds. Integer ops wrap. Where an op's
// result is undefined or poison upstream (division by zero, a shift by the
// width or more, a conversion that does not fit, an index out of range), the
// instance fails: no test may rely on it.
//
// Order. A node runs when all of its operands are there (architecture, 4.1),
// not in the order of the text: what needs an amp.collect whose rows are given
// later in the text waits for them. In a graph, a node that needs the side of a
// branch that is not taken never runs; a call opens when its operands that are
// no tensors are there; and what has a body of its own waits for all that the
// body uses from outside.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERP_INTERPRETER_H
#define AMP_INTERP_INTERPRETER_H

#include "amp/Interp/Signature.h"

#include "amprt/status.h"
#include "amprt/tensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace amp {

namespace interp {
class Program;
} // namespace interp

struct InterpreterOptions {
  /// Activations (calls, loop iterations, map elements) of one instance.
  int64_t stepLimit = 10'000'000;
  /// Calls inside one another. 100,000 take about 0.3 GiB.
  int64_t depthLimit = 250'000;
  /// Address space for the stack; only what recursion uses takes memory.
  size_t stackBytes = size_t(8) << 30;
};

/// A program with its parameters. Immutable; thread-safe as long as nobody
/// changes the module and its context has threads enabled.
class Interpreter {
public:
  /// `module` must be verified and must outlive the interpreter; `parameters`
  /// has a tensor for each amp.param, by symbol name (others are ignored).
  /// Emits a diagnostic for each op and type that the interpreter does not
  /// know, and for each parameter that is missing or has another type.
  static mlir::FailureOr<std::unique_ptr<Interpreter>>
  create(mlir::ModuleOp module,
         const std::map<std::string, amprt::Tensor> &parameters,
         InterpreterOptions options = {}, Role role = Role::predict);
  ~Interpreter();

  const Signature &signature() const;

  /// Runs one instance. Statuses: invalidArgument (a field is missing or has
  /// another type: the message names it; rows of a collector missing or given
  /// twice, arg-max of nothing, division by zero, pop of an empty list, ...);
  /// outOfRange (an index, a conversion that does not fit); resourceExhausted
  /// (step limit, depth of recursion, size of a tensor); internal (a graph that
  /// the verifier refuses). All but those about fields start with
  /// "file:line:column: ".
  /// `gradients`, unless null, gets those that the entry that trains has added.
  using Gradients = std::map<std::string, std::vector<double>>;
  amprt::Expected<amprt::Values> run(const amprt::Values &instance,
                                     Gradients *gradients = nullptr) const;

  /// Replaces a parameter's value, by one of the same type and size.
  void setParameter(const std::string &name, const amprt::Tensor &value);

private:
  Interpreter(std::unique_ptr<interp::Program> program,
              InterpreterOptions options);

  std::unique_ptr<interp::Program> program;
  InterpreterOptions options;
};

} // namespace amp

#endif // AMP_INTERP_INTERPRETER_H
