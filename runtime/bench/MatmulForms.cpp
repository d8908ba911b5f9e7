//===- MatmulForms.cpp - Forms of a product by oneDNN ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rivals of what the library does; they need more of oneDNN than it, and are
// written for 2.x and 3.x.
//
//===----------------------------------------------------------------------===//

#include "MatmulForms.h"

#include <dnnl.hpp>

#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace {
struct Primitive {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::matmul matmul;
  dnnl::memory weights, x, y;
  std::vector<float> paddedX, paddedY;
};
} // namespace

static dnnl::matmul::primitive_desc describeMatmul(const dnnl::memory::desc &x,
                                                   const dnnl::memory::desc &w,
                                                   const dnnl::memory::desc &y,
                                                   const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, x, w, y};
#else
  return {dnnl::matmul::desc(x, w, y), engine};
#endif
}

static std::shared_ptr<Primitive> makePrimitive(const float *w, int64_t k,
                                                int64_t n, int64_t rows) {
  using Memory = dnnl::memory;
  auto f32 = Memory::data_type::f32;
  auto dense = Memory::format_tag::ab;
  auto made = std::make_shared<Primitive>();
  Memory::desc x({rows, k}, f32, dense), y({rows, n}, f32, dense);
  auto description = describeMatmul(x, {{k, n}, f32, Memory::format_tag::any},
                                    y, made->engine);
  made->matmul = dnnl::matmul(description);
  Memory plain({{k, n}, f32, dense}, made->engine, const_cast<float *>(w));
  made->weights = Memory(description.weights_desc(), made->engine);
  dnnl::reorder(plain, made->weights)
      .execute(made->stream, plain, made->weights);
  made->x = Memory(x, made->engine, nullptr);
  made->y = Memory(y, made->engine, nullptr);
  return made;
}

static void execute(Primitive &primitive, const float *x, float *y) {
  primitive.x.set_data_handle(const_cast<float *>(x));
  primitive.y.set_data_handle(y);
  primitive.matmul.execute(primitive.stream,
                           {{DNNL_ARG_SRC, primitive.x},
                            {DNNL_ARG_WEIGHTS, primitive.weights},
                            {DNNL_ARG_DST, primitive.y}});
}

std::function<void(const float *, float *)> prepareMatmul(MatmulForm form,
                                                          const float *w,
                                                          int64_t k, int64_t n,
                                                          int64_t rows) {
  switch (form) {
  case MatmulForm::sgemm:
    return [=](const float *x, float *y) {
      dnnl_sgemm('N', 'N', rows, n, k, 1, x, k, w, n, 0, y, n);
    };
  case MatmulForm::paddedSgemm: {
    int64_t stride = (((n + 15) / 16) | 1) * 16;
    auto copy = std::make_shared<std::vector<float>>(size_t(k * stride + 16));
    float *start = copy->data();
    start += (-reinterpret_cast<uintptr_t>(start) & 63) / sizeof(float);
    for (int64_t i = 0; i < k; ++i)
      std::memcpy(start + i * stride, w + i * n, size_t(n) * sizeof(float));
    return [=](const float *x, float *y) {
      (void)copy; // Owns what `start` points to.
      dnnl_sgemm('N', 'N', rows, n, k, 1, x, k, start, stride, 0, y, n);
    };
  }
  case MatmulForm::exactMatmul: {
    auto primitive = makePrimitive(w, k, n, rows);
    return [=](const float *x, float *y) { execute(*primitive, x, y); };
  }
  case MatmulForm::bucketMatmul: {
    int64_t bucket = 1;
    while (bucket < rows)
      bucket *= 2;
    auto primitive = makePrimitive(w, k, n, bucket);
    primitive->paddedX.resize(size_t(bucket * k));
    primitive->paddedY.resize(size_t(bucket * n));
    return [=](const float *x, float *y) {
      if (bucket == rows)
        return execute(*primitive, x, y);
      std::memcpy(primitive->paddedX.data(), x,
                  size_t(rows * k) * sizeof(float));
      execute(*primitive, primitive->paddedX.data(), primitive->paddedY.data());
      std::memcpy(y, primitive->paddedY.data(),
                  size_t(rows * n) * sizeof(float));
    };
  }
  }
  return {};
}
