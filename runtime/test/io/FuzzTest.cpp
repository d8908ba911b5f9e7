//===- FuzzTest.cpp - Mutated input gives a value or an error -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fixed seeds, so that a failure repeats; run under ASan and UBSan it also
// shows reads outside of the input. AMPRT_FUZZ_ROUNDS multiplies the numbers of
// cases. What is accepted must be well-formed, and nothing may take memory out
// of proportion to the input (a limit of the process makes that an exception).
//
//===----------------------------------------------------------------------===//

#include "SafetensorsBytes.h"
#include "TestFields.h"
#include "io/JsonLines.h"
#include "io/JsonResults.h"
#include "io/PlainJson.h"
#include "io/Safetensors.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace amprt;
using namespace amprt::test;

namespace {

int rounds() {
  const char *text = std::getenv("AMPRT_FUZZ_ROUNDS");
  return text ? std::max(1, std::atoi(text)) : 1;
}

/// Changes text at random, in ways that keep some of its structure.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  size_t below(size_t limit) { return limit ? random() % limit : 0; }

  std::string mutate(std::string text) {
    for (size_t i = 0, count = 1 + below(4); i < count; ++i)
      mutateOnce(text);
    return text;
  }

private:
  void mutateOnce(std::string &text) {
    static const char *const pieces[] = {"[",
                                         "]",
                                         "{",
                                         "}",
                                         ",",
                                         ":",
                                         "\"",
                                         "null",
                                         "true",
                                         "NaN",
                                         "1e999",
                                         "-0",
                                         "\\u",
                                         "\\ud800",
                                         "\xEF\xBB\xBF",
                                         "1e-320",
                                         "[[[[",
                                         "]]]]",
                                         "9223372036854775807",
                                         "18446744073709551616",
                                         "2147483648",
                                         "-1",
                                         "0.5",
                                         "\xff",
                                         "\n"};
    size_t at = below(text.size() + 1);
    switch (below(7)) {
    case 0: // Flip a bit.
      if (at < text.size())
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1: // Cut off.
      text.resize(at);
      break;
    case 2: // Put something in.
      text.insert(at, pieces[below(std::size(pieces))]);
      break;
    case 3: { // Duplicate a chunk elsewhere.
      std::string chunk = text.substr(at, below(40));
      text.insert(below(text.size() + 1), chunk);
      break;
    }
    case 4: // Drop a chunk.
      text.erase(at, below(20));
      break;
    case 5: // A random byte.
      if (at < text.size())
        text[at] = static_cast<char>(below(256));
      break;
    case 6: { // Another number.
      size_t digit = text.find_first_of("0123456789", at);
      if (digit == std::string::npos)
        break;
      size_t end = text.find_first_not_of("0123456789.", digit);
      text.replace(digit, end == std::string::npos ? end : end - digit,
                   pieces[15 + below(8)]);
      break;
    }
    }
  }

  std::mt19937_64 random;
};

/// Writes down the events of a JSON parser.
struct EventLog {
  std::string text;

  bool add(const std::string &event) {
    text += event + ";";
    return true;
  }
  bool null() { return add("null"); }
  bool boolean(bool value) { return add(value ? "true" : "false"); }
  bool number_integer(int64_t value) { return add(std::to_string(value)); }
  bool number_unsigned(uint64_t value) { return add(std::to_string(value)); }
  bool number_float(double value, std::string_view token) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return add(std::string(token) + "=" + std::to_string(bits));
  }
  bool string(const std::string &value) { return add("'" + value + "'"); }
  bool binary(const std::vector<uint8_t> &) { return false; }
  bool start_object(size_t) { return add("{"); }
  bool end_object() { return add("}"); }
  bool start_array(size_t) { return add("["); }
  bool end_array() { return add("]"); }
  bool key(const std::string &name) { return add("key " + name); }
  bool parse_error(size_t, const std::string &,
                   const nlohmann::detail::exception &) {
    return false;
  }
};

/// Property: the fast scanner accepts only what nlohmann accepts, with the same
/// events.
TEST(Fuzz, PlainJsonScanner) {
  const std::string line =
      R"({"a":[1,-2,[3.25e+1, 0],[]],"b" : "text","c":-0,"d":true,"":null,)"
      R"("e":[[],[[]]],"f":0.1E-5,"g":123456789012345678,"h":[false]})";
  Mutator mutator(3);
  PlainJsonScanner<EventLog> scanner;
  int accepted = 0, cases = 10'000 * rounds();
  for (int i = 0; i < cases; ++i) {
    std::string mutated = i == 0 ? line : mutator.mutate(line);
    EventLog fast, slow;
    if (!scanner.scan(mutated, fast)) {
      ASSERT_NE(i, 0);
      continue;
    }
    ++accepted;
    ASSERT_TRUE(nlohmann::json::sax_parse(mutated, &slow)) << mutated;
    ASSERT_EQ(fast.text, slow.text) << mutated;
  }
  std::printf("%d of %d mutated lines were plain JSON\n", accepted, cases);
  EXPECT_GT(accepted, cases / 50);
}

