//===- Program.h - Running a compiled program and looking at it -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_IO_PROGRAM_H
#define AMPRT_TEST_IO_PROGRAM_H

#include "SafetensorsBytes.h"
#include "TestFields.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace amprt::test {

inline void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string readText(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The lines of two instances and what they give with weights().
inline const char *const twoLines = R"({"x":[[1,2],[3,4]],"mode":0})"
                                    "\n"
                                    R"({"x":[],"mode":0})"
                                    "\n";
inline const char *const twoResults = R"({"y":[[12.0,26.0],[16.0,32.0]],"n":2})"
                                      "\n"
                                      R"({"y":[],"n":0})"
                                      "\n";

/// What a program that has ended left behind.
struct Outcome {
  int status;
  std::string output, errors;
};

/// Starts `program run` with pipes at both ends.
struct Piped {
  int input, output;
  pid_t child;

  /// `errors` names a file for standard error.
  Piped(const std::string &weights, const std::string &errors,
        std::vector<std::string> more = {}) {
    std::vector<std::string> texts = {"scale", "run", "-q", "-w", weights};
    texts.insert(texts.end(), more.begin(), more.end());
    std::vector<char *> arguments;
    for (std::string &text : texts)
      arguments.push_back(text.data());
    arguments.push_back(nullptr);
    int in[2], out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    child = ::fork();
    if (child == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT, 0600), 2);
      std::signal(SIGINT, SIG_DFL);
      ::execv(AMPRT_TEST_PROGRAM, arguments.data());
      ::_exit(99);
    }
    ::close(in[0]);
    ::close(out[1]);
    input = in[1];
    output = out[0];
  }
  std::string readSome() {
    char text[4096];
    ssize_t count = ::read(output, text, sizeof text);
    return std::string(text, count > 0 ? static_cast<size_t>(count) : 0);
  }
  void send(const std::string &text) {
    EXPECT_EQ(::write(input, text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  /// The exit status.
  int end() {
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

/// The fixture: a folder of the test's own, and the model of ScaleModel.cpp as
/// a program.
class ProgramTest : public ::testing::Test {
protected:
  void SetUp() override {
    folder = temporaryPath("program");
    ASSERT_EQ(std::system(("rm -rf " + folder + "; mkdir " + folder).c_str()),
              0);
  }
  void TearDown() override {
    EXPECT_EQ(std::system(("rm -rf " + folder).c_str()), 0);
  }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }

  /// A file of the folder.
  std::string file(const std::string &name, const std::string &text) {
    writeText(path(name), text);
    return path(name);
  }

  /// A safetensors file with W = [2, 3] and B = [10, 20].
  std::string weights() {
    std::vector<unsigned char> bytes = safetensorsBytes(
        R"({"W":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
        R"("B":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}      )",
        16);
    const float values[4] = {2, 3, 10, 20};
    std::memcpy(bytes.data() + bytes.size() - 16, values, 16);
    return file("w.safetensors", std::string(bytes.begin(), bytes.end()));
  }

  /// Runs the program through the shell; `arguments` may redirect.
  Outcome run(const std::string &arguments, const std::string &input = "") {
    std::string command = std::string(AMPRT_TEST_PROGRAM) + " " + arguments +
                          " <" + file("stdin", input) + " >" + path("stdout") +
                          " 2>" + path("stderr");
    int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            readText(path("stdout")), readText(path("stderr"))};
  }

  std::string folder;
};

} // namespace amprt::test

#endif // AMPRT_TEST_IO_PROGRAM_H
