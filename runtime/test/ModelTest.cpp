//===- ModelTest.cpp - Models and weights ---------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "core/Initialise.h"
#include "io/Safetensors.h"
#include "models/Control.h"
#include "models/Rows.h"

#include <cmath>
#include <cstdio>
#include <fstream>

using namespace amprt;
using namespace models;

TEST(ModelTest, OtherVersion) {
  amprt_model_t other = loopModel();
  other.abi_version = AMPRT_ABI_VERSION + 1;
  EXPECT_STATUS(Model::linked(other).status(), StatusCode::failedPrecondition,
                "compiled for version " +
                    std::to_string(AMPRT_ABI_VERSION + 1));
  other.magic = 5;
  EXPECT_STATUS(Model::linked(other).status(), StatusCode::failedPrecondition,
                "not a model made by ampc");
}

// No processor of today has XOP and AVX-512.
TEST(ModelTest, OtherProcessors) {
  amprt_model_t plain = loopModel(), other = plain, unknown = plain;
  plain.target = "any";
  other.features = "xop avx512f ";
  other.target = "a chimera";
  unknown.features = "telepathy ";
  unknown.target = "the next one";
  unknown.next = &other;
  EXPECT_STATUS(Model::linked(unknown).status(), StatusCode::failedPrecondition,
                "for the next one, and this processor lacks telepathy; for a "
                "chimera, and this processor lacks xop");
  other.next = &plain;
  auto chosen = Model::linked(unknown);
  ASSERT_TRUE(chosen.ok()) << chosen.status().message();
  EXPECT_EQ(&chosen->descriptor(), &plain);
  unknown.features = nullptr;
  EXPECT_EQ(&Model::linked(unknown)->descriptor(), &unknown);
}

TEST(ModelTest, SharedLibrary) {
  EXPECT_STATUS(Model::load("./no-such-model.so").status(),
                StatusCode::notFound, "no-such-model.so");
  EXPECT_STATUS(Model::load("libm.so.6").status(), StatusCode::notFound,
                "no symbol 'amprt_model'");
  std::future<Result> future;
  std::unique_ptr<Session> session;
  {
    auto model = Model::load(AMPRT_TEST_LIBRARY);
    ASSERT_TRUE(model.ok()) << model.status().message();
    auto weights = Weights::load(*model, "", {});
    auto created = Session::create(*model, *weights, {});
    ASSERT_TRUE(created.ok());
    session = std::move(*created);
  } // The session alone keeps the library loaded.
  EXPECT_EQ(integer(session->submit(loopFields({1, 2, 3})).get(), "last"), 18);
}

namespace {
class WeightsTest : public testing::Test {
protected:
  void TearDown() override { std::remove(path.c_str()); }

  Expected<Weights> load(const std::vector<NamedTensor> &tensors,
                         const amprt_model_t &descriptor = productModel()) {
    Status written = writeSafetensors(path, tensors);
    EXPECT_TRUE(written.ok()) << written.message();
    return Weights::load(*Model::linked(descriptor), path, {});
  }

  std::string path =
      testing::TempDir() + "amprt-weights-" +
      testing::UnitTest::GetInstance()->current_test_info()->name() +
      ".safetensors";
  Tensor a{AMPRT_F32, {24, 40}}, b{AMPRT_F32, {40, 24}},
      table{AMPRT_F32, {7, 24}};
};
} // namespace

TEST_F(WeightsTest, FromFile) {
  static_cast<float *>(b.data())[5] = 3;
  auto weights = load({{"table", &table}, {"B", &b}, {"A", &a}, {"other", &a}});
  ASSERT_TRUE(weights.ok()) << weights.status().message();
  ASSERT_EQ(weights->tensors().size(), 3u);
  EXPECT_EQ(weights->tensors()[1].at(5), 3);
  EXPECT_EQ(weights->tensors()[2].dims()[0], 7);
  EXPECT_TRUE(weights->initialised().empty());
  EXPECT_EQ(weights->unused(), std::vector<std::string>{"other"});
}

TEST_F(WeightsTest, PartlyFromFile) {
  auto weights = load({{"table", &table}, {"A", &a}});
  ASSERT_TRUE(weights.ok()) << weights.status().message();
  EXPECT_EQ(weights->initialised(), std::vector<std::string>{"B"});
  // B is as it would be if all were initialised.
  auto all = Weights::load(*Model::linked(closedProductModel()), "", {});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(std::memcmp(weights->tensors()[1].data(), all->tensors()[1].data(),
                        b.byteCount()),
            0);
  auto other = Weights::load(*Model::linked(closedProductModel()), "", {2});
  EXPECT_NE(std::memcmp(other->tensors()[1].data(), all->tensors()[1].data(),
                        b.byteCount()),
            0);
}

