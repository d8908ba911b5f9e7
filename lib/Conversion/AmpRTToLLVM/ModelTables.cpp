//===- ModelTables.cpp - Constants of the compiled model ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableEmitter.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Entries.h"

#include "amprt/abi.h"

using namespace mlir;

namespace amp {
namespace rt {

SymbolNumbers::SymbolNumbers(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (isa<CellOp>(op))
      cells.insert({name, cells.size()});
    else if (isa<LinearOp>(op))
      linears.insert({name, linears.size()});
    else if (isa<PanelOp>(op))
      panels.insert({name, panels.size()});
    else if (isa<GradientOp>(op))
      gradients.insert({name, gradients.size()});
    else if (isa<amp::ParamOp>(op))
      params.insert({name, params.size()});
    else if (auto frame = dyn_cast<FrameOp>(op))
      frameBytes.insert({name, frame.getBytes()});
    else if (isa<SiteOp>(op))
      sites.insert({name, &op});
    else if (isa<FunctionOpInterface>(op))
      functions.insert({name, &op});
  }
}

StringAttr StringTable::symbol(MLIRContext *context, StringRef text) {
  auto [entry, isNew] =
      symbols.insert({StringAttr::get(context, text), StringAttr()});
  if (isNew)
    entry->second =
        StringAttr::get(context, "amprt_text_" + Twine(symbols.size() - 1));
  return entry->second;
}

Value StringTable::address(OpBuilder &builder, Location loc, StringRef text) {
  MLIRContext *context = builder.getContext();
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(context),
      FlatSymbolRefAttr::get(symbol(context, text)));
}

void StringTable::emit(OpBuilder &builder, Location loc) const {
  for (const auto &[text, symbol] : symbols) {
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    auto global = LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private, symbol,
        builder.getStringAttr(bytes));
    global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  }
}

/// Words (abi.h) that a value of this type takes.
static uint32_t wordCount(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? 1 + tensor.getNumDynamicDims() : 1;
}

void TableEmitter::emitSite(SiteOp site) {
  std::string name = site.getSymName().str();
  ArrayAttr handlers = site.getHandlers();
  StringAttr handlerTable =
      table(name + ".handlers", pointer, handlers.size(), [&](size_t i) {
        return address(cast<FlatSymbolRefAttr>(handlers[i]).getAttr());
      });
  StringAttr offsets = numberTable(name + ".offsets",
                                   builder.getI32TensorAttr(site.getOffsets()));
  site.erase(); // its symbol becomes the constant's
  constant(name, siteStruct, LLVM::Linkage::Internal, [&] {
    return aggregate(siteStruct, {address(handlerTable), address(offsets)});
  });
}

LogicalResult TableEmitter::emitEntry(ModelOp entry) {
  loc = entry.getLoc();
  // Arrays of dimensions first: an initialiser cannot make another constant.
  for (ArrayAttr types : {entry.getFieldTypes(), entry.getResultTypes()})
    for (Type type : types.getAsValueRange<TypeAttr>())
      if (failed(prepareType(loc, type)))
        return failure();
  std::string prefix = ("amprt_" + entry.getRole()).str();
  StringAttr fields =
      fieldTable(prefix + "_fields", entry.getFieldNames(),
                 entry.getFieldTypes(), entry.getFieldOffsets());
  SmallVector<int64_t> resultWords;
  int64_t resultWordCount = 0;
  for (Type type : entry.getResultTypes().getAsValueRange<TypeAttr>()) {
    resultWords.push_back(resultWordCount);
    resultWordCount += wordCount(type);
  }
  StringAttr results = fieldTable(prefix + "_results", entry.getResultNames(),
                                  entry.getResultTypes(), resultWords);
  StringAttr arrived = numberTable(
      prefix + "_arrived", builder.getI64TensorAttr(entry.getArrived()));
  StringAttr ended = numberTable(prefix + "_ended",
                                 builder.getI64TensorAttr(entry.getEnded()));
  ArrayAttr names = entry.getEndedNames();
  StringAttr endedNames =
      table(prefix + "_ended_names", pointer, names.size(), [&](size_t i) {
        return text(cast<StringAttr>(names[i]).getValue());
      });
  constant(prefix, entryStruct, LLVM::Linkage::Internal, [&] {
    return aggregate(
        entryStruct,
        {address(fields), address(results),
         word(i32, entry.getFieldNames().size()),
         word(i32, entry.getResultNames().size()), word(i32, resultWordCount),
         word(i32, entry.getResultEvents()),
         word(i32, entry.getArrived().size()),
         word(i32, entry.getLoss() ? int64_t(*entry.getLoss())
                                   : int64_t(AMPRT_NO_LOSS)),
         address(arrived), word(i64, entry.getEntryBytes()),
         address(entry.getEntry()), address(ended), address(endedNames)});
  });
  entries[entry.getRole()] = builder.getStringAttr(prefix);
  if (entry.getRole() == roleName(Role::predict))
    modelName = entry.getName().str();
  return success();
}

