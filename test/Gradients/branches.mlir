// Gradients through decisions. Each value is used on one side or the other, on both, beside the branch, or nowhere.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/ifs.mlir --input %t/ifs.jsonl --samples 0 | FileCheck %s --check-prefix=IFS
// RUN: ampc --check-gradients %t/nested.mlir --input %t/nested.jsonl --samples 0 | FileCheck %s --check-prefix=NESTED
// RUN: ampc --check-gradients %t/switch.mlir --input %t/switch.jsonl --samples 0 | FileCheck %s --check-prefix=SWITCH
// RUN: ampc --check-gradients %t/learnt.mlir --input %t/learnt.jsonl --samples 0 | FileCheck %s --check-prefix=LEARNT
// RUN: ampc --check-gradients %t/sizes.mlir --input %t/sizes.jsonl --samples 0 | FileCheck %s --check-prefix=SIZES

// SIZES: p: 24 checked, 16 not zero

// IFS:      W: 8 checked, 4 not zero
// IFS-NEXT: both: 4 checked, 4 not zero
// IFS-NEXT: false_side: 4 checked, 2 not zero
// IFS-NEXT: inside: 4 checked, 2 not zero
// IFS-NEXT: scalar: 4 checked, 3 not zero
// IFS-NEXT: true_and_outside: 4 checked, 4 not zero
// IFS-NEXT: true_side: 4 checked, 2 not zero
// IFS-NEXT: twice: 4 checked, 4 not zero

// NESTED:      deep: 10 checked, 2 not zero
// NESTED-NEXT: everywhere: 10 checked, 10 not zero
// NESTED-NEXT: middle: 10 checked, 4 not zero
// NESTED-NEXT: outer: 10 checked, 10 not zero

// SWITCH:      all: 12 checked, 12 not zero
// SWITCH-NEXT: default: 12 checked, 4 not zero
// SWITCH-NEXT: one: 12 checked, 2 not zero
// SWITCH-NEXT: seven: 12 checked, 2 not zero
// SWITCH-NEXT: three: 12 checked, 4 not zero

// LEARNT:      W: 18 checked, 14 not zero
// LEARNT-NEXT: x: 9 checked, 9 not zero

//--- ifs.mlir
amp.param @true_side : tensor<2xf32> init(normal, 1.0)
amp.param @false_side : tensor<2xf32> init(normal, 1.0)
amp.param @both : tensor<2xf32> init(normal, 1.0)
amp.param @true_and_outside : tensor<2xf32> init(normal, 1.0)
amp.param @inside : tensor<2xf32> init(normal, 1.0)
amp.param @W : tensor<2x2xf32> init(normal, 1.0)
amp.param @scalar : tensor<2xf32> init(normal, 1.0)
amp.param @twice : tensor<2xf32> init(normal, 1.0)
func.func @ifs(%c: i1 {amp.name = "c"}, %x: tensor<2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true_side = amp.get @true_side : tensor<2xf32>
  %false_side = amp.get @false_side : tensor<2xf32>
  %both = amp.get @both : tensor<2xf32>
  %true_and_outside = amp.get @true_and_outside : tensor<2xf32>
  %scalar = amp.get @scalar : tensor<2xf32>
  %twice = amp.get @twice : tensor<2xf32>
  %a = math.sin %true_side : tensor<2xf32>
  %b = math.sin %false_side : tensor<2xf32>
  %d = math.sin %both : tensor<2xf32>
  %e = math.sin %true_and_outside : tensor<2xf32>
  %f = math.sin %twice : tensor<2xf32>
  %s0 = tensor.extract %scalar[%c0] : tensor<2xf32>
  %s1 = tensor.extract %scalar[%c1] : tensor<2xf32>
  // Three results, the second of which nobody needs, the third a constant on one side.
  %y:3 = scf.if %c -> (tensor<2xf32>, tensor<2xf32>, f32) {
    %0 = arith.mulf %a, %d : tensor<2xf32>
    %1 = arith.mulf %0, %e : tensor<2xf32>
    %W = amp.get @W : tensor<2x2xf32>
    %2 = amp.linear %1, %W : tensor<2xf32>, tensor<2x2xf32>
    %3 = arith.mulf %s0, %s1 : f32
    scf.yield %2, %b, %3 : tensor<2xf32>, tensor<2xf32>, f32
  } else {
    %inside = amp.get @inside : tensor<2xf32>
    %0 = arith.mulf %inside, %inside : tensor<2xf32>
    %1 = arith.mulf %b, %d : tensor<2xf32>
    %2 = arith.addf %0, %1 : tensor<2xf32>
    %half = arith.constant 0.5 : f32
    scf.yield %2, %a, %half : tensor<2xf32>, tensor<2xf32>, f32
  }
  // The same decision again, later: one side lets the value pass, the other uses it.
  %z = scf.if %c -> (tensor<2xf32>) {
    scf.yield %f : tensor<2xf32>
  } else {
    %0 = arith.mulf %f, %f : tensor<2xf32>
    %1 = tensor.splat %s1 : tensor<2xf32>
    %2 = arith.addf %0, %1 : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  }
  %u = arith.addf %y#0, %e : tensor<2xf32>
  %v = arith.mulf %u, %z : tensor<2xf32>
  %l0 = amp.loss squared_error %v, %x : tensor<2xf32>, tensor<2xf32> -> f32
  %l1 = math.exp %y#2 : f32
  %l2 = arith.addf %l0, %l1 : f32
  return %l2 : f32
}
//--- ifs.jsonl
{"c": true, "x": [0.5, -1]}
{"c": false, "x": [0.25, 2]}

