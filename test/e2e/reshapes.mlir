// tensor.reshape of tensors that the instance gives and that cells make, to shapes that are known, given, computed and
// read; one whose elements are more or fewer fails, and so does a size that cannot be.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl
// RUN: not %t/model run --input %t/in.jsonl --quiet | FileCheck %s
// CHECK-COUNT-2: {"flat":
// CHECK: {"error":"{{.*}}model.mlir:{{[0-9]+}}:{{[0-9]+}}: the shape does not fit the tensor"}

//--- model.mlir
func.func @reshapes(%x: tensor<?x4xf32> {amp.name = "x"}, %m: index {amp.name = "m"}, %shape: tensor<2xi32> {amp.name = "shape"}, %view: i1 {amp.name = "view"})
    -> (tensor<?xf32> {amp.name = "flat"}, tensor<?x?xf32> {amp.name = "computed"}, tensor<?x?xf32> {amp.name = "given"}, tensor<?x2xf32> {amp.name = "pairs"},
        tensor<4x1xf32> {amp.name = "known"}, tensor<f32> {amp.name = "one"}, tensor<?x?xindex> {amp.name = "indices"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %all = arith.muli %n, %c4 : index
  %t = math.absf %x : tensor<?x4xf32>

  // A cell's tensor, to a shape of scalars; and back.
  %s1 = tensor.from_elements %all : tensor<1xindex>
  %flat = tensor.reshape %t(%s1) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  %neg = arith.negf %flat : tensor<?xf32>
  %rest = arith.divui %all, %c2 : index
  %rest32 = arith.index_cast %rest : index to i32
  %two = arith.constant 2 : i32
  %s2 = tensor.from_elements %two, %rest32 : tensor<2xi32>
  %computed = tensor.reshape %neg(%s2) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>

  // The instance's own, to a shape of its own: a view; or one that is made where the shape is.
  %given = scf.if %view -> tensor<?x?xf32> {
    %g = tensor.reshape %x(%shape) : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    scf.yield %g : tensor<?x?xf32>
  } else {
    %zero = arith.constant dense<[0, 0]> : tensor<2xi32>
    %same = arith.addi %shape, %zero : tensor<2xi32>
    %max = arith.maxsi %same, %shape : tensor<2xi32>
    %g = tensor.reshape %t(%max) : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    scf.yield %g : tensor<?x?xf32>
  }
  // Some sizes are known.
  %s3 = tensor.from_elements %m, %c2 : tensor<2xindex>
  %pairs = tensor.reshape %neg(%s3) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>

  // All are; and none.
  %row = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
  %s4 = arith.constant dense<[4, 1]> : tensor<2xindex>
  %sum = arith.addf %row, %row : tensor<4xf32>
  %known = tensor.reshape %sum(%s4) : (tensor<4xf32>, tensor<2xindex>) -> tensor<4x1xf32>
  %last = tensor.extract_slice %sum[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %s0 = arith.constant dense<> : tensor<0xindex>
  %one = tensor.reshape %last(%s0) : (tensor<1xf32>, tensor<0xindex>) -> tensor<f32>

  %i = amp.map %k to %all -> (tensor<?xindex>) {
    amp.yield %k : index
  }
  %s5 = tensor.from_elements %n, %c4 : tensor<2xindex>
  %indices = tensor.reshape %i(%s5) : (tensor<?xindex>, tensor<2xindex>) -> tensor<?x?xindex>
  return %flat, %computed, %given, %pairs, %known, %one, %indices
      : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>, tensor<4x1xf32>, tensor<f32>, tensor<?x?xindex>
}

//--- in.jsonl
{"x": [[1, -2, 3, 4], [5, 6, -7, 8], [9, 0, 1, 2]], "m": 6, "shape": [2, 6], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [1, 8], "view": false}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 3, "shape": [1, 8], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [3, 3], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [3, 3], "view": false}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [-1, -8], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [-1, -8], "view": false}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [0, 8], "view": false}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [2147483647, 2147483647], "view": false}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4, "shape": [2147483647, 2147483647], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": -4, "shape": [4, 2], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 9223372036854775807, "shape": [4, 2], "view": true}
{"x": [[1, -2, 3, 4], [5, 6, -7, 8]], "m": 4611686018427387908, "shape": [4, 2], "view": true}
{"x": [[1, -2, 3, 4]], "m": 2, "shape": [4, 1], "view": false}
{"x": [], "m": 0, "shape": [0, 5], "view": true}
