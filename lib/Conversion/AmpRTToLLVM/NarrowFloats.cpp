//===- NarrowFloats.cpp - What code with bf16 calls -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Arithmetic on bf16 has become arithmetic on f32 long before, and its rounding
// integer ops. But where a value of type bf16 lives in a register, LLVM may still
// keep it as f32 and call __truncsfbf2 to have it back, which libgcc has from
// version 13 on only. So modules with such values bring that function along.
//
#include "Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace amp {
namespace rt {

static bool hasBF16(Operation *module) {
  auto isBF16 = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
  return module
      ->walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isBF16)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void emitNarrowFloats(ModuleOp module) {
  if (!hasBF16(module))
    return;
  Location loc = module.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Type i32 = b.getI32Type();
  auto type = LLVM::LLVMFunctionType::get(b.getBF16Type(), {b.getF32Type()});
  // Weak: any other module may bring it, too; nothing in sight calls it.
  auto function = LLVM::LLVMFuncOp::create(b, loc, "__truncsfbf2", type,
                                           LLVM::Linkage::WeakODR);
  function.setVisibility_(LLVM::Visibility::Hidden);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(value));
  };
  Value bits = LLVM::BitcastOp::create(b, loc, i32, entry->getArgument(0));
  // To the nearest, ties to even: add half of what is cut off, or a bit less.
  Value last = LLVM::AndOp::create(
      b, loc, LLVM::LShrOp::create(b, loc, bits, number(16)), number(1));
  Value rounded = LLVM::AddOp::create(
      b, loc, bits, LLVM::AddOp::create(b, loc, last, number(0x7fff)));
  Value magnitude = LLVM::AndOp::create(b, loc, bits, number(0x7fffffff));
  Value isNaN = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ugt,
                                     magnitude, number(0x7f800000));
  Value quiet = LLVM::OrOp::create(b, loc, bits, number(0x400000));
  Value result = LLVM::SelectOp::create(b, loc, isNaN, quiet, rounded);
  Value half = LLVM::TruncOp::create(
      b, loc, b.getI16Type(),
      LLVM::LShrOp::create(b, loc, result, number(16)));
  LLVM::ReturnOp::create(
      b, loc, LLVM::BitcastOp::create(b, loc, b.getBF16Type(), half));
}

} // namespace rt
} // namespace amp
