//===- Array.cpp - Values of scalar and tensor type -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Array.h"

#include <cassert>
#include <cstring>

using namespace amp::interp;
using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

std::optional<amprt_dtype_t> amp::interp::elementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (type.isF32())
    return AMPRT_F32;
  if (type.isF64())
    return AMPRT_F64;
  if (type.isBF16())
    return AMPRT_BF16;
  if (type.isF16())
    return AMPRT_F16;
  if (type.isSignlessInteger(1))
    return AMPRT_I1;
  if (type.isSignlessInteger(32))
    return AMPRT_I32;
  if (type.isSignlessInteger(64))
    return AMPRT_I64;
  if (type.isIndex())
    return AMPRT_INDEX;
  return std::nullopt;
}

bool amp::interp::isFloat(amprt_dtype_t dtype) {
  return dtype == AMPRT_F32 || dtype == AMPRT_F64 || dtype == AMPRT_BF16 ||
         dtype == AMPRT_F16;
}

unsigned amp::interp::bitWidth(amprt_dtype_t dtype) {
  return dtype == AMPRT_I1 ? 1 : 8 * amprt::elementBytes(dtype);
}

const llvm::fltSemantics &amp::interp::floatSemantics(amprt_dtype_t dtype) {
  switch (dtype) {
  case AMPRT_F32:
    return APFloat::IEEEsingle();
  case AMPRT_BF16:
    return APFloat::BFloat();
  case AMPRT_F16:
    return APFloat::IEEEhalf();
  default:
    assert(dtype == AMPRT_F64 && "not a floating-point type");
    return APFloat::IEEEdouble();
  }
}

