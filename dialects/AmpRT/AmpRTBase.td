//===- AmpRTBase.td - The dialect amprt and its types -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_BASE_TD
#define AMPRT_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"

def AmpRT_Dialect : Dialect {
  let name = "amprt";
  let cppNamespace = "::amp::rt";
  let summary = "Frames, handlers, cells: the level that the runtime executes";
  let description = [{
    Control is functions of type (worker, frame, depth): *handlers*, one an event.
    Cells are two functions of type (worker, batch, count): *compute* and
    *complete*. Ops here are the accesses to frames and the calls of the runtime
    that runtime/include/amprt/abi.h declares; the rest is upstream dialects.
    Elements of tensors are reached through `!llvm.ptr`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// On a parameter: it is read outside of cells (AMPRT_PARAM_READ_BY_CONTROL).
    static ::llvm::StringRef getReadByControlAttrName() {
      return "amprt.read_by_control";
    }
    // On a module, for amprt_model_t, each a string: the processor that its code
    // is for, and the features that it needs; its own symbol, where that is not
    // `amprt_model`; the symbol of the same model for another processor.
    static ::llvm::StringRef getTargetAttrName() { return "amprt.target"; }
    static ::llvm::StringRef getFeaturesAttrName() { return "amprt.features"; }
    static ::llvm::StringRef getModelSymbolAttrName() { return "amprt.symbol"; }
    static ::llvm::StringRef getNextModelAttrName() { return "amprt.next"; }
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

class AmpRT_Op<string mnemonic, list<Trait> traits = []>
    : Op<AmpRT_Dialect, mnemonic, traits>;
class AmpRT_Type<string name, string keyword> : TypeDef<AmpRT_Dialect, name> {
  let mnemonic = keyword;
}

def AmpRT_WorkerType : AmpRT_Type<"Worker", "worker"> {
  let summary = "the worker that runs this code (amprt_worker_t *)";
}
def AmpRT_FrameType : AmpRT_Type<"Frame", "frame"> {
  let summary = "an activation's frame (amprt_frame_t *)";
}
def AmpRT_BatchType : AmpRT_Type<"Batch", "batch"> {
  let summary = "activations of one cell (const amprt_activation_t *)";
}

def AmpRT_Pointer : Type<
    CPred<"::mlir::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "pointer",
    "::mlir::LLVM::LLVMPointerType">, BuildableType<
    "::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;
def AmpRT_Word : AnyTypeOf<[F32, F64, I1, I32, I64, Index, LLVM_AnyPointer,
                            AmpRT_FrameType]>;

#endif // AMPRT_BASE_TD
