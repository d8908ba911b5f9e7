//===- File.cpp - Whole files, and output by file descriptor --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "File.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace amprt {

constexpr size_t bufferBytes = size_t(1) << 16;
/// One read or write never asks for more: Linux stops at 2 GiB anyway.
constexpr size_t transferBytes = size_t(1) << 30;

static std::string quoted(const std::string &path) { return "'" + path + "'"; }

static Status systemFailure(const std::string &what, int error) {
  StatusCode code = error == ENOENT || error == ENOTDIR
                        ? StatusCode::notFound
                        : StatusCode::invalidArgument;
  return Status(code, what + ": " + std::strerror(error));
}

/// open(2) that is not interrupted.
static int openFile(const std::string &path, int flags, mode_t mode = 0) {
  int fd;
  do
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

Expected<std::vector<unsigned char>> readFile(const std::string &path) {
  int fd = openFile(path, O_RDONLY);
  if (fd < 0)
    return systemFailure("cannot open " + quoted(path), errno);
  std::vector<unsigned char> bytes;
  size_t used = 0;
  Status status;
  try {
    struct stat facts;
    if (::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode))
      bytes.resize(static_cast<size_t>(facts.st_size) + 1); // +1 sees the end.
    while (true) {
      if (used == bytes.size())
        bytes.resize(std::max(bufferBytes, 2 * used));
      size_t room = std::min(bytes.size() - used, transferBytes);
      ssize_t count = ::read(fd, bytes.data() + used, room);
      if (count == 0)
        break;
      if (count > 0)
        used += static_cast<size_t>(count);
      else if (errno != EINTR) {
        status = systemFailure("cannot read " + quoted(path), errno);
        break;
      }
    }
    bytes.resize(used);
  } catch (const std::bad_alloc &) {
    status = Status(StatusCode::resourceExhausted,
                    "no memory to read " + quoted(path));
  } catch (const std::length_error &) {
    status = Status(StatusCode::resourceExhausted,
                    "no memory to read " + quoted(path));
  }
  ::close(fd);
  if (!status.ok())
    return status;
  return bytes;
}

//===----------------------------------------------------------------------===//
// OutputFile
//===----------------------------------------------------------------------===//

OutputFile::OutputFile(OutputFile &&other) noexcept
    : fd(other.fd), theName(std::move(other.theName)),
      buffer(std::move(other.buffer)), failure(std::move(other.failure)) {
  other.fd = -1;
  other.buffer.clear();
}

OutputFile &OutputFile::operator=(OutputFile &&other) noexcept {
  std::swap(fd, other.fd);
  std::swap(theName, other.theName);
  std::swap(buffer, other.buffer);
  std::swap(failure, other.failure);
  return *this;
}

OutputFile::~OutputFile() { (void)close(); }

Expected<OutputFile> OutputFile::create(const std::string &path) {
  OutputFile file;
  if (path == "-") {
    file.theName = "standard output";
    file.fd = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    file.theName = quoted(path);
    file.fd = openFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  if (file.fd < 0)
    return Status(StatusCode::invalidArgument,
                  "cannot write " + file.theName + ": " + std::strerror(errno));
  return file;
}

Expected<OutputFile> OutputFile::resume(const std::string &path,
                                        int64_t bytes) {
  if (path == "-")
    return create(path);
  OutputFile file;
  file.theName = quoted(path);
  file.fd = openFile(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  struct stat facts;
  bool isCut = file.fd >= 0 && ::fstat(file.fd, &facts) == 0 &&
               (!S_ISREG(facts.st_mode) || facts.st_size <= bytes ||
                ::ftruncate(file.fd, bytes) == 0);
  if (!isCut)
    return Status(StatusCode::invalidArgument,
                  "cannot write " + file.theName + ": " + std::strerror(errno));
  return file;
}

Status OutputFile::writeOut(std::string_view text) {
  while (!text.empty() && failure.ok()) {
    ssize_t count =
        ::write(fd, text.data(), std::min(text.size(), transferBytes));
    if (count >= 0)
      text.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR)
      failure = Status(StatusCode::invalidArgument,
                       "cannot write " + theName + ": " + std::strerror(errno));
  }
  return failure;
}

Status OutputFile::flush() {
  if (failure.ok())
    (void)writeOut(buffer);
  buffer.clear();
  return failure;
}

Status OutputFile::write(std::string_view text) {
  if (buffer.size() + text.size() > bufferBytes)
    (void)flush();
  if (text.size() > bufferBytes)
    return writeOut(text);
  buffer.append(text);
  return failure;
}

Status OutputFile::close() {
  if (fd < 0)
    return failure;
  (void)flush();
  // Some file systems (NFS, quotas) report a failed write only here.
  if (::close(fd) != 0 && errno != EINTR && failure.ok())
    failure = Status(StatusCode::invalidArgument,
                     "cannot write " + theName + ": " + std::strerror(errno));
  fd = -1;
  return failure;
}

//===----------------------------------------------------------------------===//
// Atomic replacement
//===----------------------------------------------------------------------===//

/// Makes the rename itself durable. Best effort: not every file system can.
static void syncFolderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "."
                       : slash == 0               ? "/"
                                                  : path.substr(0, slash);
  int fd = openFile(folder, O_RDONLY | O_DIRECTORY);
  if (fd < 0)
    return;
  (void)::fsync(fd);
  ::close(fd);
}

Status
writeFileAtomically(const std::string &path,
                    const std::function<Status(OutputFile &)> &writeContents) {
  OutputFile file;
  file.theName = quoted(path);
  std::string temporary;
  for (int attempt = 0; file.fd < 0 && attempt < 100; ++attempt) {
    temporary = path + ".tmp" + std::to_string(::getpid()) + "-" +
                std::to_string(attempt);
    file.fd = openFile(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file.fd < 0 && errno != EEXIST)
      break;
  }
  if (file.fd < 0)
    return Status(StatusCode::invalidArgument,
                  "cannot write " + file.theName + ": " + std::strerror(errno));
  Status status = writeContents(file);
  if (status.ok())
    status = file.flush();
  if (status.ok() && ::fsync(file.fd) != 0 && errno != EINVAL)
    status = systemFailure("cannot write " + file.theName, errno);
  Status closed = file.close();
  if (status.ok())
    status = closed;
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0)
    status = systemFailure("cannot replace " + file.theName, errno);
  if (status.ok())
    syncFolderOf(path);
  else
    ::unlink(temporary.c_str());
  return status;
}

Expected<std::string> readText(const std::string &path) {
  Expected<std::vector<unsigned char>> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  return std::string(bytes->begin(), bytes->end());
}

} // namespace amprt
