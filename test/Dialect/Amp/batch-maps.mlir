// RUN: amp-opt %s --amp-batch-maps --cse | FileCheck %s
// RUN: amp-opt %s --amp-batch-maps --remark-policy=all --remarks-filter="amp-.*" 2>&1 | FileCheck %s --check-prefix=REMARK

amp.param @emb : tensor<?x8xf32> init(normal, 0.1)
amp.param @W : tensor<8x4xf32> init(glorot)
amp.param @b : tensor<4xf32> init(zeros)
amp.param @A : tensor<3x8x4xf32> init(glorot)
amp.param @a : tensor<3x4xf32> init(zeros)

// Lookups by an extracted index, a shared product, element-wise work with what all elements share.
// CHECK-LABEL: func.func @words(
// CHECK-SAME:  %[[WORD:[^:]*]]: tensor<?xi32> {amp.name = "word"}, %[[N:[^:]*]]: index {amp.name = "n"}, %[[S:[^:]*]]: f32
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[COUNT:.*]] = arith.maxsi %[[N]], %[[C0]]
// CHECK-DAG:   %[[K:.*]] = tensor.extract_slice %[[WORD]][0] [%[[COUNT]]] [1]
// CHECK-DAG:   %[[X:.*]] = amp.gather %{{.*}}[%[[K]]] : tensor<?x8xf32>, tensor<?xi32>
// CHECK-DAG:   %[[H:.*]] = amp.linear %[[X]], %{{.*}}, %{{.*}} : tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>
// CHECK-DAG:   %[[T:.*]] = math.tanh %[[H]] : tensor<?x4xf32>
// CHECK-DAG:   %[[V:.*]] = tensor.splat %[[S]] : tensor<4xf32>
// CHECK-DAG:   %[[U:.*]] = linalg.broadcast ins(%[[V]] : tensor<4xf32>)
// CHECK-DAG:   %[[Y:.*]] = arith.mulf %[[T]], %[[U]] : tensor<?x4xf32>
// CHECK:       return %[[Y]]
// REMARK: batch-maps.mlir:[[#@LINE+4]]:8: {{.*}}its elements are the rows of one block
func.func @words(%word: tensor<?xi32> {amp.name = "word"}, %n: index {amp.name = "n"}, %s: f32 {amp.name = "s"})
    -> (tensor<?x4xf32> {amp.name = "y"}) {
  %c1 = arith.constant 1.0 : f32
  %y = amp.map %i to %n -> (tensor<?x4xf32>) {
    %emb = amp.get @emb : tensor<?x8xf32>
    %W = amp.get @W : tensor<8x4xf32>
    %b = amp.get @b : tensor<4xf32>
    %k = tensor.extract %word[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%k] : tensor<?x8xf32>, i32
    %h = amp.linear %x, %W, %b : tensor<8xf32>, tensor<8x4xf32>, tensor<4xf32>
    %t = math.tanh %h : tensor<4xf32>
    %v = tensor.splat %s : tensor<4xf32>
    %r = arith.mulf %t, %v : tensor<4xf32>
    amp.yield %r : tensor<4xf32>
  }
  return %y : tensor<?x4xf32>
}

// What an edge's type chooses is one grouped product, with its bias; the rows of h that edges come from are a gather.
// CHECK-LABEL: func.func private @edges(
// CHECK-SAME:  %[[H:[^:]*]]: tensor<?x8xf32>, %[[SRC:[^:]*]]: tensor<?xi32>, %[[TYPE:[^:]*]]: tensor<?xi32>
// CHECK-DAG:   %[[FROM:.*]] = tensor.extract_slice %[[SRC]]
// CHECK-DAG:   %[[KIND:.*]] = tensor.extract_slice %[[TYPE]]
// CHECK-DAG:   %[[X:.*]] = amp.gather %[[H]][%[[FROM]]]
// CHECK:       amp.grouped_linear %[[X]], %{{.*}}[%[[KIND]]], %{{.*}} : tensor<?x8xf32>, tensor<3x8x4xf32>, tensor<?xi32>, tensor<3x4xf32>
// CHECK-NOT:   amp.map
func.func private @edges(%h: tensor<?x8xf32>, %src: tensor<?xi32>, %type: tensor<?xi32>) -> tensor<?x4xf32> {
  %A = amp.get @A : tensor<3x8x4xf32>
  %a = amp.get @a : tensor<3x4xf32>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %src, %c0 : tensor<?xi32>
  %y = amp.map %e to %m -> (tensor<?x4xf32>) {
    %s = tensor.extract %src[%e] : tensor<?xi32>
    %t = tensor.extract %type[%e] : tensor<?xi32>
    %x = amp.lookup %h[%s] : tensor<?x8xf32>, i32
    %At = amp.lookup %A[%t] : tensor<3x8x4xf32>, i32
    %at = amp.lookup %a[%t] : tensor<3x4xf32>, i32
    %r = amp.linear %x, %At, %at : tensor<8xf32>, tensor<8x4xf32>, tensor<4xf32>
    amp.yield %r : tensor<4xf32>
  }
  return %y : tensor<?x4xf32>
}

