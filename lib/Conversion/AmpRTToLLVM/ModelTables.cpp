//===- ModelTables.cpp - Constants of the compiled model ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each structure of abi.h is written as a literal LLVM struct with the same
// members in the same order, whose natural layout is that of C; a table's size
// is compared with the header's before it is emitted.
//
//===----------------------------------------------------------------------===//

#include "ModelTables.h"

#include "amp/Dialect/Amp/IR/Entries.h"

#include "Layout.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

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

namespace {

/// "file:line:column" of the first place in the file that `loc` names.
std::string placeName(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()))
                    .str()
              : "unknown";
}

/// The amprt_dtype_t of an element, or none.
std::optional<uint32_t> elementCode(Type type) {
  if (type.isF32())
    return AMPRT_F32;
  if (type.isF64())
    return AMPRT_F64;
  if (type.isInteger(32))
    return AMPRT_I32;
  if (type.isInteger(64))
    return AMPRT_I64;
  if (type.isInteger(1))
    return AMPRT_I1;
  if (type.isIndex())
    return AMPRT_INDEX;
  if (type.isBF16())
    return AMPRT_BF16;
  if (type.isF16())
    return AMPRT_F16;
  return std::nullopt;
}

/// Size and alignment of a type in C: each member at a multiple of its own
/// size. (MLIR's default data layout aligns i64 to 4 bytes, as LLVM's does.)
std::pair<uint64_t, uint64_t> naturalLayout(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return {sizeof(void *), alignof(void *)};
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return {type.getIntOrFloatBitWidth() / 8, type.getIntOrFloatBitWidth() / 8};
  uint64_t end = 0, strictest = 1;
  for (Type member : structure.getBody()) {
    auto [size, alignment] = naturalLayout(member);
    end = llvm::alignTo(end, alignment) + size;
    strictest = std::max(strictest, alignment);
  }
  return {llvm::alignTo(end, strictest), strictest};
}

/// Words (abi.h) that a value of this type takes.
uint32_t wordCount(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? 1 + tensor.getNumDynamicDims() : 1;
}

class TableEmitter {
public:
  TableEmitter(ModuleOp module, StringTable &strings,
               const SymbolNumbers &numbers)
      : builder(OpBuilder::atBlockEnd(module.getBody())), strings(strings),
        numbers(numbers), module(module), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        f64(builder.getF64Type()), typeStruct(structure({i32, i32, pointer})),
        fieldStruct(structure({pointer, typeStruct, i32})),
        paramStruct(structure({pointer, typeStruct, i32, f64, f64})),
        linearStruct(structure({i32, i32, i64, i64, i32, i32})),
        partStruct(structure({i32, i32, i64, i64})),
        panelStruct(structure({pointer, i32, i32, i32, i32, i64, i64})),
        gradientStruct(structure({i32, i32, i64, i64, i64, i64})),
        cellStruct(
            structure({pointer, pointer, pointer, i32, i32, pointer, pointer})),
        siteStruct(structure({pointer, pointer})),
        entryStruct(structure({pointer, pointer, i32, i32, i32, i32, i32, i32,
                               pointer, i64, pointer})),
        modelStruct(structure({i32, i32, pointer, pointer, pointer, pointer,
                               pointer, pointer, pointer, pointer, pointer,
                               pointer, i32, i32, i32, i32, i32, i32})) {}

  LogicalResult run();

private:
  using Members = SmallVector<Value, 8>;

  LLVM::LLVMStructType structure(ArrayRef<Type> members) {
    return LLVM::LLVMStructType::getLiteral(builder.getContext(), members);
  }

