//===- SafetensorsTest.cpp - Safetensors files ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/Safetensors.h"
#include "SafetensorsBytes.h"
#include "TestFields.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace amprt;
using namespace amprt::test;

namespace {

std::string messageOf(const std::vector<unsigned char> &bytes) {
  Expected<SafetensorsFile> file = parseSafetensors(bytes, "f");
  if (file)
    return "ok";
  EXPECT_EQ(file.status().code(), StatusCode::invalidArgument);
  return file.status().message();
}

std::string headerMessage(const std::string &header, size_t dataBytes = 0) {
  return messageOf(safetensorsBytes(header, dataBytes));
}

/// One tensor 'W' described by `members`, in front of 8 bytes of data.
std::string tensorMessage(const std::string &members) {
  return headerMessage("{\"W\":{" + members + "}}", 8);
}

TEST(Safetensors, ReadsTensors) {
  std::vector<unsigned char> bytes = safetensorsBytes(
      R"({"__metadata__":{"format":"pt"},)"
      R"("b":{"dtype":"I64","shape":[],"data_offsets":[8,16]},)"
      R"("W":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("none":{"shape":[0,3],"dtype":"F16","data_offsets":[16,16]}}   )",
      16);
  float values[2] = {1.5f, -2};
  std::memcpy(bytes.data() + bytes.size() - 16, values, 8);
  Expected<SafetensorsFile> file = parseSafetensors(bytes, "f");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->metadata.at("format"), "pt");
  ASSERT_EQ(file->entries.size(), 3u);
  EXPECT_EQ(file->entries[0].name, "b");
  const SafetensorsFile::Entry *w = file->find("W");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->dims, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(w->dtype, "F32");
  EXPECT_EQ(w->end - w->begin, 8u);
  EXPECT_EQ(std::memcmp(file->bytes.data() + w->begin, values, 8), 0);
  EXPECT_EQ(file->find("none")->dims, (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(file->find("V"), nullptr);
}

TEST(Safetensors, AcceptsNoTensors) { EXPECT_EQ(headerMessage("{}"), "ok"); }

TEST(Safetensors, WritesAndReadsBack) {
  std::string path = temporaryPath("written.safetensors");
  Tensor w(AMPRT_F32, {2, 3}), flag(AMPRT_I1, {}), none(AMPRT_BF16, {0, 7});
  for (int i = 0; i < 6; ++i)
    static_cast<float *>(w.data())[i] = 0.5f * static_cast<float>(i);
  static_cast<unsigned char *>(flag.data())[0] = 1;
  std::map<std::string, std::string> metadata = {{"step", "17"}};
  Status status = writeSafetensors(
      path, {{"w \"q\"", &w}, {"flag", &flag}, {"none", &none}}, metadata);
  ASSERT_TRUE(status.ok()) << status.message();
  Expected<SafetensorsFile> file = readSafetensors(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->metadata, metadata);
  const SafetensorsFile::Entry *entry = file->find("w \"q\"");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->dims, w.dims());
  EXPECT_EQ(entry->begin % 8, 0u);
  EXPECT_EQ(
      std::memcmp(file->bytes.data() + entry->begin, w.data(), w.byteCount()),
      0);
  EXPECT_EQ(file->find("flag")->dtype, "BOOL");
  EXPECT_EQ(file->find("none")->dims, none.dims());
  ::unlink(path.c_str());
}

TEST(Safetensors, WriteErrors) {
  Tensor w(AMPRT_F32, {1});
  EXPECT_EQ(writeSafetensors("/nowhere/f", {{"w", &w}}).message(),
            "cannot write '/nowhere/f': No such file or directory");
  EXPECT_EQ(writeSafetensors("/tmp/f", {{"w", &w}, {"w", &w}}).message(),
            "cannot write '/tmp/f': a tensor's name is 'w' twice");
  EXPECT_EQ(writeSafetensors("/tmp/f", {{"__metadata__", &w}}).message(),
            "cannot write '/tmp/f': a tensor's name is '__metadata__'");
}

TEST(SafetensorsErrors, Files) {
  Expected<SafetensorsFile> missing = readSafetensors("/nowhere/f");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().code(), StatusCode::notFound);
  EXPECT_EQ(missing.status().message(),
            "cannot open '/nowhere/f': No such file or directory");
  EXPECT_EQ(readSafetensors("/tmp").status().message(),
            "cannot read '/tmp': Is a directory");
}

