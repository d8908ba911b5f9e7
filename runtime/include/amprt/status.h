//===- status.h - Errors as values ------------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_STATUS_H
#define AMPRT_STATUS_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace amprt {

enum class StatusCode {
  ok,
  invalidArgument,   ///< The caller's input is wrong: the message names it.
  outOfRange,        ///< An index computed or given is outside its range.
  resourceExhausted, ///< A step, memory or time limit of the instance.
  cancelled,         ///< The caller withdrew the instance, or the session ended.
  notFound,          ///< No such file, symbol or name.
  failedPrecondition, ///< Versions or files that do not fit together.
  internal,          ///< A defect of the model's code or of the runtime.
};

/// What an operation came to. Cheap to move; ok carries no message.
/// Thread-compatible, as are the other types of this file.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : theCode(code), theMessage(std::move(message)) {}

  bool ok() const { return theCode == StatusCode::ok; }
  StatusCode code() const { return theCode; }
  const std::string &message() const { return theMessage; }

private:
  StatusCode theCode = StatusCode::ok;
  std::string theMessage;
};

/// A value, or the status that says why there is none.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::move(value)) {}
  Expected(Status status) : state(std::move(status)) {
    assert(!std::get<Status>(state).ok() && "an ok status has no value");
  }

  bool ok() const { return std::holds_alternative<T>(state); }
  explicit operator bool() const { return ok(); }
  const Status &status() const { return std::get<Status>(state); }
  T &operator*() { return std::get<T>(state); }
  const T &operator*() const { return std::get<T>(state); }
  T *operator->() { return &std::get<T>(state); }
  const T *operator->() const { return &std::get<T>(state); }

private:
  std::variant<T, Status> state;
};

} // namespace amprt

#endif // AMPRT_STATUS_H
