//===- VectorTarget.h - What generated products are made for ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_VECTORTARGET_H
#define AMP_CONVERSION_VECTORTARGET_H

#include <cstdint>

namespace amp {

/// Who multiplies rows by parameters. `automatic` follows a rule that
/// `tools/dev.sh bench` supports: generated kernels where vectors have 8 lanes
/// or more; the library, which looks at the processor when it runs, where the
/// code is for a processor with less.
enum class Gemm { automatic, generated, library };

/// The vector unit that generated products are shaped for.
struct VectorTarget {
  int64_t lanes = 8;      ///< f32 elements of a register.
  int64_t registers = 16; ///< Vector registers.
  bool generate = true;   ///< Else all products are the library's.
};

} // namespace amp

#endif // AMP_CONVERSION_VECTORTARGET_H
