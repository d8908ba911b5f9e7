//===- JsonLinesTest.cpp - Instances from JSON Lines ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/JsonLines.h"
#include "TestFields.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace amprt;
using amprt::test::elements;
using amprt::test::Fields;

namespace {

const int64_t open = AMPRT_DYNAMIC;

std::vector<int64_t> shape(std::initializer_list<int64_t> dims) { return dims; }

/// Parses the line as the only field, "x".
Tensor parseX(Fields &fields, const std::string &value) {
  InstanceParser parser(fields.data(), fields.size());
  Expected<Values> values = parser.parse("{\"x\": " + value + "}");
  EXPECT_TRUE(values.ok()) << values.status().message();
  return values ? (*values)["x"] : Tensor();
}

std::string messageOf(const Fields &fields, const std::string &line,
                      bool strict = false) {
  InstanceParser parser(fields.data(), fields.size(), strict);
  Expected<Values> values = parser.parse(line);
  if (values)
    return "ok";
  EXPECT_EQ(values.status().code(), StatusCode::invalidArgument);
  return values.status().message();
}

/// The message for `value` as the tensor "x" of that type.
std::string tensorMessage(amprt_dtype_t dtype, std::vector<int64_t> dims,
                          const std::string &value) {
  Fields fields;
  fields.tensor("x", dtype, std::move(dims));
  return messageOf(fields, "{\"x\": " + value + "}");
}

std::string scalarMessage(amprt_dtype_t dtype, const std::string &value) {
  Fields fields;
  fields.scalar("x", dtype);
  return messageOf(fields, "{\"x\": " + value + "}");
}

//===----------------------------------------------------------------------===//
// What is accepted
//===----------------------------------------------------------------------===//

TEST(JsonLines, ReadsEveryKindOfField) {
  Fields fields;
  fields.tensor("word", AMPRT_I32, {open})
      .tensor("image", AMPRT_F32, {open, 2})
      .scalar("label", AMPRT_I64)
      .scalar("scale", AMPRT_F64)
      .tensor("mask", AMPRT_I1, {3})
      .tensor("point", AMPRT_F32, {});
  InstanceParser parser(fields.data(), fields.size());
  Expected<Values> values = parser.parse(
      R"({"mask":[true,0,1],"word":[1,-2,2147483647],"scale":1e-3,)"
      R"("image":[[1,2.5],[-0.0,1e3]],"label":-9223372036854775808,"point":7})");
  ASSERT_TRUE(values.ok()) << values.status().message();
  EXPECT_EQ((*values)["word"].dims(), shape({3}));
  EXPECT_EQ(elements((*values)["word"]),
            (std::vector<double>{1, -2, 2147483647}));
  EXPECT_EQ((*values)["image"].dims(), shape({2, 2}));
  EXPECT_EQ(elements((*values)["image"]),
            (std::vector<double>{1, 2.5, 0, 1000}));
  EXPECT_TRUE(std::signbit((*values)["image"].at(2)));
  int64_t label;
  std::memcpy(&label, (*values)["label"].data(), sizeof label);
  EXPECT_EQ(label, INT64_MIN);
  EXPECT_EQ((*values)["label"].dims(), shape({}));
  EXPECT_EQ((*values)["scale"].at(0), 1e-3);
  EXPECT_EQ(elements((*values)["mask"]), (std::vector<double>{1, 0, 1}));
  EXPECT_EQ((*values)["point"].at(0), 7);
}

TEST(JsonLines, EmptyArraysKeepStaticDimensions) {
  Fields fields;
  fields.tensor("x", AMPRT_F32, {open, 128});
  EXPECT_EQ(parseX(fields, "[]").dims(), shape({0, 128}));
  Fields allOpen;
  allOpen.tensor("x", AMPRT_F32, {open, open});
  EXPECT_EQ(parseX(allOpen, "[]").dims(), shape({0, 0}));
  EXPECT_EQ(parseX(allOpen, "[[],[]]").dims(), shape({2, 0}));
}

TEST(JsonLines, SecondLineDoesNotSeeTheFirst) {
  Fields fields;
  fields.tensor("x", AMPRT_I32, {open}).tensor("y", AMPRT_I32, {open});
  InstanceParser parser(fields.data(), fields.size());
  ASSERT_TRUE(parser.parse(R"({"x":[1,2,3],"y":[4]})").ok());
  EXPECT_EQ(parser.parse(R"({"x":[1,2,3]})").status().message(),
            "field 'y' is missing");
  EXPECT_FALSE(parser.parse(R"({"x":[1,2,)").ok());
  Expected<Values> values = parser.parse(R"({"y":[5],"x":[6]})");
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(elements((*values)["x"]), (std::vector<double>{6}));
}

TEST(JsonLines, RoundsToNearestOnce) {
  Fields fields;
  fields.tensor("x", AMPRT_F32, {open});
  // Just above the middle of two f32, but so close that the nearest f64 is the
  // middle itself: by way of f64 this would round down, to even.
  Tensor tensor = parseX(fields, "[1.00000005960464477539062500001, 1e-46, "
                                 "1.4e-45, 0.1, 16777217, 3.4028235e38]");
  EXPECT_EQ(tensor.at(0), double(1.00000012f));
  EXPECT_EQ(tensor.at(1), 0.0);
  EXPECT_EQ(tensor.at(2), double(1.4e-45f));
  EXPECT_EQ(tensor.at(3), double(0.1f));
  EXPECT_EQ(tensor.at(4), 16777216.0);
  EXPECT_EQ(tensor.at(5), double(3.4028235e38f));
}

TEST(JsonLines, HalfPrecision) {
  Fields f16;
  f16.tensor("x", AMPRT_F16, {open});
  EXPECT_EQ(elements(parseX(f16, "[1, -2.5, 65504, 65519, 5.96e-8, 1e-9, 2049, "
                                 "2051, 6.1e-5, 0.333]")),
            (std::vector<double>{1, -2.5, 65504, 65504, 0x1p-24, 0, 2048, 2052,
                                 0x1.ff8p-15, 0x1.55p-2}));
  EXPECT_EQ(tensorMessage(AMPRT_F16, {open}, "[65520]"),
            "field 'x': expected a number in range (f16), but got 65520 at "
            "[0]");
  Fields bf16;
  bf16.tensor("x", AMPRT_BF16, {open});
  EXPECT_EQ(elements(parseX(bf16, "[1, 257, 259, -3.39e38, 1e-40, 1e-41]")),
            (std::vector<double>{1, 256, 260, -0x1.fep127, 0x1p-133, 0}));
}

TEST(JsonLines, UnknownMembersAreNamedOnceAndSkipped) {
  Fields fields;
  fields.tensor("x", AMPRT_I32, {open});
  InstanceParser parser(fields.data(), fields.size());
  const char *line = R"({"a":[{"x":[1]},null,"s"],"x":[1],"b":{"x":{}},)"
                     R"("c":null,"d":"t","e":1.5,"f":-1,"g":true})";
  for (int i = 0; i < 2; ++i) {
    Expected<Values> values = parser.parse(line);
    ASSERT_TRUE(values.ok()) << values.status().message();
    EXPECT_EQ(values->size(), 1u);
    EXPECT_EQ(elements((*values)["x"]), (std::vector<double>{1}));
  }
  EXPECT_EQ(parser.unknownFields(),
            (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
}

TEST(JsonLines, UnknownMembersAreBounded) {
  Fields fields;
  InstanceParser parser(fields.data(), fields.size());
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(parser.parse("{\"u" + std::to_string(i) + "\":0}").ok());
  EXPECT_EQ(parser.unknownFields().size(), InstanceParser::maxUnknownFields);
}

TEST(JsonLines, AcceptsByteOrderMark) {
  Fields fields;
  fields.scalar("x", AMPRT_I32);
  EXPECT_EQ(messageOf(fields, "\xEF\xBB\xBF{\"x\":1}"), "ok");
}

TEST(JsonLines, DeepNestingOfUnknownMembersNeedsNoStack) {
  Fields fields;
  std::string deep(1'000'000, '[');
  EXPECT_EQ(
      messageOf(fields, "{\"u\":" + deep + std::string(1'000'000, ']') + "}"),
      "ok");
}

//===----------------------------------------------------------------------===//
// What is refused, and in which words
//===----------------------------------------------------------------------===//

TEST(JsonLinesErrors, WrongElement) {
  EXPECT_EQ(tensorMessage(AMPRT_I32, {open}, R"([1,2,3,"x"])"),
            R"(field 'x': expected an integer, but got "x" at [3])");
  EXPECT_EQ(tensorMessage(AMPRT_I32, {open, open}, "[[1],[2.5]]"),
            "field 'x': expected an integer, but got 2.5 at [1][0]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open}, "[null]"),
            "field 'x': expected a number, but got null at [0]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open}, "[true]"),
            "field 'x': expected a number, but got true at [0]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open}, "[1,{}]"),
            "field 'x': expected a number, but got an object at [1]");
  EXPECT_EQ(tensorMessage(AMPRT_I1, {open}, "[2]"),
            "field 'x': expected true, false, 0 or 1, but got 2 at [0]");
  EXPECT_EQ(tensorMessage(AMPRT_I1, {open}, "[\"yes\"]"),
            "field 'x': expected true, false, 0 or 1, but got \"yes\" at [0]");
  EXPECT_EQ(scalarMessage(AMPRT_I64, "1.0"),
            "field 'x': expected an integer, but got 1.0");
  EXPECT_EQ(scalarMessage(AMPRT_F32, "[1]"),
            "field 'x': expected a number, but got an array");
}

TEST(JsonLinesErrors, LongTokensAreCut) {
  EXPECT_EQ(scalarMessage(AMPRT_I64, '"' + std::string(100'000, 'a') + '"'),
            "field 'x': expected an integer, but got \"" +
                std::string(60, 'a') + "...\"");
}

TEST(JsonLinesErrors, OutOfRange) {
  EXPECT_EQ(tensorMessage(AMPRT_I32, {open}, "[2147483648]"),
            "field 'x': expected a number in range (i32), but got 2147483648 "
            "at [0]");
  EXPECT_EQ(tensorMessage(AMPRT_I32, {open}, "[-2147483649]"),
            "field 'x': expected a number in range (i32), but got -2147483649 "
            "at [0]");
  EXPECT_EQ(scalarMessage(AMPRT_I64, "9223372036854775808"),
            "field 'x': expected a number in range (i64), but got "
            "9223372036854775808");
  EXPECT_EQ(scalarMessage(AMPRT_INDEX, "99999999999999999999"),
            "field 'x': expected an integer, but got 99999999999999999999");
  EXPECT_EQ(scalarMessage(AMPRT_F32, "1e39"),
            "field 'x': expected a number in range (f32), but got 1e39");
  EXPECT_NE(scalarMessage(AMPRT_F64, "1e999").find("number overflow"),
            std::string::npos);
}

TEST(JsonLinesErrors, WrongRankOrShape) {
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open, 128}, "3"),
            "field 'x': expected an array (tensor<?x128xf32>), but got 3");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open, 128}, "[3]"),
            "field 'x': expected arrays nested 2 deep (tensor<?x128xf32>), but "
            "got 3 at [0]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open}, "[1,[2]]"),
            "field 'x': expected a number, but got an array at [1]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open, 2}, "[[1,2],[1]]"),
            "field 'x': expected 2 elements (tensor<?x2xf32>), but got 1 at "
            "[1]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {1}, "[]"),
            "field 'x': expected 1 element (tensor<1xf32>), but got 0");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open, open}, "[[1,2],[3,4],[5]]"),
            "field 'x': expected 2 elements as in the arrays before, but got 1 "
            "at [2]");
  EXPECT_EQ(
      tensorMessage(AMPRT_F32, {open, open, open}, "[[[1],[2]],[[3],[4,5]]]"),
      "field 'x': expected 1 element as in the arrays before, but got 2 "
      "at [1][1]");
  EXPECT_EQ(tensorMessage(AMPRT_F32, {open, open}, "[[],[1]]"),
            "field 'x': expected 0 elements as in the arrays before, but got 1 "
            "at [1]");
}

