//===- ProductRemarks.cpp - Says how a cell multiplies --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeCode.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace amp;

static constexpr llvm::StringLiteral kCategory("amp-products");

/// "U_iou[256x384]"
static std::string describe(Operation *product) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << cast<CellOpInterface>(product).getProductParam().getValue() << '[';
  auto type = cast<RankedTensorType>(product->getOperand(1).getType());
  llvm::interleave(type.getShape(), out, "x");
  out << ']';
  return text;
}

static std::string describeProducts(const Tile &tile) {
  llvm::SetVector<Operation *> products;
  for (TileSlice slice : tile.slices)
    products.insert(slice.product);
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(products, out,
                        [&](Operation *op) { out << describe(op); });
  return text;
}

/// Rows that one activation gives.
static std::string describeRows(Operation *product) {
  auto type = cast<RankedTensorType>(product->getOperand(0).getType());
  if (type.getRank() == 1)
    return "1";
  if (type.isDynamicDim(0))
    return "a block";
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back())
    rows *= size;
  return std::to_string(rows);
}

/// "3 rows x 4 vectors of 8": the innermost loop that does most of the work;
/// and which columns it does not do.
static std::string describeKernel(const Tile &tile,
                                  const VectorTarget &target) {
  int64_t vectors = 0;
  for (const TileSegment &segment : tile.segments)
    vectors = std::max(vectors, int64_t(segment.rows.size()) * tile.unroll);
  std::string text =
      llvm::formatv("{0} rows x {1} vectors of {2}", tileRows(vectors, target),
                    vectors, tile.lanes);
  if (tile.tail)
    text += llvm::formatv(", the last {0} columns of all in one", tile.tail);
  return text;
}

void ComputeCode::reportProducts() {
  for (const Tile &tile : tiles) {
    Operation *first = tile.slices.front().product;
    auto options = remark::RemarkOpts::name("tile").category(kCategory);
    auto describeTile = [&](auto &&remark) {
      remark << remark::metric("cell", cell.getName())
             << remark::metric("products", describeProducts(tile))
             << remark::metric("rows", describeRows(first))
             << remark::metric("kernel", describeKernel(tile, target))
             << remark::metric("inputs", int64_t(tile.rows.size()))
             << remark::metric("behind", int64_t(tile.ops.size()));
    };
    if (!tile.isRaw) {
      describeTile(remark::passed(first->getLoc(), options));
      continue;
    }
    auto missed = remark::missed(first->getLoc(), options);
    missed << remark::reason(
                  "its sums go through memory: an op that reads them "
                  "cannot take columns side by side")
           << remark::suggest("element-wise ops and slices of columns can; put "
                              "others behind them");
    describeTile(missed);
  }
  for (Operation *op : products)
    if (!tiled.contains(op))
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("library").category(kCategory))
          << remark::reason(
                 "{0}",
                 cast<CellOpInterface>(op).getProductChoice()
                     ? "each row has a matrix of its own: rows are sorted, and "
                       "the library multiplies each group"
                 : target.generate
                     ? "there is no generated kernel for its shape"
                     : "the library multiplies, as --gemm says or "
                       "because vectors are short")
          << remark::suggest("{0}", target.generate
                                        ? "rows of one matrix in one product"
                                        : "--gemm=codegen, or --mcpu with "
                                          "vectors of 8 elements or more")
          << remark::metric("cell", cell.getName())
          << remark::metric("products", describe(op))
          << remark::metric("rows", describeRows(op));
}