TEST(Fuzz, JsonLines) {
  const int64_t open = AMPRT_DYNAMIC;
  Fields fields;
  fields.tensor("word", AMPRT_I32, {open})
      .tensor("image", AMPRT_F32, {open, 3})
      .tensor("edge", AMPRT_I64, {open, open})
      .tensor("half", AMPRT_F16, {2})
      .tensor("cube", AMPRT_F64, {open, 2, open})
      .scalar("flag", AMPRT_I1)
      .scalar("n", AMPRT_INDEX);
  const std::string line =
      R"({"word":[1,2,3,-4],"image":[[1.5,2,3e2],[0,0.25,-1]],)"
      R"("edge":[[0,1],[2,3]],"note":{"a":[1,"b\u00e9"]},"half":[1,2.5],)"
      R"("cube":[[[1],[2]]],"flag":true,"n":12})";
  Mutator mutator(1);
  InstanceParser lenient(fields.data(), fields.size());
  InstanceParser strict(fields.data(), fields.size(), true);
  ASSERT_TRUE(lenient.parse(line).ok());
  int accepted = 0, cases = 10'000 * rounds();
  for (int i = 0; i < cases; ++i) {
    std::string mutated = mutator.mutate(line);
    Expected<Values> values = lenient.parse(mutated);
    (void)strict.parse(mutated);
    if (!values) {
      ASSERT_EQ(values.status().code(), StatusCode::invalidArgument);
      ASSERT_FALSE(values.status().message().empty()) << mutated;
      ASSERT_LT(values.status().message().size(), 600u);
      continue;
    }
    ++accepted;
    ASSERT_EQ(values->size(), fields.size());
    for (size_t f = 0; f < fields.size(); ++f) {
      const amprt_type_t &type = fields.data()[f].type;
      const Tensor &tensor = values->at(fields.data()[f].name);
      ASSERT_EQ(tensor.dtype(), static_cast<amprt_dtype_t>(type.dtype));
      ASSERT_EQ(tensor.dims().size(), size_t(std::max(type.rank, 0)));
      for (size_t d = 0; d < tensor.dims().size(); ++d)
        ASSERT_TRUE(type.dims[d] == open || type.dims[d] == tensor.dims()[d]);
      ASSERT_LE(tensor.byteCount(), 8 * mutated.size());
    }
    // Property: written and read again, it is accepted and written the same.
    std::string first, second;
    std::vector<std::string> notFinite;
    appendResultLine(first, fields.data(), fields.size(), *values, notFinite);
    Expected<Values> again = strict.parse(first);
    ASSERT_TRUE(again.ok()) << again.status().message() << first;
    appendResultLine(second, fields.data(), fields.size(), *again, notFinite);
    ASSERT_EQ(first, second);
    ASSERT_TRUE(notFinite.empty());
  }
  RecordProperty("accepted", accepted);
  std::printf("%d of %d mutated lines were accepted\n", accepted, cases);
  EXPECT_GT(accepted, cases / 100);
  EXPECT_LT(accepted, cases / 2);
}

TEST(Fuzz, Safetensors) {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},)"
      R"("emb":{"dtype":"F32","shape":[4,3],"data_offsets":[0,48]},)"
      R"("bias":{"dtype":"F64","shape":[2],"data_offsets":[48,64]},)"
      R"("ids":{"dtype":"I32","shape":[1,2,1],"data_offsets":[64,72]}})";
  Mutator mutator(2);
  int accepted = 0, cases = 1'000 * rounds();
  for (int i = 0; i < cases; ++i) {
    std::vector<unsigned char> bytes;
    if (i % 2 == 0) { // The header alone, with its length right.
      bytes = safetensorsBytes(mutator.mutate(header), 72);
    } else { // Any byte of the file.
      bytes = safetensorsBytes(header, 72);
      std::string text =
          mutator.mutate(std::string(bytes.begin(), bytes.end()));
      bytes.assign(text.begin(), text.end());
    }
    size_t size = bytes.size();
    Expected<SafetensorsFile> file = parseSafetensors(std::move(bytes), "f");
    if (!file) {
      ASSERT_EQ(file.status().code(), StatusCode::invalidArgument);
      ASSERT_GT(file.status().message().size(), 3u);
      ASSERT_LT(file.status().message().size(), 600u);
      continue;
    }
    ++accepted;
    ASSERT_EQ(file->bytes.size(), size);
    for (const SafetensorsFile::Entry &entry : file->entries) {
      ASSERT_LE(entry.begin, entry.end);
      ASSERT_LE(entry.end, size);
    }
  }
  RecordProperty("accepted", accepted);
  std::printf("%d of %d mutated files were accepted\n", accepted, cases);
  EXPECT_GT(accepted, cases / 100);
  EXPECT_LT(accepted, cases / 2);
}

} // namespace
