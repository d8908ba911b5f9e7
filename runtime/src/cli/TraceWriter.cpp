//===- TraceWriter.cpp - A run as a picture -------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceWriter.h"

#include "Report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace amprt::cli {

static constexpr size_t flushedBytes = 64 << 10;

static std::string quoted(const std::string &text) {
  return dumpJson(nlohmann::ordered_json(text));
}

TraceWriter::TraceWriter(const amprt_model_t &model, int workers)
    : start(InstanceTimes::Clock::now()), process(quoted(model.name)),
      buffers(static_cast<size_t>(workers)) {
  size_t largestEvent = 1024;
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    cells.push_back(quoted(model.cells[i].name));
    largestEvent = std::max(largestEvent, 1024 + cells.back().size());
  }
  // No event needs more, so that workers never allocate.
  for (Buffer &buffer : buffers)
    buffer.text.reserve(flushedBytes + largestEvent);
}

Status TraceWriter::open(const std::string &path) {
  Expected<OutputFile> created = OutputFile::create(path);
  if (!created)
    return created.status();
  file = std::move(*created);
  // All that follows begins with a comma.
  std::string head = fmt::format(
      R"({{"displayTimeUnit":"ns","traceEvents":[)"
      "\n"
      R"({{"ph":"M","name":"process_name","pid":1,"args":{{"name":{}}}}})",
      process);
  for (size_t i = 1; i <= buffers.size(); ++i)
    head += fmt::format(
        ",\n"
        R"({{"ph":"M","name":"thread_name","pid":1,"tid":{0},"args":{{"name":"worker {0}"}}}})",
        i);
  return file.write(head);
}

double TraceWriter::microseconds(InstanceTimes::Clock::time_point time) const {
  return std::chrono::duration<double, std::micro>(time - start).count();
}

void TraceWriter::onBatch(const BatchEvent &event) {
  std::string &text = buffers[static_cast<size_t>(event.worker)].text;
  double begin = microseconds(event.begin);
  fmt::format_to(
      std::back_inserter(text),
      ",\n"
      R"({{"ph":"X","name":{},"cat":"batch","pid":1,"tid":{},"ts":{:.3f},"dur":{:.3f},)"
      R"("args":{{"activations":{},"rows":{},"depth_min":{},"depth_max":{}}}}})",
      cells[event.cell], event.worker + 1, begin,
      microseconds(event.end) - begin, event.activations, event.rows,
      event.depthMin, event.depthMax);
  flushIfLarge(text);
}

static const char *outcome(StatusCode code) {
  switch (code) {
  case StatusCode::ok:
    return "ok";
  case StatusCode::cancelled:
    return "cancelled";
  default:
    return "failed";
  }
}

void TraceWriter::onInstance(const InstanceEvent &event) {
  std::string &text = buffers[static_cast<size_t>(event.worker)].text;
  double opened = microseconds(event.times.opened);
  fmt::format_to(
      std::back_inserter(text),
      ",\n"
      R"({{"ph":"b","name":"instance","cat":"instance","id":{0},"pid":1,"tid":{1},"ts":{2:.3f},)"
      R"("args":{{"waited_us":{3:.3f}}}}},)"
      "\n"
      R"({{"ph":"e","name":"instance","cat":"instance","id":{0},"pid":1,"tid":{1},"ts":{4:.3f},)"
      R"("args":{{"status":"{5}"}}}})",
      event.number, event.worker + 1, opened,
      opened - microseconds(event.times.submitted),
      microseconds(event.times.ended), outcome(event.status.code()));
  flushIfLarge(text);
}

void TraceWriter::flushIfLarge(std::string &text) {
  if (text.size() < flushedBytes)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  (void)file.write(text);
  text.clear();
}

Status TraceWriter::finish() {
  for (Buffer &buffer : buffers)
    (void)file.write(buffer.text);
  (void)file.write("\n]}\n");
  return file.close();
}

} // namespace amprt::cli
