// Instances that fail, each with its place and reason; the others finish.

// RUN: split-file %s %t
// RUN: not ampc --interpret %t/ops.mlir --input %t/ops.jsonl --output %t/ops.out 2>%t/ops.err
// RUN: FileCheck %s --check-prefix=OPS <%t/ops.out
// RUN: FileCheck %s --check-prefix=ERR <%t/ops.err
// RUN: not ampc --interpret %t/shapes.mlir --input %t/shapes.jsonl --output - 2>%t/shapes.err | FileCheck %s --check-prefix=SHAPE
// RUN: not ampc --interpret %t/collectors.mlir --input %t/collectors.jsonl --output - 2>%t/collectors.err | FileCheck %s --check-prefix=COLLECT
// RUN: not ampc --interpret %t/ops.mlir --input %t/fields.jsonl --output - 2>%t/fields.err | FileCheck %s --check-prefix=FIELD
// RUN: not ampc --interpret %t/endless.mlir --input %t/endless.jsonl --output - 2>%t/endless.err | FileCheck %s --check-prefix=ENDLESS

// The failed ones have their line of the output, and are told with the number of their line.
// ERR: error: line 2: {{.*}}ops.mlir:9:10: division by zero
// ERR: error: line 3: {{.*}}ops.mlir:9:10: the quotient
// ERR: error: line 13: {{.*}}ops.mlir:49:10: the step is 0
// ERR-NOT: error

//--- ops.jsonl
{"case": 0, "a": 6, "b": 3, "x": 1.5}
{"case": 1, "a": 6, "b": 0, "x": 1.5}
{"case": 1, "a": -2147483648, "b": -1, "x": 1.5}
{"case": 2, "a": 6, "b": 0, "x": 1.5}
{"case": 3, "a": 1, "b": 32, "x": 1.5}
{"case": 4, "a": 1, "b": 32, "x": 3.0e9}
{"case": 5, "a": 4, "b": 0, "x": 1.5}
{"case": 5, "a": -1, "b": 0, "x": 1.5}
{"case": 6, "a": 3, "b": 0, "x": 1.5}
{"case": 7, "a": 3, "b": 0, "x": 1.5}
{"case": 8, "a": 0, "b": 0, "x": 1.5}
{"case": 9, "a": 0, "b": -1, "x": 1.5}
{"case": 10, "a": 0, "b": 0, "x": 1.5}
{"case": 1, "a": 7, "b": 7, "x": 1.5}

