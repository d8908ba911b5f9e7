//===- CheckpointFolder.cpp - A folder of checkpoints ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amprt/checkpoints.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace amprt {

static const std::string prefix = "checkpoint-", suffix = ".safetensors",
                         bestName = "best.safetensors";
static constexpr size_t digits = 12;

static Status cannotUse(const std::string &path, int error) {
  return {StatusCode::invalidArgument,
          "cannot use the folder '" + path + "': " + std::strerror(error)};
}

static std::vector<std::string> namesIn(const std::string &path) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR *)> folder(::opendir(path.c_str()),
                                              &::closedir);
  while (const dirent *entry = folder ? ::readdir(folder.get()) : nullptr)
    names.push_back(entry->d_name);
  return names;
}

static bool startsWith(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

/// The updates in a checkpoint's name, or -1.
static int64_t numberOf(const std::string &name) {
  if (!startsWith(name, prefix))
    return -1;
  int64_t number = -1;
  const char *end = name.data() + name.size();
  auto [rest, error] =
      std::from_chars(name.data() + prefix.size(), end, number);
  bool isName =
      error == std::errc() && number >= 0 && std::string(rest, end) == suffix;
  return isName ? number : -1;
}

Expected<CheckpointFolder> CheckpointFolder::open(const std::string &path,
                                                  int keep) {
  if (keep < 1)
    return Status(StatusCode::invalidArgument,
                  "at least one checkpoint must be kept");
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return cannotUse(path, error.value());
  CheckpointFolder folder;
  folder.path = path;
  folder.keep = keep;
  folder.lock = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder.lock < 0)
    return cannotUse(path, errno);
  if (::flock(folder.lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Status(StatusCode::failedPrecondition,
                  "the folder '" + path +
                      "' is in use by another process that trains");
  // Nobody else is writing, so these are from someone who was killed.
  for (const std::string &name : namesIn(path))
    for (const std::string &start : {prefix, bestName})
      if (startsWith(name, start) && name.find(suffix + ".tmp") != name.npos)
        ::unlink((path + "/" + name).c_str());
  return folder;
}

CheckpointFolder::CheckpointFolder(CheckpointFolder &&other) noexcept
    : path(std::move(other.path)), keep(other.keep), lock(other.lock) {
  other.lock = -1;
}

CheckpointFolder::~CheckpointFolder() {
  if (lock >= 0)
    ::close(lock);
}

/// Of all checkpoints, the newest first.
std::vector<int64_t> CheckpointFolder::numbers() const {
  std::vector<int64_t> found;
  for (const std::string &name : namesIn(path))
    if (int64_t number = numberOf(name); number >= 0)
      found.push_back(number);
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::string CheckpointFolder::pathOf(int64_t updates) const {
  std::string number = std::to_string(updates);
  number.insert(0, number.size() < digits ? digits - number.size() : 0, '0');
  return path + "/" + prefix + number + suffix;
}

Status CheckpointFolder::save(const Trainer &trainer,
                              const std::map<std::string, std::string> &notes) {
  int64_t number = trainer.updates();
  if (Status status = trainer.save(pathOf(number), notes); !status.ok())
    return status;
  // A newer one can only be a broken one that was passed over.
  int kept = 0;
  for (int64_t each : numbers())
    if (each > number || ++kept > keep)
      ::unlink(pathOf(each).c_str());
  return {};
}

Status CheckpointFolder::saveBest(const Weights &weights) {
  return weights.save(path + "/" + bestName);
}

Expected<CheckpointFolder::Restored>
CheckpointFolder::restoreNewest(Trainer &trainer) {
  Restored restored;
  for (int64_t number : numbers()) {
    auto notes = trainer.restore(pathOf(number));
    if (notes) {
      restored.path = pathOf(number);
      restored.notes = std::move(*notes);
      return restored;
    }
    // What is whole, but does not fit, must not be passed over in silence.
    if (notes.status().code() == StatusCode::failedPrecondition)
      return notes.status();
    restored.broken.push_back(notes.status());
  }
  return restored;
}

} // namespace amprt
