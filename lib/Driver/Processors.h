//===- Processors.h - What code is made for ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_PROCESSORS_H
#define AMP_LIB_DRIVER_PROCESSORS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace amp {

/// A model may be compiled for several processors: it is then as many models in
/// one file, each for all phases that depend on the processor, and the runtime
/// takes the first whose features are there (amprt_model_t::next).
struct Processor {
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string features; ///< As in amprt_model_t.
};

/// Of names that commas separate. Fails where LLVM does not know one, or where
/// one would never be used because an earlier one needs no more than it has.
llvm::Expected<llvm::SmallVector<Processor>>
createProcessors(llvm::StringRef names, unsigned optLevel);

/// Tells a module which of the processors it is for.
void setProcessor(mlir::ModuleOp module, llvm::ArrayRef<Processor> processors,
                  size_t number);

/// Adds another processor's module.
llvm::Error join(llvm::Module &first, std::unique_ptr<llvm::Module> other);

/// Of the models of `count` processors, all joined, only the first one's symbol
/// stays visible.
void hideAllButFirst(llvm::Module &module, size_t count);

} // namespace amp

#endif // AMP_LIB_DRIVER_PROCESSORS_H
