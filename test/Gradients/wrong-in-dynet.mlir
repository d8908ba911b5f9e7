// DyNet 2.1 gives a wrong gradient, without an error, where a batched sum is the shared side of a batched product. Here: two
// sums, each of which several products share, element by element and with parameters; in one instance, in maps that stay
// maps, in row blocks, in a loop, and in a recursion, where sums of all depths are one batch. And to the letter: a sum of
// matrices that many vectors are multiplied with.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/model.mlir --input %t/in.jsonl --samples 0 | FileCheck %s
// RUN: ampc --check-gradients %t/matrices.mlir --input %t/matrices.jsonl --samples 0 | FileCheck %s --check-prefix=MATRICES

// CHECK:      U: 16 checked, 16 not zero
// CHECK-NEXT: V: 16 checked, 12 not zero
// CHECK-NEXT: a: 8 checked, 8 not zero
// CHECK-NEXT: b: 8 checked, 8 not zero
// CHECK-NEXT: rows: 24 checked, 16 not zero

// MATRICES:      U: 12 checked, 12 not zero
// MATRICES-NEXT: V: 12 checked, 12 not zero
// MATRICES-NEXT: b: 6 checked, 6 not zero
// MATRICES-NEXT: rows: 18 checked, 12 not zero

//--- model.mlir
amp.param @a : tensor<2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 0.5)
amp.param @rows : tensor<3x2xf32> init(normal, 0.5)
amp.param @U : tensor<2x2xf32> init(normal, 0.5)
amp.param @V : tensor<2x2xf32> init(normal, 0.5)

func.func private @deep(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %U = amp.get @U : tensor<2x2xf32>
  %V = amp.get @V : tensor<2x2xf32>
  %sum = arith.addf %a, %b : tensor<2xf32>
  %l = amp.linear %sum, %U : tensor<2xf32>, tensor<2x2xf32>
  %r = amp.linear %sum, %V : tensor<2xf32>, tensor<2x2xf32>
  %h = math.tanh %l : tensor<2xf32>
  %k = arith.mulf %sum, %r : tensor<2xf32>
  %more = arith.cmpi sgt, %n, %c0 : index
  %y = scf.if %more -> (tensor<2xf32>) {
    %m = arith.subi %n, %c1 : index
    %left = func.call @deep(%h, %k, %m) : (tensor<2xf32>, tensor<2xf32>, index) -> tensor<2xf32>
    %right = func.call @deep(%k, %sum, %m) : (tensor<2xf32>, tensor<2xf32>, index) -> tensor<2xf32>
    %0 = arith.addf %left, %right : tensor<2xf32>
    %1 = arith.mulf %0, %sum : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  } else {
    %0 = arith.mulf %h, %sum : tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  }
  %z = math.tanh %y : tensor<2xf32>
  return %z : tensor<2xf32>
}

