// RUN: amp-opt %s --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

amp.param @emb : tensor<?x4xf32> init(normal, 0.1)
amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @A : tensor<3x4x8xf32> init(glorot)
amp.param @b : tensor<8xf32> init(zeros)

// A parameter as a gradient needs it.
// CHECK-LABEL: func.func @transposed(
func.func @transposed(%dy: tensor<8xf32>, %dys: tensor<?x8xf32>, %which: tensor<?xi32>) {
  // CHECK: %[[T:.*]] = amp.get transposed @W : tensor<8x4xf32>
  %T = amp.get transposed @W : tensor<8x4xf32>
  // CHECK: amp.linear %{{.*}}, %[[T]] : tensor<8xf32>, tensor<8x4xf32>
  %dx = amp.linear %dy, %T : tensor<8xf32>, tensor<8x4xf32>
  // CHECK: %[[G:.*]] = amp.get transposed @A : tensor<3x8x4xf32>
  %G = amp.get transposed @A : tensor<3x8x4xf32>
  // CHECK: amp.grouped_linear %{{.*}}, %[[G]][%{{.*}}] : tensor<?x8xf32>, tensor<3x8x4xf32>, tensor<?xi32>
  %dxs = amp.grouped_linear %dys, %G[%which] : tensor<?x8xf32>, tensor<3x8x4xf32>, tensor<?xi32>
  return
}

// Gradients of parameters.
// CHECK-LABEL: amp.graph private @parameters(
amp.graph private @parameters(%i: i32, %k: tensor<?xi64>, %which: tensor<?xi32>, %x: tensor<4xf32>, %dy: tensor<8xf32>,
                              %xs: tensor<?x4xf32>, %dys: tensor<?x8xf32>) {
  // CHECK: amp.add_gradient @b, %{{.*}} : tensor<8xf32>
  amp.add_gradient @b, %dy : tensor<8xf32>
  // CHECK: amp.add_gradient @b, %{{.*}} : tensor<?x8xf32>
  amp.add_gradient @b, %dys : tensor<?x8xf32>
  // CHECK: amp.add_gradient @emb, %{{.*}} : tensor<?x4xf32>
  amp.add_gradient @emb, %xs : tensor<?x4xf32>
  // CHECK: amp.linear_gradient @W, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<8xf32>
  amp.linear_gradient @W, %x, %dy : tensor<4xf32>, tensor<8xf32>
  // CHECK: amp.linear_gradient @W, %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?x8xf32>
  amp.linear_gradient @W, %xs, %dys : tensor<?x4xf32>, tensor<?x8xf32>
  // CHECK: amp.grouped_linear_gradient @A[%{{.*}}], %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?x8xf32>, tensor<?xi32>
  amp.grouped_linear_gradient @A[%which], %xs, %dys : tensor<?x4xf32>, tensor<?x8xf32>, tensor<?xi32>
  // CHECK: amp.row_gradient @emb[%{{.*}}], %{{.*}} : tensor<4xf32>, i32
  amp.row_gradient @emb[%i], %x : tensor<4xf32>, i32
  // CHECK: amp.row_gradient @emb[%{{.*}}], %{{.*}} : tensor<?x4xf32>, tensor<?xi64>
  amp.row_gradient @emb[%k], %xs : tensor<?x4xf32>, tensor<?xi64>
  amp.return
}

// CHECK-LABEL: amp.graph private @values(
amp.graph private @values(%x: tensor<?x5xf32>, %tag: tensor<?xi32>, %y: tensor<5xf64>, %dl: f32, %dm: f64) {
  // CHECK: amp.loss_gradient cross_entropy %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x5xf32>, tensor<?xi32>, f32
  %0 = amp.loss_gradient cross_entropy %x, %tag, %dl : tensor<?x5xf32>, tensor<?xi32>, f32
  // CHECK: amp.loss_gradient squared_error %{{.*}}, %{{.*}}, %{{.*}} : tensor<5xf64>, tensor<5xf64>, f64
  %1 = amp.loss_gradient squared_error %y, %y, %dm : tensor<5xf64>, tensor<5xf64>, f64
  // CHECK: amp.loss_gradient absolute_error %{{.*}}, %{{.*}}, %{{.*}} : tensor<5xf64>, tensor<5xf64>, f64
  %2 = amp.loss_gradient absolute_error %y, %y, %dm : tensor<5xf64>, tensor<5xf64>, f64
  // CHECK: amp.loss_gradient hinge %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x5xf32>, tensor<?xi32>, f32
  %3 = amp.loss_gradient hinge %x, %tag, %dl : tensor<?x5xf32>, tensor<?xi32>, f32
  // CHECK: amp.softmax_gradient %{{.*}}, %{{.*}} : tensor<?x5xf32>
  %4 = amp.softmax_gradient %x, %0 : tensor<?x5xf32>
  amp.return
}

