//===- Messages.cpp - Pieces of error messages ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

namespace amprt {

std::string shortened(std::string_view text, size_t limit) {
  if (text.size() <= limit)
    return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80)
    --limit;
  return std::string(text.substr(0, limit)) + "...";
}

std::string jsonError(size_t position, std::string_view token,
                      std::string_view message) {
  // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax
  // error while parsing value - invalid literal; last read: '{x'"
  if (size_t bracket = message.find("] "); bracket != std::string_view::npos)
    message.remove_prefix(bracket + 2);
  if (message.substr(0, 11) == "parse error")
    if (size_t colon = message.find(": "); colon != std::string_view::npos)
      message.remove_prefix(colon + 2);
  constexpr std::string_view syntax = "syntax error while parsing ";
  if (message.substr(0, syntax.size()) == syntax)
    message.remove_prefix(syntax.size());
  std::string text = "not valid JSON at byte " + std::to_string(position) +
                     ": " + shortened(message, 160);
  if (!token.empty() && (token.back() == 'N' || token.back() == 'I'))
    text += " (JSON has no NaN or Infinity)";
  return text;
}

} // namespace amprt
