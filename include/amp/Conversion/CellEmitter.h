//===- CellEmitter.h - Emits the loops of a batched cell -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_CELLEMITTER_H
#define AMP_CONVERSION_CELLEMITTER_H

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace amp {

/// The type that sums of such floats are made in: f32 for narrower ones.
mlir::Type accumulatorType(mlir::Type element);

/// Elements of one activation's value in memory: a box of `dims` at `offsets`
/// in a dense row-major array of `shape`; all of index type.
struct CellBuffer {
  mlir::Value base;   ///< !llvm.ptr; null for a scalar.
  mlir::Type element; ///< May be a wider float than the value's.
  llvm::SmallVector<mlir::Value> offsets, shape;
};

/// What ops see while a cell's loops are emitted (CellOpInterface). The builder
/// stands in the loop over activations, or in a loop over elements inside it.
class CellEmitter {
public:
  explicit CellEmitter(mlir::OpBuilder &builder) : b(builder) {}
  virtual ~CellEmitter() = default;

  mlir::OpBuilder &b;

  /// The element of tensor `value` at `indices`, for the current activation.
  mlir::Value element(mlir::Value value, llvm::ArrayRef<mlir::Value> indices);

  /// The same at indices that the instance says: outside of the tensor the
  /// instance fails, and it is zero. Not in a parallel loop.
  mlir::Value elementIfInside(mlir::Location loc, mlir::Value tensor,
                              llvm::ArrayRef<mlir::Value> indices);

  /// A scalar value, or the word of a list.
  virtual mlir::Value scalar(mlir::Value value) = 0;

  /// Says what a scalar of an op's region is, where the builder stands.
  virtual void setScalar(mlir::Value value, mlir::Value known) = 0;

  /// Fails the current activation's instance unless `condition` (i1) holds;
  /// what follows runs all the same. Not in a parallel loop.
  virtual void check(mlir::Location loc, llvm::StringRef message,
                     mlir::Value condition) = 0;
  /// Emits `body` for the case that 0 <= value < limit (both of index type);
  /// else the instance fails. Not in a parallel loop.
  virtual void ifInRange(mlir::Location loc, llvm::StringRef what,
                         mlir::Value value, mlir::Value limit,
                         llvm::function_ref<void()> body) = 0;
  /// A number of rows that the instance says: below zero counts as zero, and so
  /// does one that checkRowCount refuses.
  mlir::Value rowCount(mlir::Location loc, mlir::Value count);
  /// Checks that there may be so many rows: memory for them is asked for before
  /// anything is known of them.
  void checkRowCount(mlir::Location loc, mlir::Value count);
  /// Whether a tensor may have these sizes, of index type: none is negative,
  /// and it has no more elements than the interpreter allows.
  mlir::Value areSizes(mlir::Location loc, llvm::ArrayRef<mlir::Value> sizes);
  /// Emits `body` for the case that `condition` (i1) holds.
  void ifTrue(mlir::Location loc, mlir::Value condition,
              llvm::function_ref<void()> body);
  /// Checks that both tensors have the same dimension there.
  void checkSameDim(mlir::Location loc, mlir::Value a, unsigned dimOfA,
                    mlir::Value b, unsigned dimOfB);
  /// The lesser one of two sizes, of index type; `a` may be null. One that is
  /// known stays so.
  mlir::Value lesser(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// The lesser one of two dimensions that checkSameDim has checked.
  mlir::Value lesserDim(mlir::Location loc, mlir::Value a, unsigned dimOfA,
                        mlir::Value b, unsigned dimOfB);
  /// All of a tensor in memory, dense.
  CellBuffer inMemory(mlir::Value tensor);
  /// Where an element is; `indices` are relative to the buffer's offsets.
  mlir::Value address(mlir::Location loc, const CellBuffer &buffer,
                      llvm::ArrayRef<mlir::Value> indices);
  /// The seed of the current activation's instance (i64).
  virtual mlir::Value instanceSeed(mlir::Location loc) = 0;
  /// The worker that runs the cell.
  virtual mlir::Value getWorker() = 0;
  /// Memory of the current activation's own until the cell's end.
  virtual CellBuffer temporary(mlir::Location loc, mlir::Type element,
                               llvm::ArrayRef<mlir::Value> shape) = 0;
  /// An element of an integer tensor as a number of index type.
  mlir::Value indexElement(mlir::Value tensor,
                           llvm::ArrayRef<mlir::Value> indices);

  /// Dimension `dim` of tensor `value`, of index type.
  mlir::Value dim(mlir::Value value, unsigned dim);
  llvm::SmallVector<mlir::Value> dims(mlir::Value value);

  /// A float as one of another width.
  mlir::Value convert(mlir::Location loc, mlir::Value value, mlir::Type type);

  /// An index constant.
  mlir::Value index(int64_t value, mlir::Location loc);

  /// Emits a loop nest over `dims`; `body` gets the indices. The innermost loop
  /// is marked free of dependences between its iterations where `parallel`, and
  /// becomes vectors, whatever is around it, where `areLanes`.
  void loops(mlir::Location loc, llvm::ArrayRef<mlir::Value> dims,
             bool parallel,
             llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body,
             bool areLanes = false);

  /// A loop that carries `init`; `body` gets the index and the carried values
  /// and returns the next ones. Returns the last.
  llvm::SmallVector<mlir::Value>
  reduce(mlir::Location loc, mlir::Value count, mlir::ValueRange init,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             body);

  /// `init` and the sum of what `term` gives for each index below `count`. Made
  /// in lanes, which are vectors' elements: their number, and with it the order
  /// of additions, depends on `count` alone.
  mlir::Value sum(mlir::Location loc, mlir::Value count, mlir::Value init,
                  llvm::function_ref<mlir::Value(mlir::Value)> term);
  /// The greatest of them, of float type `type`; a NaN if there is one, and
  /// -inf if there is none of them. Made so, too.
  mlir::Value max(mlir::Location loc, mlir::Value count, mlir::Type type,
                  llvm::function_ref<mlir::Value(mlir::Value)> term);

  /// Stores an element; `indices` are relative to the buffer's offsets.
  void store(mlir::Location loc, mlir::Value element, const CellBuffer &buffer,
             llvm::ArrayRef<mlir::Value> indices);
  mlir::Value load(mlir::Location loc, const CellBuffer &buffer,
                   llvm::ArrayRef<mlir::Value> indices);

  /// Computes all of `value` into `buffer`.
  void fill(mlir::Value value, const CellBuffer &buffer);

protected:
  /// Where `value` lies in memory for the current activation, if it does.
  virtual std::optional<CellBuffer> memory(mlir::Value value) = 0;

  /// The run of elements that begins at `indices`, where runs are made and the
  /// value's place is known; else null, and its op is asked.
  virtual mlir::Value runElement(mlir::Value value,
                                 llvm::ArrayRef<mlir::Value> indices) {
    return {};
  }
  /// Whether element() gives runs (CellOpInterface::getRunShift).
  virtual bool makesRuns() { return false; }

  /// An element that is not in memory: by default, what its op says.
  virtual mlir::Value virtualElement(mlir::Value value,
                                     llvm::ArrayRef<mlir::Value> indices);

  /// An open dimension of a value that comes from outside the cell.
  virtual mlir::Value inputDim(mlir::Value value, unsigned dim) = 0;

  /// Values already computed at the same indices in the current loop.
  using MemoKey = std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>;
  struct MemoLess {
    bool operator()(const MemoKey &a, const MemoKey &b) const;
  };
  std::map<MemoKey, mlir::Value, MemoLess> memo;
  /// Open dimensions already computed in the current loop.
  std::map<std::pair<const void *, unsigned>, mlir::Value> knownDims;

  /// What is computed while it lives is forgotten afterwards: it stands in a
  /// region that has ended.
  struct Memory {
    explicit Memory(CellEmitter &emitter)
        : emitter(emitter), memo(emitter.memo), knownDims(emitter.knownDims) {}
    ~Memory() {
      emitter.memo = std::move(memo);
      emitter.knownDims = std::move(knownDims);
    }
    CellEmitter &emitter;
    decltype(CellEmitter::memo) memo;
    decltype(CellEmitter::knownDims) knownDims;
  };

  /// The accesses of parallel loops, so that LLVM need not prove independence.
  mlir::LLVM::AccessGroupAttr accessGroup;

};

} // namespace amp

#endif // AMP_CONVERSION_CELLEMITTER_H
