//===- OutputFile.cpp - Files that are written whole ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

Error amp::writeFile(StringRef path, sys::fs::OpenFlags flags,
                     function_ref<Error(raw_pwrite_stream &)> write) {
  // Whole in memory first: the code generator seeks, which a pipe cannot, and a
  // failure leaves what was there.
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  if (Error error = write(stream))
    return error;
  auto cannotWrite = [&](std::error_code reason) {
    return createStringError("cannot write '" + path +
                             "': " + reason.message());
  };
  std::error_code error;
  ToolOutputFile file(path, error, flags);
  if (error)
    return cannotWrite(error);
  file.os().write(buffer.data(), buffer.size());
  file.os().flush();
  if (file.os().has_error()) {
    error = file.os().error();
    file.os().clear_error();
    return cannotWrite(error);
  }
  file.keep();
  return Error::success();
}
