//===- Types.h - Spelling and layout of types -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_TYPES_H
#define AMPRT_SRC_CORE_TYPES_H

#include "amprt/abi.h"
#include "amprt/tensor.h"

#include <string>
#include <vector>

namespace amprt {

/// "i32", "tensor<?x128xf32>": as the IR spells it.
std::string describeType(const amprt_type_t &type);

/// The type that a tensor has: "tensor<3x128xf32>"; a scalar is "f32".
std::string describeTensor(const Tensor &tensor);

/// Whether `tensor` may stand for a value of type `type`: index and i64 agree,
/// and a scalar is as good as a tensor without dimensions.
bool hasType(const Tensor &tensor, const amprt_type_t &type);

/// Words that a value of this type takes (see abi.h).
uint32_t wordCount(const amprt_type_t &type);

/// The dimensions of a tensor whose open ones are in these words.
std::vector<int64_t> dimsOf(const amprt_type_t &type, const uint64_t *open);

/// bytes = product of `dims` x `element`; false if one is negative or the
/// product does not fit in half of the address space.
bool byteSize(const int64_t *dims, size_t rank, size_t element, size_t &bytes);

} // namespace amprt

#endif // AMPRT_SRC_CORE_TYPES_H
