//===- OutputFile.h - Files that are written whole --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_OUTPUTFILE_H
#define AMP_LIB_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

namespace llvm {
class raw_pwrite_stream;
}

namespace amp {

/// Writes what `write` gives to the file ("-": standard output), if it
/// succeeds: a failure leaves what was there. The error names the file.
llvm::Error
writeFile(llvm::StringRef path, llvm::sys::fs::OpenFlags flags,
          llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> write);

} // namespace amp

#endif // AMP_LIB_DRIVER_OUTPUTFILE_H
