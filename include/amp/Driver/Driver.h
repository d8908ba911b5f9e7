//===- Driver.h - What ampc does --------------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DRIVER_DRIVER_H
#define AMP_DRIVER_DRIVER_H

#include "amp/Pipelines/Pipelines.h"

#include <cstdint>
#include <optional>
#include <string>

namespace amp {

/// What a run of the compiler makes.
enum class Output {
  executable,    ///< A program with the command line of the runtime.
  sharedLibrary, ///< For amprt::Model::load: exports `amprt_model` alone.
  object,
  assembly,
  llvm, ///< LLVM IR after optimisation.
  mlir, ///< The IR of phase `compileTo`.
  none, ///< Runs the program in the reference interpreter.
  gradientCheck, ///< Compares its gradients with differences, there as well.
};

struct DriverOptions {
  std::string inputPath = "-"; ///< Text or bytecode; "-" is standard input.
  std::string outputPath;      ///< Empty: from the input's name; text to "-".
  Output output = Output::executable;

  Phase compileTo = Phase::llvm; ///< The last phase.
  std::optional<Phase>
      compileFrom; ///< The phase that the input has been through.

  bool train = false; ///< Makes a program that trains as well.

  std::string cpu = "native";  ///< LLVM names of processors, commas between.
  Gemm gemm = Gemm::automatic; ///< Who multiplies rows by parameters.
  unsigned optLevel = 3;       ///< 0 to 3, as a C compiler's.

  std::string programPath; ///< argv[0]: where the runtime is looked for.
  std::string runtimeDir;  ///< Instead of ../lib beside the program.
  std::string linker;      ///< C++ compiler that links; empty: CXX, or the one
                           ///< that built ampc.

  bool remarks =
      false; ///< Prints what was batched, and why other things were not.
  bool explain = false; ///< Prints a table of all cells (not with remarksPath).
  std::string remarksPath; ///< Writes the same as YAML.
  bool verifyEach = true;  ///< Checks the IR after each pass.
  bool printAfterAll = false;
  bool timing = false;
  bool saveTemps = false;
  bool verbose = false; ///< Prints the link command.

  // For Output::none and gradientCheck.
  std::string instancesPath = "-", resultsPath = "-", weightsPath;
  int64_t limit = -1;
  uint64_t seed = 1;
  int64_t samples = 100; ///< Elements of each parameter that are checked.
};

/// Compiles, or interprets. Diagnostics go to standard error, with the source
/// line and a caret where there is one. Returns the exit status: 0; 1 where
/// something is wrong with the input or the options; 70 where something is with
/// the compiler.
int runDriver(const DriverOptions &options);

/// Prints the names that `cpu` may have.
int printProcessors();

} // namespace amp

#endif // AMP_DRIVER_DRIVER_H
