//===- checkpoints.hpp - A folder of checkpoints ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_CHECKPOINTS_HPP
#define AMPRT_CHECKPOINTS_HPP

#include "amprt/train.hpp"

namespace amprt {

/// The checkpoints of one run of training, as checkpoint-<updates>.safetensors,
/// and best.safetensors, which has weights alone. Files appear as a whole or
/// not at all, also when the process is killed or the disk is full. One process
/// at a time has the folder. Thread-compatible.
class CheckpointFolder {
public:
  /// Makes the folder, and those above it, if it is not there, and removes what
  /// a killed process was writing. `keep`: checkpoints that are kept, at
  /// least 1. Statuses: invalidArgument (it cannot be used), failedPrecondition
  /// (another process uses it).
  static Expected<CheckpointFolder> open(const std::string &path, int keep);
  CheckpointFolder(CheckpointFolder &&other) noexcept;
  CheckpointFolder &operator=(CheckpointFolder &&) = delete;
  ~CheckpointFolder();

  /// Whether there is any checkpoint, broken ones included.
  bool hasAny() const { return !numbers().empty(); }

  /// Writes a checkpoint, and then removes the oldest. Statuses: as
  /// Trainer::save; those that were there before are still there then.
  Status save(const Trainer &trainer,
              const std::map<std::string, std::string> &notes);

  /// Writes best.safetensors. Statuses: as Weights::save.
  Status saveBest(const Weights &weights);

  struct Restored {
    std::string path; ///< Of the checkpoint; empty: there is no usable one.
    std::map<std::string, std::string> notes;
    std::vector<Status> broken; ///< Why newer ones were not used.
  };
  /// Takes up the newest checkpoint that is not damaged. Statuses:
  /// failedPrecondition (it is of another model or optimiser).
  Expected<Restored> restoreNewest(Trainer &trainer);

private:
  CheckpointFolder() = default;
  std::vector<int64_t> numbers() const;
  std::string pathOf(int64_t updates) const;

  std::string path;
  int keep = 1;
  int lock = -1; ///< A descriptor of the folder.
};

} // namespace amprt

#endif // AMPRT_CHECKPOINTS_HPP
