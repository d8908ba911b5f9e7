//===- ListTest.cpp - Persistent lists and joined rows --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Inside.h"

#include <random>

using namespace amprt;
using namespace models;

/// Runs `call` in an instance; its memory must have come back.
static Status runInside(const Inside &call, SessionOptions options = {}) {
  auto session = startSession(insideModel(), options);
  Result result = session->submit(insideFields(call)).get();
  session->wait();
  EXPECT_EQ(session->stats().arenaBytes, 0);
  return result.status;
}

static const amprt_list_t *push(amprt_worker_t *worker, amprt_frame_t *frame,
                                const amprt_list_t *rest, int64_t value) {
  amprt_list_t *list =
      amprt_list_push(worker, frame->instance, rest, sizeof value);
  std::memcpy(static_cast<void *>(list + 1), &value, sizeof value);
  return list;
}

static int64_t valueOf(const amprt_list_t *list) {
  int64_t value;
  std::memcpy(&value, list + 1, sizeof value);
  return value;
}

TEST(ListTest, EveryElementOfEveryLength) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                const amprt_list_t *list = nullptr;
                for (int64_t length = 1; length <= 300; ++length) {
                  list = push(worker, frame, list, 7 * (length - 1));
                  ASSERT_EQ(list->length, length);
                  for (int64_t i = 0; i < length; ++i) {
                    const amprt_list_t *at = amprt_list_at(list, i);
                    ASSERT_EQ(valueOf(at), 7 * i);
                    ASSERT_EQ(at->length, i + 1);
                  }
                }
              }).ok());
}

TEST(ListTest, ListsShareWhatTheyHaveInCommon) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                std::mt19937 random(1);
                std::vector<const amprt_list_t *> lists = {nullptr};
                std::vector<std::vector<int64_t>> expected = {{}};
                for (int64_t i = 0; i < 2000; ++i) {
                  size_t from = random() % lists.size();
                  lists.push_back(push(worker, frame, lists[from], i));
                  expected.push_back(expected[from]);
                  expected.back().push_back(i);
                }
                for (size_t i = 1; i < lists.size(); ++i)
                  for (size_t j = 0; j < expected[i].size(); ++j)
                    ASSERT_EQ(valueOf(amprt_list_at(lists[i], int64_t(j))),
                              expected[i][j]);
              }).ok());
}

/// No list of a million elements needs more than 3 log2(n) steps.
TEST(ListTest, StepsAreLogarithmic) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                const amprt_list_t *list = nullptr;
                constexpr int64_t length = 1000000;
                for (int64_t i = 0; i < length; ++i)
                  list = push(worker, frame, list, i);
                for (int64_t i = 0; i < length; i += 997) {
                  int steps = 0;
                  for (const amprt_list_t *at = list; at->length != i + 1;
                       ++steps)
                    at = at->jump && at->jump->length > i ? at->jump : at->rest;
                  ASSERT_LE(steps, 3 * 20);
                  ASSERT_EQ(valueOf(amprt_list_at(list, i)), i);
                }
              }).ok());
}

TEST(ListTest, ElementsOfAnySize) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                const amprt_list_t *list = nullptr;
                for (int64_t bytes = 0; bytes < 200; bytes += 8) {
                  amprt_list_t *pushed =
                      amprt_list_push(worker, frame->instance, list, bytes);
                  ASSERT_EQ(reinterpret_cast<uintptr_t>(pushed) % 16, 0u);
                  std::memset(static_cast<void *>(pushed + 1), 0xff,
                              size_t(bytes));
                  ASSERT_EQ(pushed->rest, list);
                  list = pushed;
                }
                EXPECT_EQ(list->length, 25);
              }).ok());
}

static std::vector<int64_t> rowsOf(const amprt_block_t &block) {
  std::vector<int64_t> rows(size_t(block.rows));
  if (!rows.empty())
    std::memcpy(rows.data(), block.data, rows.size() * sizeof(int64_t));
  return rows;
}

static amprt_block_t stack(amprt_worker_t *worker, amprt_frame_t *frame,
                           const amprt_list_t *list) {
  return amprt_list_stack(worker, frame->instance,
                          const_cast<amprt_list_t *>(list), sizeof(int64_t),
                          /*by_address=*/0);
}