TEST_F(WeightsTest, OpenSizeNeedsAFile) {
  EXPECT_STATUS(
      Weights::load(*Model::linked(productModel()), "", {}).status(),
      StatusCode::invalidArgument,
      "parameter 'table' (tensor<?x24xf32>) must be in the weights' file");
}

TEST_F(WeightsTest, WrongShapeOrType) {
  Tensor wide(AMPRT_F32, {24, 41}), doubles(AMPRT_F64, {24, 40}),
      flat(AMPRT_F32, {960}), narrow(AMPRT_F32, {7, 23});
  auto wrong = StatusCode::invalidArgument;
  EXPECT_STATUS(load({{"A", &wide}, {"table", &table}}).status(), wrong,
                "parameter 'A' must be tensor<24x40xf32> (F32), but the file "
                "has F32 [24, 41]");
  EXPECT_STATUS(load({{"A", &doubles}, {"table", &table}}).status(), wrong,
                "but the file has F64 [24, 40]");
  EXPECT_STATUS(load({{"A", &flat}, {"table", &table}}).status(), wrong,
                "but the file has F32 [960]");
  EXPECT_STATUS(load({{"table", &narrow}}).status(), wrong,
                "parameter 'table' must be tensor<?x24xf32>");
}

TEST_F(WeightsTest, NoFile) {
  auto model = Model::linked(productModel());
  EXPECT_STATUS(Weights::load(*model, "/no/such.safetensors", {}).status(),
                StatusCode::notFound, "/no/such.safetensors");
  std::ofstream(path) << "not safetensors";
  EXPECT_STATUS(Weights::load(*model, path, {}).status(),
                StatusCode::invalidArgument, path);
}

TEST_F(WeightsTest, OfAnotherModel) {
  auto weights = Weights::load(*Model::linked(loopModel()), "", {});
  EXPECT_STATUS(
      Session::create(*Model::linked(productModel()), *weights, {}).status(),
      StatusCode::failedPrecondition, "weights of another model");
}

// The numbers come from a Python program that follows Initialise.h.
TEST(InitialiseTest, ValuesAreAsDocumented) {
  float values[5];
  InitialValues uniform{AMPRT_INIT_UNIFORM, -1, 1, 1, 1};
  initialise(values, 5, uniform, 1, "emb");
  const float expectedUniform[] = {-0.882878602f, -0.0510917008f, -0.108610086f,
                                   0.245612264f, 0.436264396f};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(values[i], expectedUniform[i]) << i;
  InitialValues normal{AMPRT_INIT_NORMAL, 0.5, 2, 1, 1};
  double doubles[5];
  initialise(doubles, 5, normal, 42, "U");
  const double expectedNormal[] = {-3.0026450667457865, -2.3093310845848825,
                                   3.9593909207936742, 0.23892732477111561,
                                   2.3383566999681342};
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(doubles[i], expectedNormal[i], 1e-13) << i;
}

TEST(InitialiseTest, Distributions) {
  constexpr int64_t count = 200000;
  std::vector<float> values(count);
  auto moments = [&] {
    double sum = 0, squares = 0;
    for (float value : values) {
      sum += value;
      squares += double(value) * value;
    }
    return std::make_pair(sum / count, squares / count);
  };
  initialise(values.data(), count, {AMPRT_INIT_NORMAL, 0, 0.1, 1, 1}, 1, "n");
  EXPECT_NEAR(moments().first, 0, 1e-3);
  EXPECT_NEAR(moments().second, 0.01, 1e-4);
  initialise(values.data(), count, {AMPRT_INIT_GLOROT, 0, 0, 100, 50}, 1, "g");
  for (float value : values) {
    EXPECT_GE(value, -0.2f);
    EXPECT_LT(value, 0.2f);
  }
  EXPECT_NEAR(moments().second, 0.04 / 3, 2e-4);
  initialise(values.data(), count, {AMPRT_INIT_CONSTANT, 3, 0, 1, 1}, 1, "c");
  EXPECT_EQ(moments(), std::make_pair(3.0, 9.0));
}

