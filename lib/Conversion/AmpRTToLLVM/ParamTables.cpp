//===- ParamTables.cpp - Parameters, and products with them ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableEmitter.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "amprt/abi.h"

using namespace mlir;
using namespace amp;
using namespace amp::rt;

StringAttr TableEmitter::partTable(PanelOp panel) {
  return table(panel.getSymName().str() + ".parts", partStruct,
               panel.getParams().size(), [&](size_t i) {
                 auto param = cast<FlatSymbolRefAttr>(panel.getParams()[i]);
                 // The runtime counts rows and columns of the parameter.
                 bool transposed = panel.getTransposed()[i];
                 int64_t row = panel.getRows()[i];
                 int64_t column = panel.getColumns()[i];
                 if (transposed)
                   std::swap(row, column);
                 return aggregate(
                     partStruct,
                     {word(i32, numbers.params.lookup(param.getAttr())),
                      word(i32, transposed), word(i64, row),
                      word(i64, column)});
               });
}

StringAttr TableEmitter::panelTable() {
  auto panels = llvm::to_vector(module.getOps<PanelOp>());
  SmallVector<StringAttr> parts; // before the table's own initialiser
  for (PanelOp panel : panels)
    parts.push_back(partTable(panel));
  return table("amprt_panels", panelStruct, panels.size(), [&](size_t i) {
    PanelOp panel = panels[i];
    return aggregate(panelStruct,
                     {address(parts[i]), word(i32, panel.getParams().size()),
                      word(i32, panel.getLanes()), word(i32, panel.getUnroll()),
                      word(i32, 0), word(i64, panel.getK()),
                      word(i64, panel.getWidth())});
  });
}

StringAttr TableEmitter::paramTable() {
  auto params = llvm::to_vector(module.getOps<amp::ParamOp>());
  return table("amprt_params", paramStruct, params.size(), [&](size_t i) {
    amp::ParamOp param = params[i];
    InitAttr init = param.getInit();
    uint32_t flags = param->hasAttr(AmpRTDialect::getReadByControlAttrName())
                         ? AMPRT_PARAM_READ_BY_CONTROL
                         : 0;
    return aggregate(paramStruct,
                     {text(param.getSymName()),
                      typeValue(param.getTensorType()),
                      word(i32, static_cast<uint32_t>(init.getKind())),
                      word(i32, flags), real(init.getA()), real(init.getB())});
  });
}

StringAttr TableEmitter::linearTable() {
  auto linears = llvm::to_vector(module.getOps<rt::LinearOp>());
  return table("amprt_linears", linearStruct, linears.size(), [&](size_t i) {
    rt::LinearOp linear = linears[i];
    return aggregate(
        linearStruct,
        {word(i32, numbers.params.lookup(linear.getParamAttr().getAttr())),
         word(i32, linear.getGroups()), word(i64, linear.getK()),
         word(i64, linear.getN()), word(i32, linear.getTransposed()),
         word(i32, 0)});
  });
}

StringAttr TableEmitter::gradientTable() {
  auto gradients = llvm::to_vector(module.getOps<GradientOp>());
  return table(
      "amprt_gradients", gradientStruct, gradients.size(), [&](size_t i) {
        GradientOp gradient = gradients[i];
        return aggregate(
            gradientStruct,
            {word(i32,
                  numbers.params.lookup(gradient.getParamAttr().getAttr())),
             word(i32, gradient.getGroups()), word(i64, 0), word(i64, 0),
             word(i64, gradient.getK()), word(i64, gradient.getN())});
      });
}
