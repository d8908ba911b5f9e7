//===- WidenFloats.cpp - All floats as f64 ---------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {
#define GEN_PASS_DEF_WIDENFLOATSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;

namespace {
struct WidenFloats : amp::impl::WidenFloatsPassBase<WidenFloats> {
  void runOnOperation() override {
    Type wide = Float64Type::get(&getContext());
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](FloatType) { return wide; });
    replacer.addReplacement([=](FloatAttr number) -> Attribute {
      return FloatAttr::get(wide, number.getValueAsDouble());
    });
    replacer.addReplacement(
        [=](DenseElementsAttr elements)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!isa<FloatType>(elements.getElementType()))
            return std::nullopt;
          return std::pair<Attribute, WalkResult>(
              elements.mapValues(wide,
                                 [](const APFloat &value) {
                                   bool lost;
                                   APFloat wider = value;
                                   wider.convert(APFloat::IEEEdouble(),
                                                 APFloat::rmNearestTiesToEven,
                                                 &lost);
                                   return wider.bitcastToAPInt();
                                 }),
              WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    // Conversions between widths have nothing to do any more.
    getOperation().walk([](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
    });
  }
};
} // namespace
