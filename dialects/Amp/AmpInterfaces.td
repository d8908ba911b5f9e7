//===- AmpInterfaces.td - How ops take part in batching -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_TD
#define AMP_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Amp_CellOpInterface : OpInterface<"CellOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    An op that can stand in a cell: it says how one activation's result is
    computed, and the cell's emitter makes loops over all activations of it.

    A *virtual* op gives the value of one element at given indices; it is fused
    into whatever loop needs it and never stored. Any other op fills a buffer,
    for one activation, from elements of its operands. A *product* is neither:
    the emitter gathers the rows of its input over all activations and makes one
    call.
  }];
  let methods = [
    InterfaceMethod<"Whether single elements can be computed on demand.",
      "bool", "isVirtual", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        Whether the op can stand in a cell itself. A virtual one that cannot, for
        it may fail, can still compute a scalar in a region that is run for each
        element in order (`tensor.generate`).
      }], "bool", "isBatchable", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        Whether it reads elements of this operand more than once, so that they
        had better lie in memory.
      }], "bool", "readsAgain", (ins "unsigned":$operand), "",
      [{ return false; }]>,
    InterfaceMethod<[{
        Whether emitElement also works for a *run*: several elements whose last
        index increases by one, as a vector. If so, `operands` get what it reads
        the runs of.
      }], "bool", "emitsRuns",
      (ins "::llvm::SmallVectorImpl<::amp::RunOperand> &":$operands), "",
      [{ (void)operands; return false; }]>,
    InterfaceMethod<[{
        Checks what must hold for the current activation, once, before anything
        reads the result; fails the instance where it does not. What is emitted
        later must be safe to run even so.
      }], "void", "emitChecks", (ins "::amp::CellEmitter &":$emitter), "",
      [{ (void)emitter; }]>,
    InterfaceMethod<[{
        The result's element at `indices` (of index type), at the emitter's
        insertion point. Only virtual ops.
      }], "::mlir::Value", "emitElement",
      (ins "::amp::CellEmitter &":$emitter,
           "::llvm::ArrayRef<::mlir::Value>":$indices), "",
      [{ llvm_unreachable("not a virtual op"); }]>,
    InterfaceMethod<[{
        Fills `results[i]`, a buffer of the result's type or (for a scalar result)
        none, for the current activation; returns the scalar results in order.
        Only ops that are not virtual.
      }], "::llvm::SmallVector<::mlir::Value>", "emitActivation",
      (ins "::amp::CellEmitter &":$emitter,
           "::llvm::ArrayRef<::amp::CellBuffer>":$results), "",
      [{ llvm_unreachable("a virtual op"); }]>,
    InterfaceMethod<[{
        Dimension `dim` of a result for the current activation, where the type
        leaves it open.
      }], "::mlir::Value", "emitDim",
      (ins "::amp::CellEmitter &":$emitter, "unsigned":$result, "unsigned":$dim), "",
      [{ return ::amp::emitSameDim(emitter, $_op, dim); }]>,
    InterfaceMethod<[{
        Floating-point operations of one activation, estimated. By default one for
        each element of the results or, without any, of the operands.
      }], "uint64_t", "estimateWork", (ins), "",
      [{ return ::amp::workOfElements($_op); }]>,
    InterfaceMethod<[{
        For a product with a parameter as its right side: that parameter's name,
        else null. The left side is operand 0.
      }], "::mlir::FlatSymbolRefAttr", "getProductParam", (ins), "",
      [{ return {}; }]>,
    InterfaceMethod<[{
        Of a product whose parameter is several matrices: the vector that says
        which one each row is multiplied with; else null.
      }], "::mlir::Value", "getProductChoice", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
        The vector that is added to each row of a product, if there is one.
      }], "::mlir::Value", "getProductBias", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
        What is added to a product's element at `indices`, if anything.
      }], "::mlir::Value", "emitProductBias",
      (ins "::amp::CellEmitter &":$emitter,
           "::llvm::ArrayRef<::mlir::Value>":$indices), "", [{ return {}; }]>
  ];
}

def Amp_ControlOpInterface : OpInterface<"ControlOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    An op that can be a control step: it costs less than a queue, and works on a
    frame's words at once. It may fail the instance.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether it can run as a control step: scalar work, or a view of rows.
      }], "bool", "isControlStep", (ins)>,
    InterfaceMethod<[{
        Emits it at the emitter's insertion point and gives the emitter the words
        of its results.
      }], "void", "emitControl", (ins "::amp::ControlEmitter &":$emitter)>
  ];
}

def Amp_RowsOpInterface : OpInterface<"RowsOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    An op of a map's body that has a form for all elements at once: its results
    are then the rows of a block (`amp-batch-maps`).
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the op for all elements: the rows of its result, in the order of the
        elements. Fails, with `emitter.refuse` saying why, where it has no such
        form.
      }], "::mlir::FailureOr<::mlir::Value>", "emitRows",
      (ins "::amp::RowsEmitter &":$emitter)>
  ];
}

def Amp_DerivativeOpInterface : OpInterface<"DerivativeOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    A per-instance op that has a derivative (`amp-differentiate`). An op without
    this interface through which a gradient would have to go is refused by name;
    operands that are integers never get one.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the gradients of those operands for which `emitter.wants`, from those
        of the results, and gives them to the emitter. At least one result has a
        gradient. Fails, with an error, where the op has no derivative after all.
      }], "::llvm::LogicalResult", "emitAdjoint",
      (ins "::amp::AdjointEmitter &":$emitter)>
  ];
}

#endif // AMP_INTERFACES_TD
