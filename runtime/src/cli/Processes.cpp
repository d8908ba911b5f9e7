//===- Processes.cpp - Processes of this program that run cells -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processes.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace amprt::cli {

// Where a child finds its end of the connection.
static constexpr int childSocket = 3;

/// What the child is told of the options.
static std::vector<std::string> childArguments(const Options &options) {
  const SessionOptions &session = options.session;
  std::string policy = policyName(session.policy);
  if (!session.policyFile.empty())
    policy += ":" + session.policyFile;
  std::vector<std::string> arguments = {
      options.program,  "serve",
      "--socket",       std::to_string(childSocket),
      "--seed",         std::to_string(options.seed),
      "--policy",       policy,
      "--max-batch",    std::to_string(session.maxBatch),
      "--memory-limit", std::to_string(session.memoryLimit),
      "--quiet"};
  if (!options.weights.empty())
    arguments.insert(arguments.end(), {"--weights", options.weights});
  return arguments;
}

Status Processes::start(const Options &options, SessionOptions &session) {
  if (!options.processes)
    return {};
  std::vector<std::string> arguments = childArguments(options);
  std::vector<char *> pointers;
  for (std::string &each : arguments)
    pointers.push_back(each.data());
  pointers.push_back(nullptr);
  for (int i = 1; i < session.workers; ++i) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return {
          StatusCode::resourceExhausted,
          fmt::format("cannot connect to a process: {}", std::strerror(errno))};
    session.remotes.push_back(ends[0]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], childSocket);
    pid_t child;
    int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr,
                            pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0)
      return {StatusCode::resourceExhausted,
              fmt::format("cannot start a process: {}", std::strerror(error))};
    children.push_back(child);
  }
  return {};
}

Processes::~Processes() {
  for (pid_t child : children)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace amprt::cli
