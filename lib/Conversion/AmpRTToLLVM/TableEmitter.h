//===- TableEmitter.h - Writes the descriptor of a model --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each structure of abi.h is written as a literal LLVM struct with the same
// members in the same order, whose natural layout is that of C; a table's size
// is compared with the header's before it is emitted.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPRTTOLLVM_TABLEEMITTER_H
#define AMP_LIB_CONVERSION_AMPRTTOLLVM_TABLEEMITTER_H

#include "ModelTables.h"

#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace amp {
namespace rt {

class TableEmitter {
public:
  TableEmitter(mlir::ModuleOp module, StringTable &strings,
               const SymbolNumbers &numbers)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())),
        strings(strings), numbers(numbers), module(module),
        loc(module.getLoc()),
        pointer(mlir::LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        f64(builder.getF64Type()), typeStruct(structure({i32, i32, pointer})),
        fieldStruct(structure({pointer, typeStruct, i32})),
        paramStruct(structure({pointer, typeStruct, i32, i32, f64, f64})),
        linearStruct(structure({i32, i32, i64, i64, i32, i32})),
        partStruct(structure({i32, i32, i64, i64})),
        panelStruct(structure({pointer, i32, i32, i32, i32, i64, i64})),
        gradientStruct(structure({i32, i32, i64, i64, i64, i64})),
        valueStruct(structure({typeStruct, i32, i32})),
        cellStruct(
            structure({pointer, pointer, pointer, i32, i32, pointer, pointer,
                       pointer, pointer, pointer, i32, i32, i32, i32})),
        siteStruct(structure({pointer, pointer})),
        entryStruct(structure({pointer, pointer, i32, i32, i32, i32, i32, i32,
                               pointer, i64, pointer, pointer, pointer})),
        modelStruct(structure({i32,     i32,     pointer, pointer, pointer,
                               pointer, pointer, pointer, pointer, pointer,
                               pointer, pointer, pointer, pointer, i32,
                               i32,     i32,     i32,     i32,     i32})) {}

  mlir::LogicalResult run();

private:
  mlir::LLVM::LLVMStructType structure(llvm::ArrayRef<mlir::Type> members) {
    return mlir::LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                  members);
  }

  mlir::Value word(mlir::Type type, int64_t number) {
    return mlir::LLVM::ConstantOp::create(builder, loc, type,
                                          builder.getIntegerAttr(type, number));
  }
  mlir::Value real(const llvm::APFloat &number) {
    return mlir::LLVM::ConstantOp::create(
        builder, loc, f64, builder.getF64FloatAttr(number.convertToDouble()));
  }
  mlir::Value text(llvm::StringRef characters) {
    return strings.address(builder, loc, characters);
  }
  mlir::Value address(mlir::StringAttr symbol) {
    if (!symbol)
      return mlir::LLVM::ZeroOp::create(builder, loc, pointer);
    return mlir::LLVM::AddressOfOp::create(
        builder, loc, pointer, mlir::FlatSymbolRefAttr::get(symbol));
  }
  mlir::Value address(llvm::StringRef symbol) {
    return address(builder.getStringAttr(symbol));
  }

  /// The aggregate of these members or elements.
  mlir::Value aggregate(mlir::Type type, llvm::ArrayRef<mlir::Value> members) {
    mlir::Value result = mlir::LLVM::UndefOp::create(builder, loc, type);
    for (auto [position, member] : llvm::enumerate(members))
      result = mlir::LLVM::InsertValueOp::create(
          builder, loc, result, member, llvm::ArrayRef<int64_t>(position));
    return result;
  }

  /// A constant whose value `make` builds in its initialiser.
  void constant(llvm::StringRef name, mlir::Type type,
                mlir::LLVM::Linkage linkage, llvm::function_ref<mlir::Value()> make) {
    auto global = mlir::LLVM::GlobalOp::create(builder, loc, type,
                                               /*isConstant=*/true, linkage,
                                               name, mlir::Attribute());
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    mlir::LLVM::ReturnOp::create(builder, loc, make());
  }

  /// An array of `count` elements; its symbol, null where it is empty.
  mlir::StringAttr table(llvm::StringRef name, mlir::Type element, size_t count,
                         llvm::function_ref<mlir::Value(size_t)> make) {
    if (!count)
      return {};
    auto type = mlir::LLVM::LLVMArrayType::get(element, count);
    constant(name, type, mlir::LLVM::Linkage::Internal, [&] {
      mlir::Value array = mlir::LLVM::UndefOp::create(builder, loc, type);
      for (size_t i = 0; i < count; ++i)
        array = mlir::LLVM::InsertValueOp::create(builder, loc, array, make(i),
                                                  llvm::ArrayRef<int64_t>(i));
      return array;
    });
    return builder.getStringAttr(name);
  }

  /// An array of plain numbers; its symbol, null where it is empty.
  mlir::StringAttr numberTable(llvm::StringRef name,
                               mlir::DenseElementsAttr values) {
    if (values.empty())
      return {};
    auto type = mlir::LLVM::LLVMArrayType::get(values.getElementType(),
                                               values.getNumElements());
    mlir::LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                 mlir::LLVM::Linkage::Internal, name, values);
    return builder.getStringAttr(name);
  }

  /// The symbol of an array of dimensions; equal arrays share one.
  mlir::StringAttr dimensions(llvm::ArrayRef<int64_t> shape);
  /// Makes the arrays that `typeValue` refers to; fails on other types.
  mlir::LogicalResult prepareType(mlir::Location where, mlir::Type type);
  /// A type that `prepareType` takes or, of a cell's value, any other: opaque.
  mlir::Value typeValue(mlir::Type type);
  mlir::StringAttr fieldTable(llvm::StringRef name, mlir::ArrayAttr names,
                              mlir::ArrayAttr types,
                              llvm::ArrayRef<int64_t> offsets);
  void emitSite(SiteOp site);
  mlir::StringAttr partTable(PanelOp panel);
  mlir::StringAttr panelTable();
  mlir::StringAttr linearTable();
  mlir::StringAttr gradientTable();
  mlir::StringAttr valueTable(const llvm::Twine &name, ValuesAttr values);
  mlir::StringAttr numbersOf(const llvm::Twine &name, mlir::ArrayAttr params);
  mlir::StringAttr cellTable();
  mlir::StringAttr paramTable();
  mlir::LogicalResult emitEntry(ModelOp entry);
  void emitModel();
  mlir::LogicalResult checkSizes();

  mlir::OpBuilder builder;
  StringTable &strings;
  const SymbolNumbers &numbers;
  mlir::ModuleOp module;
  mlir::Location loc;
  mlir::Type pointer, i32, i64, f64;
  mlir::LLVM::LLVMStructType typeStruct, fieldStruct, paramStruct, linearStruct,
      partStruct, panelStruct, gradientStruct, valueStruct, cellStruct,
      siteStruct, entryStruct, modelStruct;
  llvm::MapVector<mlir::ArrayAttr, mlir::StringAttr> shapes;
  llvm::StringMap<mlir::StringAttr> entries; ///< By role.
  std::string modelName;
};

} // namespace rt
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPRTTOLLVM_TABLEEMITTER_H
