//===- InterpretMain.h - What ampc --interpret does -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERP_INTERPRETMAIN_H
#define AMP_INTERP_INTERPRETMAIN_H

#include "amp/Interp/Interpreter.h"

#include <cstdint>
#include <string>

namespace amp {

struct InterpretOptions {
  std::string inputPath = "-";  ///< JSON Lines; "-" is standard input.
  std::string outputPath = "-"; ///< JSON Lines; "-" is standard output.
  std::string weightsPath;      ///< safetensors; empty: all from the seed.
  int64_t limit = -1;           ///< Instances to run; negative: all.
  uint64_t seed = 1;            ///< For parameters that the file lacks.
  InterpreterOptions interpreter;
};

/// Runs the program on each line of the input and writes a line of results, or
/// of {"error": message}, for each; errors go to standard error as well, with
/// the number of the line. Returns the exit code, as the compiled program's:
/// 0; 1 where an instance failed; 2 where the program, the weights or a file
/// cannot be used.
int interpretMain(mlir::ModuleOp module, const InterpretOptions &options);

} // namespace amp

#endif // AMP_INTERP_INTERPRETMAIN_H
