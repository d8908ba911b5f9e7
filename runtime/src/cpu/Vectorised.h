//===- Vectorised.h - Loops compiled for several vector widths --*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_VECTORISED_H
#define AMPRT_SRC_CPU_VECTORISED_H

namespace amprt {

/// For the call operator of what `vectorised` runs.
#define AMPRT_ALWAYS_INLINE __attribute__((always_inline)) inline

#if defined(__x86_64__)
namespace detail {
template <typename Body, typename... Args>
__attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma"))) void
runAvx512(Args... args) {
  Body()(args...);
}
template <typename Body, typename... Args>
__attribute__((target("avx2,fma"))) void runAvx2(Args... args) {
  Body()(args...);
}
} // namespace detail
#endif

/// Calls `Body()(args...)`, compiled for the widest vectors that this processor
/// has. Its results may differ in the last bit from processor to processor. Not
/// by the compiler's own multiversioning, whose resolvers run before a
/// sanitizer is ready.
template <typename Body, typename... Args> void vectorised(Args... args) {
#if defined(__x86_64__)
  static const bool hasAvx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  static const bool hasAvx512 = hasAvx2 && __builtin_cpu_supports("avx512f") &&
                                __builtin_cpu_supports("avx512vl") &&
                                __builtin_cpu_supports("avx512dq");
  if (hasAvx512)
    return detail::runAvx512<Body, Args...>(args...);
  if (hasAvx2)
    return detail::runAvx2<Body, Args...>(args...);
#endif
  Body()(args...);
}

} // namespace amprt

#endif // AMPRT_SRC_CPU_VECTORISED_H
