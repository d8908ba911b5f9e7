// What the IR is after each phase.
// RUN: ampc --compile-to=program %s | FileCheck --check-prefix=PROGRAM %s
// RUN: ampc --compile-to=graph %s | FileCheck --check-prefix=GRAPH %s
// RUN: ampc --compile-to=batched %s | FileCheck --check-prefix=BATCHED %s
// RUN: ampc --compile-to=placed %s | FileCheck --check-prefix=BATCHED %s
// RUN: ampc --compile-to=runtime %s | FileCheck --check-prefix=RUNTIME %s
// RUN: ampc --compile-to=llvm %s | FileCheck --check-prefix=LLVM %s

// Stopping and going on makes the same as going through, but for names of files.
// RUN: ampc --compile-to=graph %s > %t.graph.mlir
// RUN: ampc --compile-from=graph --compile-to=runtime %t.graph.mlir > %t.runtime.mlir
// RUN: ampc --compile-from=runtime --emit=asm %t.runtime.mlir | grep -v -e 'mlir' -e 'size.*text' > %t.stops.s
// RUN: ampc --emit=asm %s | grep -v -e 'mlir' -e 'size.*text' > %t.through.s
// RUN: diff %t.stops.s %t.through.s

// amp-opt knows the phases as pipelines.
// RUN: amp-opt --amp-phase-program --amp-phase-graph --amp-phase-batched %s | FileCheck --check-prefix=BATCHED %s

amp.param @W : tensor<4x3xf32> init(glorot)

// PROGRAM: func.func @model
// PROGRAM: call @act
// GRAPH-NOT: func.func
// GRAPH: amp.graph @model
// GRAPH: amp.linear
// BATCHED: amp.graph @model
// BATCHED: amp.cell
// BATCHED: amp.linear
// RUNTIME-NOT: amp.graph
// RUNTIME: amprt.model
// RUNTIME: call @amp.product
// RUNTIME-NOT: amp.graph
// LLVM-NOT: amprt.
// LLVM: llvm.call @amp.product
func.func @model(%x: tensor<4xf32> {amp.name = "x"}) -> (tensor<3xf32> {amp.name = "y"}) {
  %W = amp.get @W : tensor<4x3xf32>
  %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x3xf32>
  %y = call @act(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func private @act(%a: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.tanh %a : tensor<3xf32>
  return %y : tensor<3xf32>
}