static APFloat asFloat(amprt_dtype_t dtype, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(floatSemantics(dtype), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

double amp::interp::roundTo(amprt_dtype_t dtype, double value) {
  if (dtype == AMPRT_F64)
    return value;
  if (dtype == AMPRT_F32)
    return static_cast<float>(value);
  return asFloat(dtype, value).convertToDouble();
}

static int64_t wrapTo(amprt_dtype_t dtype, int64_t value) {
  if (dtype == AMPRT_I1)
    return value & 1;
  if (dtype == AMPRT_I32)
    return static_cast<int32_t>(value);
  return value;
}

int64_t amp::interp::elementCount(llvm::ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

int64_t amp::interp::positionOf(llvm::ArrayRef<int64_t> index,
                                llvm::ArrayRef<int64_t> dims) {
  int64_t position = 0;
  for (auto [i, dim] : llvm::zip_equal(index, dims))
    position = position * dim + i;
  return position;
}

/// The next index in row-major order; false behind the last one.
static bool advance(Shape &index, llvm::ArrayRef<int64_t> dims) {
  for (size_t d = dims.size(); d-- > 0; index[d] = 0)
    if (++index[d] < dims[d])
      return true;
  return false;
}

void amp::interp::forEachIndex(
    llvm::ArrayRef<int64_t> dims,
    llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> function) {
  if (llvm::is_contained(dims, 0))
    return;
  Shape index(dims.size(), 0);
  while (function(index) && advance(index, dims))
    ;
}

//===----------------------------------------------------------------------===//
// Making arrays
//===----------------------------------------------------------------------===//

Array::Array(amprt_dtype_t dtype, Shape dims,
             std::shared_ptr<const Elements> shared)
    : theDtype(dtype), theDims(std::move(dims)), elements(std::move(shared)) {}

Array::Array(amprt_dtype_t dtype, Shape dims, Integers values)
    : theDtype(dtype), theDims(std::move(dims)) {
  assert(!isFloat(dtype) && size() == int64_t(values.size()));
  if (bitWidth(dtype) < 64)
    for (int64_t &value : values)
      value = wrapTo(dtype, value);
  elements = std::make_shared<const Elements>(std::move(values));
}

Array::Array(amprt_dtype_t dtype, Shape dims, Floats values)
    : theDtype(dtype), theDims(std::move(dims)) {
  assert(isFloat(dtype) && size() == int64_t(values.size()));
  for (double &value : values)
    value = roundTo(dtype, value);
  elements = std::make_shared<const Elements>(std::move(values));
}

Array Array::scalar(amprt_dtype_t dtype, int64_t value) {
  return Array(dtype, {}, Integers{value});
}

Array Array::zeros(amprt_dtype_t dtype, Shape dims) {
  int64_t count = elementCount(dims);
  if (isFloat(dtype))
    return Array(dtype, std::move(dims), Floats(count));
  return Array(dtype, std::move(dims), Integers(count));
}

Array Array::filled(Shape dims, const Array &element) {
  std::vector<int64_t> positions(elementCount(dims), 0);
  return element.take(std::move(dims), positions);
}

Array Array::joined(amprt_dtype_t dtype, Shape dims,
                    llvm::ArrayRef<Array> rows) {
  auto join = [&](auto all, auto elementsOf) {
    all.reserve(elementCount(dims));
    for (const Array &row : rows)
      all.insert(all.end(), elementsOf(row).begin(), elementsOf(row).end());
    return Array(dtype, dims, std::move(all));
  };
  if (isFloat(dtype))
    return join(Floats(), [](const Array &row) -> const Floats & {
      return row.floats();
    });
  return join(Integers(), [](const Array &row) -> const Integers & {
    return row.integers();
  });
}

Array Array::fromAttribute(TypedAttr attribute) {
  amprt_dtype_t dtype = *elementTypeOf(attribute.getType());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return scalar(dtype, number.getValue().getSExtValue());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Array(dtype, {}, Floats{number.getValue().convertToDouble()});
  auto dense = cast<DenseElementsAttr>(attribute);
  Shape dims(dense.getType().getShape());
  if (isFloat(dtype)) {
    Floats values;
    for (const APFloat &value : dense.getValues<APFloat>())
      values.push_back(value.convertToDouble());
    return Array(dtype, dims, std::move(values));
  }
  Integers values;
  for (const APInt &value : dense.getValues<APInt>())
    values.push_back(value.getSExtValue());
  return Array(dtype, dims, std::move(values));
}

Array Array::fromTensor(const amprt::Tensor &tensor) {
  Shape dims(tensor.dims().begin(), tensor.dims().end());
  size_t count = tensor.elementCount();
  if (isFloat(tensor.dtype())) {
    Floats values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = tensor.at(i);
    return Array(tensor.dtype(), dims, std::move(values));
  }
  // Not by at(), which gives doubles: a 64-bit integer may not fit in one.
  size_t bytes = amprt::elementBytes(tensor.dtype());
  auto *from = static_cast<const char *>(tensor.data());
  Integers values(count);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&values[i], from + i * bytes, bytes); // Little-endian.
  return Array(tensor.dtype(), dims, std::move(values));
}

amprt::Tensor Array::toTensor() const {
  amprt::Tensor tensor(theDtype, {theDims.begin(), theDims.end()});
  size_t bytes = amprt::elementBytes(theDtype);
  auto *to = static_cast<char *>(tensor.data());
  for (int64_t i = 0, e = size(); i < e; ++i) {
    uint64_t word =
        isFloat(theDtype)
            ? asFloat(theDtype, floats()[i]).bitcastToAPInt().getZExtValue()
            : uint64_t(integers()[i]);
    std::memcpy(to + i * bytes, &word, bytes); // Little-endian.
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Reading arrays
//===----------------------------------------------------------------------===//

APInt Array::bits(int64_t i) const {
  return APInt(bitWidth(theDtype), uint64_t(integers()[i]), /*isSigned=*/true,
               /*implicitTrunc=*/true);
}

Array Array::reshaped(Shape dims) const {
  assert(elementCount(dims) == size());
  return Array(theDtype, std::move(dims), elements);
}

Array Array::take(Shape dims, llvm::ArrayRef<int64_t> positions) const {
  return std::visit(
      [&](const auto &from) {
        std::decay_t<decltype(from)> taken;
        taken.reserve(positions.size());
        for (int64_t position : positions)
          taken.push_back(from[position]);
        return Array(theDtype, std::move(dims), std::move(taken));
      },
      *elements);
}

Array Array::with(llvm::ArrayRef<int64_t> positions,
                  const Array &source) const {
  assert(int64_t(positions.size()) == source.size());
  return std::visit(
      [&](auto changed) { // A copy.
        const auto &from = std::get<decltype(changed)>(*source.elements);
        for (size_t i = 0; i < positions.size(); ++i)
          changed[positions[i]] = from[i];
        return Array(theDtype, theDims, std::move(changed));
      },
      *elements);
}

bool Array::hasType(Type type) const {
  std::optional<amprt_dtype_t> dtype = elementTypeOf(type);
  if (!dtype || *dtype != theDtype)
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return theDims.empty();
  if (tensor.getRank() != int64_t(theDims.size()))
    return false;
  for (auto [dim, size] : llvm::zip_equal(tensor.getShape(), theDims))
    if (!ShapedType::isDynamic(dim) && dim != size)
      return false;
  return true;
}

std::string Array::typeString() const {
  std::string element = amprt::dtypeName(theDtype);
  if (theDims.empty())
    return element;
  std::string text = "tensor<";
  for (int64_t dim : theDims)
    text += std::to_string(dim) + "x";
  return text + element + ">";
}
