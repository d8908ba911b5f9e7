//===- RuntimeFunctions.cpp - What generated code calls -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace amp {
namespace rt {
namespace {

/// A function of abi.h. The signature has a letter for the result and one for
/// each argument: v void, p pointer, i 32 and l 64 bits, b amprt_block_t, which
/// is returned in two registers. `freshMemory` is the
/// alignment of memory that nothing else points to, or 0.
struct Declaration {
  const char *name;
  const char *signature;
  int64_t freshMemory;
};

constexpr Declaration kDeclarations[] = {
    {"amprt_frame_new", "pppl", 16},
    {"amprt_rows_new", "pppl", 16},
    {"amprt_rows_release", "vpppl", 0},
    {"amprt_enqueue", "vpipii", 0},
    {"amprt_post", "vpppi", 0},
    {"amprt_fail_range", "vppppll", 0},
    {"amprt_fail", "vpppp", 0},
    {"amprt_scratch", "ppl", 64},
    {"amprt_linear", "vpippl", 0},
    {"amprt_linear_grouped", "vpipplp", 0},
    {"amprt_gradient_product", "vpippl", 0},
    {"amprt_gradient_grouped", "vpipplp", 0},
    {"amprt_gradient_add", "vpilpll", 0},
    {"amprt_gradient_row", "vpilp", 0},
    {"amprt_list_push", "ppppl", 16},
    {"amprt_list_at", "ppl", 0},
    {"amprt_list_stack", "bpppli", 0},
    {"amprt_concat_rows", "ppppllp", 16},
    {"amprt_collector_new", "ppppllp", 0},
    {"amprt_collector_data", "pp", 0},
    {"amprt_collector_rows", "lp", 0},
    {"amprt_collector_put", "vppplpip", 0},
};
static_assert(sizeof(kDeclarations) / sizeof(kDeclarations[0]) ==
              static_cast<unsigned>(RuntimeFunction::count));

Type letterType(MLIRContext *context, char letter) {
  switch (letter) {
  case 'v':
    return LLVM::LLVMVoidType::get(context);
  case 'p':
    return LLVM::LLVMPointerType::get(context);
  case 'i':
    return IntegerType::get(context, 32);
  case 'l':
    return IntegerType::get(context, 64);
  case 'b':
    return LLVM::LLVMStructType::getLiteral(
        context, {letterType(context, 'p'), letterType(context, 'l')});
  }
  llvm_unreachable("a letter that no signature has");
}

LLVM::LLVMFunctionType functionType(MLIRContext *context,
                                    const Declaration &declaration) {
  StringRef signature = declaration.signature;
  SmallVector<Type> arguments;
  for (char letter : signature.drop_front())
    arguments.push_back(letterType(context, letter));
  return LLVM::LLVMFunctionType::get(letterType(context, signature.front()),
                                     arguments);
}

} // namespace

Value RuntimeFunctions::call(OpBuilder &builder, Location loc,
                             RuntimeFunction function, ValueRange arguments) {
  unsigned number = static_cast<unsigned>(function);
  called.set(number);
  const Declaration &declaration = kDeclarations[number];
  auto call = LLVM::CallOp::create(
      builder, loc, functionType(builder.getContext(), declaration),
      declaration.name, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

void RuntimeFunctions::declare(ModuleOp module) const {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = builder.getContext();
  for (unsigned number = 0; number < called.size(); ++number) {
    if (!called.test(number))
      continue;
    const Declaration &declaration = kDeclarations[number];
    auto function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), declaration.name,
        functionType(context, declaration));
    function.setNoUnwind(true);
    if (!declaration.freshMemory)
      continue;
    UnitAttr unit = builder.getUnitAttr();
    function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    function.setResultAttr(0, LLVM::LLVMDialect::getNonNullAttrName(), unit);
    function.setResultAttr(0, LLVM::LLVMDialect::getAlignAttrName(),
                           builder.getI64IntegerAttr(declaration.freshMemory));
  }
}

} // namespace rt
} // namespace amp