/// Whatever was stacked before, of which lists, in which order.
TEST(ListTest, StackedWhateverElseIs) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                std::mt19937 random(2);
                std::vector<const amprt_list_t *> lists = {nullptr};
                std::vector<std::vector<int64_t>> expected = {{}};
                std::vector<std::pair<amprt_block_t, size_t>> stacked;
                for (int64_t i = 0; i < 2000; ++i) {
                  // Mostly the newest, so that lists grow long.
                  size_t from =
                      random() % 4 ? lists.size() - 1 : random() % lists.size();
                  lists.push_back(push(worker, frame, lists[from], i));
                  expected.push_back(expected[from]);
                  expected.back().push_back(i);
                  size_t which =
                      random() % 2 ? lists.size() - 1 : random() % lists.size();
                  stacked.push_back(
                      {stack(worker, frame, lists[which]), which});
                  ASSERT_EQ(rowsOf(stacked.back().first), expected[which]);
                }
                for (auto &[block, which] : stacked) // What was there stays.
                  ASSERT_EQ(rowsOf(block), expected[which]);
              }).ok());
}

/// One that grows is copied a few times in all, and lies where it lay while
/// there is room; a second one that grows from the same list lies elsewhere.
TEST(ListTest, StackedInPlace) {
  EXPECT_TRUE(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                const amprt_list_t *list = nullptr;
                const void *last = nullptr;
                int places = 0;
                for (int64_t i = 0; i < 1000; ++i) {
                  list = push(worker, frame, list, i);
                  amprt_block_t block = stack(worker, frame, list);
                  EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % 64, 0u);
                  places += block.data != last;
                  last = block.data;
                  EXPECT_EQ(stack(worker, frame, list).data, last);
                }
                EXPECT_LE(places, 10);
                const amprt_list_t *one = push(worker, frame, list, 1);
                const amprt_list_t *two = push(worker, frame, list, 2);
                EXPECT_EQ(stack(worker, frame, one).data, last);
                amprt_block_t other = stack(worker, frame, two);
                EXPECT_NE(other.data, last);
                EXPECT_EQ(rowsOf(other).back(), 2);
                EXPECT_EQ(rowsOf(stack(worker, frame, one)).back(), 1);
                EXPECT_EQ(stack(worker, frame, nullptr).rows, 0);
              }).ok());
}

TEST(ListTest, StackedByAddress) {
  EXPECT_TRUE(
      runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
        static const int32_t elements[] = {1, 2, 3, 4, 5, 6};
        amprt_list_t *list = nullptr;
        for (int i : {2, 0, 1}) {
          const int32_t *row = elements + 2 * i;
          list = amprt_list_push(worker, frame->instance, list, sizeof row);
          std::memcpy(static_cast<void *>(list + 1), &row, sizeof row);
        }
        amprt_block_t block =
            amprt_list_stack(worker, frame->instance, list, 8, 1);
        ASSERT_EQ(block.rows, 3);
        const int32_t expected[] = {5, 6, 1, 2, 3, 4};
        EXPECT_EQ(std::memcmp(block.data, expected, sizeof expected), 0);
      }).ok());
}

/// A stack too large fails its instance, and gives nothing to be read.
TEST(ListTest, StackedBeyondTheLimit) {
  SessionOptions options;
  options.memoryLimit = 1 << 20;
  for (int64_t bytes : {int64_t(1) << 20, INT64_MAX / 2})
    EXPECT_STATUS(runInside(
                      [&](amprt_worker_t *worker, amprt_frame_t *frame) {
                        amprt_list_t *list = nullptr;
                        for (int64_t i = 0; i < 3; ++i) {
                          list =
                              amprt_list_push(worker, frame->instance, list, 8);
                          std::memset(static_cast<void *>(list + 1), 0, 8);
                        }
                        for (int times : {1, 2}) {
                          amprt_block_t block =
                              amprt_list_stack(worker, frame->instance, list,
                                               bytes, /*by_address=*/1);
                          EXPECT_EQ(block.rows, 0) << times;
                          EXPECT_NE(block.data, nullptr);
                        }
                      },
                      options),
                  StatusCode::resourceExhausted, "its limit of 1048576 bytes");
}

