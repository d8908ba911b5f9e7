//===- ReadySet.cpp - Activations that wait for their cell ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/ReadySet.h"

#include "core/Instance.h"
#include "sched/BatchPolicy.h"

#include <algorithm>
#include <cstring>

namespace amprt {

static constexpr size_t firstCapacity = 32;
static constexpr size_t firstTableSize = 64; // A power of two, as all after it.

ReadySet::ReadySet(uint32_t cellCount, BatchPolicy &policy, DepthProbe *probe)
    : policy(policy), probe(probe), keyMask(policy.keyMask()),
      latest(cellCount, &none) {
  // Without keys a cell has one bucket, and `latest` is all there is to search.
  if (keyMask || probe)
    table.resize(firstTableSize);
}

ReadySet::~ReadySet() {
  for (std::vector<Bucket *> *list : {&open, &unused})
    for (Bucket *bucket : *list) {
      delete[] bucket->items;
      delete bucket;
    }
}

size_t ReadySet::slotOf(uint32_t cell, uint32_t key) const {
  // Neighbouring depths of a cell and equal depths of neighbouring cells are
  // what occurs; both spread without a real hash.
  return (size_t(key) + size_t(cell) * 0x9e3779b1u) & (table.size() - 1);
}

Bucket *ReadySet::find(uint32_t cell, uint32_t key) const {
  if (table.empty())
    return latest[cell] == &none ? nullptr : latest[cell];
  Bucket *bucket = table[slotOf(cell, key)];
  while (bucket && (bucket->cell != cell || bucket->key != key))
    bucket = bucket->chain;
  return bucket;
}

void ReadySet::rehash() {
  table.assign(table.size() * 2, nullptr);
  for (Bucket *bucket : open) {
    Bucket *&head = table[slotOf(bucket->cell, bucket->key)];
    bucket->chain = head;
    head = bucket;
  }
}

void ReadySet::link(Bucket *bucket) {
  bucket->openIndex = open.size();
  open.push_back(bucket);
  if (table.empty())
    return;
  if (open.size() > table.size()) {
    rehash(); // Inserts it, too.
    return;
  }
  Bucket *&head = table[slotOf(bucket->cell, bucket->key)];
  bucket->chain = head;
  head = bucket;
}

void ReadySet::unlink(Bucket *bucket) {
  open.back()->openIndex = bucket->openIndex;
  open[bucket->openIndex] = open.back();
  open.pop_back();
  if (latest[bucket->cell] == bucket)
    latest[bucket->cell] = &none;
  if (table.empty())
    return;
  Bucket **link = &table[slotOf(bucket->cell, bucket->key)];
  while (*link != bucket)
    link = &(*link)->chain;
  *link = bucket->chain;
}

void ReadySet::grow(Bucket *bucket) {
  size_t count = size_t(bucket->size());
  size_t capacity = size_t(bucket->limit - bucket->items);
  if (bucket->first - bucket->items >=
      ptrdiff_t(std::max(count, firstCapacity))) {
    // Room at the front, left by batches that took a part: each activation is
    // moved at most once for each that was taken.
    std::memmove(bucket->items, bucket->first, count * sizeof *bucket->items);
  } else {
    capacity = std::max(firstCapacity, 2 * capacity);
    auto *items = new amprt_activation_t[capacity];
    if (count)
      std::memcpy(items, bucket->first, count * sizeof *items);
    delete[] bucket->items;
    bucket->items = items;
    bucket->limit = items + capacity;
  }
  bucket->first = bucket->items;
  bucket->next = bucket->items + count;
}

void ReadySet::pushSlow(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
                        uint32_t rows) {
  if (probe) {
    auto &instance = static_cast<const Instance &>(*frame->instance);
    depth = probe->onReady({instance.number, cell, instance.baseDepth, depth});
  }
  uint32_t key = depth & keyMask;
  Bucket *bucket = find(cell, key);
  if (!bucket) {
    if (unused.empty()) {
      bucket = new Bucket;
    } else {
      bucket = unused.back();
      unused.pop_back();
    }
    bucket->cell = cell;
    bucket->key = key;
    link(bucket);
    policy.opened(bucket);
  }
  if (!probe)
    latest[cell] = bucket;
  if (bucket->next == bucket->limit)
    grow(bucket);
  *bucket->next++ = {frame, depth, rows};
  bucket->depthSum += depth;
}

Batch ReadySet::take(Bucket *bucket, int64_t limit) {
  int64_t count = bucket->size();
  if (count <= limit) {
    unlink(bucket);
    policy.closed(bucket);
    return {bucket->first, count, bucket->cell, bucket};
  }
  // The bucket stays and may move while the batch runs.
  partial.assign(bucket->first, bucket->first + limit);
  bucket->first += limit;
  for (const amprt_activation_t &activation : partial)
    bucket->depthSum -= activation.depth;
  return {partial.data(), limit, bucket->cell, nullptr};
}

void ReadySet::release(const Batch &batch) {
  Bucket *bucket = batch.whole;
  if (!bucket)
    return;
  bucket->first = bucket->next = bucket->items;
  bucket->depthSum = 0;
  unused.push_back(bucket);
}

void ReadySet::removeFailed(const Worker *home) {
  auto hasFailed = [home](const amprt_activation_t &activation) {
    auto &instance = static_cast<const Instance &>(*activation.frame->instance);
    return instance.home == home && instance.failed != 0;
  };
  // Backwards: unlink moves the last one into the gap.
  for (size_t i = open.size(); i-- > 0;) {
    Bucket *bucket = open[i];
    bucket->next = std::remove_if(bucket->first, bucket->next, hasFailed);
    bucket->depthSum = 0;
    for (const amprt_activation_t *it = bucket->first; it != bucket->next; ++it)
      bucket->depthSum += it->depth;
    if (bucket->size() == 0) {
      unlink(bucket);
      release({nullptr, 0, bucket->cell, bucket});
    }
  }
  policy.changed(open);
}

} // namespace amprt
