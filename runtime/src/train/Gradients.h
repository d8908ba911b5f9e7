//===- Gradients.h - What a worker adds up for an update --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_GRADIENTS_H
#define AMPRT_SRC_TRAIN_GRADIENTS_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "amprt/tensor.h"
#include "train/CopyFirst.h"
#include "train/PendingGradient.h"
#include "train/ZeroedMemory.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace amprt {

/// The gradient of one parameter, dense, in f32. What was not touched is zero.
struct Gradient {
  float *values = nullptr; ///< Null: the parameter is not trained.
  int64_t count = 0;       ///< Elements.
  int64_t rowLength = 0;   ///< Of a row of dimension 0.
  int64_t given = 0;       ///< Rows of gradients that are in it.
  Touched touched = Touched::nothing;
  int64_t *rows = nullptr; ///< Touched::rows: which, each once, as they came.
  int64_t rowCount = 0;
  uint8_t *isListed = nullptr; ///< A byte a row: whether it is in `rows`.

  void addRow(int64_t index) {
    if (isListed[index])
      return;
    isListed[index] = 1;
    rows[rowCount++] = index;
  }
};

/// Calls run(begin, end) for the elements that may differ from zero.
template <typename Run> void forEachTouched(const Gradient &gradient, Run run) {
  if (gradient.touched == Touched::everything)
    run(int64_t(0), gradient.count);
  if (gradient.touched == Touched::rows)
    for (int64_t i = 0; i < gradient.rowCount; ++i)
      run(gradient.rows[i] * gradient.rowLength,
          (gradient.rows[i] + 1) * gradient.rowLength);
}

/// The gradients of all parameters, as one worker adds them up. Products are
/// deferred: their rows are copied until there are enough for one large
/// product. All memory is there from the start, so that nothing can fail; pages
/// that are never touched cost nothing. Not thread-safe.
class Gradients {
public:
  /// Statuses: failedPrecondition (a block that is not of its parameter),
  /// resourceExhausted.
  static Expected<std::unique_ptr<Gradients>>
  create(const amprt_model_t &model, const std::vector<Tensor> &tensors);

  // See abi.h; nothing happens for parameters that are not trained. `which`:
  // null for amprt_gradient_product.
  void addProduct(uint32_t gradient, const float *x, const float *dy,
                  int64_t rows, const int32_t *which);
  void addRows(uint32_t param, int64_t offset, const float *values,
               int64_t rows, int64_t count);
  void addRow(uint32_t param, int64_t index, const float *row);

  /// Multiplies what was deferred.
  void flush();
  /// The same for one parameter.
  void flush(uint32_t param);

  /// Forgets everything.
  void discard();
  /// Forgets which elements may differ from zero, as none does.
  void forgetTouched(uint32_t param);
  /// The same for one parameter; nothing of it may be deferred.
  void clear(uint32_t param);

  /// Room for what the parameter's gradient may hold. Throws std::bad_alloc.
  PendingGradient makePending(uint32_t param) const;
  /// Copies what it holds, deferred rows included, into what makePending gave.
  void copyPending(uint32_t param, PendingGradient &to) const;
  /// The same the other way round; what it held is forgotten. `from` has passed
  /// checkPending.
  void takePending(uint32_t param, const PendingGradient &from);
  /// Whether it may be the parameter's. Statuses: invalidArgument.
  Status checkPending(uint32_t param, const PendingGradient &from) const;

  /// Copies a parameter before it changes; null: nobody needs that.
  CopyFirst *copyFirst = nullptr;
  void beforeChange(uint32_t param) {
    if (copyFirst)
      copyFirst->beforeChange(param);
  }

  size_t size() const { return gradients.size(); }
  Gradient &operator[](uint32_t param) { return gradients[param]; }

private:
  struct Deferred {
    amprt_gradient_desc_t desc;
    float *target;   ///< Of the first matrix.
    int64_t stride;  ///< From row to row.
    int64_t between; ///< From matrix to matrix.
    int64_t capacity, used;
    float *x, *dy;  ///< `capacity` rows each.
    int32_t *which; ///< Null: one matrix. So are all below.
    int64_t *ends;
    float *sortedX, *sortedDy;
  };
  Status addDeferred(const amprt_gradient_desc_t &desc, uint32_t number,
                     const Tensor &tensor);
  void flush(Deferred &product);

  std::vector<Gradient> gradients;
  std::vector<Deferred> products;
  ZeroedMemory memory;
};

/// Whether such parameters are trained.
inline bool isTrained(const Tensor &tensor) {
  return tensor.dtype() == AMPRT_F32 || tensor.dtype() == AMPRT_BF16 ||
         tensor.dtype() == AMPRT_F16;
}

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_GRADIENTS_H