// CHECK-LABEL: amp.graph private @dropout(
amp.graph private @dropout(%x: tensor<4xf32>, %xs: tensor<?x4xf32>, %i: index, %k: i32) {
  // CHECK: amp.dropout %{{.*}} rate 5.000000e-01 : tensor<4xf32>
  %0 = amp.dropout %x rate 0.5 : tensor<4xf32>
  // CHECK: amp.dropout %{{.*}}[%{{.*}}, %{{.*}}] rate 0.000000e+00 : tensor<?x4xf32>, index, i32
  %1 = amp.dropout %xs[%i, %k] rate 0.0 : tensor<?x4xf32>, index, i32
  // CHECK: amp.dropout_mask %{{.*}} rate 5.000000e-01 salt 0 : tensor<4xf32>
  %2 = amp.dropout_mask %x rate 0.5 salt 0 : tensor<4xf32>
  // CHECK: amp.dropout_mask %{{.*}}[%{{.*}}] rate 5.000000e-01 salt 7 : tensor<?x4xf32>, index
  %3 = amp.dropout_mask %xs[%i] rate 0.5 salt 7 : tensor<?x4xf32>, index
  amp.return
}

// A differentiated graph: its last argument is the gradient of a result, its last result that of an argument.
// CHECK-LABEL: amp.graph private @differentiated(
// CHECK-SAME: ) -> (tensor<4xf32>, tensor<4xf32>) attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  %y = math.exp %x : tensor<4xf32>
  %dx = arith.mulf %dy, %y : tensor<4xf32>
  amp.return %y, %dx : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: amp.graph private @halves(
amp.graph private @halves(%n: index, %one: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[CALL:.*]]:2 = amp.call @differentiated(%{{.*}}) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  // CHECK: amp.backward %[[CALL]]#1(%[[CALL]]#0) : (tensor<4xf32>) -> tensor<4xf32>
  %y, %call = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %dx = amp.backward %call(%y) : (tensor<4xf32>) -> tensor<4xf32>

  // A loop whose carried value and whose stacked rows have gradients; a row of its own is stacked by the way.
  // CHECK: %[[LAST:.*]], %[[STACKED:.*]], %[[LOOP:.*]] = amp.loop range(%{{.*}}, %{{.*}}, %{{.*}}) init(%{{.*}} : tensor<4xf32>) -> (tensor<4xf32>) stacked (tensor<?x4xf32>) tape !amp.tape
  // CHECK-SAME: adjoint_carried = array<i64: 0>{{.*}}adjoint_stacked = array<i64: 0>
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
  // CHECK: amp.next carried(%{{.*}} : tensor<4xf32>) stacked(%{{.*}} : tensor<4xf32>) adjoint(%{{.*}}, %{{.*}} : tensor<4xf32>, index)
  // CHECK: amp.backward %[[LOOP]](%[[LAST]], %[[STACKED]]) : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?xindex>)
  %h, %hs, %loop = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked (tensor<?x4xf32>) tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>, adjoint_stacked = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>, %ds: tensor<4xf32>):
    %0 = arith.addf %da, %ds : tensor<4xf32>
    amp.next carried(%a : tensor<4xf32>) stacked(%a : tensor<4xf32>) adjoint(%0, %i : tensor<4xf32>, index)
  }
  %dh, %rows = amp.backward %loop(%h, %hs) : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?xindex>)

  // One without a range: gradients of what goes on and of what leaves come on either side of the condition.
  // CHECK: %[[END:.*]], %[[WHILE:.*]] = amp.loop init(%{{.*}}, %{{.*}} : tensor<4xf32>, index) -> (tensor<4xf32>) stacked () tape !amp.tape
  // CHECK: amp.next while(%{{.*}}) carried(%{{.*}}, %{{.*}} : tensor<4xf32>, index) exit(%{{.*}} : tensor<4xf32>) adjoint(%{{.*}} : tensor<4xf32>)
  // CHECK: amp.backward %[[WHILE]](%[[END]]) : (tensor<4xf32>) -> tensor<4xf32>
  %e, %while = amp.loop init(%x, %n : tensor<4xf32>, index) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>, adjoint_exit = array<i64: 0>} {
  ^bb0(%a: tensor<4xf32>, %k: index, %da: tensor<4xf32>, %de: tensor<4xf32>):
    %more = arith.cmpi sgt, %k, %one : index
    %at, %af = amp.branch %more, %a : tensor<4xf32>
    %kt, %kf = amp.branch %more, %k : index
    %m = arith.subi %kt, %one : index
    %d = amp.merge %da, %de : tensor<4xf32>
    amp.next while(%more) carried(%at, %m : tensor<4xf32>, index) exit(%af : tensor<4xf32>) adjoint(%d : tensor<4xf32>)
  }
  %de = amp.backward %while(%e) : (tensor<4xf32>) -> tensor<4xf32>

  // CHECK: %[[MAP:.*]]:3 = amp.map %[[I:.*]] to %{{.*}} adjoint(%[[DR:.*]]: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?xindex>, !amp.tape) attributes {adjoint_stacked = array<i64: 0>} {
  // CHECK-NEXT: amp.yield %{{.*}}, %[[I]], %[[DR]] : tensor<4xf32>, index, tensor<4xf32>
  // CHECK: amp.backward %[[MAP]]#2(%[[MAP]]#0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %r, %k, %map = amp.map %i to %n adjoint(%dr: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?xindex>, !amp.tape) attributes {adjoint_stacked = array<i64: 0>} {
    amp.yield %x, %i, %dr : tensor<4xf32>, index, tensor<4xf32>
  }
  %dm = amp.backward %map(%r) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  amp.return %dx : tensor<4xf32>
}
