//===- CellTable.cpp - What the runtime learns of cells -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableEmitter.h"

#include "amprt/abi.h"

using namespace mlir;
using namespace amp;
using namespace amp::rt;

/// "file:line:column" of the first place in the file that `loc` names.
static std::string placeName(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()))
                    .str()
              : "unknown";
}

StringAttr TableEmitter::valueTable(const Twine &name, ValuesAttr values) {
  // Before the table's own initialiser, which cannot make another constant.
  for (ValueAttr value : values)
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
      dimensions(tensor.getShape());
  return table(name.str(), valueStruct, values.size(), [&](size_t i) {
    return aggregate(valueStruct, {typeValue(values[i].getType()),
                                   word(i32, values[i].getOffset()),
                                   word(i32, values[i].getLevels())});
  });
}

/// The numbers of parameters, ascending.
StringAttr TableEmitter::numbersOf(const Twine &name, ArrayAttr params) {
  SmallVector<int32_t> known;
  for (auto param : params.getAsRange<FlatSymbolRefAttr>())
    known.push_back(numbers.params.lookup(param.getAttr()));
  llvm::sort(known);
  return numberTable(name.str(), builder.getI32TensorAttr(known));
}

StringAttr TableEmitter::cellTable() {
  auto cells = llvm::to_vector(module.getOps<rt::CellOp>());
  struct Parts {
    StringAttr inputs, results, params;
  };
  SmallVector<Parts> parts; // before the table's own initialiser
  for (rt::CellOp cell : cells)
    parts.push_back(
        {valueTable(cell.getSymName() + ".reads", cell.getReadsAttr()),
         valueTable(cell.getSymName() + ".writes", cell.getWritesAttr()),
         numbersOf(cell.getSymName() + ".params", cell.getParams())});
  return table("amprt_cells", cellStruct, cells.size(), [&](size_t i) {
    rt::CellOp cell = cells[i];
    uint32_t flags = (cell.getHasProduct() ? AMPRT_CELL_HAS_PRODUCT : 0) |
                     (cell.getBackward() ? AMPRT_CELL_BACKWARD : 0);
    return aggregate(cellStruct,
                     {text(cell.getSymName()), text(placeName(cell.getLoc())),
                      text(cell.getSummary()), word(i32, flags),
                      word(i32, cell.getPriority()), address(cell.getCompute()),
                      address(cell.getComplete()), address(parts[i].inputs),
                      address(parts[i].results), address(parts[i].params),
                      word(i32, cell.getReadsAttr().size()),
                      word(i32, cell.getWritesAttr().size()),
                      word(i32, cell.getParams().size()),
                      word(i32, cell.getWork())});
  });
}
