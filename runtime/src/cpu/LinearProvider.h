//===- LinearProvider.h - Products with parameters --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_LINEARPROVIDER_H
#define AMPRT_SRC_CPU_LINEARPROVIDER_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "core/Scratch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace amprt {

/// The right side of a product: `groups` matrices [k, n], row-major, one after
/// the other; or, `transposed`, matrices [n, k] whose transposes are
/// multiplied. Elements are f32, bf16 or f16.
struct LinearWeights {
  const void *elements;
  int64_t k, n;
  int64_t groups = 1;
  amprt_dtype_t dtype = AMPRT_F32;
  bool transposed = false;
};

/// Multiplies rows by fixed matrices, in f32. Immutable but for repack, so that
/// workers share it and its packed weights. Every row is accumulated in one
/// order whatever rows it shares a call with: results are the same to the bit.
class LinearProvider {
public:
  virtual ~LinearProvider() = default;

  /// y[rows, n] = x[rows, k] W, with the first matrix. Thread-safe, but for
  /// `scratch`; the calling thread has a OneOpenMPThread. A failure of the
  /// library leaves NaN in y.
  virtual void run(uint32_t linear, const float *x, float *y, int64_t rows,
                   Scratch &scratch) const = 0;

  /// The same, but each row i with matrix which[i], which must be there.
  virtual void runGrouped(uint32_t linear, const float *x, float *y,
                          int64_t rows, const int32_t *which,
                          Scratch &scratch) const = 0;

  /// Copies one matrix again, after its elements have changed, into the same
  /// memory. Nobody may run that product meanwhile. Other matrices may be
  /// copied at the same time.
  virtual void repack(uint32_t linear, int64_t group) = 0;
};

/// Copies the weights; their elements must outlive the provider only where
/// repack is used. Statuses: resourceExhausted.
Expected<std::unique_ptr<LinearProvider>>
createOneDnnProvider(const std::vector<LinearWeights> &linears);

} // namespace amprt

#endif // AMPRT_SRC_CPU_LINEARPROVIDER_H