void TableEmitter::emitModel() {
  StringAttr params = paramTable(), linears = linearTable(),
             panels = panelTable(), gradients = gradientTable(),
             cells = cellTable();
  auto said = [&](StringRef name, StringRef otherwise) {
    auto value = module->getAttrOfType<StringAttr>(name);
    return value ? value.getValue() : otherwise;
  };
  StringRef next = said(AmpRTDialect::getNextModelAttrName(), "");
  if (!next.empty()) // Of another module, which is joined with this one.
    LLVM::GlobalOp::create(builder, loc, modelStruct, /*isConstant=*/true,
                           LLVM::Linkage::External, next, Attribute());
  auto entry = [&](Role role) { return address(entries.lookup(roleName(role))); };
  StringRef symbol =
      said(AmpRTDialect::getModelSymbolAttrName(), "amprt_model");
  constant(symbol, modelStruct, LLVM::Linkage::External, [&] {
    return aggregate(
        modelStruct,
        {word(i32, AMPRT_ABI_MAGIC),
         word(i32, AMPRT_ABI_VERSION),
         text(modelName),
         text(said(AmpRTDialect::getTargetAttrName(), "generic")),
         text(said(AmpRTDialect::getFeaturesAttrName(), "")),
         address(next.empty() ? StringAttr() : builder.getStringAttr(next)),
         address(params),
         address(linears),
         address(panels),
         address(gradients),
         address(cells),
         entry(Role::predict),
         entry(Role::evaluate),
         entry(Role::train),
         word(i32, numbers.params.size()),
         word(i32, numbers.linears.size()),
         word(i32, numbers.panels.size()),
         word(i32, numbers.gradients.size()),
         word(i32, numbers.cells.size()),
         word(i32, 0)});
  });
}

LogicalResult TableEmitter::run() {
  if (failed(checkSizes()))
    return failure();
  for (SiteOp site : llvm::make_early_inc_range(module.getOps<SiteOp>()))
    emitSite(site);
  for (amp::ParamOp param : module.getOps<amp::ParamOp>())
    if (failed(prepareType(param.getLoc(), param.getTensorType())))
      return failure();
  for (ModelOp entry : llvm::make_early_inc_range(module.getOps<ModelOp>())) {
    if (failed(emitEntry(entry)))
      return failure();
    entry.erase();
  }
  if (entries.count(roleName(Role::predict)))
    emitModel();
  // Nothing refers to these any more: their numbers are in the code.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<FrameOp, CellOp, LinearOp, PanelOp, GradientOp, amp::ParamOp>(op))
      op.erase();
  for (StringRef name :
       {AmpRTDialect::getTargetAttrName(), AmpRTDialect::getFeaturesAttrName(),
        AmpRTDialect::getModelSymbolAttrName(),
        AmpRTDialect::getNextModelAttrName()})
    module->removeAttr(name);
  return success();
}

LogicalResult emitModelTables(ModuleOp module, StringTable &strings,
                              const SymbolNumbers &numbers) {
  if (failed(TableEmitter(module, strings, numbers).run()))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  strings.emit(builder, module.getLoc());
  return success();
}

} // namespace rt
} // namespace amp