TEST(ListTest, Misuse) {
  EXPECT_STATUS(runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
                  EXPECT_NE(
                      amprt_list_push(worker, frame->instance, nullptr, -8),
                      nullptr);
                }),
                StatusCode::internal, "-8 bytes");
  EXPECT_STATUS(
      runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
        EXPECT_NE(amprt_list_push(worker, frame->instance, nullptr, INT64_MAX),
                  nullptr);
      }),
      StatusCode::resourceExhausted, "more memory than its limit");
}

/// A handler that does not look whether its instance has failed goes on.
TEST(ListTest, MemoryLimit) {
  SessionOptions options;
  options.memoryLimit = 1 << 20;
  EXPECT_STATUS(runInside(
                    [](amprt_worker_t *worker, amprt_frame_t *frame) {
                      const amprt_list_t *list = nullptr;
                      for (int64_t i = 0; i < 5000000; ++i) { // 240 MB.
                        list = push(worker, frame, list, i);
                        ASSERT_EQ(
                            valueOf(amprt_list_at(list, list->length / 2)),
                            frame->instance->failed ? i : (i + 1) / 2);
                      }
                      EXPECT_NE(frame->instance->failed, 0);
                    },
                    options),
                StatusCode::resourceExhausted, "its limit of 1048576 bytes");
}

TEST(ConcatTest, JoinsAllBlocks) {
  EXPECT_TRUE(
      runInside([](amprt_worker_t *worker, amprt_frame_t *frame) {
        int32_t numbers[12];
        for (int32_t i = 0; i < 12; ++i)
          numbers[i] = i;
        amprt_block_t blocks[] = {
            {numbers + 6, 2}, {nullptr, 0}, {numbers, 1}, {numbers + 10, 1}};
        int64_t total = -1;
        auto *rows = static_cast<int32_t *>(
            amprt_concat_rows(worker, frame->instance, blocks, 4, 8, &total));
        EXPECT_EQ(total, 4);
        const int32_t expected[] = {6, 7, 8, 9, 0, 1, 10, 11};
        EXPECT_EQ(std::memcmp(rows, expected, sizeof expected), 0);

        EXPECT_NE(
            amprt_concat_rows(worker, frame->instance, nullptr, 0, 8, &total),
            nullptr);
        EXPECT_EQ(total, 0);
        amprt_block_t empty = {numbers, int64_t(1) << 60};
        EXPECT_NE(
            amprt_concat_rows(worker, frame->instance, &empty, 1, 0, &total),
            nullptr);
        EXPECT_EQ(total, int64_t(1) << 60); // Rows without bytes.
      }).ok());
}

/// The status of an instance that joins blocks of so many rows.
static Status statusOfJoined(std::vector<int64_t> rows, int64_t rowBytes,
                             SessionOptions options = {}) {
  return runInside(
      [&](amprt_worker_t *worker, amprt_frame_t *frame) {
        static const char bytes[64] = {};
        std::vector<amprt_block_t> blocks;
        for (int64_t count : rows)
          blocks.push_back({bytes, count});
        int64_t total = -1;
        EXPECT_NE(amprt_concat_rows(worker, frame->instance, blocks.data(),
                                    int64_t(blocks.size()), rowBytes, &total),
                  nullptr);
        EXPECT_EQ(total, 0);
        // Once failed, also what would be fine yields nothing.
        amprt_block_t fine = {bytes, 1};
        amprt_concat_rows(worker, frame->instance, &fine, 1, 64, &total);
        EXPECT_EQ(total, 0);
      },
      options);
}

TEST(ConcatTest, Misuse) {
  EXPECT_STATUS(statusOfJoined({INT64_MAX, 1}, 0), StatusCode::outOfRange,
                "cannot join 2 blocks of rows of 0 bytes");
  EXPECT_STATUS(statusOfJoined({INT64_MAX / 2}, 8), StatusCode::outOfRange,
                "too many rows");
  EXPECT_STATUS(statusOfJoined({3, -1}, 8), StatusCode::outOfRange,
                "a number of rows is negative");
  EXPECT_STATUS(statusOfJoined({1}, -8), StatusCode::outOfRange,
                "rows of -8 bytes");
  EXPECT_STATUS(statusOfJoined({int64_t(1) << 50}, 64),
                StatusCode::resourceExhausted, "more memory than its limit");
  SessionOptions options;
  options.memoryLimit = 1 << 20;
  EXPECT_STATUS(statusOfJoined({1 << 14, 1 << 14}, 64, options),
                StatusCode::resourceExhausted, "its limit of 1048576 bytes");
}
