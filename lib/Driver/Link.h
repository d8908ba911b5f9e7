//===- Link.h - Objects to programs and libraries ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_LINK_H
#define AMP_LIB_DRIVER_LINK_H

#include "llvm/Support/Error.h"

#include <string>

namespace amp {

struct LinkOptions {
  std::string objectPath, outputPath;
  bool shared = false;
  std::string runtimeDir; ///< Holds amprt.link and what it names.
  std::string linker;     ///< See DriverOptions.
  bool verbose = false;
};

/// Runs the C++ compiler driver on the object and, for a program, the runtime's
/// libraries. Which these are stands in `amprt.link`, which the build writes.
llvm::Error link(const LinkOptions &options);

/// The directory of the runtime that belongs to this compiler: ../lib beside it.
std::string defaultRuntimeDir(const std::string &programPath);

} // namespace amp

#endif // AMP_LIB_DRIVER_LINK_H
