//===- CutFile.h - What checkpoints have of asynchronous training *- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_CUTFILE_H
#define AMPRT_SRC_TRAIN_CUTFILE_H

#include "train/CheckpointReader.h"
#include "train/Cut.h"
#include "train/TrainerImpl.h"

#include <deque>

namespace amprt {

// Tensors under names that begin with "async/":
//   counts                    i64 [replicas, parameters, 5]: see Counts below
//   <replica>/rows/<param>    i64: rows that are touched
//   <replica>/values/<param>  f32: what is added up of the gradient
//   <replica>/x/<n>, dy/<n>, which/<n>: rows of gradient n of the model that
//                             are still to be multiplied
//   states (i32), losses (f64): of the instances of a pass that has not ended
// Where nothing waits, the last four are not there.

/// Writes them.
class CutFile {
public:
  /// The tensors are those of `cut` and of this object. `skipsFailed`: else
  /// instances that failed count as not trained, so that they fail again.
  void add(Cut &cut, const amprt_model_t &model, bool skipsFailed,
           std::vector<NamedTensor> &tensors);

private:
  void addGradient(const std::string &replica, const char *param,
                   const PendingGradient &gradient,
                   std::vector<NamedTensor> &tensors);
  Tensor &make(std::vector<NamedTensor> &tensors, std::string name,
               amprt_dtype_t dtype, std::vector<int64_t> dims,
               const void *from);

  std::deque<Tensor> made;
};

/// Reads them, and holds them until all is known to be right.
class RestoredCut {
public:
  PassProgress progress;

  /// A file without them is one of synchronous training, in which nothing
  /// waits. What waits in one of another number of replicas is left out.
  /// Statuses: invalidArgument.
  Status read(const CheckpointReader &file, Cut &cut,
              const amprt_model_t &model);

  /// Weights are restored and packed, and no gradients are there.
  void apply(Cut &cut);

private:
  struct Part {
    PendingGradient gradient;
    LocalUpdates::Counts counts;
  };
  Status readProgress(const CheckpointReader &file);
  Expected<Part> readPart(const CheckpointReader &file,
                          const std::string &replica, const char *param,
                          const int64_t *counts, PendingGradient room);

  std::vector<std::vector<Part>> parts; ///< By worker, as it owns them.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_CUTFILE_H
