// The phase `differentiated`: of a program with a loss, the entry that predicts; with --train also the one that evaluates and
// the one that trains.
// RUN: split-file %s %t
// RUN: ampc --compile-to=differentiated %t/model.mlir | FileCheck %s --check-prefix=PREDICT
// RUN: ampc --train --compile-to=differentiated %t/model.mlir | FileCheck %s --check-prefix=TRAIN

// PREDICT: amp.graph @model(%{{.*}}: tensor<2xf32> {amp.name = "x"}, %{{.*}}: index {amp.name = "n"}) -> (tensor<2xf32> {amp.name = "y"}) {
// PREDICT: amp.return %{{.*}} : tensor<2xf32>
// PREDICT-NOT: {{amp.graph @|amp.tape|amp.loss}}

// TRAIN: amp.graph private @down(
// TRAIN: amp.graph private @down.train(
// TRAIN: amp.graph @model(
// TRAIN-SAME: -> (tensor<2xf32> {amp.name = "y"}) {
// TRAIN: amp.graph @model.evaluate(
// TRAIN-SAME: {amp.name = "t"}) -> (tensor<2xf32> {amp.name = "y"}, f32 {amp.loss, amp.name = "loss"}) attributes {amp.role = "evaluate"} {
// TRAIN-NOT: amp.tape
// TRAIN: amp.graph @model.train(
// TRAIN-SAME: {amp.name = "t"}) -> (f32 {amp.loss, amp.name = "loss"}) attributes {amp.role = "train"} {
// TRAIN: amp.call @down.train
// TRAIN: amp.backward

// What it prints is taken back, and the next phases take it. The graph itself may be given, too.
// RUN: ampc --train --compile-to=differentiated %t/model.mlir -o %t/differentiated.mlir
// RUN: ampc --train --compile-from=differentiated --compile-to=runtime %t/differentiated.mlir | FileCheck %s --check-prefix=RUNTIME
// RUN: ampc --train --compile-to=graph %t/model.mlir -o %t/graph.mlir
// RUN: ampc --train --compile-from=graph --compile-to=differentiated %t/graph.mlir | FileCheck %s --check-prefix=TRAIN
// RUNTIME-DAG: amprt.model "model"
// RUNTIME-DAG: role = "evaluate"
// RUNTIME-DAG: role = "train"
// RUNTIME-DAG: amprt.gradient

// The phase before it keeps the loss where it is.
// RUN: FileCheck %s --check-prefix=GRAPH < %t/graph.mlir
// GRAPH: amp.graph @model({{.*}}) -> (tensor<2xf32> {amp.name = "y"}, f32 {amp.loss, amp.name = "loss"}) {
// GRAPH-NOT: amp.role

// Without a loss nothing changes, and nothing can be trained.
// RUN: ampc --compile-to=differentiated %t/plain.mlir | FileCheck %s --check-prefix=PLAIN
// PLAIN: amp.graph @plain(%{{.*}}: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
// RUN: not ampc --train --compile-to=differentiated %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=NOLOSS
// RUN: not ampc --train %t/plain.mlir -o %t/plain 2>&1 | FileCheck %s --check-prefix=NOLOSS
// RUN: not ampc --check-gradients %t/plain.mlir --input %t/model.mlir 2>&1 | FileCheck %s --check-prefix=NOLOSS
// NOLOSS: error: {{.*}}has no loss to train: a result of the entry with the attribute amp.loss

// What is wrong with a derivative is said with its place.
// RUN: not ampc --train --compile-to=differentiated %t/hard.mlir 2>&1 | FileCheck %s --check-prefix=HARD
// RUN: ampc --compile-to=differentiated %t/hard.mlir
// HARD: hard.mlir:4:8: error: 'arith.remf' op has no derivative, but the loss depends on parameters by way of it

//--- model.mlir
amp.param @W : tensor<2x2xf32> init(glorot)
func.func private @down(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi sle, %n, %c0 : index
  %y = scf.if %done -> (tensor<2xf32>) {
    scf.yield %x : tensor<2xf32>
  } else {
    %W = amp.get @W : tensor<2x2xf32>
    %m = arith.subi %n, %c1 : index
    %g = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
    %h = math.tanh %g : tensor<2xf32>
    %r = func.call @down(%h, %m) : (tensor<2xf32>, index) -> tensor<2xf32>
    scf.yield %r : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}
func.func @model(%x: tensor<2xf32> {amp.name = "x"}, %n: index {amp.name = "n"}, %t: tensor<2xf32> {amp.name = "t"})
    -> (tensor<2xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %y = call @down(%x, %n) : (tensor<2xf32>, index) -> tensor<2xf32>
  %l = amp.loss squared_error %y, %t : tensor<2xf32>, tensor<2xf32> -> f32
  return %y, %l : tensor<2xf32>, f32
}

//--- plain.mlir
func.func @plain(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  return %x : f32
}

//--- hard.mlir
amp.param @p : tensor<2xf32> init(zeros)
func.func @hard(%x: tensor<2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %p = amp.get @p : tensor<2xf32>
  %y = arith.remf %p, %x : tensor<2xf32>
  %l = amp.loss squared_error %y, %x : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