// Indices themselves, scalars, selects by a condition of each element, slices and concatenations.
// CHECK-LABEL: func.func private @scalars(
// CHECK-DAG:   amp.iota
// CHECK-DAG:   arith.cmpi ult, %{{.*}} : tensor<?xindex>
// CHECK-DAG:   linalg.broadcast ins(%{{.*}} : tensor<?xi1>)
// CHECK-DAG:   arith.select %{{.*}} : tensor<?x4xi1>, tensor<?x4xf32>
// CHECK-DAG:   tensor.concat dim(1)
// CHECK-NOT:   amp.map
func.func private @scalars(%x: tensor<?x8xf32>, %n: index, %m: index) -> (tensor<?x4xf32>, tensor<?xindex>, tensor<?x8xf32>) {
  %r:3 = amp.map %i to %n -> (tensor<?x4xf32>, tensor<?xindex>, tensor<?x8xf32>) {
    %small = arith.cmpi ult, %i, %m : index
    %row = amp.lookup %x[%i] : tensor<?x8xf32>, index
    %a = tensor.extract_slice %row[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %b = tensor.extract_slice %row[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %c = arith.select %small, %a, %b : tensor<4xf32>
    %j = arith.addi %i, %m : index
    %d = tensor.concat dim(0) %b, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    amp.yield %c, %j, %d : tensor<4xf32>, index, tensor<8xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<?x4xf32>, tensor<?xindex>, tensor<?x8xf32>
}

// Of a tensor whose type says that it has no rows no slice verifies: the type is made not to say so.
// CHECK-LABEL: func.func private @empty(
// CHECK-SAME:  %[[X:[^:]*]]: tensor<0xi32>, %[[Y:[^:]*]]: tensor<?x0xf32>
// CHECK-DAG:   %[[OPEN:.*]] = tensor.cast %[[X]] : tensor<0xi32> to tensor<?xi32>
// CHECK-DAG:   tensor.extract_slice %[[OPEN]][0] [%{{.*}}] [1] : tensor<?xi32> to tensor<?xi32>
// CHECK-DAG:   %[[WIDE:.*]] = tensor.cast %[[Y]] : tensor<?x0xf32> to tensor<?x?xf32>
// CHECK-DAG:   tensor.extract_slice %[[WIDE]][0, 0] [%{{.*}}, 0] [1, 1] : tensor<?x?xf32> to tensor<?x0xf32>
// CHECK-NOT:   amp.map
func.func private @empty(%x: tensor<0xi32>, %y: tensor<?x0xf32>, %n: index) -> (tensor<?xi32>, tensor<?x0xf32>) {
  %a, %b = amp.map %i to %n -> (tensor<?xi32>, tensor<?x0xf32>) {
    %v = tensor.extract %x[%i] : tensor<0xi32>
    %w = arith.addi %v, %v : i32
    %r = amp.lookup %y[%i] : tensor<?x0xf32>, index
    %t = math.tanh %r : tensor<0xf32>
    amp.yield %w, %t : i32, tensor<0xf32>
  }
  return %a, %b : tensor<?xi32>, tensor<?x0xf32>
}

// Control flow in a body, a division that can fail, a row whose size is open: the map stays.
// CHECK-LABEL: func.func private @stays(
// CHECK-COUNT-3: amp.map
// REMARK: its elements are activations of their own, because scf.if is not straight-line tensor work
// REMARK: its elements are activations of their own, because arith.divsi has no form for many rows
// REMARK: its elements are activations of their own, because amp.argmax has no form for many rows
func.func private @stays(%x: tensor<?x8xf32>, %n: index, %c: i1) -> (tensor<?x8xf32>, tensor<?xindex>, tensor<?xindex>) {
  %a = amp.map %i to %n -> (tensor<?x8xf32>) {
    %row = amp.lookup %x[%i] : tensor<?x8xf32>, index
    %y = scf.if %c -> tensor<8xf32> {
      %t = math.tanh %row : tensor<8xf32>
      scf.yield %t : tensor<8xf32>
    } else {
      scf.yield %row : tensor<8xf32>
    }
    amp.yield %y : tensor<8xf32>
  }
  %b = amp.map %i to %n -> (tensor<?xindex>) {
    %q = arith.divsi %n, %i : index
    amp.yield %q : index
  }
  %d = amp.map %i to %n -> (tensor<?xindex>) {
    %row = amp.lookup %x[%i] : tensor<?x8xf32>, index
    %k = amp.argmax %row : tensor<8xf32>
    amp.yield %k : index
  }
  return %a, %b, %d : tensor<?x8xf32>, tensor<?xindex>, tensor<?xindex>
}
