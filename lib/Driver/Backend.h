//===- Backend.h - From the LLVM dialect to machine code --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_BACKEND_H
#define AMP_LIB_DRIVER_BACKEND_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class raw_pwrite_stream;
} // namespace llvm

namespace amp {

/// The code generator for a processor of this computer's kind, `native` being
/// this very one. Fails where LLVM does not know the name.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef cpu, unsigned optLevel);

/// The vector registers that code for the machine may use.
struct VectorRegisters {
  unsigned bits, count;
};
VectorRegisters vectorRegisters(const llvm::TargetMachine &machine);

/// Names the processor, and its vector extensions, for people.
std::string describeTarget(const llvm::TargetMachine &machine);

/// Tells the module and its functions which processor they are for.
void setTarget(llvm::Module &module, const llvm::TargetMachine &machine);

/// Runs LLVM's optimiser.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned optLevel);

/// Writes an object or an assembly file.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                         llvm::CodeGenFileType type,
                         llvm::raw_pwrite_stream &stream);

} // namespace amp

#endif // AMP_LIB_DRIVER_BACKEND_H