//--- ops.mlir
func.func @f(%case: index {amp.name = "case"}, %a: i32 {amp.name = "a"}, %b: i32 {amp.name = "b"}, %x: f32 {amp.name = "x"})
    -> (i32 {amp.name = "r"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  // OPS: {"r":0}
  %r = scf.index_switch %case -> i32
  case 1 { // OPS: {"error":"{{.*}}ops.mlir:9:10: division by zero"}
    %q = arith.divsi %a, %b : i32 // OPS: {"error":"{{.*}}ops.mlir:9:10: the quotient of the smallest integer and -1 does not fit"}
    scf.yield %q : i32
  }
  case 2 { // OPS: {"error":"{{.*}}: division by zero"}
    %q = arith.remui %a, %b : i32
    scf.yield %q : i32
  }
  case 3 { // OPS: {"error":"{{.*}}: a shift by the width of the integer or more"}
    %q = arith.shli %a, %b : i32
    scf.yield %q : i32
  }
  case 4 { // OPS: {"error":"{{.*}}: 3000000000.000000 does not fit in i32"}
    %q = arith.fptosi %x : f32 to i32
    scf.yield %q : i32
  }
  case 5 { // OPS: {"error":"{{.*}}: index 4 is outside [0, 3)"}
    %i = arith.index_cast %a : i32 to index
    %q = tensor.extract %v[%i] : tensor<3xi32> // OPS: {"error":"{{.*}}: index -1 is outside [0, 3)"}
    scf.yield %q : i32
  }
  case 6 { // OPS: {"error":"{{.*}}: index 3 is outside [0, 3)"}
    %q = amp.lookup %v[%a] : tensor<3xi32>, i32
    %e = tensor.extract %q[] : tensor<i32>
    scf.yield %e : i32
  }
  case 7 { // OPS: {"error":"{{.*}}: index 3 is outside [0, 3)"}
    %i = arith.index_cast %a : i32 to index
    %q = tensor.insert %zero into %v[%i] : tensor<3xi32>
    scf.yield %zero : i32
  }
  case 8 { // OPS: {"error":"{{.*}}: the arg-max of an empty vector"}
    %e = tensor.empty() : tensor<0xf32>
    %q = amp.argmax %e : tensor<0xf32>
    scf.yield %zero : i32
  }
  case 9 { // OPS: {"error":"{{.*}}: zero to the power of a negative number"}
    %q = math.ipowi %a, %b : i32
    scf.yield %q : i32
  }
  case 10 { // OPS: {"error":"{{.*}}ops.mlir:49:10: the step is 0, not above 0"}
    %q = scf.for %i = %c0 to %case step %c0 iter_args(%s = %zero) -> (i32) {
      scf.yield %s : i32
    }
    scf.yield %q : i32
  }
  default {
    scf.yield %zero : i32
  }
  return %r : i32 // OPS: {"r":1}
}

//--- shapes.jsonl
{"case": 1, "n": 3, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 2, "n": 2, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 3, "n": 4, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 3, "n": -1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 4, "n": -1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 4, "n": 1099511627776, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 5, "n": 3, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 6, "n": 1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 7, "n": 1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 8, "n": 1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 9, "n": 1, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
{"case": 10, "n": 1000000000000, "x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}

//--- shapes.mlir
func.func @f(%case: index {amp.name = "case"}, %n: index {amp.name = "n"}, %x: tensor<?xf32> {amp.name = "x"}, %y: tensor<?xf32> {amp.name = "y"})
    -> (tensor<?xf32> {amp.name = "r"}) {
  %r = scf.index_switch %case -> tensor<?xf32>
  case 1 { // SHAPE: {"error":"{{.*}}: operands have different dimensions: tensor<2xf32> and tensor<3xf32>"}
    %q = arith.addf %x, %y : tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  case 2 { // SHAPE: {"error":"{{.*}}: the result is a tensor<2xf32>, which its type forbids"}
    %c = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
    %q = tensor.cast %c : tensor<3xf32> to tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  case 3 { // SHAPE: {"error":"{{.*}}: index 3 is outside [0, 3)"}
    %q = tensor.extract_slice %y[0] [%n] [1] : tensor<?xf32> to tensor<?xf32> // SHAPE: {"error":"{{.*}}: a dimension is -1"}
    scf.yield %q : tensor<?xf32>
  }
  case 4 { // SHAPE: {"error":"{{.*}}: a dimension is -1"}
    %q = tensor.empty(%n) : tensor<?xf32> // SHAPE: {"error":"{{.*}}: a tensor has more than 268435456 elements"}
    scf.yield %q : tensor<?xf32>
  }
  case 5 { // SHAPE: {"error":"{{.*}}: a tensor<2xf32> cannot have 3 elements"}
    %q = tensor.expand_shape %x [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
    scf.yield %x : tensor<?xf32>
  }
  case 6 { // SHAPE: {"error":"{{.*}}: the source is a tensor<2xf32>, which is not the slice's size"}
    %q = tensor.insert_slice %x into %y[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  case 7 { // SHAPE: {"error":"{{.*}}: operands have different dimensions beside the one that they are put together along"}
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %a = tensor.expand_shape %x [[0, 1]] output_shape [1, %c2] : tensor<?xf32> into tensor<1x?xf32>
    %b = tensor.expand_shape %y [[0, 1]] output_shape [1, %c3] : tensor<?xf32> into tensor<1x?xf32>
    %q = tensor.concat dim(0) %a, %b : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
    scf.yield %x : tensor<?xf32>
  }
  case 8 { // SHAPE: {"error":"{{.*}}: index 2 is outside [0, 2)"}
    %q = tensor.extract_slice %x[2] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %x : tensor<?xf32>
  }
  case 9 { // SHAPE: {"error":"{{.*}}: dimension 1 is outside [0, 1)"}
    %q = tensor.dim %x, %n : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  }
  case 10 { // SHAPE: {"error":"{{.*}}: a tensor has more than 268435456 elements"}
    %q = amp.collector %n : !amp.collector<tensor<1xf32>>
    scf.yield %x : tensor<?xf32>
  }
  default {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

//--- collectors.jsonl
{"n": 2, "i": 0, "j": 1}
{"n": 3, "i": 0, "j": 1}
{"n": 1, "i": 0, "j": 0}
{"n": 2, "i": 0, "j": 2}
{"n": 2, "i": -1, "j": 2}
{"n": 4, "i": 3, "j": 1}

//--- collectors.mlir
// COLLECT: {"n":1}
// COLLECT: {"error":"{{.*}}collectors.mlir:10:10: 1 of 3 rows are missing"}
// COLLECT: {"error":"{{.*}}: row 0 is given twice"}
// COLLECT: {"error":"{{.*}}: index 2 is outside [0, 2)"}
// COLLECT: {"error":"{{.*}}: index -1 is outside [0, 2)"}
// COLLECT: {"error":"{{.*}}collectors.mlir:10:10: 2 of 4 rows are missing"}
func.func @f(%n: index {amp.name = "n"}, %i: index {amp.name = "i"}, %j: index {amp.name = "j"}) -> (index {amp.name = "n"}) {
  %c1 = arith.constant 1 : index
  // Nobody collects them, but all must be given.
  %out = amp.collector %n : !amp.collector<tensor<2xf32>>
  %row = arith.constant dense<1.0> : tensor<2xf32>
  amp.emit %row, %out[%i] : !amp.collector<tensor<2xf32>>, index
  amp.emit %row, %out[%j] : !amp.collector<tensor<2xf32>>, index
  return %c1 : index
}

//--- fields.jsonl
{"case": 0, "a": 1, "b": 3}
{"case": 0, "a": 1.5, "b": 3, "x": 1.5}
{"case": 0,

// FIELD: {"error":"{{.*}}'x'{{.*}}"}
// FIELD: {"error":"field 'a': {{.*}}"}
// FIELD: {"error":"{{.*}}not valid JSON{{.*}}"}

//--- endless.jsonl
{"n": 1}
{"n": 0}

//--- endless.mlir
// ENDLESS: {"error":"{{.*}}endless.mlir:7:1: recursion is too deep: too many calls inside one another"}
// ENDLESS: {"n":0}
func.func @f(%n: index {amp.name = "n"}) -> (index {amp.name = "n"}) {
  %r = call @again(%n) : (index) -> index
  return %r : index
}
func.func private @again(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> index {
    scf.yield %n : index
  } else {
    %s = func.call @again(%n) : (index) -> index
    scf.yield %s : index
  }
  return %r : index
}
