//===- Marshal.h - Between tensors and words --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_MARSHAL_H
#define AMPRT_SRC_CORE_MARSHAL_H

#include "amprt/amprt.hpp"
#include "core/Arena.h"

namespace amprt {

/// Whether `values` has every field of the entry, of its type and shape.
/// Statuses: invalidArgument, with the field's name. Thread-safe.
Status checkFields(const amprt_entry_t &entry, const Values &values);

/// Copies the fields' elements into `arena` and writes their words into the
/// entry frame. They must have been checked. False: the arena is full.
bool writeFields(const amprt_entry_t &entry, const Values &values, Arena &arena,
                 char *entryFrame);

/// Copies the results out of their words.
/// Statuses: internal (a dimension is negative or too large).
Expected<Values> readResults(const amprt_entry_t &entry, const uint64_t *words);

/// A single result, a scalar of f32 or f64. NaN if it was delivered without a
/// value.
double readScalar(const amprt_field_t &result, const uint64_t *words);

} // namespace amprt

#endif // AMPRT_SRC_CORE_MARSHAL_H
