//===- Driver.cpp - What ampc does ----------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Driver/Driver.h"

#include "Backend.h"
#include "Explain.h"
#include "Link.h"
#include "OutputFile.h"
#include "Processors.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"
#include "amp/InitAll.h"
#include "amp/Interp/CheckGradients.h"
#include "amp/Interp/InterpretMain.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace amp;

namespace {

/// One run. The stages are methods in the order in which they run; each emits
/// its own diagnostics.
class Compilation {
public:
  explicit Compilation(const DriverOptions &options);

  LogicalResult run();

private:
  LogicalResult parse();
  LogicalResult enableRemarks();
  LogicalResult findProcessors();
  LogicalResult compile();
  LogicalResult lower(size_t processor);
  InterpretOptions interpretOptions() const;
  LogicalResult interpret();
  LogicalResult checkDerivatives();
  LogicalResult writeModule();
  LogicalResult translate(size_t processor);
  LogicalResult writeCode(StringRef path, llvm::CodeGenFileType type);
  LogicalResult linkOutput();

  /// Where the output goes: as told, else after the input's name.
  std::string outputPath(StringRef extension) const;
  LogicalResult writeText(StringRef path,
                          llvm::function_ref<void(llvm::raw_ostream &)> print);
  LogicalResult fail(const Twine &message) {
    llvm::errs() << "ampc: error: " << message << '\n';
    return failure();
  }
  LogicalResult fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  const DriverOptions &options;
  DialectRegistry registry;
  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics;
  DefaultTimingManager timingManager;
  TimingScope timing;
  OwningOpRef<ModuleOp> module;
  SmallVector<Processor> processors; ///< None where the output needs none.
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule;
};

DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  return registry;
}

Compilation::Compilation(const DriverOptions &options)
    : options(options), registry(allDialects()),
      // The passes are on modules: threads would only cost their start.
      context(registry, MLIRContext::Threading::DISABLED),
      diagnostics(*sources, &context) {
  // The place is what people need; whole modules hide it.
  context.printOpOnDiagnostic(false);
  timingManager.setEnabled(options.timing);
  timing = timingManager.getRootScope();
}

LogicalResult Compilation::run() {
  if (failed(parse()))
    return failure();
  if (options.output == Output::none)
    return interpret();
  if (options.output == Output::gradientCheck)
    return checkDerivatives();
  if (failed(findProcessors()))
    return failure();
  if (options.output == Output::mlir)
    return failed(lower(0)) ? failure() : writeModule();
  if (failed(compile()))
    return failure();
  switch (options.output) {
  case Output::llvm:
    return writeText(outputPath(""), [&](llvm::raw_ostream &stream) {
      llvmModule->print(stream, nullptr);
    });
  case Output::assembly:
    return writeCode(outputPath(""), llvm::CodeGenFileType::AssemblyFile);
  case Output::object:
    return writeCode(outputPath(".o"), llvm::CodeGenFileType::ObjectFile);
  case Output::executable:
  case Output::sharedLibrary:
    return linkOutput();
  case Output::mlir:
  case Output::none:
  case Output::gradientCheck:
    break;
  }
  llvm_unreachable("handled above");
}

LogicalResult Compilation::findProcessors() {
  if (options.output == Output::mlir && options.compileTo < Phase::runtime)
    return success();
  auto created = createProcessors(options.cpu, options.optLevel);
  if (!created)
    return fail(created.takeError());
  processors = std::move(*created);
  if (processors.size() > 1 &&
      (options.output == Output::mlir || options.remarks || options.explain ||
       !options.remarksPath.empty()))
    return fail("--mcpu: remarks, --explain and the IR of a phase are of one "
                "processor");
  return success();
}

