//===- Explain.cpp - What was decided, as a table -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace amp;
using remark::detail::Remark;

/// "file:line" of the first place in the file.
static std::string placeOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (llvm::sys::path::filename(file.getFilename().getValue()) +
                 ":" + Twine(file.getLine()))
                    .str()
              : "?";
}

static StringRef argument(const Remark &remark, StringRef key) {
  for (const Remark::Arg &arg : remark.getArgs())
    if (arg.key == key)
      return arg.val;
  return {};
}

namespace {
class Explainer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Explainer(llvm::raw_ostream &out) : out(out) {}
  void streamOptimizationRemark(const Remark &remark) override;
  void finalize() override;

private:
  struct Row {
    std::string cell, place, products, rows, how;
  };
  void print(ArrayRef<Row> table);

  llvm::raw_ostream &out;
  llvm::MapVector<StringRef, SmallVector<Row, 1>> cells; ///< By name.
  llvm::StringSet<> names;                               ///< Owns them.
  std::vector<std::string> moved, missed;
};
} // namespace

void Explainer::streamOptimizationRemark(const Remark &remark) {
  StringRef name = remark.getRemarkName();
  std::string place = placeOf(remark.getLocation());
  StringRef cell = argument(remark, "cell");
  StringRef reason = argument(remark, "Reason");
  if (!cell.empty()) {
    StringRef key = names.insert(cell).first->first();
    Row row{cell.str(), place, "-", "-", ""};
    if (name == "cell") {
      row.how = argument(remark, "ops").str();
      cells[key] = {row};
      return;
    }
    row.products = argument(remark, "products").str();
    row.rows = argument(remark, "rows").str();
    row.how = name == "library" ? "library"
                                : (argument(remark, "kernel") + ", " +
                                   argument(remark, "behind") + " ops behind")
                                      .str();
    SmallVector<Row, 1> &known = cells[key];
    if (known.size() == 1 && known[0].products == "-")
      known.clear(); // the products say more than the list of ops
    known.push_back(row);
  }
  StringRef suggestion = argument(remark, "Suggestion");
  if (remark.getRemarkType() == llvm::remarks::Type::Missed) {
    StringRef op = argument(remark, "op");
    missed.push_back((place + ": " + (op.empty() ? Twine() : op + " ") +
                      reason +
                      (suggestion.empty() ? Twine() : "; " + suggestion))
                         .str());
  } else if (cell.empty() && !reason.empty()) {
    moved.push_back((place + ": " + reason).str());
  }
}

void Explainer::print(ArrayRef<Row> table) {
  size_t widths[4] = {4, 5, 8, 4};
  for (const Row &row : table) {
    const std::string *columns[] = {&row.cell, &row.place, &row.products,
                                    &row.rows};
    for (auto [width, text] : llvm::zip_equal(widths, columns))
      width = std::max(width, text->size());
  }
  auto line = [&](StringRef cell, StringRef place, StringRef products,
                  StringRef rows, StringRef how) {
    out << llvm::left_justify(cell, widths[0]) << "  "
        << llvm::left_justify(place, widths[1]) << "  "
        << llvm::left_justify(products, widths[2]) << "  "
        << llvm::left_justify(rows, widths[3]) << "  " << how << '\n';
  };
  line("cell", "where", "products", "rows", "how");
  for (const Row &row : table)
    line(row.cell, row.place, row.products, row.rows, row.how);
}

void Explainer::finalize() {
  std::vector<Row> table;
  for (auto &[name, rows] : cells)
    table.insert(table.end(), rows.begin(), rows.end());
  print(table);
  auto list = [&](StringRef title, ArrayRef<std::string> lines) {
    if (lines.empty())
      return;
    out << '\n' << title << ":\n";
    llvm::StringSet<> seen;
    for (const std::string &text : lines)
      if (seen.insert(text).second)
        out << "  " << text << '\n';
  };
  list("made elsewhere or as rows", moved);
  list("not batched well", missed);
}

std::unique_ptr<remark::detail::MLIRRemarkStreamerBase>
amp::createExplainer(llvm::raw_ostream &out) {
  return std::make_unique<Explainer>(out);
}
