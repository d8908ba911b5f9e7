//===- Processors.cpp - What code is made for -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processors.h"

#include "Backend.h"

#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "amprt/abi.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

static std::string featuresOf(const TargetMachine &machine) {
  std::string features;
#define AMPRT_NAME(feature) feature,
  if (machine.getTargetTriple().isX86())
    for (StringRef name : {AMPRT_X86_FEATURES(AMPRT_NAME)})
      if (machine.getMCSubtargetInfo()->checkFeatures(("+" + name).str()))
        features += (name + " ").str();
#undef AMPRT_NAME
  return features;
}

/// Whether whoever has the features of `other` has those of `processor`.
static bool runsWherever(const amp::Processor &processor,
                         const amp::Processor &other) {
  SmallVector<StringRef> needed, there;
  StringRef(processor.features).split(needed, ' ', -1, /*KeepEmpty=*/false);
  StringRef(other.features).split(there, ' ', -1, /*KeepEmpty=*/false);
  return all_of(
      needed, [&](StringRef feature) { return is_contained(there, feature); });
}

Expected<SmallVector<amp::Processor>> amp::createProcessors(StringRef names,
                                                            unsigned optLevel) {
  SmallVector<Processor> processors;
  SmallVector<StringRef> cpus;
  names.split(cpus, ',');
  for (StringRef &cpu : cpus) {
    cpu = cpu.trim();
    auto machine = createTargetMachine(cpu, optLevel);
    if (!machine)
      return machine.takeError();
    Processor made{std::move(*machine), {}};
    made.features = featuresOf(*made.machine);
    for (auto [before, earlier] : enumerate(processors))
      if (runsWherever(earlier, made))
        return createStringError(
            "code for '" + cpu +
            "' would never be used: its processors can run "
            "that for '" +
            cpus[before] + "', which comes first");
    processors.push_back(std::move(made));
  }
  return processors;
}

/// The symbol of the model for one of the processors.
static std::string modelSymbol(size_t number) {
  return number ? "amprt_model_" + std::to_string(number) : "amprt_model";
}

void amp::setProcessor(mlir::ModuleOp module, ArrayRef<Processor> processors,
                       size_t number) {
  mlir::Builder builder(module.getContext());
  const Processor &processor = processors[number];
  auto set = [&](StringRef name, StringRef value) {
    module->setAttr(name, builder.getStringAttr(value));
  };
  set(rt::AmpRTDialect::getTargetAttrName(),
      describeTarget(*processor.machine));
  set(rt::AmpRTDialect::getFeaturesAttrName(), processor.features);
  if (number)
    set(rt::AmpRTDialect::getModelSymbolAttrName(), modelSymbol(number));
  if (number + 1 < processors.size())
    set(rt::AmpRTDialect::getNextModelAttrName(), modelSymbol(number + 1));
}

Error amp::join(Module &first, std::unique_ptr<Module> other) {
  if (Linker::linkModules(first, std::move(other)))
    return createStringError("code for several processors cannot be joined");
  return Error::success();
}

void amp::hideAllButFirst(Module &module, size_t count) {
  for (size_t number = 1; number < count; ++number)
    if (GlobalVariable *model = module.getNamedGlobal(modelSymbol(number)))
      model->setLinkage(GlobalValue::InternalLinkage);
}
