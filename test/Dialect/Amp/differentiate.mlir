// RUN: amp-opt %s -split-input-file -amp-differentiate -cse 2>/dev/null | FileCheck %s

// The backward pass of a body stands behind its forward pass, in the same block.

amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @b : tensor<8xf32> init(zeros)
amp.param @emb : tensor<?x4xf32> init(normal, 0.1)
// A product: its input's gradient by the transposed parameter, the parameter's from the rows of both factors, the bias's as it
// is, the table's row by row. The loss is all that is left of the results.
// CHECK-LABEL: amp.graph @linear.evaluate(
// CHECK: amp.graph @linear.train(
// CHECK-SAME: %[[K:.*]]: i32 {amp.name = "k"}, %[[T:.*]]: tensor<8xf32> {amp.name = "t"})
// CHECK-SAME: -> (f32 {amp.loss, amp.name = "loss"}) attributes {amp.role = "train"} {
// CHECK: %[[X:.*]] = amp.lookup %{{.*}}[%[[K]]]
// CHECK: %[[Y:.*]] = amp.linear %[[X]]
// CHECK: %[[L:.*]] = amp.loss squared_error %[[Y]], %[[T]]
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[DY:.*]] = amp.loss_gradient squared_error %[[Y]], %[[T]], %[[ONE]] : tensor<8xf32>, tensor<8xf32>, f32
// CHECK: amp.linear_gradient @W, %[[X]], %[[DY]] : tensor<4xf32>, tensor<8xf32>
// CHECK: amp.add_gradient @b, %[[DY]] : tensor<8xf32>
// CHECK: %[[WT:.*]] = amp.get transposed @W : tensor<8x4xf32>
// CHECK: %[[DX:.*]] = amp.linear %[[DY]], %[[WT]] : tensor<8xf32>, tensor<8x4xf32>
// CHECK: amp.row_gradient @emb[%[[K]]], %[[DX]] : tensor<4xf32>, i32
// CHECK: amp.return %[[L]] : f32
amp.graph @linear.evaluate(%k: i32 {amp.name = "k"}, %t: tensor<8xf32> {amp.name = "t"}) -> (tensor<8xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %emb = amp.get @emb : tensor<?x4xf32>
  %x = amp.lookup %emb[%k] : tensor<?x4xf32>, i32
  %W = amp.get @W : tensor<4x8xf32>
  %b = amp.get @b : tensor<8xf32>
  %y = amp.linear %x, %W, %b : tensor<4xf32>, tensor<4x8xf32>, tensor<8xf32>
  %l = amp.loss squared_error %y, %t : tensor<8xf32>, tensor<8xf32> -> f32
  amp.return %y, %l : tensor<8xf32>, f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
// Several uses: the sum of what comes from each.
// CHECK-LABEL: amp.graph @uses.train(
// CHECK-SAME: %[[T:.*]]: tensor<4xf32> {amp.name = "t"})
// CHECK: %[[X:.*]] = math.exp
// CHECK: %[[DY:.*]] = amp.loss_gradient
// CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[DY]]
// CHECK-NEXT: %[[DA:.*]] = arith.mulf %[[DY]], %[[T]]
// CHECK-NEXT: %[[TWO:.*]] = arith.addf %[[MINUS]], %[[DY]]
// CHECK-NEXT: %[[ALL:.*]] = arith.addf %[[TWO]], %[[DA]]
// CHECK-NEXT: %[[DP:.*]] = arith.mulf %[[ALL]], %[[X]]
// CHECK-NEXT: amp.add_gradient @p, %[[DP]]
amp.graph @uses.evaluate(%t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %x = math.exp %p : tensor<4xf32>
  %a = arith.mulf %x, %t : tensor<4xf32>
  %b = arith.addf %x, %a : tensor<4xf32>
  %y = arith.subf %b, %x : tensor<4xf32>
  %l = amp.loss squared_error %y, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
amp.param @q : tensor<4xf32> init(zeros)
// A merge's gradient is led through the branch, a branch's sides are merged; where a side has no gradient, with zeros. All of it is
// the forward pass's decision.
// CHECK-LABEL: amp.graph @branch.train(
// CHECK-SAME: %[[C:.*]]: i1 {amp.name = "c"}
// CHECK: %[[X:.*]] = math.exp
// CHECK: %[[Z:.*]] = math.exp
// CHECK: %[[XT:.*]], %{{.*}} = amp.branch %[[C]], %[[X]]
// CHECK: %[[ZT:.*]], %{{.*}} = amp.branch %[[C]], %[[Z]]
// CHECK: %[[DY:.*]] = amp.loss_gradient
// CHECK: %[[DT:.*]], %[[DF:.*]] = amp.branch %[[C]], %[[DY]]
// CHECK: %[[DXT:.*]] = arith.mulf %[[DT]], %[[ZT]]
// CHECK: %[[DZT:.*]] = arith.mulf %[[DT]], %[[XT]]
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %{{.*}}, %[[NONE:.*]] = amp.branch %[[C]], %[[ZERO]]
// CHECK: %[[DZ:.*]] = amp.merge %[[DZT]], %[[NONE]]
// CHECK: %[[DQ:.*]] = arith.mulf %[[DZ]], %[[Z]]
// CHECK: amp.add_gradient @q, %[[DQ]]
// CHECK: %[[DX:.*]] = amp.merge %[[DXT]], %[[DF]]
// CHECK: %[[DP:.*]] = arith.mulf %[[DX]], %[[X]]
// CHECK: amp.add_gradient @p, %[[DP]]
amp.graph @branch.evaluate(%c: i1 {amp.name = "c"}, %t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %q = amp.get @q : tensor<4xf32>
  %x = math.exp %p : tensor<4xf32>
  %z = math.exp %q : tensor<4xf32>
  %xt, %xf = amp.branch %c, %x : tensor<4xf32>
  %zt, %zf = amp.branch %c, %z : tensor<4xf32>
  %a = arith.mulf %xt, %zt : tensor<4xf32>
  %y = amp.merge %a, %xf : tensor<4xf32>
  %l = amp.loss squared_error %y, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
// A call gets a second half, a graph one more argument for each result that has a gradient, one for a collector's rows, and one
// more result for each argument. The index goes on as it did.
// CHECK-LABEL: amp.graph private @down(
// CHECK: amp.call @down(
// CHECK-LABEL: amp.graph private @down.train(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index, %[[OUT:.*]]: !amp.collector<tensor<4xf32>>, %[[DS:.*]]: tensor<4xf32>, %[[ROWS:.*]]: tensor<?x4xf32>)
// CHECK-SAME: -> (tensor<4xf32>, index, tensor<4xf32>) attributes {adjoint_inputs = 2 : i64, adjoint_results = 1 : i64} {
// CHECK: %[[MORE:.*]] = arith.cmpi sgt
// CHECK: %[[M:.*]] = arith.subi
// CHECK: amp.emit %{{.*}}, %{{.*}}[%[[M]]]
// CHECK: %[[Y:.*]] = math.exp
// CHECK: %[[CALL:.*]]:3 = amp.call @down.train(%[[Y]], %[[M]], %{{.*}}) : (tensor<4xf32>, index, !amp.collector<tensor<4xf32>>) -> (tensor<4xf32>, index, !amp.tape)
// CHECK: %[[S:.*]] = amp.merge %[[CALL]]#0
// CHECK: %[[I:.*]] = amp.merge %[[CALL]]#1
// CHECK: %[[DT:.*]], %[[DF:.*]] = amp.branch %[[MORE]], %[[DS]]
// CHECK: %[[ROWST:.*]], %{{.*}} = amp.branch %[[MORE]], %[[ROWS]]
// CHECK: %[[DY:.*]] = amp.backward %[[CALL]]#2(%[[DT]], %[[ROWST]]) : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<4xf32>
// CHECK: %[[DX0:.*]] = arith.mulf %[[DY]], %[[Y]]
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[ROWST]][%[[M]], 0] [1, 4] [1, 1]
// CHECK: %[[DX1:.*]] = arith.addf %[[DX0]], %[[ROW]]
// CHECK: %[[DX:.*]] = amp.merge %[[DX1]], %[[DF]]
// CHECK: amp.return %[[S]], %[[I]], %[[DX]] : tensor<4xf32>, index, tensor<4xf32>
// CHECK-LABEL: amp.graph @call.train(
// CHECK: %[[CALL:.*]]:3 = amp.call @down.train(
// CHECK: %[[RS:.*]] = amp.collect
// CHECK: %[[DZ:.*]] = amp.loss_gradient
// CHECK: %[[WIDE:.*]] = linalg.broadcast ins(%[[DZ]]
// CHECK: %[[DP:.*]] = amp.backward %[[CALL]]#2(%[[DZ]], %[[WIDE]]) : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<4xf32>
// CHECK: amp.add_gradient @p, %[[DP]]
amp.graph private @down(%x: tensor<4xf32>, %n: index, %out: !amp.collector<tensor<4xf32>>) -> (tensor<4xf32>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %zero : index
  %nt, %nf = amp.branch %more, %n : index
  %xt, %xf = amp.branch %more, %x : tensor<4xf32>
  %ot, %of = amp.branch %more, %out : !amp.collector<tensor<4xf32>>
  %m = arith.subi %nt, %one : index
  amp.emit %xt, %ot[%m] : !amp.collector<tensor<4xf32>>, index
  %y = math.exp %xt : tensor<4xf32>
  %r, %k = amp.call @down(%y, %m, %ot) : (tensor<4xf32>, index, !amp.collector<tensor<4xf32>>) -> (tensor<4xf32>, index)
  %s = amp.merge %r, %xf : tensor<4xf32>
  %i = amp.merge %k, %nf : index
  amp.return %s, %i : tensor<4xf32>, index
}
amp.graph @call.evaluate(%n: index {amp.name = "n"}, %t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %out = amp.collector %n : !amp.collector<tensor<4xf32>>
  %y, %k = amp.call @down(%p, %n, %out) : (tensor<4xf32>, index, !amp.collector<tensor<4xf32>>) -> (tensor<4xf32>, index)
  %rows = amp.collect %out : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %s = amp.pool sum %rows : tensor<?x4xf32>
  %z = arith.addf %s, %y : tensor<4xf32>
  %l = amp.loss squared_error %z, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
amp.param @q : tensor<3x4xf32> init(zeros)
// A loop with a range, downwards: what its body uses from outside is carried, so its gradient goes from iteration to iteration; of
// rows that it uses, each iteration stacks the index and the gradient. Gradients that nobody gives are zeros, constants.
// CHECK-LABEL: amp.graph @loops.train(
// CHECK: %[[W:.*]] = math.exp
// CHECK: %[[ROWS:.*]] = math.exp
// CHECK: %{{.*}}:2, %[[HS:.*]], %[[TAPE:.*]] = amp.loop reverse range(%{{.*}}, %{{.*}}, %{{.*}}) init(%{{.*}}, %[[W]] : tensor<4xf32>, tensor<4xf32>)
// CHECK-SAME: -> (tensor<4xf32>, tensor<4xf32>) stacked (tensor<?x4xf32>) tape !amp.tape
// CHECK-SAME: adjoint_carried = array<i64: 0, 1>, adjoint_exit = array<i64>, adjoint_stacked = array<i64: 0>
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[A:.*]]: tensor<4xf32>, %[[WI:.*]]: tensor<4xf32>, %[[DC:.*]]: tensor<4xf32>, %[[DW:.*]]: tensor<4xf32>, %[[DS:.*]]: tensor<4xf32>):
// CHECK: tensor.extract_slice %[[ROWS]][%[[I]], 0]
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[WI]]
// CHECK: %[[C:.*]] = arith.addf %[[B]]
// CHECK: %[[DB:.*]] = arith.addf %[[DS]], %[[DC]]
// CHECK: %[[DA:.*]] = arith.mulf %[[DB]], %[[WI]]
// CHECK: %[[DWB:.*]] = arith.mulf %[[DB]], %[[A]]
// CHECK: %[[DWI:.*]] = arith.addf %[[DW]], %[[DWB]]
// CHECK: amp.next carried(%[[C]], %[[WI]] : tensor<4xf32>, tensor<4xf32>) stacked(%[[B]] : tensor<4xf32>)
// CHECK-SAME: adjoint(%[[DA]], %[[DWI]], %[[I]], %[[DC]] : tensor<4xf32>, tensor<4xf32>, index, tensor<4xf32>)
// CHECK: %[[DHS:.*]] = amp.loss_gradient squared_error %[[HS]]
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[BACK:.*]]:4 = amp.backward %[[TAPE]](%[[ZERO]], %[[ZERO]], %[[DHS]]) : (tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<?xindex>, tensor<?x4xf32>)
// CHECK: amp.add_gradient @p, %[[BACK]]#0
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: amp.segment sum %[[BACK]]#3[%[[BACK]]#2] to %[[THREE]] : tensor<?x4xf32>, tensor<?xindex>
// CHECK: amp.add_gradient @q
// CHECK: %[[DWX:.*]] = arith.mulf %[[BACK]]#1, %[[W]]
// CHECK: amp.add_gradient @p, %[[DWX]]
amp.graph @loops.evaluate(%n: index {amp.name = "n"}, %t: tensor<?x4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %p = amp.get @p : tensor<4xf32>
  %w = math.exp %p : tensor<4xf32>
  %q = amp.get @q : tensor<3x4xf32>
  %rows = math.exp %q : tensor<3x4xf32>
  %h, %hs = amp.loop reverse range(%zero, %n, %one) init(%p : tensor<4xf32>) -> (tensor<4xf32>) stacked (tensor<?x4xf32>) {
  ^bb0(%i: index, %a: tensor<4xf32>):
    %row = tensor.extract_slice %rows[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
    %b = arith.mulf %a, %w : tensor<4xf32>
    %c = arith.addf %b, %row : tensor<4xf32>
    amp.next carried(%c : tensor<4xf32>) stacked(%b : tensor<4xf32>)
  }
  %l = amp.loss squared_error %hs, %t : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
// A loop with a condition: the gradient of what goes on exists where the condition holds, that of what leaves where it does not;
// both sides' gradients of a carried value are merged.
// CHECK-LABEL: amp.graph @while.train(
// CHECK: %[[W:.*]] = math.exp
// CHECK: %[[H:.*]], %[[TAPE:.*]] = amp.loop init(%{{.*}}, %{{.*}}, %[[W]] : index, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
// CHECK-SAME: adjoint_carried = array<i64: 1, 2>, adjoint_exit = array<i64: 0>
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A:.*]]: tensor<4xf32>, %[[WI:.*]]: tensor<4xf32>, %[[DB:.*]]: tensor<4xf32>, %[[DW:.*]]: tensor<4xf32>, %[[DE:.*]]: tensor<4xf32>):
// CHECK: %[[MORE:.*]] = arith.cmpi sgt
// CHECK: %[[AT:.*]], %[[AF:.*]] = amp.branch %[[MORE]], %[[A]]
// CHECK: %[[WT:.*]], %{{.*}} = amp.branch %[[MORE]], %[[WI]]
// CHECK: %[[DAT:.*]] = arith.mulf %[[DB]], %[[WI]]
// CHECK: %[[DWT:.*]] = arith.mulf %[[DB]], %[[AT]]
// CHECK: %[[DA:.*]] = amp.merge %[[DAT]], %[[DE]]
// CHECK: %[[SUM:.*]] = arith.addf %[[DW]], %[[DWT]]
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %{{.*}}, %[[NONE:.*]] = amp.branch %[[MORE]], %[[ZERO]]
// CHECK: %[[DWI:.*]] = amp.merge %[[SUM]], %[[NONE]]
// CHECK: amp.next while(%[[MORE]]) carried(%{{.*}}, %{{.*}}, %[[WT]] : index, tensor<4xf32>, tensor<4xf32>) exit(%[[AF]] : tensor<4xf32>) adjoint(%[[DA]], %[[DWI]] : tensor<4xf32>, tensor<4xf32>)
// CHECK: %[[DH:.*]] = amp.loss_gradient squared_error %[[H]]
// CHECK: %[[BACK:.*]]:2 = amp.backward %[[TAPE]](%[[DH]]) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: arith.mulf %[[BACK]]#1, %[[W]]
amp.graph @while.evaluate(%n: index {amp.name = "n"}, %t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %p = amp.get @p : tensor<4xf32>
  %w = math.exp %p : tensor<4xf32>
  %h = amp.loop init(%n, %t : index, tensor<4xf32>) -> (tensor<4xf32>) stacked () {
  ^bb0(%i: index, %a: tensor<4xf32>):
    %more = arith.cmpi sgt, %i, %zero : index
    %it, %if = amp.branch %more, %i : index
    %at, %af = amp.branch %more, %a : tensor<4xf32>
    %m = arith.subi %it, %one : index
    %b = arith.mulf %at, %w : tensor<4xf32>
    amp.next while(%more) carried(%m, %b : index, tensor<4xf32>) exit(%af : tensor<4xf32>)
  }
  %l = amp.loss squared_error %h, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
amp.param @q : tensor<3x4xf32> init(zeros)
// A map: of rows that it uses from outside, and of values, each element gives the gradient, stacked; then they are added up.
// CHECK-LABEL: amp.graph @map.train(
// CHECK: %[[W:.*]] = math.exp
// CHECK: %[[ROWS:.*]] = math.exp
// CHECK: %[[MAP:.*]]:3 = amp.map %[[I:.*]] to %{{.*}} adjoint(%[[DB:.*]]: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?xindex>, !amp.tape)
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[ROWS]][%[[I]], 0]
// CHECK: %[[B:.*]] = arith.mulf %[[ROW]], %[[W]]
// CHECK: %[[DROW:.*]] = arith.mulf %[[DB]], %[[W]]
// CHECK: %[[DW:.*]] = arith.mulf %[[DB]], %[[ROW]]
// CHECK: amp.yield %[[B]], %[[I]], %[[I]], %[[DROW]], %[[DW]] : tensor<4xf32>, index, index, tensor<4xf32>, tensor<4xf32>
// CHECK: %[[DYS:.*]] = amp.loss_gradient squared_error %[[MAP]]#0
// CHECK: %[[BACK:.*]]:3 = amp.backward %[[MAP]]#2(%[[DYS]]) : (tensor<?x4xf32>) -> (tensor<?xindex>, tensor<?x4xf32>, tensor<?x4xf32>)
// CHECK: amp.segment sum %[[BACK]]#1[%[[BACK]]#0]
// CHECK: amp.pool sum %[[BACK]]#2
// CHECK: amp.add_gradient @q
// CHECK: amp.add_gradient @p
amp.graph @map.evaluate(%n: index {amp.name = "n"}, %t: tensor<?x4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %w = math.exp %p : tensor<4xf32>
  %q = amp.get @q : tensor<3x4xf32>
  %rows = math.exp %q : tensor<3x4xf32>
  %ys, %is = amp.map %i to %n -> (tensor<?x4xf32>, tensor<?xindex>) {
    %row = tensor.extract_slice %rows[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
    %b = arith.mulf %row, %w : tensor<4xf32>
    amp.yield %b, %i : tensor<4xf32>, index
  }
  %l = amp.loss squared_error %ys, %t : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<8xf32> init(zeros)
// Slices side by side: one concatenation, with zeros where there was no slice.
// CHECK-LABEL: amp.graph @slices.train(
// CHECK: %[[X:.*]] = math.exp
// CHECK: %[[DY:.*]] = amp.loss_gradient
// CHECK: %[[DA:.*]] = arith.mulf %[[DY]]
// CHECK: %[[DB:.*]] = arith.mulf %[[DY]]
// CHECK: %[[GAP:.*]] = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[ALL:.*]] = tensor.concat dim(0) %[[DB]], %[[GAP]], %[[DA]], %[[GAP]] : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32>
// CHECK: arith.mulf %[[ALL]], %[[X]]
amp.graph @slices.evaluate(%t: tensor<2xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<8xf32>
  %x = math.exp %p : tensor<8xf32>
  %a = tensor.extract_slice %x[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %b = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %y = arith.mulf %a, %b : tensor<2xf32>
  %l = amp.loss squared_error %y, %t : tensor<2xf32>, tensor<2xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
amp.param @s : tensor<4xf32> init(zeros)
// Integers, arg-max and comparisons are leaves: work that only they depend on has no backward pass, and needs no derivative.
// CHECK-LABEL: amp.graph @leaves.train(
// CHECK: amp.loss squared_error
// CHECK: %[[DZ:.*]] = amp.loss_gradient
// CHECK: arith.select %{{.*}}, %[[DZ]], %{{.*}} : tensor<4xi1>, tensor<4xf32>
// CHECK-NOT: {{amp.add_gradient @s|cbrt|sitofp|fptosi}}
// CHECK: amp.add_gradient @p
// CHECK-NOT: amp.add_gradient
// CHECK: amp.return
amp.graph @leaves.evaluate(%t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %s = amp.get @s : tensor<4xf32>
  %k = amp.argmax %s : tensor<4xf32>
  %f = math.cbrt %s : tensor<4xf32>
  %g = arith.cmpf ogt, %f, %t : tensor<4xf32>
  %j = arith.fptosi %f : tensor<4xf32> to tensor<4xi32>
  %jf = arith.sitofp %j : tensor<4xi32> to tensor<4xf32>
  %x = tensor.extract %p[%k] : tensor<4xf32>
  %y = tensor.splat %x : tensor<4xf32>
  %z = arith.select %g, %y, %jf : tensor<4xi1>, tensor<4xf32>
  %l = amp.loss squared_error %z, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
// Where no gradient goes, graphs, loops and maps stay as they are: a call of integers, a loop on a field, a call whose result
// nobody needs. A copy that no gradient goes through is not left.
// CHECK-LABEL: amp.graph private @count(
// CHECK-LABEL: amp.graph private @twice(
// CHECK-NOT: @count.train
// CHECK-LABEL: amp.graph private @twice.train(
// CHECK-LABEL: amp.graph @inactive.train(
// CHECK: amp.call @count(%{{.*}}) : (index) -> index
// CHECK: amp.loop range(%{{.*}}) init(%{{.*}} : tensor<4xf32>) -> (tensor<4xf32>) stacked () {
// CHECK: amp.call @twice(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: amp.call @twice.train(%{{.*}}) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
// CHECK: amp.backward
// CHECK-NOT: amp.backward
// CHECK: amp.return
amp.graph private @count(%n: index) -> index {
  %m = arith.addi %n, %n : index
  amp.return %m : index
}
amp.graph private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}
amp.graph @inactive.evaluate(%n: index {amp.name = "n"}, %t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %m = amp.call @count(%n) : (index) -> index
  %u = amp.loop range(%n, %m, %m) init(%t : tensor<4xf32>) -> (tensor<4xf32>) stacked () {
  ^bb0(%i: index, %a: tensor<4xf32>):
    %b = math.exp %a : tensor<4xf32>
    amp.next carried(%b : tensor<4xf32>)
  }
  %p = amp.get @p : tensor<4xf32>
  %unused = amp.call @twice(%p) : (tensor<4xf32>) -> tensor<4xf32>
  %x = amp.call @twice(%p) : (tensor<4xf32>) -> tensor<4xf32>
  %y = arith.mulf %x, %u : tensor<4xf32>
  %l = amp.loss squared_error %y, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @U : tensor<2x2xf32> init(zeros)
amp.param @V : tensor<2x2xf32> init(zeros)
// A weight that is computed: its gradient is a product of values.
// CHECK-LABEL: amp.graph @weight.train(
// CHECK-SAME: %[[X:.*]]: tensor<?x2xf32>
// CHECK: %[[W:.*]] = arith.addf
// CHECK: %[[DY:.*]] = amp.loss_gradient
// CHECK-NOT: amp.linear_gradient
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : tensor<?x2xf32>)
// CHECK: %[[DW:.*]] = linalg.matmul ins(%[[XT]], %[[DY]] : tensor<2x?xf32>, tensor<?x2xf32>)
// CHECK: amp.add_gradient @U, %[[DW]]
// CHECK: amp.add_gradient @V, %[[DW]]
amp.graph @weight.evaluate(%x: tensor<?x2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %U = amp.get @U : tensor<2x2xf32>
  %V = amp.get @V : tensor<2x2xf32>
  %W = arith.addf %U, %V : tensor<2x2xf32>
  %y = amp.linear %x, %W : tensor<?x2xf32>, tensor<2x2xf32>
  %l = amp.loss squared_error %y, %x : tensor<?x2xf32>, tensor<?x2xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
// Ops of a transform are nodes of their own, so that each has its dual.
// CHECK-LABEL: amp.graph @transforms.train(
// CHECK-NOT: amp.transform
// CHECK: %[[Y:.*]] = math.exp
// CHECK: amp.loss_gradient
// CHECK: arith.mulf %{{.*}}, %[[Y]]
amp.graph @transforms.evaluate(%t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  %z = amp.transform(%p) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %b = math.exp %a : tensor<4xf32>
    %c = math.exp %b : tensor<4xf32>
    amp.yield %c : tensor<4xf32>
  }
  %l = amp.loss squared_error %z, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @W : tensor<4x8xf32> init(zeros)
// How many rows the zeros around a slice's gradient have is asked of what is there anyway: a product would be kept for that alone.
// CHECK-LABEL: amp.graph @rows.train(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK-NOT: tensor.dim {{.*}} : tensor<?x8xf32>
// CHECK: amp.loss_gradient
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: tensor.splat %{{.*}}[%[[N]]] : tensor<?x8xf32>
// CHECK-NOT: tensor.dim {{.*}} : tensor<?x8xf32>
// CHECK: amp.return
amp.graph @rows.evaluate(%x: tensor<?x4xf32> {amp.name = "x"}, %n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %W = amp.get @W : tensor<4x8xf32>
  %y = amp.linear %x, %W : tensor<?x4xf32>, tensor<4x8xf32>
  %s = math.exp %y : tensor<?x8xf32>
  %l = tensor.extract_slice %s[0, 0] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %e = amp.loss squared_error %l, %x : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  amp.return %e : f32
}
