// RUN: amp-opt %s --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Level A
//===----------------------------------------------------------------------===//

// CHECK: amp.param @emb : tensor<?x4xf32> init(normal, 1.000000e-01)
amp.param @emb : tensor<?x4xf32> init(normal, 0.1)
amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @b : tensor<8xf32> init(zeros)

// CHECK-LABEL: func.func @tensor_ops
func.func @tensor_ops(%i: i32, %rows: tensor<?x4xf32>) -> index {
  // CHECK: %[[EMB:.*]] = amp.get @emb : tensor<?x4xf32>
  %emb = amp.get @emb : tensor<?x4xf32>
  %W = amp.get @W : tensor<4x8xf32>
  %b = amp.get @b : tensor<8xf32>
  // CHECK: %[[X:.*]] = amp.lookup %[[EMB]][%{{.*}}] : tensor<?x4xf32>, i32
  %x = amp.lookup %emb[%i] : tensor<?x4xf32>, i32
  // CHECK: amp.linear %[[X]], %{{.*}} : tensor<4xf32>, tensor<4x8xf32>
  %y0 = amp.linear %x, %W : tensor<4xf32>, tensor<4x8xf32>
  // CHECK: amp.linear %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4x8xf32>, tensor<8xf32>
  %y1 = amp.linear %rows, %W, %b : tensor<?x4xf32>, tensor<4x8xf32>, tensor<8xf32>
  // CHECK: amp.sigmoid %{{.*}} : tensor<?x8xf32>
  %y2 = amp.sigmoid %y1 : tensor<?x8xf32>
  // CHECK: amp.softmax %{{.*}} : tensor<8xf32>
  %p = amp.softmax %y0 : tensor<8xf32>
  // CHECK: amp.argmax %{{.*}} : tensor<8xf32>
  %k = amp.argmax %p : tensor<8xf32>
  return %k : index
}

// CHECK-LABEL: func.func @map
func.func @map(%n: index, %x: f32) -> (tensor<?x2xf32>, tensor<?xindex>) {
  // CHECK: amp.map %[[I:.*]] to %{{.*}} -> (tensor<?x2xf32>, tensor<?xindex>) {
  // CHECK: amp.yield %{{.*}}, %[[I]] : tensor<2xf32>, index
  %r:2 = amp.map %i to %n -> (tensor<?x2xf32>, tensor<?xindex>) {
    %row = tensor.splat %x : tensor<2xf32>
    amp.yield %row, %i : tensor<2xf32>, index
  }
  // Without results the terminator is implicit when read; an attribute is kept.
  // CHECK: amp.map %{{.*}} to %{{.*}} attributes {amp.tag = 1 : i32} {
  amp.map %i to %n attributes {amp.tag = 1 : i32} {
  }
  return %r#0, %r#1 : tensor<?x2xf32>, tensor<?xindex>
}

// CHECK-LABEL: func.func @scan
func.func @scan(%n: index, %h0: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  // CHECK: %{{.*}}, %{{.*}} = amp.scan %{{.*}} = %{{.*}} to %{{.*}} carry(%{{.*}} = %{{.*}}) : (tensor<2xf32>) -> tensor<?x2xf32> {
  %h, %hs = amp.scan %t = %zero to %n carry(%a = %h0) : (tensor<2xf32>) -> (tensor<?x2xf32>) {
    amp.yield %a, %a : tensor<2xf32>, tensor<2xf32>
  }
  // CHECK: amp.scan reverse %{{.*}} = %{{.*}} to %{{.*}} carry(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<2xf32>, index) {
  %g, %k = amp.scan reverse %t = %zero to %n carry(%a = %h, %b = %zero) : (tensor<2xf32>, index) {
    amp.yield %a, %t : tensor<2xf32>, index
  }
  // CHECK: amp.scan %{{.*}} = %{{.*}} to %{{.*}} -> tensor<?xindex> {
  %ts = amp.scan %t = %zero to %n -> (tensor<?xindex>) {
    amp.yield %t : index
  }
  return %g : tensor<2xf32>
}

// CHECK-LABEL: func.func @collector
func.func @collector(%n: index, %row: tensor<2xf32>) -> tensor<?x2xf32> {
  // CHECK: %[[OUT:.*]] = amp.collector %{{.*}} : <tensor<2xf32>>
  %out = amp.collector %n : !amp.collector<tensor<2xf32>>
  amp.map %i to %n {
    // CHECK: amp.emit %{{.*}}, %[[OUT]][%{{.*}}] : <tensor<2xf32>>, index
    amp.emit %row, %out[%i] : !amp.collector<tensor<2xf32>>, index
  }
  // CHECK: amp.collect %[[OUT]] : <tensor<2xf32>> -> tensor<?x2xf32>
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  return %rows : tensor<?x2xf32>
}

