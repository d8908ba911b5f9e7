//===- ampc.cpp - The compiler --------------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Driver/Driver.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

cl::OptionCategory category("ampc options");
cl::OptionCategory interpretCategory("Options for --interpret");

struct Flags {
  amp::DriverOptions options;

  cl::opt<std::string, true> input{cl::Positional, cl::desc("<model.mlir>"),
                                   cl::location(options.inputPath),
                                   cl::init("-"), cl::cat(category)};
  cl::opt<std::string, true> output{
      "o", cl::desc("Write to this file ('-': standard output)"),
      cl::value_desc("file"), cl::location(options.outputPath),
      cl::cat(category)};
  cl::opt<bool> object{"c", cl::desc("Make an object file, do not link"),
                       cl::cat(category)};
  cl::opt<bool> shared{
      "shared",
      cl::desc("Make a shared library, for amprt::Model::load in a program"),
      cl::cat(category)};
  cl::opt<amp::Output> emit{
      "emit",
      cl::desc("Make a file of this kind (text goes to standard output)"),
      cl::init(amp::Output::executable),
      cl::values(clEnumValN(amp::Output::executable, "exe", "a program"),
                 clEnumValN(amp::Output::object, "obj", "an object file"),
                 clEnumValN(amp::Output::assembly, "asm", "assembly"),
                 clEnumValN(amp::Output::llvm, "llvm", "optimised LLVM IR"),
                 clEnumValN(amp::Output::mlir, "mlir", "the LLVM dialect")),
      cl::cat(category)};
  cl::opt<bool> interpret{
      "interpret",
      cl::desc("Run the model in the reference interpreter, one instance at a "
               "time"),
      cl::cat(category)};
  cl::opt<bool> checkGradients{
      "check-gradients",
      cl::desc("Compare the gradients of the loss with differences, in the "
               "interpreter and in f64"),
      cl::cat(category)};
  cl::opt<bool, true> train{
      "train", cl::desc("Make a program that trains as well"),
      cl::location(options.train), cl::cat(category)};
  cl::opt<std::string> compileTo{
      "compile-to", cl::desc("Stop after this phase and print the IR"),
      cl::value_desc("phase"), cl::cat(category)};
  cl::opt<std::string> compileFrom{
      "compile-from",
      cl::desc("The input is what --compile-to=<phase> printed"),
      cl::value_desc("phase"), cl::cat(category)};

  cl::opt<unsigned> optLevel{"O",
                             cl::Prefix,
                             cl::desc("Optimise: -O0 to -O3 (default -O3)"),
                             cl::value_desc("level"),
                             cl::init(3),
                             cl::cat(category)};
  cl::opt<std::string, true> cpu{
      "mcpu",
      cl::desc(
          "Make code for this processor: native (default), x86-64-v3, ...; "
          "'help' lists all. Of several, separated by commas, a program uses "
          "the first whose code it can run"),
      cl::value_desc("names"),
      cl::location(options.cpu),
      cl::init("native"),
      cl::cat(category)};

  cl::opt<amp::Gemm, true> gemm{
      "gemm",
      cl::desc("Who multiplies rows by parameters:"),
      cl::values(clEnumValN(amp::Gemm::automatic, "auto",
                            "as measured best for the processor (default)"),
                 clEnumValN(amp::Gemm::generated, "codegen",
                            "generated kernels, wherever there is one"),
                 clEnumValN(amp::Gemm::library, "onednn", "oneDNN")),
      cl::location(options.gemm),
      cl::init(amp::Gemm::automatic),
      cl::cat(category)};

  cl::opt<std::string, true> linker{
      "linker", cl::desc("C++ compiler that links (default: $CXX, then c++)"),
      cl::value_desc("program"), cl::location(options.linker),
      cl::cat(category)};
  cl::opt<std::string, true> runtimeDir{
      "runtime-dir", cl::desc("Where the runtime is (default: ../lib)"),
      cl::value_desc("dir"), cl::location(options.runtimeDir),
      cl::cat(category)};
  cl::opt<bool, true> saveTemps{
      "save-temps", cl::desc("Keep <output>.o and <output>.ll"),
      cl::location(options.saveTemps), cl::cat(category)};
  cl::opt<bool, true> verbose{"v", cl::desc("Print the link command"),
                              cl::location(options.verbose), cl::cat(category)};