TEST(SafetensorsErrors, Frame) {
  EXPECT_EQ(messageOf({}), "f: not a safetensors file: it has only 0 bytes");
  EXPECT_EQ(messageOf({1, 0, 0}),
            "f: not a safetensors file: it has only 3 bytes");
  EXPECT_EQ(messageOf({0, 0, 0, 0, 0, 0, 0, 1}),
            "f: not a safetensors file: its header would have "
            "72057594037927936 bytes");
  EXPECT_EQ(messageOf({9, 0, 0, 0, 0, 0, 0, 0, '{'}),
            "f: the file is cut off: its header has 9 bytes, but only 1 are "
            "there");
  EXPECT_EQ(messageOf({0, 0, 0, 0, 0, 0, 0, 0}),
            "f: not a safetensors file: its header does not start with '{'");
  EXPECT_EQ(headerMessage(" {}"),
            "f: not a safetensors file: its header does not start with '{'");
}

TEST(SafetensorsErrors, HeaderSyntax) {
  EXPECT_EQ(headerMessage("{"),
            "f: the header is not valid JSON at byte 2: object key - "
            "unexpected end of input; expected string literal");
  EXPECT_EQ(headerMessage(std::string("{}\0", 3)),
            "f: the header is not valid JSON: it has a NUL byte");
  EXPECT_NE(headerMessage("{}{").find("expected end of input"),
            std::string::npos);
}

TEST(SafetensorsErrors, HeaderStructure) {
  EXPECT_EQ(headerMessage(R"({"W":1})"),
            "f: tensor 'W': expected an object with dtype, shape and "
            "data_offsets, but got a number");
  EXPECT_EQ(headerMessage(R"({"W":[]})"),
            "f: tensor 'W': expected an object with dtype, shape and "
            "data_offsets, but got an array");
  EXPECT_EQ(headerMessage(R"({"__metadata__":{"a":1}})"),
            "f: expected __metadata__ to be an object of strings, but got a "
            "number");
  EXPECT_EQ(headerMessage(R"({"__metadata__":null})"),
            "f: expected __metadata__ to be an object of strings, but got "
            "null");
  EXPECT_EQ(headerMessage(R"({"__metadata__":{"a":"b","a":"c"}})"),
            "f: __metadata__ has 'a' twice");
  const std::string w =
      R"("W":{"dtype":"F32","shape":[],"data_offsets":[0,4]})";
  EXPECT_EQ(headerMessage("{" + w + "," + w + "}", 4), "f: 'W' is there twice");
  EXPECT_EQ(headerMessage(R"({"__metadata__":{},"__metadata__":{}})"),
            "f: '__metadata__' is there twice");
}

