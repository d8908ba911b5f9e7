//===- JsonResultsTest.cpp - Results to JSON Lines, and back --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/JsonResults.h"
#include "TestFields.h"
#include "io/JsonLines.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace amprt;
using amprt::test::Fields;

namespace {

const int64_t open = AMPRT_DYNAMIC;

template <typename T>
Tensor tensorOf(amprt_dtype_t dtype, std::vector<int64_t> dims,
                const std::vector<T> &values) {
  Tensor tensor(dtype, std::move(dims));
  EXPECT_EQ(tensor.byteCount(), values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(tensor.data(), values.data(), tensor.byteCount());
  return tensor;
}

std::string lineOf(const Fields &results, const Values &values) {
  std::string line;
  std::vector<std::string> notFinite;
  appendResultLine(line, results.data(), results.size(), values, notFinite);
  EXPECT_TRUE(notFinite.empty());
  return line;
}

TEST(JsonResults, WritesEveryKindInTheModelsOrder) {
  Fields results;
  results.tensor("z", AMPRT_F32, {open, 2})
      .scalar("a", AMPRT_I64)
      .tensor("m", AMPRT_I1, {2})
      .tensor("i", AMPRT_I32, {open})
      .scalar("d", AMPRT_F64)
      .tensor("h", AMPRT_BF16, {1})
      .tensor("e", AMPRT_F32, {2, 0});
  Values values;
  values["z"] = tensorOf<float>(AMPRT_F32, {2, 2}, {1, 0.1f, -0.0f, 1e20f});
  values["a"] = tensorOf<int64_t>(AMPRT_I64, {}, {INT64_MIN});
  values["m"] = tensorOf<unsigned char>(AMPRT_I1, {2}, {1, 0});
  values["i"] = tensorOf<int32_t>(AMPRT_I32, {2}, {-1, 7});
  values["d"] = tensorOf<double>(AMPRT_F64, {}, {0.1});
  values["h"] = tensorOf<uint16_t>(AMPRT_BF16, {1}, {0x3fc0});
  values["e"] = Tensor(AMPRT_F32, {2, 0});
  EXPECT_EQ(lineOf(results, values),
            R"({"z":[[1.0,0.1],[-0.0,1e+20]],"a":-9223372036854775808,)"
            R"("m":[true,false],"i":[-1,7],"d":0.1,"h":[1.5],"e":[[],[]]})"
            "\n");
}

TEST(JsonResults, NotFiniteIsNullAndNamed) {
  Fields results;
  results.tensor("x", AMPRT_F32, {open}).scalar("y", AMPRT_F64);
  Values values;
  float infinity = std::numeric_limits<float>::infinity();
  values["x"] = tensorOf<float>(AMPRT_F32, {4}, {NAN, infinity, -infinity, 1});
  values["y"] = tensorOf<double>(AMPRT_F64, {}, {2});
  std::string line;
  std::vector<std::string> notFinite;
  appendResultLine(line, results.data(), results.size(), values, notFinite);
  EXPECT_EQ(line, "{\"x\":[null,null,null,1.0],\"y\":2.0}\n");
  EXPECT_EQ(notFinite, std::vector<std::string>{"x"});
}

TEST(JsonResults, ErrorsAreEscaped) {
  std::string line;
  appendErrorLine(line, "a \"b\"\n\xff");
  EXPECT_EQ(line, "{\"error\":\"a \\\"b\\\"\\n\xEF\xBF\xBD\"}\n");
}

/// Property: what is written reads back bit for bit.
TEST(JsonResults, RandomBitsRoundTrip) {
  Fields fields;
  fields.tensor("f", AMPRT_F32, {open}).tensor("d", AMPRT_F64, {open});
  InstanceParser parser(fields.data(), fields.size());
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> floats;
    std::vector<double> doubles;
    while (floats.size() < 1000) {
      uint64_t bits = random();
      float f;
      double d;
      std::memcpy(&f, &bits, sizeof f);
      std::memcpy(&d, &bits, sizeof d);
      if (std::isfinite(f) && std::isfinite(d)) {
        floats.push_back(f);
        doubles.push_back(d);
      }
    }
    Values values;
    values["f"] = tensorOf(AMPRT_F32, {1000}, floats);
    values["d"] = tensorOf(AMPRT_F64, {1000}, doubles);
    Expected<Values> back = parser.parse(lineOf(fields, values));
    ASSERT_TRUE(back.ok()) << back.status().message();
    ASSERT_EQ(std::memcmp((*back)["f"].data(), floats.data(), 4000), 0);
    ASSERT_EQ(std::memcmp((*back)["d"].data(), doubles.data(), 8000), 0);
  }
}

} // namespace
