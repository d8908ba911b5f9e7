//===- Messages.h - Pieces of error messages --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_MESSAGES_H
#define AMPRT_SRC_IO_MESSAGES_H

#include <cstddef>
#include <string>
#include <string_view>

namespace amprt {

/// `text` if it is short, else its first `limit` bytes (never half a UTF-8
/// character) and "...": for messages that quote input.
std::string shortened(std::string_view text, size_t limit = 60);

/// "not valid JSON at byte 7: object - unexpected end of input; ...", from what
/// nlohmann tells its event handler: the position, the last token read and the
/// message.
std::string jsonError(size_t position, std::string_view token,
                      std::string_view message);

} // namespace amprt

#endif // AMPRT_SRC_IO_MESSAGES_H
