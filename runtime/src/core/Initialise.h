//===- Initialise.h - Initial values of parameters --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The generator, so that a reference interpreter can produce the same values.
// All arithmetic on uint64_t wraps.
//
//   hash(name)  = FNV-1a, 64 bit: h = 0xcbf29ce484222325; for each byte c of
//                 the name: h = (h ^ c) * 0x100000001b3
//   start       = hash(name) ^ mix(seed + 0x9e3779b97f4a7c15)
//   bits(i)     = mix(start + (i + 1) * 0x9e3779b97f4a7c15)
//   mix(z)      : z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
//                 z = (z ^ z >> 27) * 0x94d049bb133111eb; z ^ z >> 31
//   u(i)        = (bits(i) >> 11) * 2^-53, a double in [0, 1)
//
// That is splitmix64, started from the name and the seed. It is a function of
// the element's number alone, so NumPy can do it for a whole array at once.
// Element i, row-major, computed in double and rounded once to its type:
//
//   uniform     a + (b - a) * u(i); if that rounds to b, the next value towards
//   a glorot      uniform with b = sqrt(6 / (rows + columns)), a = -b; rows and
//               columns are the last two dimensions, 1 where there is none
//   normal      Box-Muller over the pair p = i - i % 2:
//               r = sqrt(-2 * log(1 - u(p))), t = 2 pi * u(p + 1);
//               a + b * r * cos(t) for even i, a + b * r * sin(t) for odd i
//
// A bf16 or f16 is the f32 of its place, rounded once more, to nearest even.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_INITIALISE_H
#define AMPRT_SRC_CORE_INITIALISE_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "amprt/tensor.h"

#include <cstdint>
#include <string_view>

namespace amprt {

/// How to fill a parameter; as in amprt_param_desc.
struct InitialValues {
  amprt_init_t kind = AMPRT_INIT_ZEROS;
  double a = 0, b = 0;
  int64_t rows = 1, columns = 1; ///< For glorot.
};

/// Fills `count` elements at `out`. Thread-safe; no state.
void initialise(float *out, int64_t count, const InitialValues &values,
                uint64_t seed, std::string_view name);
void initialise(double *out, int64_t count, const InitialValues &values,
                uint64_t seed, std::string_view name);

/// A parameter without a file: all of its dimensions are fixed.
/// Statuses: failedPrecondition (a type or kind that has no initial values).
Expected<Tensor> initialParameter(const amprt_param_desc_t &param,
                                  uint64_t seed);

} // namespace amprt

#endif // AMPRT_SRC_CORE_INITIALISE_H
