//===- FuseMultiplyAdd.cpp - a * b + c in one rounding --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusing changes the last bit, so where it happens is decided here, once, for the
// scalar op. The code generator's own choice could differ between the vector body
// of a loop and its remainder; then a row's bits would depend on its place in the
// batch, which the semantics forbid (batch invariance). So LLVM is told not to
// fuse by itself.
//
//===----------------------------------------------------------------------===//

#include "FuseMultiplyAdd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// The product that `value` is, if nothing else reads it.
arith::MulFOp fusibleProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  return product && product->hasOneUse() ? product : arith::MulFOp();
}

struct FuseMultiplyAdd
    : PassWrapper<FuseMultiplyAdd, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseMultiplyAdd)

  StringRef getArgument() const override { return "amp-fuse-multiply-add"; }
  StringRef getDescription() const override {
    return "turns a product and an addition into math.fma";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](arith::AddFOp sum) {
      Type element = getElementTypeOrSelf(sum.getType());
      if (!element.isF32() && !element.isF64())
        return; // narrower types are computed in f32
      Value addend = sum.getRhs();
      arith::MulFOp product = fusibleProduct(sum.getLhs());
      if (!product) {
        product = fusibleProduct(sum.getRhs());
        addend = sum.getLhs();
      }
      if (!product || product->getBlock() != sum->getBlock())
        return;
      OpBuilder builder(sum);
      Value fused = math::FmaOp::create(builder, sum.getLoc(), product.getLhs(),
                                        product.getRhs(), addend);
      sum.replaceAllUsesWith(fused);
      sum.erase();
      product.erase();
    });
  }
};

} // namespace

std::unique_ptr<Pass> amp::createFuseMultiplyAddPass() {
  return std::make_unique<FuseMultiplyAdd>();
}
