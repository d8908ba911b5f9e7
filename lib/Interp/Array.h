//===- Array.h - Values of scalar and tensor type ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_ARRAY_H
#define AMP_LIB_INTERP_ARRAY_H

#include "amprt/tensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace amp::interp {

using Shape = llvm::SmallVector<int64_t, 3>;
using Integers = std::vector<int64_t>;
using Floats = std::vector<double>;

/// The element type of a scalar or ranked tensor type; none where no instance
/// or parameter can hold it.
std::optional<amprt_dtype_t> elementTypeOf(mlir::Type type);

bool isFloat(amprt_dtype_t dtype);
unsigned bitWidth(amprt_dtype_t dtype);
const llvm::fltSemantics &floatSemantics(amprt_dtype_t dtype);

/// `value` rounded to nearest, ties to even.
double roundTo(amprt_dtype_t dtype, double value);

/// Product of `dims`.
int64_t elementCount(llvm::ArrayRef<int64_t> dims);

/// Where the element at `index` lies in an array of these dimensions.
int64_t positionOf(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> dims);

/// Calls `function` with each index of an array of these dimensions, in
/// row-major order, until it returns false.
void forEachIndex(llvm::ArrayRef<int64_t> dims,
                  llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> function);

/// A dense row-major tensor, or a scalar (no dimensions). Immutable; copies
/// share the elements. Floating-point elements of any type are held as double
/// and integers as int64 (i1 as 0 or 1), always numbers of the element type:
/// constructors round and wrap.
class Array {
public:
  Array() = default;
  Array(amprt_dtype_t dtype, Shape dims, Integers elements);
  Array(amprt_dtype_t dtype, Shape dims, Floats elements);

  static Array scalar(amprt_dtype_t dtype, int64_t value);
  static Array zeros(amprt_dtype_t dtype, Shape dims);
  /// All elements are that of `element`, a scalar.
  static Array filled(Shape dims, const Array &element);
  /// The elements of `rows` one after the other, as an array of shape `dims`.
  static Array joined(amprt_dtype_t dtype, Shape dims,
                      llvm::ArrayRef<Array> rows);
  /// The value of a constant: a number or dense elements.
  static Array fromAttribute(mlir::TypedAttr attribute);
  static Array fromTensor(const amprt::Tensor &tensor);
  amprt::Tensor toTensor() const;

  amprt_dtype_t dtype() const { return theDtype; }
  const Shape &dims() const { return theDims; }
  int64_t size() const { return elementCount(theDims); }
  const Integers &integers() const { return std::get<Integers>(*elements); }
  const Floats &floats() const { return std::get<Floats>(*elements); }

  /// Integer element `i` with the bits that its type has.
  llvm::APInt bits(int64_t i) const;
  /// Integer element `i`, read as signed: an i1 is 0 or -1.
  int64_t signedAt(int64_t i) const { return bits(i).getSExtValue(); }

  /// The same elements under other dimensions.
  Array reshaped(Shape dims) const;
  /// The elements at `positions`, as an array of shape `dims`.
  Array take(Shape dims, llvm::ArrayRef<int64_t> positions) const;
  /// This array, but with element `i` of `source` at `positions[i]`.
  Array with(llvm::ArrayRef<int64_t> positions, const Array &source) const;

  /// Whether this may be a value of `type`.
  bool hasType(mlir::Type type) const;
  /// "tensor<3x128xf32>", "i32".
  std::string typeString() const;

private:
  using Elements = std::variant<Integers, Floats>;
  Array(amprt_dtype_t dtype, Shape dims,
        std::shared_ptr<const Elements> shared);

  amprt_dtype_t theDtype = AMPRT_I1;
  Shape theDims;
  std::shared_ptr<const Elements> elements;
};

} // namespace amp::interp

#endif // AMP_LIB_INTERP_ARRAY_H