func.func @wrong(%k: tensor<?xi32> {amp.name = "k"}, %n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %a = amp.get @a : tensor<2xf32>
  %b = amp.get @b : tensor<2xf32>
  %rows = amp.get @rows : tensor<3x2xf32>
  %m = tensor.dim %k, %c0 : tensor<?xi32>
  // A sum over as many rows as the instance says, and one of two values.
  %x = amp.gather %rows[%k] : tensor<3x2xf32>, tensor<?xi32>
  %s = amp.pool sum %x : tensor<?x2xf32>
  %t = arith.addf %a, %b : tensor<2xf32>

  // As rows of one block.
  %block = amp.map %i to %m -> (tensor<?x2xf32>) {
    %x_i = amp.lookup %x[%i] : tensor<?x2xf32>, index
    %0 = arith.mulf %s, %x_i : tensor<2xf32>
    %1 = arith.mulf %t, %x_i : tensor<2xf32>
    %2 = arith.subf %0, %1 : tensor<2xf32>
    amp.yield %2 : tensor<2xf32>
  }
  // In activations of their own.
  %each = amp.map %i to %m -> (tensor<?x2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %x_i = amp.lookup %x[%i] : tensor<?x2xf32>, index
    %first = arith.cmpi eq, %w, %zero : i32
    %y = scf.if %first -> (tensor<2xf32>) {
      %0 = arith.mulf %s, %x_i : tensor<2xf32>
      scf.yield %0 : tensor<2xf32>
    } else {
      %0 = arith.mulf %t, %x_i : tensor<2xf32>
      %1 = arith.mulf %0, %s : tensor<2xf32>
      scf.yield %1 : tensor<2xf32>
    }
    amp.yield %y : tensor<2xf32>
  }
  %looped = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %t) -> (tensor<2xf32>) {
    %0 = arith.mulf %h, %s : tensor<2xf32>
    %1 = arith.addf %0, %t : tensor<2xf32>
    %2 = math.tanh %1 : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  }
  %d = call @deep(%s, %t, %n) : (tensor<2xf32>, tensor<2xf32>, index) -> tensor<2xf32>

  %p = amp.pool sum %block : tensor<?x2xf32>
  %q = amp.pool mean %each : tensor<?x2xf32>
  %u = arith.addf %p, %q : tensor<2xf32>
  %v = arith.addf %looped, %d : tensor<2xf32>
  %w = arith.mulf %u, %v : tensor<2xf32>
  %z = arith.addf %w, %d : tensor<2xf32>
  %l = amp.loss squared_error %z, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- in.jsonl
{"k": [0], "n": 0}
{"k": [2, 0], "n": 1}
{"k": [1, 2, 0], "n": 2}
{"k": [0, 0, 2, 0], "n": 3}

//--- matrices.mlir
amp.param @U : tensor<2x2xf32> init(normal, 0.5)
amp.param @V : tensor<2x2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 0.5)
amp.param @rows : tensor<3x2xf32> init(normal, 0.5)

func.func private @deep(%x: tensor<2xf32>, %W: tensor<2x2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = amp.get @b : tensor<2xf32>
  %V = amp.get @V : tensor<2x2xf32>
  %g = amp.linear %x, %W, %b : tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
  %h = math.tanh %g : tensor<2xf32>
  %more = arith.cmpi sgt, %n, %c0 : index
  %y = scf.if %more -> (tensor<2xf32>) {
    %m = arith.subi %n, %c1 : index
    %sum = arith.addf %W, %V : tensor<2x2xf32>
    %left = func.call @deep(%h, %W, %m) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
    %right = func.call @deep(%x, %sum, %m) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
    %0 = arith.addf %left, %right : tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  } else {
    scf.yield %h : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

func.func @matrices(%k: tensor<?xi32> {amp.name = "k"}, %n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %U = amp.get @U : tensor<2x2xf32>
  %V = amp.get @V : tensor<2x2xf32>
  %rows = amp.get @rows : tensor<3x2xf32>
  %m = tensor.dim %k, %c0 : tensor<?xi32>
  %x = amp.gather %rows[%k] : tensor<3x2xf32>, tensor<?xi32>
  %W = arith.addf %U, %V : tensor<2x2xf32>
  %block = amp.linear %x, %W : tensor<?x2xf32>, tensor<2x2xf32>
  %each = amp.map %i to %m -> (tensor<?x2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %x_i = amp.lookup %x[%i] : tensor<?x2xf32>, index
    %first = arith.cmpi eq, %w, %zero : i32
    %y = scf.if %first -> (tensor<2xf32>) {
      %0 = amp.linear %x_i, %W : tensor<2xf32>, tensor<2x2xf32>
      scf.yield %0 : tensor<2xf32>
    } else {
      %0 = amp.linear %x_i, %W : tensor<2xf32>, tensor<2x2xf32>
      %1 = math.tanh %0 : tensor<2xf32>
      %2 = amp.linear %1, %W : tensor<2xf32>, tensor<2x2xf32>
      scf.yield %2 : tensor<2xf32>
    }
    amp.yield %y : tensor<2xf32>
  }
  %both = arith.mulf %block, %each : tensor<?x2xf32>
  %p = amp.pool sum %both : tensor<?x2xf32>
  %d = call @deep(%p, %W, %n) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
  %l = amp.loss squared_error %d, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- matrices.jsonl
{"k": [0], "n": 0}
{"k": [2, 0, 2], "n": 1}
{"k": [1, 2, 0, 0], "n": 2}