//--- nested.mlir
amp.param @deep : tensor<2xf32> init(normal, 1.0)
amp.param @middle : tensor<2xf32> init(normal, 1.0)
amp.param @outer : tensor<2xf32> init(normal, 1.0)
amp.param @everywhere : tensor<2xf32> init(normal, 1.0)
func.func @nested(%c: i1 {amp.name = "c"}, %d: i1 {amp.name = "d"}, %k: i32 {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %two = arith.constant 2 : i32
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %deep = amp.get @deep : tensor<2xf32>
  %middle = amp.get @middle : tensor<2xf32>
  %outer = amp.get @outer : tensor<2xf32>
  %everywhere = amp.get @everywhere : tensor<2xf32>
  %p = math.sin %deep : tensor<2xf32>
  %q = math.sin %middle : tensor<2xf32>
  %r = math.sin %outer : tensor<2xf32>
  %s = math.sin %everywhere : tensor<2xf32>
  %y = scf.if %c -> (tensor<2xf32>) {
    // A condition that is computed inside.
    %small = arith.cmpi slt, %k, %two : i32
    %z = scf.if %small -> (tensor<2xf32>) {
      %w = scf.if %d -> (tensor<2xf32>) {
        %0 = arith.mulf %p, %q : tensor<2xf32>
        %1 = arith.mulf %0, %s : tensor<2xf32>
        scf.yield %1 : tensor<2xf32>
      } else {
        %0 = arith.addf %q, %s : tensor<2xf32>
        scf.yield %0 : tensor<2xf32>
      }
      %2 = arith.mulf %w, %s : tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    } else {
      scf.yield %s : tensor<2xf32>
    }
    %3 = math.exp %z : tensor<2xf32>
    scf.yield %3 : tensor<2xf32>
  } else {
    // The same decision under another.
    %z = scf.if %d -> (tensor<2xf32>) {
      scf.yield %s : tensor<2xf32>
    } else {
      %0 = arith.mulf %s, %r : tensor<2xf32>
      scf.yield %0 : tensor<2xf32>
    }
    scf.yield %z : tensor<2xf32>
  }
  %v = arith.mulf %y, %r : tensor<2xf32>
  %l = amp.loss squared_error %v, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- nested.jsonl
{"c": true, "d": true, "k": 0}
{"c": true, "d": false, "k": 1}
{"c": true, "d": true, "k": 5}
{"c": false, "d": true, "k": 0}
{"c": false, "d": false, "k": 0}

//--- switch.mlir
amp.param @one : tensor<2xf32> init(normal, 1.0)
amp.param @three : tensor<2xf32> init(normal, 1.0)
amp.param @seven : tensor<2xf32> init(normal, 1.0)
amp.param @default : tensor<2xf32> init(normal, 1.0)
amp.param @all : tensor<2xf32> init(normal, 1.0)
func.func @switch(%k: index {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %one = amp.get @one : tensor<2xf32>
  %three = amp.get @three : tensor<2xf32>
  %all = amp.get @all : tensor<2xf32>
  %a = math.sin %all : tensor<2xf32>
  %b = math.sin %one : tensor<2xf32>
  %y = scf.index_switch %k -> tensor<2xf32>
  case 1 {
    %0 = arith.mulf %b, %a : tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  }
  case 3 {
    %0 = arith.mulf %three, %a : tensor<2xf32>
    %1 = arith.mulf %0, %a : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  case 7 {
    %seven = amp.get @seven : tensor<2xf32>
    scf.yield %seven : tensor<2xf32>
  }
  default {
    %default = amp.get @default : tensor<2xf32>
    %0 = arith.addf %default, %a : tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  }
  %v = arith.mulf %y, %a : tensor<2xf32>
  %l = amp.loss squared_error %v, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- switch.jsonl
{"k": 1}
{"k": 3}
{"k": 7}
{"k": 0}
{"k": 9}
{"k": 3}

//--- learnt.mlir
// A decision that depends on parameters is a leaf: the side that was taken has the gradient.
amp.param @W : tensor<2x3xf32> init(normal, 1.0)
amp.param @x : tensor<3xf32> init(normal, 1.0)
func.func @learnt(%at: tensor<2xf32> {amp.name = "at"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %W = amp.get @W : tensor<2x3xf32>
  %x = amp.get @x : tensor<3xf32>
  %scores = amp.linear %at, %W : tensor<2xf32>, tensor<2x3xf32>
  %best = amp.argmax %scores : tensor<3xf32>
  %one = arith.cmpi eq, %best, %c1 : index
  %e = tensor.extract %scores[%best] : tensor<3xf32>
  %y = scf.if %one -> (tensor<3xf32>) {
    %positive = arith.cmpf ogt, %e, %zero : f32
    %z = scf.if %positive -> (tensor<3xf32>) {
      %0 = math.exp %x : tensor<3xf32>
      scf.yield %0 : tensor<3xf32>
    } else {
      %0 = arith.mulf %x, %scores : tensor<3xf32>
      scf.yield %0 : tensor<3xf32>
    }
    scf.yield %z : tensor<3xf32>
  } else {
    %0 = math.sin %scores : tensor<3xf32>
    %1 = arith.mulf %0, %x : tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  %k = arith.index_cast %best : index to i32
  %l0 = amp.loss cross_entropy %y, %k : tensor<3xf32>, i32 -> f32
  %l1 = arith.mulf %e, %l0 : f32
  return %l1 : f32
}
//--- learnt.jsonl
{"at": [0.5, -1]}
{"at": [1.25, 2]}
{"at": [-1, 0.25]}

//--- sizes.mlir
// One of two values of different sizes, which becomes a select.
amp.param @p : tensor<4x2xf32> init(normal, 1.0)
func.func @sizes(%c: i1 {amp.name = "c"}, %k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %p = amp.get @p : tensor<4x2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %a = amp.gather %p[%k] : tensor<4x2xf32>, tensor<?xi32>
  %b = tensor.concat dim(0) %a, %a : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %d = scf.if %c -> tensor<?x2xf32> {
    scf.yield %a : tensor<?x2xf32>
  } else {
    scf.yield %b : tensor<?x2xf32>
  }
  %s = math.sin %d : tensor<?x2xf32>
  %r = amp.pool sum %s : tensor<?x2xf32>
  %l = amp.loss squared_error %r, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- sizes.jsonl
{"c": true, "k": [0, 2]}
{"c": false, "k": [1, 3, 1]}
{"c": false, "k": [2, 0, 3, 1]}
