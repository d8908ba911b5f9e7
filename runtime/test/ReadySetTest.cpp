//===- ReadySetTest.cpp - The ready set against a plain list --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Instance.h"
#include "sched/BatchPolicy.h"
#include "sched/PatientPolicy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace amprt;

namespace {
struct Waiting {
  uint32_t cell, depth, rows;
  bool operator==(const Waiting &other) const {
    return cell == other.cell && depth == other.depth && rows == other.rows;
  }
};

/// The policies as their definitions say, over all that waits.
class PlainPolicy {
public:
  PlainPolicy(Policy policy, const amprt_cell_desc_t *cells)
      : policy(policy), cells(cells) {}

  /// Something was pushed.
  void pushed(uint32_t cell) {
    if (counts[cell]++ == 0)
      since[cell] = picks;
  }

  std::vector<Waiting> pick(std::vector<Waiting> &waiting, size_t maxBatch) {
    uint32_t cell = 0;
    if (policy == Policy::depth)
      cell = lowest(waiting).cell;
    else if (policy == Policy::agenda)
      cell = leastAverage(waiting);
    else if (!isOverdue(cell))
      cell = preferred(maxBatch);
    since[cell] = ++picks;
    uint32_t depth = policy == Policy::depth ? lowest(waiting).depth : 0;
    std::vector<Waiting> batch, rest;
    for (const Waiting &w : waiting)
      if (w.cell == cell && (policy != Policy::depth || w.depth == depth) &&
          batch.size() < maxBatch)
        batch.push_back(w);
      else
        rest.push_back(w);
    waiting = rest;
    counts[cell] -= batch.size();
    return batch;
  }

private:
  bool isOverdue(uint32_t &longest) const {
    bool found = false;
    for (uint32_t cell = 0; cell < 6; ++cell)
      if (counts[cell] && picks - since[cell] >= PatientPolicy::usualPatience &&
          (!found || since[cell] < since[longest])) {
        longest = cell;
        found = true;
      }
    return found;
  }
  uint32_t preferred(size_t maxBatch) const {
    auto rank = [&](uint32_t cell) {
      size_t count = counts[cell];
      bool isPhase = policy == Policy::phase;
      return std::make_tuple(count > 0, isPhase && count >= maxBatch,
                             isPhase ? cells[cell].priority : 0, count);
    };
    uint32_t best = 0;
    for (uint32_t cell = 1; cell < 6; ++cell)
      if (rank(cell) > rank(best))
        best = cell;
    return best;
  }
  static Waiting lowest(const std::vector<Waiting> &waiting) {
    return *std::min_element(
        waiting.begin(), waiting.end(), [](const Waiting &a, const Waiting &b) {
          return std::tie(a.depth, a.cell) < std::tie(b.depth, b.cell);
        });
  }
  uint32_t leastAverage(const std::vector<Waiting> &waiting) {
    double best = 1e300;
    uint32_t bestCell = 0;
    for (bool product : {false, true})
      for (uint32_t cell = 0; cell < 6; ++cell) {
        double sum = 0, count = 0;
        for (const Waiting &w : waiting)
          if (w.cell == cell) {
            sum += w.depth;
            ++count;
          }
        if (count && bool(cells[cell].flags) == product && sum / count < best) {
          best = sum / count;
          bestCell = cell;
        }
      }
    return bestCell;
  }
  Policy policy;
  const amprt_cell_desc_t *cells;
  size_t picks = 0, since[6] = {}, counts[6] = {};
};
} // namespace

class ReadySetTest : public testing::TestWithParam<Policy> {};
INSTANTIATE_TEST_SUITE_P(All, ReadySetTest,
                         testing::Values(Policy::depth, Policy::agenda,
                                         Policy::phase, Policy::greedy));

TEST_P(ReadySetTest, AgreesWithThePlainDefinition) {
  amprt_cell_desc_t cells[6] = {};
  cells[1].flags = cells[4].flags = AMPRT_CELL_HAS_PRODUCT;
  for (uint32_t i = 0; i < 6; ++i)
    cells[i].priority = 1 + i % 3;
  amprt_model_t model = {};
  model.cells = cells;
  model.cell_count = 6;
  Instance good, bad;
  bad.failed = 1;
  amprt_frame_t goodFrame = {}, badFrame = {};
  goodFrame.instance = &good;
  badFrame.instance = &bad;

  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    size_t maxBatch = seed % 3 ? 1000 : 5;
    auto policy =
        createBatchPolicy(GetParam(), model, int64_t(maxBatch), nullptr);
    PlainPolicy plain(GetParam(), cells);
    ReadySet ready(6, *policy);
    std::vector<Waiting> waiting;
    uint32_t base = 0, spread = 1 + random() % 200, next = 0;
    for (int step = 0; step < 300; ++step) {
      for (unsigned i = random() % 40; i-- > 0;) {
        Waiting w = {uint32_t(random() % 6), base + uint32_t(random() % spread),
                     next++};
        bool fails = random() % 50 == 0;
        ready.push(w.cell, fails ? &badFrame : &goodFrame, w.depth, w.rows);
        if (!fails) {
          waiting.push_back(w);
          plain.pushed(w.cell);
        }
      }
      ready.removeFailed(nullptr);
      ASSERT_EQ(ready.empty(), waiting.empty());
      for (unsigned i = random() % 5; i-- > 0 && !waiting.empty();) {
        std::vector<Waiting> expected = plain.pick(waiting, maxBatch);
        Batch batch = ready.take(policy->pick(ready.buckets()),
                                 policy->batchLimit(int64_t(maxBatch)));
        std::vector<Waiting> got;
        for (int64_t j = 0; j < batch.count; ++j)
          got.push_back(
              {batch.cell, batch.items[j].depth, batch.items[j].rows});
        // While the batch is out, its cell gets more.
        Waiting w = {batch.cell, base + uint32_t(random() % spread), next++};
        ready.push(w.cell, &goodFrame, w.depth, w.rows);
        waiting.push_back(w);
        plain.pushed(w.cell);
        for (int64_t j = 0; j < batch.count; ++j)
          ASSERT_EQ(batch.items[j].rows, got[size_t(j)].rows);
        ready.release(batch);
        ASSERT_EQ(got, expected);
      }
      base += random() % 3;
    }
  }
}
