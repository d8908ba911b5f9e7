//===- CellCode.cpp - Functions of a cell ---------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellCode.h"

#include "ComputeCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

bool amp::isTransposed(Operation *product) {
  auto get = product->getOperand(1).getDefiningOp<GetOp>();
  return get && get.getTransposed();
}

std::string amp::productName(Operation *product) {
  return cast<CellOpInterface>(product).getProductParam().getValue().str() +
         (isTransposed(product) ? ".transposed" : ".product");
}

static func::FuncOp makeFunction(OpBuilder &b, Location loc,
                                 const Twine &name) {
  MLIRContext *context = b.getContext();
  auto type = b.getFunctionType({rt::WorkerType::get(context),
                                 rt::BatchType::get(context), b.getI64Type()},
                                {});
  auto function = func::FuncOp::create(b, loc, name.str(), type);
  function.setPrivate();
  return function;
}

/// Tells each activation's frame.
static void emitComplete(OpBuilder &b, const Body &body, CellOp cell,
                         func::FuncOp function) {
  Location loc = cell.getLoc();
  OpBuilder::InsertionGuard guard(b);
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value end = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                         function.getArgument(2));
  auto loop = scf::ForOp::create(b, loc, zero, end, one);
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(loop.getBody());
  Value i = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                       loop.getInductionVar());
  Value frame = rt::BatchFrameOp::create(
      b, loc, rt::FrameType::get(b.getContext()), function.getArgument(1), i);
  Value depth = rt::BatchDepthOp::create(b, loc, b.getI32Type(),
                                         function.getArgument(1), i);
  unsigned event = body.nodeEvents.lookup(cell)[0];
  func::CallOp::create(b, loc, body.handler(event), TypeRange{},
                       ValueRange{function.getArgument(0), frame, depth});
}

void amp::emitCell(OpBuilder &b, const Bodies &bodies, const Body &body,
                   CellOp cell, const CellAnalyses &analyses,
                   const VectorTarget &target) {
  Location loc = cell.getLoc();
  std::string name = cell.getName().str();
  func::FuncOp compute = makeFunction(b, loc, name + ".compute");
  ComputeCode code(b, bodies, body, cell, analyses.lifetimes, target);
  code.emit(compute);
  func::FuncOp complete = makeFunction(b, loc, name + ".complete");
  emitComplete(b, body, cell, complete);
  emitCellEntry(b, bodies, body, cell, analyses, compute.getSymName(),
                complete.getSymName(), code.hasProduct());
}
