//===- AmpPasses.td - Passes on programs and graphs -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_PASSES_TD
#define AMP_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Level A: the program
//===----------------------------------------------------------------------===//

def VerifyProgramPass : Pass<"amp-verify-program", "::mlir::ModuleOp"> {
  let summary = "checks what a program (level A) must be";
  let description = [{
    Boundary of phase `program`. One public function with a body is the entry;
    each of its arguments and results has a name; every function has a body of
    one block; every op is one that a program may contain (SPEC, "Level A").

    ```mlir
    func.func @model(%x: tensor<4xf32>) -> tensor<4xf32> { ... }
    // error: expected attribute amp.name on argument 0 of the entry
    ```
  }];
}

def DecomposeOpsPass : Pass<"amp-decompose-ops", "::mlir::ModuleOp"> {
  let summary = "replaces ops that are made of simpler ones";
  let description = [{
    An op that says which simpler ops it is (`linalg::AggregatedOpInterface`)
    becomes these; neither a cell nor the interpreter knows it otherwise.

    ```mlir
    // before
    %y = linalg.softmax dimension(0) ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    // after: linalg.generic for the greatest, the exponentials, their sum, and the quotients
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def InlineCallsPass : Pass<"amp-inline-calls", "::mlir::ModuleOp"> {
  let summary = "inlines calls of functions that are not recursive";
  let description = [{
    A call costs a frame; inlined, its ops join the caller's cells. Functions on
    a cycle of the call graph stay, and so do those marked `no_inline`; a call
    that would make a function larger than 20,000 ops stays with a remark.
    Private functions that nothing calls any more are erased.

    ```mlir
    // before
    %h = func.call @gates(%g) : (tensor<4xf32>) -> tensor<4xf32>
    // after
    %h = math.tanh %g : tensor<4xf32>
    ```
  }];
}

def BatchMapsPass : Pass<"amp-batch-maps", "::mlir::ModuleOp"> {
  let summary = "makes straight-line maps row blocks";
  let description = [{
    A map whose body is straight-line tensor work is itself a batch: its elements
    become the rows of one block, and the cell gets all of them at once instead of
    an activation for each. Every such map leaves a remark, and so does every
    other one, with the reason. Control flow in a body, nested loops and ops
    without a form for rows (RowsOpInterface) keep a map as it is.

    ```mlir
    // before
    %y = amp.map %i to %n -> (tensor<?x4xf32>) {
      %k = tensor.extract %word[%i] : tensor<?xi32>
      %x = amp.lookup %emb[%k] : tensor<?x8xf32>, i32
      %h = amp.linear %x, %W : tensor<8xf32>, tensor<8x4xf32>
      amp.yield %h : tensor<4xf32>
    }
    // after
    %ks = tensor.extract_slice %word[0] [%n] [1] : tensor<?xi32> to tensor<?xi32>
    %xs = amp.gather %emb[%ks] : tensor<?x8xf32>, tensor<?xi32>
    %y = amp.linear %xs, %W : tensor<?x8xf32>, tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WidenFloatsPass : Pass<"amp-widen-floats", "::mlir::ModuleOp"> {
  let summary = "makes all floats f64";
  let description = [{
    For checks of derivatives by differences, for which f32 is too coarse
    (`ampc --check-gradients`). At level A or B.

    ```mlir
    // before
    %y = arith.mulf %x, %x : tensor<4xf32>
    // after
    %y = arith.mulf %x, %x : tensor<4xf64>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Level B: the graph
//===----------------------------------------------------------------------===//

def VerifyGraphPass : Pass<"amp-verify-graph", "::mlir::ModuleOp"> {
  let summary = "checks what a graph (level B) must be";
  let description = [{
    Boundary of phase `graph`. Only graphs and parameters at the top; inside only
    nodes; conditional tokens are merged before they leave a body, merges join
    opposite sides of one branch, and calls and loops open only where what they
    depend on exists (GuardAnalysis; SPEC 5).

    ```mlir
    %t, %f = amp.branch %c, %x : tensor<4xf32>
    amp.return %t : tensor<4xf32>
    // error: expected a token that always arrives
    ```
  }];
}

def MaterializeForksPass : Pass<"amp-materialize-forks", "::mlir::ModuleOp"> {
  let summary = "makes forks and sinks explicit";
  let description = [{
    Afterwards each value of a graph has exactly one use: one with several leaves
    through an `amp.fork`, one without any ends in an `amp.sink`. What a loop's or
    map's body uses from outside counts as one use of the node. Constants and
    parameters need no token and stay as they are.

    ```mlir
    // before
    %y = arith.mulf %x, %x : tensor<4xf32>
    // after
    %a, %b = amp.fork %x : tensor<4xf32> to 2
    %y = arith.mulf %a, %b : tensor<4xf32>
    ```
  }];
}

def EraseForksPass : Pass<"amp-erase-forks", "::mlir::ModuleOp"> {
  let summary = "removes forks and sinks";
  let description = [{
    The inverse of `amp-materialize-forks`.

    ```mlir
    // before
    %a, %b = amp.fork %x : tensor<4xf32> to 2
    %y = arith.mulf %a, %b : tensor<4xf32>
    // after
    %y = arith.mulf %x, %x : tensor<4xf32>
    ```
  }];
}

def FormCellsPass : Pass<"amp-form-cells", "::mlir::ModuleOp"> {
  let summary = "groups a graph's ops into cells and control steps";
  let description = [{
    Requires a verified graph. Afterwards every node is a cell, a control step,
    or one of the control nodes. Tensor ops that become ready together are one
    cell (the largest convex groups); scalar ops and views of rows are control
    steps. Each cell leaves a remark that names its ops.

    ```mlir
    // before
    %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x4xf32>
    %b = math.tanh %a : tensor<4xf32>
    // after
    %b = amp.cell "f.0"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%x0: tensor<4xf32>):
      %W = amp.get @W : tensor<4x4xf32>
      %a = amp.linear %x0, %W : tensor<4xf32>, tensor<4x4xf32>
      %t = math.tanh %a : tensor<4xf32>
      amp.yield %t : tensor<4xf32>
    }
    ```
  }];
}

def VerifyCellsPass : Pass<"amp-verify-cells", "::mlir::ModuleOp"> {
  let summary = "checks what a batched graph must be";
  let description = [{
    Boundary of phase `batched`: every node of a graph is a cell, a control step,
    or a control node, and every op in a cell can be batched.

    ```mlir
    amp.graph @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = math.tanh %x : tensor<4xf32> // error: expected a cell or control step
      amp.return %y : tensor<4xf32>
    }
    ```
  }];
}

def SplitLossPass : Pass<"amp-split-loss", "::mlir::ModuleOp"> {
  let summary = "separates what predicts from what has a loss";
  let description = [{
    The entry loses the result that is marked as the loss, and the fields that only
    this needs: who predicts has no labels. With `keep`, a copy of the entry with
    the loss stays beside it, of role `evaluate`.

    ```mlir
    // before
    amp.graph @f(%x: ..., %tag: i32 {amp.name = "tag"}) -> (tensor<5xf32> {...}, f32 {amp.name = "loss", amp.loss})
    // after
    amp.graph @f(%x: ...) -> (tensor<5xf32> {...})
    amp.graph @f.evaluate(...) -> (...) attributes {amp.role = "evaluate"}
    ```
  }];
  let options = [Option<"keep", "keep", "bool", "false", "keep the entry with the loss">];
}

def DifferentiatePass : Pass<"amp-differentiate", "::mlir::ModuleOp"> {
  let summary = "makes the graphs that train";
  let description = [{
    Reverse mode. Of the entry of role `evaluate`, and of all graphs that it
    reaches and through which gradients go, copies are made whose backward pass
    stands behind the forward pass, in the same bodies: so frames are the tape.
    Each node has its dual: branch and merge, several uses and a sum, a call, loop
    or map and the amp.backward that gives its activations the gradients. Gradients
    of parameters are added by ops without results (amp.linear_gradient and its
    kin). A parameter that the loss does not depend on leaves a warning; an op
    without a derivative through which a gradient would have to go is an error.

    ```mlir
    // before
    %y = math.tanh %x : tensor<4xf32>
    // after, with %dy the gradient of %y
    %0 = arith.mulf %y, %y : tensor<4xf32>
    %1 = arith.subf %ones, %0 : tensor<4xf32>
    %dx = arith.mulf %dy, %1 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Code of cells
//===----------------------------------------------------------------------===//

def ExpandMathPass : Pass<"amp-expand-math"> {
  let summary = "replaces exp, tanh and their kin by polynomials";
  let description = [{
    On f32 and f64 scalars and vectors, as straight-line arithmetic without
    branches or calls, so that loops around it vectorise and the object file
    calls no libm. Relative error below 1e-6 (f32) over the whole range; NaN and
    infinities as libm.

    ```mlir
    // before
    %y = math.exp %x : f32
    // after: clamp, n = round(x / ln 2), polynomial in x - n ln 2, times 2^n
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // AMP_PASSES_TD
