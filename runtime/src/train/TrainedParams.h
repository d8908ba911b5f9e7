//===- TrainedParams.h - Parameters and what an optimiser knows of them *- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_TRAINEDPARAMS_H
#define AMPRT_SRC_TRAIN_TRAINEDPARAMS_H

#include "amprt/tensor.h"
#include "core/WeightsData.h"
#include "train/Optimiser.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace amprt {

/// A parameter in training.
struct TrainedParam {
  Tensor *tensor = nullptr; ///< As the model's code reads it.
  Tensor master;            ///< f32, of a parameter of bf16 or f16.
  float *weights = nullptr; ///< The tensor's or the master's elements; null: it
                            ///< is not trained.
  std::vector<Tensor> state; ///< The optimiser's, of the parameter's shape.
  int64_t count = 0, rows = 0, rowLength = 0;
  /// Updates, from the first one on that had a gradient for it. What no loss
  /// has reached stays as it is.
  int64_t step = 0;
  /// Rows that have had a gradient: those of the others are zero, and so is
  /// their state. A byte each; unless `allLive`.
  std::vector<uint8_t> isLive;
  bool allLive = false;

  /// Elements [begin, begin + size); `gradient`: of the whole parameter, or
  /// null.
  Elements elements(const float *gradient, int64_t begin, int64_t size);
  /// Rounds weights [begin, begin + size) to what the model's code reads.
  void round(int64_t begin, int64_t size);
  /// Finds out from the state which rows are live.
  void findLiveRows();
  /// Takes over all of a replica of the same parameter.
  void copyFrom(const TrainedParam &other);
};

/// A copy of all that is trained, which training has one of or several.
struct Replica {
  std::shared_ptr<WeightsAccess::Data> weights;
  std::vector<TrainedParam> params;
};

/// Throws std::bad_alloc. `weights` outlives them.
std::vector<TrainedParam> makeTrainedParams(WeightsAccess::Data &weights,
                                            const Optimiser &optimiser);

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_TRAINEDPARAMS_H
