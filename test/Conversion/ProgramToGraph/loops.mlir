// RUN: amp-opt %s -amp-verify-program -convert-program-to-graph -amp-verify-graph | FileCheck %s

// CHECK-LABEL: amp.graph @entry(
func.func @entry(%x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  return %x : tensor<4xf32>
}

// Values from outside are used in a body as they are.
// CHECK-LABEL: amp.graph private @for(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[LAST:.*]] = amp.loop range(%[[ZERO]], %[[N]], %[[TWO]]) init(%[[X]] : tensor<4xf32>) -> (tensor<4xf32>) stacked ()
// CHECK: ^bb0(%[[I:.*]]: index, %[[H:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[H]], %[[X]]
// CHECK-NEXT: amp.next carried(%[[A]] : tensor<4xf32>)
// CHECK: amp.return %[[LAST]]
func.func private @for(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %y = scf.for %i = %zero to %n step %two iter_args(%h = %x) -> (tensor<4xf32>) {
    %a = arith.addf %h, %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Bounds of another type are cast, and the index is cast back.
// CHECK-LABEL: amp.graph private @for_i32(
// CHECK-SAME: %[[N:.*]]: i32, %[[S:.*]]: i32)
// CHECK-DAG: %[[LO:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK-DAG: %[[UP:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK-DAG: %[[STEP:.*]] = arith.index_cast %[[S]] : i32 to index
// CHECK: amp.loop range(%[[LO]], %[[UP]], %[[STEP]]) init(%{{.*}} : i32)
// CHECK: ^bb0(%[[I:.*]]: index, %[[H:.*]]: i32):
// CHECK-NEXT: %[[J:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT: arith.addi %[[H]], %[[J]] : i32
func.func private @for_i32(%n: i32, %s: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %y = scf.for %i = %zero to %n step %s iter_args(%h = %zero) -> (i32) : i32 {
    %a = arith.addi %h, %i : i32
    scf.yield %a : i32
  }
  return %y : i32
}

// A loop without results, in an arm, that nothing guards but its condition. What
// its body uses is routed before the loop, not in it.
// CHECK-LABEL: amp.graph private @loop_in_arm(
// CHECK-SAME: %[[C:.*]]: i1, %[[OUT:.*]]: !amp.collector<tensor<4xf32>>)
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[C]] : i1
// CHECK: %[[OUTT:.*]], %{{.*}} = amp.branch %[[C]], %[[OUT]]
// CHECK: amp.loop range(%{{.*}}, %{{.*}}, %{{.*}}) after(%[[T]] : i1) -> () stacked () {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: amp.emit %{{.*}}, %[[OUTT]][%[[I]]]
func.func private @loop_in_arm(%c: i1, %out: !amp.collector<tensor<4xf32>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %row = arith.constant dense<0.0> : tensor<4xf32>
  scf.if %c {
    scf.for %i = %zero to %two step %one {
      amp.emit %row, %out[%i] : !amp.collector<tensor<4xf32>>, index
    }
  }
  return
}

// Ops of `before` run in every iteration; those of `after` only on the true side
// of the decision, and what they use from outside is routed by it.
// CHECK-LABEL: amp.graph private @while(
// CHECK-SAME: %[[N:.*]]: i32, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: amp.loop init(%[[N]], %[[X]] : i32, tensor<4xf32>) -> (i32, tensor<4xf32>) stacked ()
// CHECK: ^bb0(%[[I:.*]]: i32, %[[H:.*]]: tensor<4xf32>):
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[I]], %[[ONE]]
// CHECK-DAG: %[[IT:.*]], %[[IF:.*]] = amp.branch %[[MORE]], %[[I]] : i32
// CHECK-DAG: %[[HT:.*]], %[[HF:.*]] = amp.branch %[[MORE]], %[[H]] : tensor<4xf32>
// CHECK-DAG: %[[J:.*]] = arith.subi %[[IT]], %[[ONE]]
// CHECK-DAG: %[[XT:.*]], %{{.*}} = amp.branch %[[MORE]], %[[X]] : tensor<4xf32>
// CHECK: %[[H2:.*]] = arith.addf %[[HT]], %[[XT]]
// CHECK: amp.next while(%[[MORE]]) carried(%[[J]], %[[H2]] : i32, tensor<4xf32>) exit(%[[IF]], %[[HF]] : i32, tensor<4xf32>)
func.func private @while(%n: i32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i32
  %m, %y = scf.while (%i = %n, %h = %x) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
    %more = arith.cmpi sgt, %i, %one : i32
    scf.condition(%more) %i, %h : i32, tensor<4xf32>
  } do {
  ^bb0(%i: i32, %h: tensor<4xf32>):
    %j = arith.subi %i, %one : i32
    %h2 = arith.addf %h, %x : tensor<4xf32>
    scf.yield %j, %h2 : i32, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Constants that a while carries or returns are routed by the decision.
// CHECK-LABEL: amp.graph private @while_constants(
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: amp.loop init(%{{.*}} : i1) -> (i32) stacked ()
// CHECK: ^bb0(%[[MORE:.*]]: i1):
// CHECK-DAG: %{{.*}}, %[[EXIT:.*]] = amp.branch %[[MORE]], %[[ONE]] : i32
// CHECK-DAG: %[[AGAIN:.*]], %{{.*}} = amp.branch %[[MORE]], %[[FALSE]] : i1
// CHECK: amp.next while(%[[MORE]]) carried(%[[AGAIN]] : i1) exit(%[[EXIT]] : i32)
func.func private @while_constants(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %y = scf.while (%more = %c) : (i1) -> i32 {
    scf.condition(%more) %one : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %false : i1
  }
  return %y : i32
}

// CHECK-LABEL: amp.graph private @scan(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: tensor<?x4xf32>, %[[H0:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[LAST:.*]], %[[ALL:.*]] = amp.loop reverse range(%[[ZERO]], %[[N]], %[[ONE]]) init(%[[H0]] : tensor<4xf32>) -> (tensor<4xf32>) stacked (tensor<?x4xf32>)
// CHECK: ^bb0(%[[I:.*]]: index, %[[H:.*]]: tensor<4xf32>):
// CHECK: amp.next carried(%[[H2:.*]] : tensor<4xf32>) stacked(%[[H2]] : tensor<4xf32>)
// CHECK: amp.return %[[LAST]], %[[ALL]]
func.func private @scan(%n: index, %x: tensor<?x4xf32>, %h0: tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %zero = arith.constant 0 : index
  %last, %all = amp.scan reverse %i = %zero to %n carry(%h = %h0) : (tensor<4xf32>) -> (tensor<?x4xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %h2 = arith.addf %h, %row : tensor<4xf32>
    amp.yield %h2, %h2 : tensor<4xf32>, tensor<4xf32>
  }
  return %last, %all : tensor<4xf32>, tensor<?x4xf32>
}

// A decision in a map's body stands in that body, condition and all.
// CHECK-LABEL: amp.graph private @map(
// CHECK-SAME: %[[N:.*]]: index, %[[C:.*]]: i1, %[[X:.*]]: f32)
// CHECK: amp.map %[[I:.*]] to %[[N]] -> tensor<?xf32> {
// CHECK-NEXT: %[[T:.*]], %[[F:.*]] = amp.branch %[[C]], %[[X]] : f32
// CHECK-NEXT: %[[A:.*]] = math.exp %[[T]]
// CHECK-NEXT: %[[M:.*]] = amp.merge %[[A]], %[[F]]
// CHECK-NEXT: amp.yield %[[M]] : f32
func.func private @map(%n: index, %c: i1, %x: f32) -> tensor<?xf32> {
  %y = amp.map %i to %n -> (tensor<?xf32>) {
    %v = scf.if %c -> (f32) {
      %a = math.exp %x : f32
      scf.yield %a : f32
    } else {
      scf.yield %x : f32
    }
    amp.yield %v : f32
  }
  return %y : tensor<?xf32>
}

// A map of an arm begins with its count, so a constant one is routed.
// CHECK-LABEL: amp.graph private @map_in_arm(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<?xf32>)
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[N:.*]], %{{.*}} = amp.branch %[[C]], %[[TWO]] : index
// CHECK: amp.map %{{.*}} to %[[N]]
func.func private @map_in_arm(%c: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  %two = arith.constant 2 : index
  %y = scf.if %c -> (tensor<?xf32>) {
    %z = amp.map %i to %two -> (tensor<?xf32>) {
      %one = arith.constant 1.0 : f32
      amp.yield %one : f32
    }
    scf.yield %z : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