TEST(SafetensorsErrors, TensorMembers) {
  EXPECT_EQ(tensorMessage(R"("dtype":"F32","shape":[2])"),
            "f: tensor 'W': has no data_offsets");
  EXPECT_EQ(tensorMessage(R"("dtype":"F32","data_offsets":[0,8])"),
            "f: tensor 'W': has no shape");
  EXPECT_EQ(tensorMessage(""), "f: tensor 'W': has no dtype");
  EXPECT_EQ(tensorMessage(R"("dtype":"F32","dtype":"F32")"),
            "f: tensor 'W': has dtype twice");
  EXPECT_EQ(tensorMessage(R"("kind":"F32")"),
            "f: tensor 'W': unknown key 'kind'");
  EXPECT_EQ(tensorMessage(R"("dtype":1)"),
            "f: tensor 'W': expected dtype to be a string, but got a number");
  EXPECT_EQ(tensorMessage(R"("shape":{})"),
            "f: tensor 'W': expected shape to be an array of integers, but got "
            "an object");
  EXPECT_EQ(tensorMessage(R"("shape":[1.5])"),
            "f: tensor 'W': expected shape to be an array of integers, but got "
            "1.5");
  EXPECT_EQ(tensorMessage(R"("shape":[true])"),
            "f: tensor 'W': expected shape to be an array of integers, but got "
            "true");
  EXPECT_EQ(tensorMessage(R"("shape":[-2])"),
            "f: tensor 'W': expected dimensions that are not negative, but got "
            "-2");
  EXPECT_EQ(tensorMessage(R"("shape":[9223372036854775808])"),
            "f: tensor 'W': dimension 9223372036854775808 is too large");
  EXPECT_EQ(tensorMessage(R"("data_offsets":[0])"),
            "f: tensor 'W': expected two data_offsets, but got 1");
  EXPECT_EQ(tensorMessage(R"("data_offsets":[0,1,2])"),
            "f: tensor 'W': expected two data_offsets, but got more");
  EXPECT_EQ(tensorMessage(R"("data_offsets":[-1,1])"),
            "f: tensor 'W': expected offsets that are not negative, but got "
            "-1");
  EXPECT_EQ(tensorMessage(R"("data_offsets":["0",1])"),
            "f: tensor 'W': expected data_offsets to be an array of two "
            "integers, but got a string");
}

TEST(SafetensorsErrors, TensorSizes) {
  EXPECT_EQ(tensorMessage(R"("dtype":"F33","shape":[2],"data_offsets":[0,8])"),
            "f: tensor 'W': unknown dtype 'F33'");
  EXPECT_EQ(tensorMessage(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"),
            "f: tensor 'W': data_offsets [8, 0] are reversed");
  EXPECT_EQ(
      tensorMessage(R"("dtype":"F32","shape":[3],"data_offsets":[0,12])"),
      "f: tensor 'W': data_offsets end at byte 12, but the file has 8 bytes "
      "of data");
  EXPECT_EQ(
      tensorMessage(R"("dtype":"F32","shape":[3,1],"data_offsets":[0,8])"),
      "f: tensor 'W': F32[3, 1] needs 12 bytes, but data_offsets give 8");
  EXPECT_EQ(tensorMessage(R"("dtype":"F32","shape":[4294967296,4294967296],)"
                          R"("data_offsets":[0,8])"),
            "f: tensor 'W': the size of F32[4294967296, 4294967296] overflows");
  // The product overflows on its way, but there are no elements.
  EXPECT_EQ(
      headerMessage(R"({"W":{"dtype":"F32","shape":)"
                    R"([4294967296,4294967296,0],"data_offsets":[0,0]}})"),
      "ok");
  EXPECT_EQ(tensorMessage(R"("dtype":"F4","shape":[3],"data_offsets":[0,8])"),
            "f: tensor 'W': F4[3] is not a whole number of bytes");
}

TEST(SafetensorsErrors, Layout) {
  const std::string a =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)";
  EXPECT_EQ(headerMessage(a + R"("b":{"dtype":"F32","shape":[1],)"
                              R"("data_offsets":[0,4]}})",
                          4),
            "f: tensor 'b' overlaps tensor 'a'");
  EXPECT_EQ(headerMessage(a + R"("b":{"dtype":"F32","shape":[1],)"
                              R"("data_offsets":[2,6]}})",
                          6),
            "f: tensor 'b' overlaps tensor 'a'");
  EXPECT_EQ(headerMessage(a + R"("b":{"dtype":"F32","shape":[1],)"
                              R"("data_offsets":[8,12]}})",
                          12),
            "f: bytes 4 to 8 of the data, before tensor 'b', belong to no "
            "tensor");
  EXPECT_EQ(headerMessage(a + R"("b":{"dtype":"F32","shape":[1],)"
                              R"("data_offsets":[4,8]}})",
                          10),
            "f: the last 2 bytes of the data belong to no tensor");
}

} // namespace
