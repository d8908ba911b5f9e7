//===- File.h - Whole files, and output by file descriptor ------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thin, and only because iostreams lose the reason of a failure: every error
// here carries the system's message.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_FILE_H
#define AMPRT_SRC_IO_FILE_H

#include "amprt/status.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// All bytes of a file (or pipe).
/// Statuses: notFound, invalidArgument (cannot be read), resourceExhausted.
Expected<std::vector<unsigned char>> readFile(const std::string &path);

/// The same as text.
Expected<std::string> readText(const std::string &path);

/// Buffered output to a file or, for "-", to standard output. The first failure
/// sticks: it is what all later calls return. Thread-compatible.
class OutputFile {
public:
  OutputFile() = default;
  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&other) noexcept;
  ~OutputFile(); ///< Closes; call close() to learn whether all was written.

  /// Creates or empties the file. Statuses: invalidArgument.
  static Expected<OutputFile> create(const std::string &path);

  /// Opens a file to go on behind its first `bytes`; what follows them is cut
  /// off. What is no regular file is only appended to. Statuses: as create.
  static Expected<OutputFile> resume(const std::string &path, int64_t bytes);

  Status write(std::string_view text);
  Status flush();
  Status close();

  const std::string &name() const { return theName; } ///< For messages.
  int descriptor() const { return fd; }

private:
  friend Status
  writeFileAtomically(const std::string &path,
                      const std::function<Status(OutputFile &)> &writeContents);
  Status writeOut(std::string_view text);

  int fd = -1;
  std::string theName;
  std::string buffer;
  Status failure;
};

/// Replaces the file as a whole: writes beside it, forces that to the disk, and
/// renames it; what was there stays when anything fails.
/// Statuses: invalidArgument (cannot be written), those of `writeContents`.
Status
writeFileAtomically(const std::string &path,
                    const std::function<Status(OutputFile &)> &writeContents);

} // namespace amprt

#endif // AMPRT_SRC_IO_FILE_H
