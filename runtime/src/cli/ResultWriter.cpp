//===- ResultWriter.cpp - Results in the order of their instances ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultWriter.h"

#include "io/JsonResults.h"

#include <chrono>
#include <exception>

namespace amprt::cli {

ResultWriter::ResultWriter(OutputFile theFile, const amprt_entry_t &theEntry,
                           Console &theConsole, size_t theCapacity,
                           std::function<void()> theOnFailure)
    : file(std::move(theFile)), entry(theEntry), console(theConsole),
      capacity(theCapacity), onFailure(std::move(theOnFailure)),
      thread([this] { work(); }) {}

ResultWriter::~ResultWriter() {
  if (thread.joinable())
    (void)finish();
}

void ResultWriter::push(Pending pending) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return queue.size() < capacity; });
  queue.push_back(std::move(pending));
  changed.notify_all();
}

Status ResultWriter::finish() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    closed = true;
    changed.notify_all();
  }
  if (thread.joinable())
    thread.join();
  return outputStatus;
}

/// Takes the next instance, or returns false when there will be no more.
bool ResultWriter::pop(Pending &pending) {
  std::unique_lock<std::mutex> lock(mutex);
  if (queue.empty() && !closed) {
    lock.unlock();
    check(file.flush());
    lock.lock();
  }
  changed.wait(lock, [this] { return !queue.empty() || closed; });
  if (queue.empty())
    return false;
  pending = std::move(queue.front());
  queue.pop_front();
  changed.notify_all();
  return true;
}

void ResultWriter::work() {
  Pending pending;
  while (pop(pending))
    if (outputStatus.ok())
      write(pending);
  check(file.close());
}

void ResultWriter::check(const Status &status) {
  if (status.ok() || !outputStatus.ok())
    return;
  outputStatus = status;
  onFailure();
}

void ResultWriter::write(Pending &pending) {
  Result result;
  result.status = std::move(pending.status);
  std::vector<std::string> notFinite;
  line.clear();
  try {
    if (result.status.ok()) {
      if (pending.result.wait_for(std::chrono::seconds(0)) !=
          std::future_status::ready)
        check(file.flush());
      result = pending.result.get();
      if (pending.arrival)
        theCounts.arrivals.add(*pending.arrival, result.times,
                               result.status.ok());
    }
    if (result.status.ok())
      appendResultLine(line, entry.results, entry.result_count, result.values,
                       notFinite);
  } catch (const std::exception &error) { // No memory, or a broken promise.
    result.status = Status(StatusCode::internal, error.what());
    line.clear();
  }
  if (!result.status.ok()) {
    ++theCounts.failed;
    console.instanceError(pending.line, result.status.message());
    appendErrorLine(line, result.status.message());
  }
  if (!notFinite.empty() && theCounts.notFinite++ == 0) {
    theCounts.firstNotFiniteLine = pending.line;
    theCounts.firstNotFiniteName = notFinite.front();
  }
  check(file.write(line));
  if (outputStatus.ok())
    ++theCounts.written;
  console.progress(pending.bytesRead);
}

} // namespace amprt::cli