/// Makes the LLVM module: all processors', joined.
LogicalResult Compilation::compile() {
  OwningOpRef<ModuleOp> source = std::move(module);
  for (size_t number = 0; number < processors.size(); ++number) {
    module = source->clone();
    if (failed(lower(number)) || failed(translate(number)))
      return failure();
  }
  hideAllButFirst(*llvmModule, processors.size());
  return success();
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

LogicalResult Compilation::parse() {
  TimingScope scope = timing.nest("Parse");
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.inputPath, &message);
  if (!file)
    return fail(message);
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  return success(static_cast<bool>(module));
}

LogicalResult Compilation::enableRemarks() {
  if (!options.remarks && !options.explain && options.remarksPath.empty())
    return success();
  remark::RemarkCategories categories;
  categories.all = categories.passed = categories.missed = categories.analysis =
      categories.failed = "amp-.*";
  auto policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  if (options.explain)
    return remark::enableOptimizationRemarks(
        context, createExplainer(llvm::outs()), std::move(policy), categories,
        options.remarks);
  if (options.remarksPath.empty())
    return remark::enableOptimizationRemarks(context, nullptr,
                                             std::move(policy), categories,
                                             /*printAsEmitRemarks=*/true);
  return remark::enableOptimizationRemarksWithLLVMStreamer(
      context, options.remarksPath, llvm::remarks::Format::YAML,
      std::move(policy), categories, options.remarks);
}

LogicalResult Compilation::lower(size_t processor) {
  TimingScope scope = timing.nest("Compile");
  if (failed(enableRemarks()))
    return fail("cannot write remarks to '" + options.remarksPath + "'");
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.enableVerifier(options.verifyEach);
  passes.enableTiming(scope);
  if (options.printAfterAll)
    passes.enableIRPrinting([](Pass *, Operation *) { return false; },
                            [](Pass *, Operation *) { return true; },
                            /*printModuleScope=*/true,
                            /*printAfterOnlyOnChange=*/false,
                            /*printAfterOnlyOnFailure=*/false, llvm::errs());
  // A graph written by hand is level B from the start.
  std::optional<Phase> from = options.compileFrom;
  if (!from && !module->getOps<GraphOp>().empty()) {
    from = Phase::graph;
    populateGraphCheck(passes);
  }
  PipelineOptions pipeline;
  pipeline.gemm = options.gemm;
  pipeline.train = options.train;
  if (!processors.empty()) {
    setProcessor(*module, processors, processor);
    VectorRegisters vectors = vectorRegisters(*processors[processor].machine);
    pipeline.lanes = vectors.bits / 32;
    pipeline.registers = vectors.count;
  }
  populatePipeline(passes, from, options.compileTo, pipeline);
  return passes.run(*module);
}

InterpretOptions Compilation::interpretOptions() const {
  InterpretOptions result;
  result.inputPath = options.instancesPath;
  result.outputPath = options.resultsPath;
  result.weightsPath = options.weightsPath;
  result.limit = options.limit;
  result.seed = options.seed;
  return result;
}

LogicalResult Compilation::checkDerivatives() {
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(createWidenFloatsPass());
  PipelineOptions pipeline;
  pipeline.train = true;
  bool isGraph = !module->getOps<GraphOp>().empty();
  populatePipeline(passes, isGraph ? std::optional(Phase::graph) : std::nullopt,
                   Phase::differentiated, pipeline);
  if (failed(passes.run(*module)))
    return failure();
  return success(
      checkGradients(*module, interpretOptions(), options.samples) == 0);
}

LogicalResult Compilation::interpret() {
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(createDecomposeOpsPass());
  if (!options.train) // else the loss is a result like any other
    passes.addPass(createSplitLossPass());
  if (failed(passes.run(*module)))
    return failure();
  return success(interpretMain(*module, interpretOptions()) == 0);
}

