//===- JsonLines.h - Instances from JSON Lines ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instance is one line with one JSON object: a member for each of the
// model's fields. A tensor is written as nested arrays, a scalar (or a tensor
// of rank 0) as a number; i1 as true/false or 1/0. Values are read straight
// into tensors by the events of the JSON parser; there is no tree of values.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_JSONLINES_H
#define AMPRT_SRC_IO_JSONLINES_H

#include "amprt/status.h"
#include "amprt/tensor.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// Parses the instances of one model. Thread-compatible; keeps its buffers from
/// one line to the next.
class InstanceParser {
public:
  /// `fields` must outlive the parser. With `strict`, members that are no field
  /// of the model make an instance invalid; else they are skipped.
  InstanceParser(const amprt_field_t *fields, size_t count,
                 bool strict = false);
  ~InstanceParser();
  InstanceParser(InstanceParser &&) noexcept;
  InstanceParser &operator=(InstanceParser &&) noexcept;

  /// Statuses: invalidArgument; the message says what was expected in which
  /// field at which index, and what was there instead:
  ///   field 'word': expected an integer, but got "x" at [3]
  /// resourceExhausted: no memory for the instance.
  Expected<Values> parse(std::string_view line);

  /// Members skipped so far that are no field of the model; each name once, in
  /// the order of their appearance, and no more than maxUnknownFields.
  const std::vector<std::string> &unknownFields() const;
  static constexpr size_t maxUnknownFields = 100;

private:
  class Events;
  std::unique_ptr<Events> events;
};

} // namespace amprt

#endif // AMPRT_SRC_IO_JSONLINES_H
