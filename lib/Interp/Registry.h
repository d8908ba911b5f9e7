//===- Registry.h - How each op is run --------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_REGISTRY_H
#define AMP_LIB_INTERP_REGISTRY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace amp::interp {

class Step;

/// How one kind of op is run.
struct Handler {
  std::function<void(mlir::Operation *, Step &)> run;
  /// So many operands, from the first one on, must have arrived before.
  unsigned awaited;
  /// And what its regions use from outside.
  bool awaitsCaptured = false;
};

/// The ops that the interpreter knows.
class Registry {
public:
  static constexpr unsigned all = std::numeric_limits<unsigned>::max();

  /// `run(op, step)` runs an op of type OpT.
  template <typename OpT, typename F> void add(F run, unsigned awaited = all) {
    handlers[mlir::TypeID::get<OpT>()] =
        Handler{[run](mlir::Operation *op, Step &step) {
                  run(llvm::cast<OpT>(op), step);
                },
                awaited};
  }

  /// `run(op, step)` runs an op that has the interface, if no handler of its
  /// own does. It awaits all that the op and its regions use.
  template <typename InterfaceT, typename F> void addInterface(F run) {
    interfaces.push_back(
        {[](mlir::Operation *op) { return llvm::isa<InterfaceT>(op); },
         Handler{[run](mlir::Operation *op, Step &step) {
                   run(llvm::cast<InterfaceT>(op), step);
                 },
                 all, /*awaitsCaptured=*/true}});
  }

  /// Null for an op that the interpreter does not know.
  const Handler *find(mlir::Operation *op) const {
    auto found = handlers.find(op->getName().getTypeID());
    if (found != handlers.end())
      return &found->second;
    for (const auto &[implements, handler] : interfaces)
      if (implements(op))
        return &handler;
    return nullptr;
  }

private:
  llvm::DenseMap<mlir::TypeID, Handler> handlers;
  std::vector<std::pair<bool (*)(mlir::Operation *), Handler>> interfaces;
};

void addAmpGradientOps(Registry &registry);
void addAmpListOps(Registry &registry);
void addAmpNodeOps(Registry &registry);
void addAmpRowOps(Registry &registry);
void addAmpStructureOps(Registry &registry);
void addAmpTensorOps(Registry &registry);
void addArithCasts(Registry &registry);
void addArithOps(Registry &registry);
void addFuncOps(Registry &registry);
void addLinalgOps(Registry &registry);
void addMathOps(Registry &registry);
void addScfOps(Registry &registry);
void addTensorOps(Registry &registry);
void addTensorShapeOps(Registry &registry);

} // namespace amp::interp

#endif // AMP_LIB_INTERP_REGISTRY_H
