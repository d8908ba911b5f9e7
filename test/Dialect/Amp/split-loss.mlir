// RUN: amp-opt %s -split-input-file -amp-split-loss | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-split-loss=keep | FileCheck %s --check-prefix=KEEP

// What only the loss needs goes: the label, work on it, and the loss itself. A field that something else needs stays, one
// that nothing needs at all stays, too, and so does the order of results.
amp.param @W : tensor<4x5xf32> init(glorot)
// CHECK-LABEL: amp.graph @predict(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {amp.name = "x"}, %[[K:.*]]: i32 {amp.name = "k"}, %{{.*}}: tensor<?xi32> {amp.name = "never"})
// CHECK-SAME: -> (tensor<5xf32> {amp.name = "logits"}, i32 {amp.name = "k2"}) {
// CHECK-NEXT: %[[W:.*]] = amp.get @W
// CHECK-NEXT: %[[Y:.*]] = amp.linear %[[X]], %[[W]]
// CHECK-NEXT: %[[K2:.*]] = arith.addi %[[K]], %[[K]]
// CHECK-NEXT: amp.return %[[Y]], %[[K2]] : tensor<5xf32>, i32
// CHECK-NOT: amp.graph

// With `keep` the entry as it was stays beside it, for those who have labels.
// KEEP-LABEL: amp.graph @predict(
// KEEP-SAME: -> (tensor<5xf32> {amp.name = "logits"}, i32 {amp.name = "k2"}) {
// KEEP: amp.graph @predict.evaluate(
// KEEP-SAME: %{{.*}}: tensor<4xf32> {amp.name = "x"}, %[[TAG:.*]]: i32 {amp.name = "tag"}, %{{.*}}: i32 {amp.name = "k"}
// KEEP-SAME: %{{.*}}: tensor<?xi32> {amp.name = "never"})
// KEEP-SAME: -> (tensor<5xf32> {amp.name = "logits"}, f32 {amp.loss, amp.name = "loss"}, i32 {amp.name = "k2"})
// KEEP-SAME: attributes {amp.role = "evaluate"} {
// KEEP: %[[SUM:.*]] = arith.addi %[[TAG]], %{{.*}}
// KEEP: %[[L:.*]] = amp.loss cross_entropy %{{.*}}, %[[SUM]]
// KEEP: amp.return %{{.*}}, %[[L]], %{{.*}} : tensor<5xf32>, f32, i32
amp.graph @predict(%x: tensor<4xf32> {amp.name = "x"}, %tag: i32 {amp.name = "tag"}, %k: i32 {amp.name = "k"},
                   %never: tensor<?xi32> {amp.name = "never"})
    -> (tensor<5xf32> {amp.name = "logits"}, f32 {amp.name = "loss", amp.loss}, i32 {amp.name = "k2"}) {
  %one = arith.constant 1 : i32
  %W = amp.get @W : tensor<4x5xf32>
  %y = amp.linear %x, %W : tensor<4xf32>, tensor<4x5xf32>
  %t = arith.addi %tag, %one : i32
  %l = amp.loss cross_entropy %y, %t : tensor<5xf32>, i32 -> f32
  %k2 = arith.addi %k, %k : i32
  amp.return %y, %l, %k2 : tensor<5xf32>, f32, i32
}

// -----

// A collector that only the loss reads goes with its emits; one whose rows are a result stays.
// CHECK-LABEL: amp.graph @collectors(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {amp.name = "x"}, %[[N:.*]]: index {amp.name = "n"}) -> (tensor<?x4xf32> {amp.name = "rows"}) {
// CHECK: %[[OUT:.*]] = amp.collector %[[N]]
// CHECK-NEXT: amp.emit %[[X]], %[[OUT]]
// CHECK-NEXT: %[[ROWS:.*]] = amp.collect %[[OUT]]
// CHECK-NEXT: amp.return %[[ROWS]]
// KEEP: amp.graph @collectors.evaluate(
amp.graph @collectors(%x: tensor<4xf32> {amp.name = "x"}, %n: index {amp.name = "n"}, %target: tensor<?x4xf32> {amp.name = "target"})
    -> (f32 {amp.name = "loss", amp.loss}, tensor<?x4xf32> {amp.name = "rows"}) {
  %zero = arith.constant 0 : index
  %out = amp.collector %n : !amp.collector<tensor<4xf32>>
  %scores = amp.collector %n : !amp.collector<tensor<4xf32>>
  amp.emit %x, %out[%zero] : !amp.collector<tensor<4xf32>>, index
  %y = math.exp %x : tensor<4xf32>
  amp.emit %y, %scores[%zero] : !amp.collector<tensor<4xf32>>, index
  %rows = amp.collect %out : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %all = amp.collect %scores : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %l = amp.loss squared_error %all, %target : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  amp.return %l, %rows : f32, tensor<?x4xf32>
}

// -----

// Without a loss nothing changes.
// CHECK-LABEL: amp.graph @nothing(
// CHECK-SAME: %[[X:.*]]: f32 {amp.name = "x"}, %{{.*}}: i32 {amp.name = "unused"}) -> (f32 {amp.name = "loss"}) {
// CHECK-NEXT: amp.return %[[X]]
// CHECK-NOT: amp.graph
// KEEP-LABEL: amp.graph @nothing(
// KEEP-NEXT: amp.return
// KEEP-NOT: amp.graph @nothing
amp.graph @nothing(%x: f32 {amp.name = "x"}, %unused: i32 {amp.name = "unused"}) -> (f32 {amp.name = "loss"}) {
  amp.return %x : f32
}

// -----

// What has effects stays, though nobody reads it.
// CHECK-LABEL: amp.graph @unused(
// CHECK-SAME: %[[X:.*]]: f32 {amp.name = "x"}, %{{.*}}: i32 {amp.name = "unused"}) {
// CHECK: amp.call @log(%[[X]])
amp.graph @unused(%x: f32 {amp.name = "x"}, %unused: i32 {amp.name = "unused"}, %target: f32 {amp.name = "target"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %y = amp.call @log(%x) : (f32) -> f32
  %d = arith.subf %target, %y : f32
  amp.return %d : f32
}
amp.graph private @log(%x: f32) -> f32 {
  amp.return %x : f32
}

// -----

// A program (level A) as well: the interpreter takes it.
// CHECK-LABEL: func.func @program(
// CHECK-SAME: %[[X:.*]]: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
// CHECK-NEXT: %[[Y:.*]] = math.exp %[[X]]
// CHECK-NEXT: return %[[Y]]
func.func @program(%x: f32 {amp.name = "x"}, %t: f32 {amp.name = "t"}) -> (f32 {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %y = math.exp %x : f32
  %d = arith.subf %y, %t : f32
  %l = arith.mulf %d, %d : f32
  return %y, %l : f32, f32
}
