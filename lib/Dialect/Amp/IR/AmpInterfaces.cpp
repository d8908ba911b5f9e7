//===- AmpInterfaces.cpp - Interfaces of the amp dialect -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.cpp.inc"
