//===- LineReaderTest.cpp - Lines of files and pipes; atomic files --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/LineReader.h"
#include "TestFields.h"
#include "io/File.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace amprt;
using amprt::test::temporaryPath;
using Event = LineReader::Event;

namespace {

void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string readText(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// All lines, with "!" for one that was too long.
std::vector<std::string> linesOf(const std::string &text,
                                 size_t limit = 1 << 20) {
  std::string path = temporaryPath("lines");
  writeText(path, text);
  Expected<LineReader> reader = LineReader::open(path, -1, limit);
  EXPECT_TRUE(reader.ok());
  std::vector<std::string> lines;
  Event event;
  while ((event = reader->next()) == Event::line || event == Event::tooLong) {
    lines.push_back(event == Event::line ? std::string(reader->line()) : "!");
    EXPECT_EQ(reader->lineNumber(), lines.size());
  }
  EXPECT_EQ(event, Event::end);
  EXPECT_EQ(reader->next(), Event::end);
  EXPECT_EQ(reader->bytesRead(), text.size());
  EXPECT_EQ(reader->fileBytes(), text.size());
  ::unlink(path.c_str());
  return lines;
}

TEST(LineReader, EndsOfLines) {
  using List = std::vector<std::string>;
  EXPECT_EQ(linesOf(""), List{});
  EXPECT_EQ(linesOf("a\nb\n"), (List{"a", "b"}));
  EXPECT_EQ(linesOf("a\r\n\r\nb"), (List{"a", "", "b"}));
  EXPECT_EQ(linesOf("\n"), List{""});
  EXPECT_EQ(linesOf("\xEF\xBB\xBFx\n\xEF\xBB\xBFy"),
            (List{"x", "\xEF\xBB\xBFy"}));
}

TEST(LineReader, LinesLongerThanTheBuffer) {
  std::string big(1'000'000, 'x');
  EXPECT_EQ(linesOf("a\n" + big + "\nb\n"),
            (std::vector<std::string>{"a", big, "b"}));
}

TEST(LineReader, SkipsLinesBeyondTheLimit) {
  std::string big(3'000'000, 'x');
  EXPECT_EQ(linesOf("a\n" + big + "\nb\n" + big, 100'000),
            (std::vector<std::string>{"a", "!", "b", "!"}));
  EXPECT_EQ(linesOf("12345\n123456\n", 5),
            (std::vector<std::string>{"12345", "!"}));
}

TEST(LineReader, OpenErrors) {
  Expected<LineReader> missing = LineReader::open("/nowhere/x.jsonl");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().code(), StatusCode::notFound);
  EXPECT_EQ(missing.status().message(),
            "cannot open '/nowhere/x.jsonl': No such file or directory");
  Expected<LineReader> folder = LineReader::open("/tmp");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.status().message(), "cannot read '/tmp': Is a directory");
}

TEST(LineReader, WakesWhileItWaits) {
  std::string path = temporaryPath("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  int wake[2];
  ASSERT_EQ(::pipe(wake), 0);
  int writer = ::open(path.c_str(), O_RDWR); // Keeps the pipe open.
  Expected<LineReader> reader = LineReader::open(path, wake[0]);
  ASSERT_TRUE(reader.ok());
  ASSERT_EQ(::write(writer, "one\ntw", 6), 6);
  EXPECT_EQ(reader->next(), Event::line);
  EXPECT_EQ(reader->line(), "one");
  std::thread waker([&] {
    ::usleep(50'000);
    EXPECT_EQ(::write(wake[1], "x", 1), 1);
  });
  EXPECT_EQ(reader->next(), Event::interrupted);
  EXPECT_EQ(reader->next(), Event::end);
  waker.join();
  ::close(wake[0]);
  ::close(wake[1]);
  ::close(writer);
  ::unlink(path.c_str());
}

TEST(OutputFile, ReportsAFullDiskAndKeepsReporting) {
  if (::access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "no /dev/full";
  Expected<OutputFile> file = OutputFile::create("/dev/full");
  ASSERT_TRUE(file.ok());
  (void)file->write("x");
  EXPECT_EQ(file->flush().message(),
            "cannot write '/dev/full': No space left on device");
  EXPECT_FALSE(file->write("y").ok());
  EXPECT_FALSE(file->close().ok());
}

TEST(OutputFile, CreateErrors) {
  Expected<OutputFile> file = OutputFile::create("/nowhere/y.jsonl");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.status().message(),
            "cannot write '/nowhere/y.jsonl': No such file or directory");
}

TEST(OutputFile, LargeWritesKeepTheirOrder) {
  std::string path = temporaryPath("large"), expected;
  Expected<OutputFile> file = OutputFile::create(path);
  ASSERT_TRUE(file.ok());
  for (size_t size : {10, 70'000, 3, 65'536, 65'530, 10, 200'000}) {
    std::string piece(size, static_cast<char>('a' + size % 26));
    ASSERT_TRUE(file->write(piece).ok());
    expected += piece;
  }
  ASSERT_TRUE(file->close().ok());
  EXPECT_EQ(readText(path), expected);
  ::unlink(path.c_str());
}

TEST(AtomicFile, KeepsTheOldFileOnFailure) {
  std::string path = temporaryPath("atomic");
  writeText(path, "old");
  Status status = writeFileAtomically(path, [](OutputFile &file) {
    (void)file.write("half of the new");
    return Status(StatusCode::internal, "stop");
  });
  EXPECT_EQ(status.message(), "stop");
  EXPECT_EQ(readText(path), "old");
  status = writeFileAtomically(
      path, [](OutputFile &file) { return file.write("new"); });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(readText(path), "new");
  ::unlink(path.c_str());
  EXPECT_EQ(
      writeFileAtomically("/nowhere/a", [](OutputFile &) { return Status(); })
          .message(),
      "cannot write '/nowhere/a': No such file or directory");
}

} // namespace