/// A bf16 or f16 is the f32 of its place, rounded.
TEST(InitialiseTest, HalfPrecision) {
  static constexpr int64_t dims[] = {1000};
  auto parameter = [](amprt_dtype_t dtype, double b) {
    amprt_param_desc_t param = {
        "p", tensor(dtype, 1, dims), AMPRT_INIT_UNIFORM, 0, 0, b};
    return initialParameter(param, 1);
  };
  auto f32 = parameter(AMPRT_F32, 3), bf16 = parameter(AMPRT_BF16, 3),
       f16 = parameter(AMPRT_F16, 3);
  ASSERT_TRUE(f32.ok() && bf16.ok() && f16.ok());
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_NEAR(bf16->at(i), f32->at(i), f32->at(i) * 0x1p-8);
    EXPECT_NEAR(f16->at(i), f32->at(i), f32->at(i) * 0x1p-11 + 0x1p-25);
  }
  EXPECT_STATUS(parameter(AMPRT_F16, 1e6).status(),
                StatusCode::failedPrecondition,
                "an initial value that its element type cannot hold");
}

/// Also that a parameter with one matrix may have two dimensions or three.
TEST(SessionTest, ProductsThatDoNotFit) {
  static constexpr int64_t flat[] = {3, 4}, deep[] = {2, 3, 4},
                           single[] = {1, 3, 4};
  auto statusOf = [](amprt_linear_desc_t linear, amprt_type_t type) {
    amprt_param_desc_t param = {"W", type, AMPRT_INIT_ZEROS, 0, 0, 0};
    amprt_model_t made = emptyModel("unfit");
    static const amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    made.params = &param;
    made.param_count = 1;
    made.linears = &linear;
    made.linear_count = 1;
    auto model = Model::linked(made);
    return Session::create(*model, *Weights::load(*model, "", {}), {});
  };
  EXPECT_TRUE(statusOf({0, 1, 3, 4, 0, 0}, tensor(AMPRT_F32, 2, flat)).ok());
  EXPECT_TRUE(statusOf({0, 1, 3, 4, 0, 0}, tensor(AMPRT_F16, 3, single)).ok());
  EXPECT_TRUE(statusOf({0, 2, 3, 4, 0, 0}, tensor(AMPRT_BF16, 3, deep)).ok());
  EXPECT_TRUE(statusOf({0, 1, 4, 3, 1, 0}, tensor(AMPRT_F32, 2, flat)).ok());
  EXPECT_TRUE(statusOf({0, 2, 4, 3, 1, 0}, tensor(AMPRT_F32, 3, deep)).ok());
  auto unfit = StatusCode::failedPrecondition;
  EXPECT_STATUS(
      statusOf({0, 3, 3, 4, 0, 0}, tensor(AMPRT_F32, 3, deep)).status(), unfit,
      "of type tensor<3x3x4xf32>, or of bf16 or f16");
  EXPECT_STATUS(
      statusOf({0, 0, 3, 4, 0, 0}, tensor(AMPRT_F32, 2, flat)).status(), unfit,
      "product 0");
  EXPECT_STATUS(
      statusOf({0, 1, 3, 4, 0, 0}, tensor(AMPRT_F64, 2, flat)).status(), unfit,
      "of type tensor<3x4xf32>");
  EXPECT_STATUS(
      statusOf({1, 1, 3, 4, 0, 0}, tensor(AMPRT_F32, 2, flat)).status(), unfit,
      "product 0");
}

TEST(TensorTest, ElementsOfAllTypes) {
  auto first = [](amprt_dtype_t dtype, uint64_t bits) {
    Tensor tensor(dtype, {1});
    std::memcpy(tensor.data(), &bits, tensor.byteCount());
    return tensor.at(0);
  };
  EXPECT_EQ(first(AMPRT_F16, 0x3c00), 1);
  EXPECT_EQ(first(AMPRT_F16, 0xc100), -2.5);
  EXPECT_EQ(first(AMPRT_F16, 0x0001), std::ldexp(1, -24));
  EXPECT_EQ(first(AMPRT_F16, 0x7c00), HUGE_VAL);
  EXPECT_TRUE(std::isnan(first(AMPRT_F16, 0x7e00)));
  EXPECT_EQ(first(AMPRT_BF16, 0x3fc0), 1.5);
  EXPECT_EQ(first(AMPRT_I32, 0xffffffff), -1);
  EXPECT_EQ(first(AMPRT_I1, 1), 1);
  EXPECT_EQ(Tensor().elementCount(), 0);
  EXPECT_EQ(Tensor(AMPRT_F32, {}).elementCount(), 1);
  EXPECT_EQ(Tensor(AMPRT_F32, {3, 0, int64_t(1) << 40}).elementCount(), 0);
}
