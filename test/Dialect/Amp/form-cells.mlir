// RUN: amp-opt %s --amp-form-cells --amp-verify-cells | FileCheck %s
// RUN: amp-opt %s --amp-form-cells | amp-opt --amp-form-cells | FileCheck %s

amp.param @U : tensor<8x8xf32> init(glorot)
amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @V : tensor<4x4xf32> init(glorot)
amp.param @E : tensor<?x4xf32> init(normal, 0.1)

// Tensor work that becomes ready together is one cell; parameters are named inside.
// CHECK-LABEL: amp.graph @straight
// CHECK: %[[Y:.*]] = amp.cell "straight.0"(%arg0) : (tensor<4xf32>) -> tensor<8xf32>
// CHECK:   %[[W:.*]] = amp.get @W
// CHECK:   amp.linear %{{.*}}, %[[W]]
// CHECK:   math.tanh
// CHECK:   amp.yield
// CHECK-NOT: amp.cell
// CHECK: amp.return %[[Y]]
amp.graph @straight(%x: tensor<4xf32>) -> tensor<8xf32> {
  %W = amp.get @W : tensor<4x8xf32>
  %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x8xf32>
  %b = math.tanh %a : tensor<8xf32>
  amp.return %b : tensor<8xf32>
}

// Indices and views of rows are control steps, with the constants that they use.
// CHECK-LABEL: amp.graph private @views
// CHECK: amp.control(%arg0, %arg1) : (tensor<?xi32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:   arith.constant 2 : index
// CHECK:   tensor.extract
// CHECK:   amp.lookup
// CHECK:   tensor.extract_slice
// CHECK: amp.cell "views.0"
// CHECK:   arith.addf
// CHECK-NOT: amp.control
amp.graph private @views(%words: tensor<?xi32>, %rows: tensor<?x4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %E = amp.get @E : tensor<?x4xf32>
  %w = tensor.extract %words[%c2] : tensor<?xi32>
  %x = amp.lookup %E[%w] : tensor<?x4xf32>, i32
  %r = tensor.extract_slice %rows[%c2, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
  %y = arith.addf %x, %r : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// A slice of what a cell computes stays in the cell.
// CHECK-LABEL: amp.graph private @slices
// CHECK: amp.cell "slices.0"
// CHECK:   amp.linear
// CHECK:   tensor.extract_slice
// CHECK:   tensor.extract_slice
// CHECK:   arith.mulf
// CHECK-NOT: amp.control
// CHECK: amp.return
amp.graph private @slices(%x: tensor<4xf32>) -> tensor<4xf32> {
  %W = amp.get @W : tensor<4x8xf32>
  %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x8xf32>
  %l = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %y = arith.mulf %l, %r : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// The product that does not need what the loop carries is a cell of its own, so that
// all iterations can compute it ahead; the rest of the step is another.
// CHECK-LABEL: amp.graph private @hoists
// CHECK: amp.loop
// CHECK: %[[X:.*]] = amp.control
// CHECK: %[[AHEAD:.*]] = amp.cell "hoists.0"(%[[X]])
// CHECK:   amp.linear
// CHECK-NOT: math.tanh
// CHECK: amp.cell "hoists.1"(%{{.*}}) : (tensor<4xf32>, tensor<4xf32>)
// CHECK:   amp.linear
// CHECK:   arith.addf
// CHECK:   math.tanh
// CHECK: amp.next
amp.graph private @hoists(%xs: tensor<?x4xf32>, %n: index, %h0: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %V = amp.get @V : tensor<4x4xf32>
  %h = amp.loop range(%c0, %n, %c1) init(%h0 : tensor<4xf32>) -> (tensor<4xf32>) stacked() {
  ^bb0(%i: index, %hi: tensor<4xf32>):
    %x = tensor.extract_slice %xs[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %a = amp.linear %x, %V : tensor<4xf32>, tensor<4x4xf32>
    %b = amp.linear %hi, %V : tensor<4xf32>, tensor<4x4xf32>
    %c = arith.addf %a, %b : tensor<4xf32>
    %d = math.tanh %c : tensor<4xf32>
    amp.next carried(%d : tensor<4xf32>)
  }
  amp.return %h : tensor<4xf32>
}

// Work that is ready with one child only waits for the other: all its users do.
// CHECK-LABEL: amp.graph private @sinks
// CHECK-COUNT-2: amp.call
// CHECK: amp.cell "sinks.0"
// CHECK:   amp.linear
// CHECK:   amp.linear
// CHECK:   arith.addf
// CHECK-NOT: amp.cell
// CHECK: amp.return
amp.graph private @sinks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %V = amp.get @V : tensor<4x4xf32>
  %l = amp.call @slices(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = amp.call @slices(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %a = amp.linear %l, %V : tensor<4xf32>, tensor<4x4xf32>
  %b = amp.linear %r, %V : tensor<4xf32>, tensor<4x4xf32>
  %c = arith.addf %a, %b : tensor<4xf32>
  amp.return %c : tensor<4xf32>
}

// What a control step reads must be complete first; what uses the step comes after.
// CHECK-LABEL: amp.graph private @reads
// CHECK: %[[K:.*]] = amp.cell "reads.0"
// CHECK:   amp.argmax
// CHECK: %[[ROW:.*]] = amp.control(%[[K]])
// CHECK:   amp.lookup
// CHECK: amp.cell "reads.1"(%[[ROW]])
// CHECK:   math.exp
amp.graph private @reads(%x: tensor<4xf32>) -> tensor<4xf32> {
  %V = amp.get @V : tensor<4x4xf32>
  %E = amp.get @E : tensor<?x4xf32>
  %a = amp.linear %x, %V : tensor<4xf32>, tensor<4x4xf32>
  %k = amp.argmax %a : tensor<4xf32>
  %row = amp.lookup %E[%k] : tensor<?x4xf32>, index
  %y = math.exp %row : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// The two sides of a branch are never one cell.
// CHECK-LABEL: amp.graph private @sides
// CHECK: amp.cell "sides.0"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NEXT: amp.yield
// CHECK: amp.cell "sides.1"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.tanh
// CHECK-NEXT: amp.yield
amp.graph private @sides(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  %a = math.exp %t : tensor<4xf32>
  %b = math.tanh %f : tensor<4xf32>
  %y = amp.merge %a, %b : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// The ops of transforms are grouped like all others.
// CHECK-LABEL: amp.graph private @transforms
// CHECK: amp.cell "transforms.0"
// CHECK:   math.tanh
// CHECK:   math.exp
// CHECK-NOT: amp.transform
// CHECK-NOT: amp.cell
// CHECK: amp.return
amp.graph private @transforms(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.transform(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %b = math.tanh %a : tensor<4xf32>
    amp.yield %b : tensor<4xf32>
  }
  %z = math.exp %y : tensor<4xf32>
  amp.return %z : tensor<4xf32>
}

// Nothing to group: unchanged.
// CHECK-LABEL: amp.graph private @nothing
// CHECK-NEXT: amp.call
// CHECK-NEXT: amp.return
amp.graph private @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.call @sides2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}
amp.graph private @sides2(%x: tensor<4xf32>) -> tensor<4xf32> {
  amp.return %x : tensor<4xf32>
}

// It makes more than it reads: it is made where it is used, in one cell with the rest.
// CHECK-LABEL: amp.graph private @grows
// CHECK: amp.loop
// CHECK: amp.cell "grows.0"
// CHECK:   amp.linear
// CHECK:   amp.linear
// CHECK-NOT: amp.cell
// CHECK: amp.next
amp.graph private @grows(%xs: tensor<?x4xf32>, %n: index, %h0: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %W = amp.get @W : tensor<4x8xf32>
  %U = amp.get @U : tensor<8x8xf32>
  %h = amp.loop range(%c0, %n, %c1) init(%h0 : tensor<8xf32>) -> (tensor<8xf32>) stacked () {
  ^bb0(%i: index, %hi: tensor<8xf32>):
    %x = amp.lookup %xs[%i] : tensor<?x4xf32>, index
    %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x8xf32>
    %b = amp.linear %hi, %U : tensor<8xf32>, tensor<8x8xf32>
    %s = arith.addf %a, %b : tensor<8xf32>
    amp.next carried(%s : tensor<8xf32>)
  }
  amp.return %h : tensor<8xf32>
}

// What a later cell needs a slice of, and reads as a whole as well, it slices itself.
// CHECK-LABEL: amp.graph private @repeated
// CHECK: %[[FIRST:.*]]:2 = amp.cell "repeated.0"(%arg0) : (tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
// CHECK:   tensor.extract_slice
// CHECK: amp.cell "repeated.1"
// CHECK-SAME: (tensor<8xf32>, tensor<8xf32>) -> tensor<4xf32>
// CHECK:   tensor.extract_slice
// CHECK:   arith.mulf
amp.graph private @repeated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %U = amp.get @U : tensor<8x8xf32>
  %W = amp.get @W : tensor<4x8xf32>
  %a = amp.linear %x, %W : tensor<4xf32>, tensor<4x8xf32>
  %s = amp.sigmoid %a : tensor<8xf32>
  %l = tensor.extract_slice %s[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = math.exp %l : tensor<4xf32>
  %y = amp.call @straight(%e) : (tensor<4xf32>) -> tensor<8xf32>
  %u = arith.mulf %y, %s : tensor<8xf32>
  %v = tensor.extract_slice %u[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %z = arith.mulf %v, %l : tensor<4xf32>
  amp.return %z : tensor<4xf32>
}