LogicalResult Compilation::writeModule() {
  return writeText(outputPath(""), [&](llvm::raw_ostream &stream) {
    module->print(stream);
    stream << '\n';
  });
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

LogicalResult Compilation::translate(size_t processor) {
  TimingScope scope = timing.nest("Translate and optimize");
  std::unique_ptr<llvm::Module> made = translateModuleToLLVMIR(
      *module, llvmContext, llvm::sys::path::filename(options.inputPath));
  if (!made)
    return fail("the module cannot be translated to LLVM IR");
  llvm::TargetMachine &machine = *processors[processor].machine;
  setTarget(*made, machine);
  optimize(*made, machine, options.optLevel);
  if (!llvmModule)
    llvmModule = std::move(made);
  else if (llvm::Error error = join(*llvmModule, std::move(made)))
    return fail(std::move(error));
  return success();
}

LogicalResult Compilation::writeCode(StringRef path,
                                     llvm::CodeGenFileType type) {
  TimingScope scope = timing.nest("Generate code");
  llvm::Error error = writeFile(
      path, llvm::sys::fs::OF_None, [&](llvm::raw_pwrite_stream &stream) {
        return generateCode(*llvmModule, *processors.front().machine, type,
                            stream);
      });
  return error ? fail(std::move(error)) : success();
}

LogicalResult Compilation::linkOutput() {
  LinkOptions linkOptions;
  linkOptions.shared = options.output == Output::sharedLibrary;
  linkOptions.outputPath = outputPath(linkOptions.shared ? ".so" : "");
  linkOptions.linker = options.linker;
  linkOptions.verbose = options.verbose;
  linkOptions.runtimeDir = options.runtimeDir.empty()
                               ? defaultRuntimeDir(options.programPath)
                               : options.runtimeDir;
  if (linkOptions.outputPath == "-")
    return fail("a linked file cannot go to standard output");

  SmallString<128> object(linkOptions.outputPath + ".o");
  if (options.saveTemps) {
    std::string text = linkOptions.outputPath + ".ll";
    if (failed(writeText(text, [&](llvm::raw_ostream &stream) {
          llvmModule->print(stream, nullptr);
        })))
      return failure();
  } else if (std::error_code error =
                 llvm::sys::fs::createTemporaryFile("ampc", "o", object)) {
    return fail("cannot make a temporary file: " + error.message());
  }
  llvm::FileRemover remover(object, /*deleteIt=*/!options.saveTemps);
  if (failed(writeCode(object, llvm::CodeGenFileType::ObjectFile)))
    return failure();
  TimingScope scope = timing.nest("Link");
  linkOptions.objectPath = object.str().str();
  if (llvm::Error error = link(linkOptions))
    return fail(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string Compilation::outputPath(StringRef extension) const {
  if (!options.outputPath.empty())
    return options.outputPath;
  bool isText = options.output == Output::mlir ||
                options.output == Output::llvm ||
                options.output == Output::assembly;
  if (isText)
    return "-";
  StringRef stem = options.inputPath == "-"
                       ? "model"
                       : llvm::sys::path::stem(options.inputPath);
  return (stem + extension).str();
}

LogicalResult
Compilation::writeText(StringRef path,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  llvm::Error error =
      writeFile(path, llvm::sys::fs::OF_Text, [&](llvm::raw_ostream &stream) {
        print(stream);
        return llvm::Error::success();
      });
  return error ? fail(std::move(error)) : success();
}

} // namespace

/// Exit status where the compiler itself is at fault (EX_SOFTWARE).
static constexpr int kInternalError = 70;
/// The parser and the passes recurse over nested regions and attributes, as
/// deep as the input goes. Only what is used takes memory.
static constexpr unsigned kStackBytes = 1u << 30;

int amp::runDriver(const DriverOptions &options) {
  bool succeeded = false;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  recovery.DumpStackAndCleanupOnFailure = true;
  if (recovery.RunSafelyOnThread(
          [&] { succeeded = Compilation(options).run().succeeded(); },
          kStackBytes))
    return succeeded ? 0 : 1;
  llvm::errs() << "ampc: error: internal error; please report it together with "
                  "the input\n";
  return kInternalError;
}
