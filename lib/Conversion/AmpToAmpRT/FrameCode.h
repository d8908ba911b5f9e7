//===- FrameCode.h - Emits code that works on one frame -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_FRAMECODE_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_FRAMECODE_H

#include "Body.h"

#include "amp/Conversion/ControlEmitter.h"
#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// "file:line:column" of a location, as far as it is known.
std::string locationText(mlir::Location loc);

/// !llvm.ptr.
mlir::Type pointerType(mlir::OpBuilder &b);

/// The words of a uniform value: a parameter's elements, or a constant's, which
/// are put into the module once.
llvm::SmallVector<mlir::Value>
emitUniform(mlir::OpBuilder &b, mlir::Value worker, mlir::Value value);

/// Where a value lies: at a byte offset of a frame, or of its parent's, and so on.
struct Place {
  unsigned levels = 0; ///< So many parents up.
  int64_t offset = 0;
};

/// Where `value`, which is not uniform, lies for code that has a frame of `body`.
Place placeOf(const Bodies &bodies, const Body &body, mlir::Value value);

/// Emits into one function of type (worker, frame, ...) of `body`.
class FrameCode : public ControlEmitter {
public:
  FrameCode(mlir::OpBuilder &builder, const Bodies &bodies, const Body &body,
            mlir::Value worker, mlir::Value frame)
      : ControlEmitter(builder), bodies(bodies), body(body), worker(worker),
        frame(frame) {}

  const Bodies &bodies;
  const Body &body;
  mlir::Value worker, frame;

  /// The words of any value that this body can use: of its own frame, of an
  /// enclosing one, or uniform.
  llvm::SmallVector<mlir::Value> words(mlir::Value value) override;
  void setWords(mlir::Value value, mlir::ValueRange words) override;
  void checkRange(mlir::Location loc, llvm::StringRef what, mlir::Value value,
                  mlir::Value limit) override;
  void check(mlir::Location loc, llvm::StringRef message,
             mlir::Value condition) override;
  mlir::Value pushElement(mlir::Location loc, mlir::Value rest,
                          int64_t bytes) override;
  mlir::Value findElement(mlir::Location loc, mlir::Value list,
                          mlir::Value index) override;
  llvm::SmallVector<mlir::Value> stackElements(mlir::Location loc,
                                               mlir::Value list,
                                               mlir::Type element) override;

  /// Whether the frame's instance has not failed (i1).
  mlir::Value isAlive(mlir::Location loc);

  /// Ends the step, failing the instance, unless there can be so many elements
  /// of a map or loop: their results must have an address.
  void checkElements(mlir::Location loc, mlir::Value count);

  mlir::Value load(mlir::Location loc, mlir::Type type, mlir::Value frame,
                   int64_t offset);
  void store(mlir::Location loc, mlir::Value value, mlir::Value frame,
             int64_t offset);
  /// Stores words side by side, the first at `offset`.
  void storeWords(mlir::Location loc, mlir::ValueRange words, mlir::Value frame,
                  int64_t offset);

  mlir::Value i32(mlir::Location loc, int64_t value);
  mlir::Type frameType() { return rt::FrameType::get(b.getContext()); }
  mlir::Value nullFrame(mlir::Location loc);
  mlir::Value isNull(mlir::Location loc, mlir::Value frame);

  /// The greatest depth of the events, which have happened.
  mlir::Value depthOf(mlir::Location loc, const EventSet &events);
  /// Marks an event of this frame as happened.
  void mark(mlir::Location loc, unsigned event, mlir::Value depth);
  /// Tells another frame, of `other`, that an event has happened: posts it, or
  /// if that frame has not started only marks it, since the start looks at all.
  void notify(mlir::Location loc, const Body &other, mlir::Value otherFrame,
              unsigned event, mlir::Value depth);
  void post(mlir::Location loc, const Body &other, mlir::Value otherFrame,
            unsigned event, mlir::Value depth);
  /// A new frame of `other`, its parent `parent`: not started, nothing arrived
  /// but `arrived`, which get `depth`.
  mlir::Value open(mlir::Location loc, const Body &other, mlir::Value parent,
                   const EventSet &arrived, mlir::Value depth);

  /// Copies one activation's row (or scalar) to place `index` (i64) of the
  /// stacked elements at `base`.
  void storeRow(mlir::Location loc, mlir::Value value, mlir::Value base,
                mlir::Value index);

private:
  void failUnless(mlir::Location loc, mlir::Value condition,
                  llvm::function_ref<void()> fail);

  /// Values computed in this function.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> known;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_FRAMECODE_H
