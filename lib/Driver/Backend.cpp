//===- Backend.cpp - From the LLVM dialect to machine code ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "amp/Driver/Driver.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

/// This computer's back end, initialised.
static Expected<const Target *> hostTarget(const Triple &triple) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::string message;
  if (const Target *target = TargetRegistry::lookupTarget(triple, message))
    return target;
  return createStringError(message);
}

/// The features of this computer as an LLVM feature string.
static std::string hostFeatures() {
  SubtargetFeatures features;
  StringMap<bool> found = sys::getHostCPUFeatures();
  // In alphabetical order, so that equal computers make equal files.
  SmallVector<StringRef> names(found.keys());
  sort(names);
  for (StringRef name : names)
    features.AddFeature(name, found.lookup(name));
  return features.getString();
}

Expected<std::unique_ptr<TargetMachine>>
amp::createTargetMachine(StringRef cpu, unsigned optLevel) {
  Triple triple(sys::getDefaultTargetTriple());
  Expected<const Target *> target = hostTarget(triple);
  if (!target)
    return target.takeError();

  std::string features;
  if (cpu == "native") {
    cpu = sys::getHostCPUName();
    features = hostFeatures();
  } else {
    std::unique_ptr<MCSubtargetInfo> info(
        (*target)->createMCSubtargetInfo(triple, "", ""));
    if (!info->isCPUStringValid(cpu))
      return createStringError("unknown processor '" + cpu +
                               "'; --mcpu=help lists those there are");
  }

  TargetOptions options;
  // Where a product and a sum become one rounding is decided in the pipeline
  // (FuseMultiplyAdd.cpp), so that it cannot depend on a row's place in a
  // batch.
  options.AllowFPOpFusion = FPOpFusion::Standard;
  options.FunctionSections = true;
  options.DataSections = true;
  auto level = static_cast<CodeGenOptLevel>(optLevel);
  std::unique_ptr<TargetMachine> machine((*target)->createTargetMachine(
      triple, cpu, features, options, Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError("LLVM cannot make code for " + triple.str());
  return machine;
}

std::string amp::describeTarget(const TargetMachine &machine) {
  std::string text =
      (machine.getTargetTriple().getArchName() + " " + machine.getTargetCPU())
          .str();
  const MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  for (const char *feature :
       {"avx2", "fma", "avx512f", "avx512bf16", "amx-tile"})
    if (machine.getTargetTriple().isX86() &&
        info.checkFeatures((Twine("+") + feature).str()))
      text += std::string(" ") + feature;
  return text;
}

amp::VectorRegisters amp::vectorRegisters(const TargetMachine &machine) {
  const MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86())
    return {128, 32}; // NEON
  if (info.checkFeatures("+avx512f"))
    return {512, 32};
  if (info.checkFeatures("+avx2") && info.checkFeatures("+fma"))
    return {256, 16};
  return {128, 16};
}

void amp::setTarget(Module &module, const TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  bool wide = machine.getTargetTriple().isX86() &&
              machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
  for (Function &function : module) {
    function.setDoesNotThrow(); // neither our code nor the runtime throws
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    // Also where there are none, as code for several processors is generated
    // together: without, it would be the first one's.
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // LLVM holds back for the sake of code that is only a little vectorised.
    if (wide)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

void amp::optimize(Module &module, TargetMachine &machine, unsigned optLevel) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = optLevel >= 2;
  tuning.SLPVectorization = optLevel >= 2;
  // Looks for a loop's stores that its next iteration loads. Our loops have none:
  // what they carry is in registers. On a large cell it takes half of the time.
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, Any) { return pass != "LoopLoadEliminationPass"; });
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  OptimizationLevel level = levels[std::min(optLevel, 3u)];
  ModulePassManager passes = optLevel == 0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

Error amp::generateCode(Module &module, TargetMachine &machine,
                        CodeGenFileType type, raw_pwrite_stream &stream) {
  legacy::PassManager passes;
  passes.add(
      createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("LLVM cannot write this kind of file");
  passes.run(module);
  return Error::success();
}

int amp::printProcessors() {
  Triple triple(sys::getDefaultTargetTriple());
  Expected<const Target *> target = hostTarget(triple);
  if (!target) {
    errs() << "ampc: error: " << toString(target.takeError()) << '\n';
    return 1;
  }
  std::unique_ptr<MCSubtargetInfo> info(
      (*target)->createMCSubtargetInfo(triple, "", ""));
  outs() << "processors for " << triple.getArchName() << ":\n"
         << "  native (" << sys::getHostCPUName() << ")\n";
  for (const SubtargetSubTypeKV &processor :
       info->getAllProcessorDescriptions())
    outs() << "  " << processor.Key << '\n';
  return 0;
}
