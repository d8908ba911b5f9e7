//===- Initialise.cpp - Initial values of parameters ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Initialise.h"

#include "core/SplitMix.h"
#include "core/Types.h"
#include "io/Element.h"

#include <cmath>
#include <string>
#include <vector>

namespace amprt {

static constexpr double pi = 3.14159265358979323846;

namespace {
/// u(i) of one parameter.
class Uniform {
public:
  Uniform(uint64_t seed, std::string_view name) : start(0xcbf29ce484222325u) {
    for (unsigned char c : name)
      start = (start ^ c) * 0x100000001b3u;
    start ^= mixBits(seed + goldenRatio);
  }
  double operator()(uint64_t i) const {
    return double(mixBits(start + (i + 1) * goldenRatio) >> 11) * 0x1p-53;
  }

private:
  uint64_t start;
};
} // namespace

template <typename T>
static void fillUniform(T *out, int64_t count, double a, double b,
                        const Uniform &u) {
  for (int64_t i = 0; i < count; ++i) {
    T value = T(a + (b - a) * u(uint64_t(i)));
    if (value >= T(b) && a < b)
      value = std::nextafter(T(b), T(a));
    out[i] = value;
  }
}

template <typename T>
static void fillNormal(T *out, int64_t count, double mean, double deviation,
                       const Uniform &u) {
  for (int64_t i = 0; i < count; i += 2) {
    double radius = std::sqrt(-2 * std::log(1 - u(uint64_t(i))));
    double angle = 2 * pi * u(uint64_t(i) + 1);
    out[i] = T(mean + deviation * radius * std::cos(angle));
    if (i + 1 < count)
      out[i + 1] = T(mean + deviation * radius * std::sin(angle));
  }
}

template <typename T>
static void fill(T *out, int64_t count, const InitialValues &values,
                 uint64_t seed, std::string_view name) {
  Uniform u(seed, name);
  switch (values.kind) {
  case AMPRT_INIT_ZEROS:
    for (int64_t i = 0; i < count; ++i)
      out[i] = T(0);
    return;
  case AMPRT_INIT_CONSTANT:
    for (int64_t i = 0; i < count; ++i)
      out[i] = T(values.a);
    return;
  case AMPRT_INIT_UNIFORM:
    return fillUniform(out, count, values.a, values.b, u);
  case AMPRT_INIT_NORMAL:
    return fillNormal(out, count, values.a, values.b, u);
  case AMPRT_INIT_GLOROT: {
    double bound =
        std::sqrt(6.0 / (double(values.rows) + double(values.columns)));
    return fillUniform(out, count, -bound, bound, u);
  }
  }
}

void initialise(float *out, int64_t count, const InitialValues &values,
                uint64_t seed, std::string_view name) {
  fill(out, count, values, seed, name);
}

void initialise(double *out, int64_t count, const InitialValues &values,
                uint64_t seed, std::string_view name) {
  fill(out, count, values, seed, name);
}

/// Rounds f32 elements to bf16 or f16. False if one becomes infinite.
static bool initialiseHalf(Tensor &tensor, const InitialValues &values,
                           uint64_t seed, std::string_view name) {
  std::vector<float> wide(size_t(tensor.elementCount()));
  initialise(wide.data(), int64_t(wide.size()), values, seed, name);
  auto *to = static_cast<unsigned char *>(tensor.data());
  for (float value : wide) {
    if (!storeFloat(tensor.dtype(), double(value), {}, to))
      return false;
    to += sizeof(uint16_t);
  }
  return true;
}

static bool isKnown(uint32_t kind) { return kind <= AMPRT_INIT_GLOROT; }

Expected<Tensor> initialParameter(const amprt_param_desc_t &param,
                                  uint64_t seed) {
  std::vector<int64_t> dims;
  for (int32_t i = 0; i < param.type.rank; ++i)
    dims.push_back(param.type.dims[i]);
  auto failure = [&](const char *what) {
    return Status(StatusCode::failedPrecondition,
                  "parameter '" + std::string(param.name) + "' (" +
                      describeType(param.type) + ") " + what);
  };
  size_t bytes;
  if (!byteSize(dims.data(), dims.size(),
                elementBytes(amprt_dtype_t(param.type.dtype)), bytes))
    return failure("has no initial value: its size is open or too large");
  if (!isKnown(param.init))
    return failure("has an unknown kind of initial value");

  InitialValues values;
  values.kind = amprt_init_t(param.init);
  values.a = param.a;
  values.b = param.b;
  if (!dims.empty())
    values.columns = dims.back();
  if (dims.size() > 1)
    values.rows = dims[dims.size() - 2];

  Tensor tensor(amprt_dtype_t(param.type.dtype), std::move(dims));
  int64_t count = tensor.elementCount();
  if (tensor.dtype() == AMPRT_F32)
    initialise(static_cast<float *>(tensor.data()), count, values, seed,
               param.name);
  else if (tensor.dtype() == AMPRT_F64)
    initialise(static_cast<double *>(tensor.data()), count, values, seed,
               param.name);
  else if (tensor.dtype() == AMPRT_BF16 || tensor.dtype() == AMPRT_F16) {
    if (!initialiseHalf(tensor, values, seed, param.name))
      return failure("has an initial value that its element type cannot hold");
  } else if (values.kind != AMPRT_INIT_ZEROS) // Zero is what it holds already.
    return failure("has no initial value of that kind for its element type");
  return tensor;
}

} // namespace amprt
