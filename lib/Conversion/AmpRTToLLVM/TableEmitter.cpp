//===- TableEmitter.cpp - Types and sizes in tables -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableEmitter.h"

#include "amprt/abi.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::rt;

/// The amprt_dtype_t of an element, or none.
static std::optional<uint32_t> elementCode(Type type) {
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
static std::pair<uint64_t, uint64_t> naturalLayout(Type type) {
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

LogicalResult TableEmitter::checkSizes() {
  const std::pair<LLVM::LLVMStructType, size_t> sizes[] = {
      {typeStruct, sizeof(amprt_type_t)},
      {fieldStruct, sizeof(amprt_field_t)},
      {paramStruct, sizeof(amprt_param_desc_t)},
      {linearStruct, sizeof(amprt_linear_desc_t)},
      {partStruct, sizeof(amprt_panel_part_t)},
      {panelStruct, sizeof(amprt_panel_desc_t)},
      {gradientStruct, sizeof(amprt_gradient_desc_t)},
      {valueStruct, sizeof(amprt_value_t)},
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
      {word(i32,
            elementCode(getElementTypeOrSelf(type)).value_or(AMPRT_OPAQUE)),
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
