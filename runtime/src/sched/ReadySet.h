//===- ReadySet.h - Activations that wait for their cell --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_READYSET_H
#define AMPRT_SRC_SCHED_READYSET_H

#include "amprt/abi.h"

#include <cstdint>
#include <vector>

namespace amprt {

class BatchPolicy;
class DepthProbe;
class Worker;

/// Ready activations of one cell that may run together: those whose depths
/// agree in the bits that the policy looks at.
struct Bucket {
  amprt_activation_t *next = nullptr, *limit = nullptr; ///< Where to append.
  amprt_activation_t *first = nullptr;                  ///< The oldest one.
  uint64_t depthSum = 0;                                ///< Of those that wait.
  uint32_t cell = 0, key = 0;
  amprt_activation_t *items = nullptr; ///< The memory; owned.
  Bucket *chain = nullptr;             ///< Of the hash table.
  size_t openIndex = 0;                ///< Its place among the open ones.

  int64_t size() const { return next - first; }
};

/// What one call of a cell's functions gets.
struct Batch {
  const amprt_activation_t *items;
  int64_t count;
  uint32_t cell;
  Bucket *whole; ///< The bucket it was, if all of it was taken.
};

/// The ready activations of a worker. Push is the hot path: one bucket per cell
/// is kept at hand, so that it is a compare and a store.
/// Not thread-safe.
class ReadySet {
public:
  /// `probe`: or null. With one, `frame`s are of class Instance.
  ReadySet(uint32_t cellCount, BatchPolicy &policy,
           DepthProbe *probe = nullptr);
  ~ReadySet();
  ReadySet(const ReadySet &) = delete;
  ReadySet &operator=(const ReadySet &) = delete;

  void push(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
            uint32_t rows) {
    Bucket *bucket = latest[cell];
    amprt_activation_t *slot = bucket->next;
    if (__builtin_expect(
            slot == bucket->limit || bucket->key != (depth & keyMask), 0))
      return pushSlow(cell, frame, depth, rows);
    bucket->next = slot + 1;
    bucket->depthSum += depth;
    *slot = {frame, depth, rows};
  }

  bool empty() const { return open.empty(); }

  /// Every bucket here holds at least one activation.
  const std::vector<Bucket *> &buckets() const { return open; }

  /// Takes the `limit` oldest of a bucket. At most one batch may be out.
  Batch take(Bucket *bucket, int64_t limit);
  void release(const Batch &batch);

  /// Forgets the activations of failed instances whose home is `home`; frames
  /// are of class Instance.
  void removeFailed(const Worker *home);

private:
  void pushSlow(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
                uint32_t rows);
  Bucket *find(uint32_t cell, uint32_t key) const;
  void link(Bucket *bucket);
  void unlink(Bucket *bucket);
  void grow(Bucket *bucket);
  void rehash();
  size_t slotOf(uint32_t cell, uint32_t key) const;

  BatchPolicy &policy;
  DepthProbe *const probe;
  const uint32_t keyMask;
  /// Each cell's last used bucket, or &none. With a probe always that, so that
  /// every push goes the slow way, which asks it; without one it costs nothing.
  std::vector<Bucket *> latest;
  std::vector<Bucket *> open, unused;
  std::vector<Bucket *> table; ///< Open buckets by cell and key, chained;
                               ///< empty if `latest` has them all.
  Bucket none;                 ///< Has no room: the first push makes a bucket.
  std::vector<amprt_activation_t>
      partial; ///< A batch that is part of a bucket.
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_READYSET_H