//===----------------------------------------------------------------------===//
// Level B
//===----------------------------------------------------------------------===//

// CHECK-LABEL: amp.graph @routing(
// CHECK-SAME: %[[C:.*]]: i1 {amp.name = "c"}, %[[X:.*]]: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"})
amp.graph @routing(%c: i1 {amp.name = "c"}, %x: tensor<4xf32> {amp.name = "x"})
    -> (tensor<4xf32> {amp.name = "y"}) {
  // CHECK: %[[T:.*]], %[[F:.*]] = amp.branch %[[C]], %[[X]] : tensor<4xf32>
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  // CHECK: amp.transform(%[[T]]) : (tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>):
  %y = amp.transform(%t) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %b = math.tanh %a : tensor<4xf32>
    amp.yield %b : tensor<4xf32>
  }
  // CHECK: amp.merge %{{.*}}, %[[F]] : tensor<4xf32>
  %z = amp.merge %y, %f : tensor<4xf32>
  amp.return %z : tensor<4xf32>
}

// CHECK-LABEL: amp.graph private @calls(
amp.graph private @calls(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.call @nothing() : () -> ()
  amp.call @nothing() : () -> ()
  // CHECK: amp.call @nothing() after(%{{.*}} : i1) : () -> ()
  amp.call @nothing() after(%c : i1) : () -> ()
  // CHECK: amp.call @routing(%{{.*}}, %{{.*}}) after(%{{.*}}, %{{.*}} : i1, tensor<4xf32>) : (i1, tensor<4xf32>) -> tensor<4xf32>
  %y = amp.call @routing(%c, %x) after(%c, %x : i1, tensor<4xf32>) : (i1, tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// CHECK-LABEL: amp.graph private @nothing() {
amp.graph private @nothing() {
  amp.return
}

// CHECK-LABEL: amp.graph private @loops(
amp.graph private @loops(%lo: index, %up: index, %one: index, %x: tensor<4xf32>, %n: i32) {
  // CHECK: amp.loop range(%{{.*}}, %{{.*}}, %{{.*}}) -> () stacked () {
  amp.loop range(%lo, %up, %one) -> () stacked () {
  ^bb0(%i: index):
    // CHECK: amp.next
    amp.next
  }
  // CHECK: amp.loop reverse range(%{{.*}}) init(%{{.*}} : tensor<4xf32>) after(%{{.*}} : i32) -> (tensor<4xf32>) stacked (tensor<?x4xf32>) {
  %h, %hs = amp.loop reverse range(%lo, %up, %one) init(%x : tensor<4xf32>) after(%n : i32) -> (tensor<4xf32>) stacked (tensor<?x4xf32>) {
  ^bb0(%i: index, %a: tensor<4xf32>):
    // CHECK: amp.next carried(%{{.*}} : tensor<4xf32>) stacked(%{{.*}} : tensor<4xf32>)
    amp.next carried(%a : tensor<4xf32>) stacked(%a : tensor<4xf32>)
  }
  // CHECK: amp.loop init(%{{.*}} : i32) -> (i32) stacked () attributes {amp.tag = 1 : i32} {
  %m = amp.loop init(%n : i32) -> (i32) stacked () attributes {amp.tag = 1 : i32} {
  ^bb0(%i: i32):
    %more = arith.cmpi sgt, %i, %i : i32
    %t, %f = amp.branch %more, %i : i32
    // CHECK: amp.next while(%{{.*}}) carried(%{{.*}} : i32) exit(%{{.*}} : i32)
    amp.next while(%more) carried(%t : i32) exit(%f : i32)
  }
  amp.return
}

// CHECK-LABEL: amp.graph private @batched(
amp.graph private @batched(%words: tensor<?xi32>, %i: index) -> tensor<4xf32> {
  // CHECK: amp.control(%{{.*}}, %{{.*}}) : (tensor<?xi32>, index) -> i32 {
  %w = amp.control(%words, %i) : (tensor<?xi32>, index) -> i32 {
  ^bb0(%a: tensor<?xi32>, %b: index):
    %c = tensor.extract %a[%b] : tensor<?xi32>
    amp.yield %c : i32
  }
  // CHECK: amp.cell "row"(%{{.*}}) : (i32) -> tensor<4xf32> {
  %x = amp.cell "row"(%w) : (i32) -> tensor<4xf32> {
  ^bb0(%a: i32):
    %emb = amp.get @emb : tensor<?x4xf32>
    %row = amp.lookup %emb[%a] : tensor<?x4xf32>, i32
    amp.yield %row : tensor<4xf32>
  }
  amp.return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func private @rows(
func.func private @rows(%x: tensor<?x4xf32>, %k: tensor<?xi32>, %n: index, %w: tensor<3x4x2xf32>, %b: tensor<3x2xf32>, %l: i32) {
  // CHECK: amp.iota %{{.*}} : tensor<?xindex>
  %i = amp.iota %n : tensor<?xindex>
  // CHECK: amp.gather %{{.*}}[%{{.*}}] : tensor<?x4xf32>, tensor<?xi32>
  %g = amp.gather %x[%k] : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: amp.segment mean %{{.*}}[%{{.*}}] to %{{.*}} : tensor<?x4xf32>, tensor<?xi32>
  %s = amp.segment mean %x[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: amp.pool max %{{.*}} : tensor<?x4xf32>
  %p = amp.pool max %x : tensor<?x4xf32>
  // CHECK: amp.grouped_linear %{{.*}}, %{{.*}}[%{{.*}}] : tensor<?x4xf32>, tensor<3x4x2xf32>, tensor<?xi32>
  %y = amp.grouped_linear %x, %w[%k] : tensor<?x4xf32>, tensor<3x4x2xf32>, tensor<?xi32>
  // CHECK: amp.grouped_linear %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<?x4xf32>, tensor<3x4x2xf32>, tensor<?xi32>, tensor<3x2xf32>
  %z = amp.grouped_linear %x, %w[%k], %b : tensor<?x4xf32>, tensor<3x4x2xf32>, tensor<?xi32>, tensor<3x2xf32>
  // CHECK: amp.group %{{.*}}[%{{.*}}] to %{{.*}} : tensor<?x4xf32>, tensor<?xi32>
  %rows, %starts = amp.group %x[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: amp.ungroup %{{.*}}[%{{.*}}] to %{{.*}} : tensor<?x4xf32>, tensor<?xi32>
  %u = amp.ungroup %rows[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: amp.loss cross_entropy %{{.*}}, %{{.*}} : tensor<4xf32>, i32 -> f32
  %e = amp.loss cross_entropy %p, %l : tensor<4xf32>, i32 -> f32
  // CHECK: amp.loss squared_error %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> f32
  %e2 = amp.loss squared_error %p, %p : tensor<4xf32>, tensor<4xf32> -> f32
  // CHECK: amp.loss absolute_error %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> f32
  %e3 = amp.loss absolute_error %p, %p : tensor<4xf32>, tensor<4xf32> -> f32
  // CHECK: amp.loss hinge %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?xi32> -> f32
  %e4 = amp.loss hinge %x, %k : tensor<?x4xf32>, tensor<?xi32> -> f32
  // CHECK: amp.flatmap %{{.*}} to %{{.*}} -> tensor<?x4xf32> attributes {amp.tag = 1 : i32} {
  %f = amp.flatmap %j to %n -> (tensor<?x4xf32>) attributes {amp.tag = 1 : i32} {
    amp.yield %x : tensor<?x4xf32>
  }
  return
}

// CHECK-LABEL: func.func private @lists(
func.func private @lists(%i: index, %v: tensor<4xf32>) {
  // CHECK: amp.list : <tensor<4xf32>>
  %l0 = amp.list : !amp.list<tensor<4xf32>>
  // CHECK: amp.push %{{.*}}, %{{.*}} : <tensor<4xf32>>
  %l1 = amp.push %v, %l0 : !amp.list<tensor<4xf32>>
  // CHECK: amp.pop %{{.*}} : <tensor<4xf32>>
  %l2, %t = amp.pop %l1 : !amp.list<tensor<4xf32>>
  // CHECK: amp.at %{{.*}}[%{{.*}}] : <tensor<4xf32>>, index
  %a = amp.at %l1[%i] : !amp.list<tensor<4xf32>>, index
  // CHECK: amp.length %{{.*}} : <tensor<4xf32>>
  %n = amp.length %l1 : !amp.list<tensor<4xf32>>
  // CHECK: amp.stack %{{.*}} : <tensor<4xf32>>
  %r = amp.stack %l1 : !amp.list<tensor<4xf32>>
  return
}

// CHECK-LABEL: amp.graph private @keys(
amp.graph private @keys(%x: i32) -> i32 {
  // CHECK: amp.fork %{{.*}} : i32 to 2
  %a, %b = amp.fork %x : i32 to 2
  // CHECK: amp.sink %{{.*}} : i32
  amp.sink %a : i32
  // CHECK: amp.rekey %{{.*}} : i32 forward {
  %y = amp.rekey %b : i32 forward {
  ^bb0(%k: i32):
    %c = arith.constant 1 : i32
    %d = arith.addi %k, %c : i32
    amp.yield %d : i32
  // CHECK: } inverse {
  } inverse {
  ^bb0(%k: i32):
    %c = arith.constant 1 : i32
    %d = arith.subi %k, %c : i32
    amp.yield %d : i32
  }
  amp.return %y : i32
}
