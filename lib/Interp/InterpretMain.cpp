//===- InterpretMain.cpp - What ampc --interpret does ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interp/InterpretMain.h"

#include "Descriptors.h"
#include "Parameters.h"

#include "io/File.h"
#include "io/JsonLines.h"
#include "io/JsonResults.h"
#include "io/LineReader.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace amp;
using namespace amp::interp;
using amprt::Expected;
using amprt::LineReader;
using amprt::OutputFile;
using amprt::Status;
using amprt::StatusCode;

/// As the compiled program ends (runtime/src/cli/Options.h).
enum ExitCode { exitOk = 0, exitInstancesFailed = 1, exitUnusable = 2 };

static int refuse(const Status &status) {
  llvm::WithColor::error() << status.message() << "\n";
  return exitUnusable;
}

namespace {
/// Reads instances, runs them, writes their results.
class Runner {
public:
  Runner(const Interpreter &interpreter, const Descriptors &descriptors,
         LineReader input, OutputFile output, int64_t limit)
      : interpreter(interpreter), descriptors(descriptors),
        parser(descriptors.fields.data(), descriptors.fields.size()),
        input(std::move(input)), output(std::move(output)), limit(limit) {}

  int run();

private:
  bool readLine();
  std::string runLine();

  const Interpreter &interpreter;
  const Descriptors &descriptors;
  amprt::InstanceParser parser;
  LineReader input;
  OutputFile output;
  int64_t limit;
  bool lineIsTooLong = false;
  int64_t failures = 0;
};
} // namespace

/// Reads on to the next line that has an instance; false at the end.
bool Runner::readLine() {
  if (limit == 0)
    return false;
  for (;;) {
    LineReader::Event event = input.next();
    lineIsTooLong = event == LineReader::Event::tooLong;
    bool isLine = event == LineReader::Event::line;
    if (!isLine && !lineIsTooLong)
      return false;
    if (isLine && llvm::StringRef(input.line()).trim().empty())
      continue;
    if (limit > 0)
      --limit;
    return true;
  }
}

/// The line of results, or of the error, of the instance that was read.
std::string Runner::runLine() {
  Expected<amprt::Values> instance =
      lineIsTooLong
          ? Status(StatusCode::invalidArgument,
                   "the line is longer than " +
                       std::to_string(input.maxLineBytes()) + " bytes")
          : parser.parse(input.line());
  Expected<amprt::Values> results =
      instance ? interpreter.run(*instance) : instance;
  std::string line;
  if (results) {
    std::vector<std::string> notFinite;
    amprt::appendResultLine(line, descriptors.results.data(),
                            descriptors.results.size(), *results, notFinite);
    return line;
  }
  ++failures;
  llvm::WithColor::error() << "line " << input.lineNumber() << ": "
                           << results.status().message() << "\n";
  amprt::appendErrorLine(line, results.status().message());
  return line;
}

int Runner::run() {
  while (readLine())
    if (Status status = output.write(runLine()); !status.ok())
      return refuse(status);
  if (!input.status().ok())
    return refuse(input.status());
  if (Status status = output.close(); !status.ok())
    return refuse(status);
  return failures ? exitInstancesFailed : exitOk;
}

int amp::interpretMain(mlir::ModuleOp module, const InterpretOptions &options) {
  mlir::FailureOr<Signature> signature = readSignature(module);
  if (failed(signature))
    return exitUnusable;
  Descriptors descriptors(module, *signature);
  auto parameters =
      loadParameters(descriptors.params, options.weightsPath, options.seed);
  if (!parameters)
    return refuse(parameters.status());
  auto interpreter =
      Interpreter::create(module, *parameters, options.interpreter);
  if (failed(interpreter))
    return exitUnusable;
  parameters->clear();

  Expected<LineReader> input = LineReader::open(options.inputPath);
  if (!input)
    return refuse(input.status());
  Expected<OutputFile> output = OutputFile::create(options.outputPath);
  if (!output)
    return refuse(output.status());
  return Runner(**interpreter, descriptors, std::move(*input),
                std::move(*output), options.limit)
      .run();
}