TEST(JsonLinesErrors, Members) {
  Fields fields;
  fields.scalar("x", AMPRT_I32);
  EXPECT_EQ(messageOf(fields, "{}"), "field 'x' is missing");
  EXPECT_EQ(messageOf(fields, R"({"x":1,"x":2})"), "field 'x': is there twice");
  EXPECT_EQ(messageOf(fields, R"({"x":1,"y":2})", /*strict=*/true),
            "the model has no field 'y'");
}

TEST(JsonLinesErrors, NotAnInstance) {
  Fields fields;
  fields.scalar("x", AMPRT_I32);
  const std::string expected =
      "expected an object with the instance's fields, but got ";
  EXPECT_EQ(messageOf(fields, "[1]"), expected + "an array");
  EXPECT_EQ(messageOf(fields, "1"), expected + "a number");
  EXPECT_EQ(messageOf(fields, "-1.5"), expected + "a number");
  EXPECT_EQ(messageOf(fields, "\"s\""), expected + "\"s\"");
  EXPECT_EQ(messageOf(fields, "null"), expected + "null");
  EXPECT_EQ(messageOf(fields, "true"), expected + "true");
}

TEST(JsonLinesErrors, NotJson) {
  Fields fields;
  fields.scalar("x", AMPRT_I32);
  EXPECT_EQ(messageOf(fields, "{\"x\":1"),
            "not valid JSON at byte 7: object - unexpected end of input; "
            "expected '}'");
  EXPECT_EQ(messageOf(fields, "{\"x\":NaN}"),
            "field 'x': not valid JSON at byte 6: value - invalid literal; "
            "last read: '\"x\":N' (JSON has no NaN or Infinity)");
  EXPECT_EQ(messageOf(fields, "{\"x\":1} {"),
            "not valid JSON at byte 9: value - unexpected '{'; expected end of "
            "input");
  EXPECT_EQ(messageOf(fields, std::string("{\"x\":1}\0", 8)),
            "not valid JSON at byte 8: a NUL byte");
  EXPECT_EQ(messageOf(fields, ""), "not valid JSON at byte 1: value - "
                                   "unexpected end of input; expected '[', "
                                   "'{', or a literal");
  EXPECT_NE(messageOf(fields, "{\"\xff\":1}").find("invalid string"),
            std::string::npos);
}

} // namespace
