//===- Link.cpp - Objects to programs and libraries -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"

#include "amp/Driver/Driver.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

std::string amp::defaultRuntimeDir(const std::string &programPath) {
  void *inProgram = reinterpret_cast<void *>(&amp::runDriver);
  SmallString<256> path(
      sys::fs::getMainExecutable(programPath.c_str(), inProgram));
  sys::path::remove_filename(path);
  sys::path::append(path, "..", "lib");
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// The command that links: a program's path, perhaps with arguments of its own
/// (CXX="ccache g++").
static Expected<SmallVector<std::string>> linkCommand(StringRef wish) {
  std::string text = wish.str();
  if (text.empty())
    text = sys::Process::GetEnv("CXX").value_or("");
  bool isOurs = text.empty();
  if (isOurs)
    text = sys::fs::can_execute(AMP_HOST_CXX) ? AMP_HOST_CXX : "c++";
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  if (words.empty())
    return createStringError("no program to link with; give --linker=<c++>");
  ErrorOr<std::string> program = sys::findProgramByName(words.front());
  if (!program)
    return createStringError("cannot find '" + Twine(words.front()) +
                             "' to link with; give --linker=<c++>");
  SmallVector<std::string> command(words.begin(), words.end());
  command.front() = *program;
  // The usual linker takes a seventh of the time that ampc needs for a model.
  if (isOurs)
    for (StringRef linker : {"lld", "gold"})
      if (sys::findProgramByName(("ld." + linker).str())) {
        command.push_back(("-fuse-ld=" + linker).str());
        break;
      }
  return command;
}

/// Appends the arguments of amprt.link: a line each; a relative path that exists
/// in the directory is meant.
static Error addRuntime(StringRef dir, SmallVectorImpl<std::string> &command) {
  SmallString<256> path(dir);
  sys::path::append(path, "amprt.link");
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + file.getError().message() +
                             "; --runtime-dir=<dir> says where the runtime is");
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    SmallString<256> inDir(dir);
    sys::path::append(inDir, line);
    bool isFile = !line.starts_with("-") && !sys::path::is_absolute(line);
    if (isFile && !sys::fs::exists(inDir))
      return createStringError("cannot find the runtime's '" + inDir + "'");
    command.push_back(isFile ? inDir.str().str() : line.str());
  }
  return Error::success();
}

Error amp::link(const LinkOptions &options) {
  Expected<SmallVector<std::string>> command = linkCommand(options.linker);
  if (!command)
    return command.takeError();
  if (options.shared) {
    // What it calls of the runtime is in the program that loads it.
    command->append({"-shared", "-o", options.outputPath, options.objectPath,
                     "-Wl,--gc-sections", "-lm"});
  } else {
    command->append({"-o", options.outputPath, options.objectPath});
    if (Error error = addRuntime(options.runtimeDir, *command))
      return error;
  }

  if (options.verbose) {
    for (StringRef word : *command) {
      sys::printArg(errs(), word, /*Quote=*/false);
      errs() << ' ';
    }
    errs() << '\n';
  }
  SmallVector<StringRef> words(command->begin(), command->end());
  std::string message;
  int status =
      sys::ExecuteAndWait(words.front(), words, std::nullopt, {}, 0, 0, &message);
  if (!status)
    return Error::success();
  return createStringError("linking with '" + Twine(words.front()) +
                           "' failed" +
                           (message.empty() ? Twine() : ": " + Twine(message)) +
                           "; -v shows the command");
}