  cl::opt<bool, true> remarks{
      "Rbatch", cl::desc("Say what was batched, and why other things were not"),
      cl::location(options.remarks), cl::cat(category)};
  cl::opt<bool, true> explain{
      "explain",
      cl::desc("Print a table of all cells: their products, rows and kernels, "
               "and what is not batched well, why, and what would change it"),
      cl::location(options.explain), cl::cat(category)};
  cl::opt<std::string, true> remarksFile{
      "remarks-file", cl::desc("Write the same as YAML"),
      cl::value_desc("file"), cl::location(options.remarksPath),
      cl::cat(category)};
  cl::opt<bool, true> verifyEach{
      "verify-each", cl::desc("Check the IR after each pass (default)"),
      cl::location(options.verifyEach), cl::init(true), cl::cat(category)};
  cl::opt<bool, true> printAfterAll{
      "print-ir-after-all", cl::desc("Print the IR after each pass"),
      cl::location(options.printAfterAll), cl::cat(category)};
  cl::opt<bool, true> timing{"timing", cl::desc("Print where the time went"),
                             cl::location(options.timing), cl::cat(category)};

  cl::opt<std::string, true> instances{
      "input",
      cl::desc("Instances, JSON Lines (default: standard input)"),
      cl::value_desc("file"),
      cl::location(options.instancesPath),
      cl::init("-"),
      cl::cat(interpretCategory)};
  cl::opt<std::string, true> results{
      "output",
      cl::desc("Results, JSON Lines (default: standard output)"),
      cl::value_desc("file"),
      cl::location(options.resultsPath),
      cl::init("-"),
      cl::cat(interpretCategory)};
  cl::opt<std::string, true> weights{
      "weights", cl::desc("Parameters, safetensors (default: from the seed)"),
      cl::value_desc("file"), cl::location(options.weightsPath),
      cl::cat(interpretCategory)};
  cl::opt<int64_t, true> limit{"limit",
                               cl::desc("Run only so many instances"),
                               cl::value_desc("count"),
                               cl::location(options.limit),
                               cl::init(-1),
                               cl::cat(interpretCategory)};
  cl::opt<uint64_t, true> seed{
      "seed",
      cl::desc("For parameters that the file lacks (default 1)"),
      cl::value_desc("number"),
      cl::location(options.seed),
      cl::init(1),
      cl::cat(interpretCategory)};

  cl::opt<int64_t, true> samples{
      "samples",
      cl::desc("Elements of each parameter that --check-gradients looks at; 0: "
               "all (default 100)"),
      cl::value_desc("count"),
      cl::location(options.samples),
      cl::init(100),
      cl::cat(interpretCategory)};

  /// Fills the options; prints what is wrong with the flags.
  bool finish();
};

bool fail(const Twine &message) {
  WithColor::error(errs(), "ampc") << message << '\n';
  return false;
}

/// Reads the name of a phase.
bool parsePhase(StringRef flag, StringRef name, amp::Phase &phase) {
  if (std::optional<amp::Phase> parsed = amp::parsePhase(name)) {
    phase = *parsed;
    return true;
  }
  std::string names;
  for (const amp::PhaseInfo &info : amp::phases())
    names += (names.empty() ? "" : ", ") + info.name.str();
  return fail("--" + flag + ": expected one of " + names + ", but got '" +
              name + "'");
}

bool Flags::finish() {
  int outputs = object + shared + interpret + checkGradients + (emit.getNumOccurrences() > 0) +
                (compileTo.getNumOccurrences() > 0);
  if (outputs > 1)
    return fail(
        "-c, --shared, --emit, --compile-to, --interpret and "
        "--check-gradients exclude one another");
  if (optLevel > 3)
    return fail("-O: expected 0 to 3, but got " + Twine(optLevel));
  options.optLevel = optLevel;
  options.output = object      ? amp::Output::object
                   : shared    ? amp::Output::sharedLibrary
                   : interpret ? amp::Output::none
                   : checkGradients ? amp::Output::gradientCheck
                               : emit.getValue();
  if (compileTo.getNumOccurrences()) {
    options.output = amp::Output::mlir;
    if (!parsePhase("compile-to", compileTo, options.compileTo))
      return false;
  }
  if (compileFrom.getNumOccurrences()) {
    amp::Phase from;
    if (!parsePhase("compile-from", compileFrom, from))
      return false;
    if (from > options.compileTo)
      return fail("--compile-from=" + compileFrom +
                  " is a later phase than --compile-to=" + compileTo);
    options.compileFrom = from;
  }
  if (explain && !options.remarksPath.empty())
    return fail("--explain and --remarks-file exclude one another");
  if ((interpret || checkGradients) && instances.getValue() == "-" && options.inputPath == "-")
    return fail(
        "--interpret and --check-gradients: the model and the instances cannot both come from "
        "standard input");
  return true;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Flags flags;
  const cl::OptionCategory *categories[] = {&category, &interpretCategory};
  cl::HideUnrelatedOptions(categories);
  cl::ParseCommandLineOptions(
      argc, argv,
      "ampc: compiles a model written for one instance to a program that\n"
      "batches over instances by itself\n");
  if (flags.options.cpu == "help")
    return amp::printProcessors();
  flags.options.programPath = argv[0];
  if (!flags.finish())
    return 1;
  return amp::runDriver(flags.options);
}