  Value word(Type type, int64_t number) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, number));
  }
  Value real(const APFloat &number) {
    return LLVM::ConstantOp::create(
        builder, loc, f64, builder.getF64FloatAttr(number.convertToDouble()));
  }
  Value text(StringRef characters) {
    return strings.address(builder, loc, characters);
  }
  Value address(StringAttr symbol) {
    if (!symbol)
      return LLVM::ZeroOp::create(builder, loc, pointer);
    return LLVM::AddressOfOp::create(builder, loc, pointer,
                                     FlatSymbolRefAttr::get(symbol));
  }
  Value address(StringRef symbol) {
    return address(builder.getStringAttr(symbol));
  }

  /// The aggregate of these members or elements.
  Value aggregate(Type type, ArrayRef<Value> members) {
    Value result = LLVM::UndefOp::create(builder, loc, type);
    for (auto [position, member] : llvm::enumerate(members))
      result = LLVM::InsertValueOp::create(builder, loc, result, member,
                                           ArrayRef<int64_t>(position));
    return result;
  }

  /// A constant whose value `make` builds in its initialiser.
  void constant(StringRef name, Type type, LLVM::Linkage linkage,
                llvm::function_ref<Value()> make) {
    auto global =
        LLVM::GlobalOp::create(builder, loc, type,
                               /*isConstant=*/true, linkage, name, Attribute());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, make());
  }

  /// An array of `count` elements; its symbol, null where it is empty.
  StringAttr table(StringRef name, Type element, size_t count,
                   llvm::function_ref<Value(size_t)> make) {
    if (!count)
      return {};
    auto type = LLVM::LLVMArrayType::get(element, count);
    constant(name, type, LLVM::Linkage::Internal, [&] {
      Value array = LLVM::UndefOp::create(builder, loc, type);
      for (size_t i = 0; i < count; ++i)
        array = LLVM::InsertValueOp::create(builder, loc, array, make(i),
                                            ArrayRef<int64_t>(i));
      return array;
    });
    return builder.getStringAttr(name);
  }

  /// An array of plain numbers; its symbol, null where it is empty.
  StringAttr numberTable(StringRef name, DenseElementsAttr values) {
    if (values.empty())
      return {};
    auto type = LLVM::LLVMArrayType::get(values.getElementType(),
                                         values.getNumElements());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name, values);
    return builder.getStringAttr(name);
  }

  /// The symbol of an array of dimensions; equal arrays share one.
  StringAttr dimensions(ArrayRef<int64_t> shape);
  /// Makes the arrays that `typeValue` refers to; fails on other types.
  LogicalResult prepareType(Location where, Type type);
  Value typeValue(Type type);
  StringAttr fieldTable(StringRef name, ArrayAttr names, ArrayAttr types,
                        ArrayRef<int64_t> offsets);
  void emitSite(SiteOp site);
  StringAttr partTable(PanelOp panel);
  StringAttr panelTable();
  StringAttr linearTable();
  StringAttr gradientTable();
  StringAttr cellTable();
  StringAttr paramTable();
  LogicalResult emitEntry(ModelOp entry);
  void emitModel();
  LogicalResult checkSizes();

  OpBuilder builder;
  StringTable &strings;
  const SymbolNumbers &numbers;
  ModuleOp module;
  Location loc;
  Type pointer, i32, i64, f64;
  LLVM::LLVMStructType typeStruct, fieldStruct, paramStruct, linearStruct,
      partStruct, panelStruct, gradientStruct, cellStruct, siteStruct,
      entryStruct, modelStruct;
  llvm::MapVector<ArrayAttr, StringAttr> shapes;
  llvm::StringMap<StringAttr> entries; ///< By role.
  std::string modelName;
};

LogicalResult TableEmitter::checkSizes() {
  const std::pair<LLVM::LLVMStructType, size_t> sizes[] = {
      {typeStruct, sizeof(amprt_type_t)},
      {fieldStruct, sizeof(amprt_field_t)},
      {paramStruct, sizeof(amprt_param_desc_t)},
      {linearStruct, sizeof(amprt_linear_desc_t)},
      {partStruct, sizeof(amprt_panel_part_t)},
      {panelStruct, sizeof(amprt_panel_desc_t)},
      {gradientStruct, sizeof(amprt_gradient_desc_t)},
      {cellStruct, sizeof(amprt_cell_desc_t)},
      {entryStruct, sizeof(amprt_entry_t)},
      {siteStruct, sizeof(amprt_site_t)},
      {modelStruct, sizeof(amprt_model_t)}};
  for (auto [type, expected] : sizes) {
    uint64_t size = naturalLayout(type).first;
    if (size != expected)
      return module.emitError("expected ")
             << type << " to have " << expected
             << " bytes, as in amprt/abi.h, but it has " << size;
  }
  return success();
}

StringAttr TableEmitter::dimensions(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return {};
  SmallVector<int64_t> numbers =
      llvm::to_vector(llvm::map_range(shape, [](int64_t size) -> int64_t {
        return ShapedType::isDynamic(size) ? AMPRT_DYNAMIC : size;
      }));
  StringAttr &symbol = shapes[builder.getI64ArrayAttr(numbers)];
  if (!symbol)
    symbol = numberTable("amprt_dims_" + std::to_string(shapes.size() - 1),
                         builder.getI64TensorAttr(numbers));
  return symbol;
}

LogicalResult TableEmitter::prepareType(Location where, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elementCode(getElementTypeOrSelf(type)) ||
      (isa<ShapedType>(type) && !tensor))
    return emitError(where) << "expected a scalar or a tensor of f32, f64, "
                               "bf16, f16, i1, i32, i64 or index, but got "
                            << type;
  if (tensor)
    dimensions(tensor.getShape());
  return success();
}

Value TableEmitter::typeValue(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return aggregate(
      typeStruct,
      {word(i32, *elementCode(getElementTypeOrSelf(type))),
       word(i32, tensor ? tensor.getRank() : -1),
       address(tensor ? dimensions(tensor.getShape()) : StringAttr())});
}

