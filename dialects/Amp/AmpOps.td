//===- AmpOps.td - Umbrella of the amp dialect -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_OPS_TD
#define AMP_OPS_TD

include "Amp/AmpAttrs.td"
include "Amp/AmpTypes.td"
include "Amp/AmpTensorOps.td"
include "Amp/AmpRowOps.td"
include "Amp/AmpListOps.td"
include "Amp/AmpStructureOps.td"
include "Amp/AmpNodeOps.td"
include "Amp/AmpGradientOps.td"

#endif // AMP_OPS_TD