StringAttr TableEmitter::fieldTable(StringRef name, ArrayAttr names,
                                    ArrayAttr types,
                                    ArrayRef<int64_t> offsets) {
  return table(name, fieldStruct, names.size(), [&](size_t i) {
    return aggregate(fieldStruct,
                     {text(cast<StringAttr>(names[i]).getValue()),
                      typeValue(cast<TypeAttr>(types[i]).getValue()),
                      word(i32, offsets[i])});
  });
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

StringAttr TableEmitter::partTable(PanelOp panel) {
  return table(panel.getSymName().str() + ".parts", partStruct,
               panel.getParams().size(), [&](size_t i) {
                 auto param = cast<FlatSymbolRefAttr>(panel.getParams()[i]);
                 // The runtime counts rows and columns of the parameter.
                 bool transposed = panel.getTransposed()[i];
                 int64_t row = panel.getRows()[i];
                 int64_t column = panel.getColumns()[i];
                 if (transposed)
                   std::swap(row, column);
                 return aggregate(
                     partStruct,
                     {word(i32, numbers.params.lookup(param.getAttr())),
                      word(i32, transposed), word(i64, row),
                      word(i64, column)});
               });
}

StringAttr TableEmitter::panelTable() {
  auto panels = llvm::to_vector(module.getOps<PanelOp>());
  SmallVector<StringAttr> parts; // before the table's own initialiser
  for (PanelOp panel : panels)
    parts.push_back(partTable(panel));
  return table("amprt_panels", panelStruct, panels.size(), [&](size_t i) {
    PanelOp panel = panels[i];
    return aggregate(panelStruct,
                     {address(parts[i]), word(i32, panel.getParams().size()),
                      word(i32, panel.getLanes()), word(i32, panel.getUnroll()),
                      word(i32, 0), word(i64, panel.getK()),
                      word(i64, panel.getWidth())});
  });
}

StringAttr TableEmitter::paramTable() {
  auto params = llvm::to_vector(module.getOps<amp::ParamOp>());
  return table("amprt_params", paramStruct, params.size(), [&](size_t i) {
    amp::ParamOp param = params[i];
    InitAttr init = param.getInit();
    return aggregate(paramStruct,
                     {text(param.getSymName()),
                      typeValue(param.getTensorType()),
                      word(i32, static_cast<uint32_t>(init.getKind())),
                      real(init.getA()), real(init.getB())});
  });
}

StringAttr TableEmitter::linearTable() {
  auto linears = llvm::to_vector(module.getOps<LinearOp>());
  return table("amprt_linears", linearStruct, linears.size(), [&](size_t i) {
    LinearOp linear = linears[i];
    return aggregate(
        linearStruct,
        {word(i32, numbers.params.lookup(linear.getParamAttr().getAttr())),
         word(i32, linear.getGroups()), word(i64, linear.getK()),
         word(i64, linear.getN()), word(i32, linear.getTransposed()),
         word(i32, 0)});
  });
}

StringAttr TableEmitter::gradientTable() {
  auto gradients = llvm::to_vector(module.getOps<GradientOp>());
  return table(
      "amprt_gradients", gradientStruct, gradients.size(), [&](size_t i) {
        GradientOp gradient = gradients[i];
        return aggregate(
            gradientStruct,
            {word(i32,
                  numbers.params.lookup(gradient.getParamAttr().getAttr())),
             word(i32, gradient.getGroups()), word(i64, 0), word(i64, 0),
             word(i64, gradient.getK()), word(i64, gradient.getN())});
      });
}

StringAttr TableEmitter::cellTable() {
  auto cells = llvm::to_vector(module.getOps<CellOp>());
  return table("amprt_cells", cellStruct, cells.size(), [&](size_t i) {
    CellOp cell = cells[i];
    return aggregate(
        cellStruct,
        {text(cell.getSymName()), text(placeName(cell.getLoc())),
         text(cell.getSummary()),
         word(i32, cell.getHasProduct() ? AMPRT_CELL_HAS_PRODUCT : 0),
         word(i32, cell.getPriority()), address(cell.getCompute()),
         address(cell.getComplete())});
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
         address(entry.getEntry())});
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
  auto target = module->getAttrOfType<StringAttr>("amprt.target");
  auto entry = [&](Role role) { return address(entries.lookup(roleName(role))); };
  constant("amprt_model", modelStruct, LLVM::Linkage::External, [&] {
    return aggregate(
        modelStruct,
        {word(i32, AMPRT_ABI_MAGIC), word(i32, AMPRT_ABI_VERSION),
         text(modelName), text(target ? target.getValue() : "generic"),
         address(params), address(linears), address(panels),
         address(gradients), address(cells), entry(Role::predict),
         entry(Role::evaluate), entry(Role::train),
         word(i32, numbers.params.size()), word(i32, numbers.linears.size()),
         word(i32, numbers.panels.size()), word(i32, numbers.gradients.size()),
         word(i32, numbers.cells.size()), word(i32, 0)});
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
  module->removeAttr("amprt.target");
  return success();
}

} // namespace

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
