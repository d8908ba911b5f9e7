// Maps and scans.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/map.mlir --input %t/map.jsonl --output - | FileCheck %s --check-prefix=MAP
// RUN: ampc --interpret %t/scan.mlir --input %t/scan.jsonl --output - | FileCheck %s --check-prefix=SCAN

//--- map.jsonl
{"n": 3}
{"n": 0}
{"n": -1}

//--- map.mlir
// MAP{LITERAL}: {"squares":[0,1,4],"rows":[[0.0,1.0],[1.0,1.0],[2.0,1.0]]}
// MAP{LITERAL}: {"squares":[],"rows":[]}
// MAP{LITERAL}: {"squares":[],"rows":[]}
func.func @f(%n: index {amp.name = "n"}) -> (tensor<?xi64> {amp.name = "squares"}, tensor<?x2xf32> {amp.name = "rows"}) {
  %one = arith.constant 1.0 : f32
  %squares, %rows = amp.map %i to %n -> (tensor<?xi64>, tensor<?x2xf32>) {
    %k = arith.index_cast %i : index to i64
    %square = arith.muli %k, %k : i64
    %x = arith.sitofp %k : i64 to f32
    %row = tensor.from_elements %x, %one : tensor<2xf32>
    amp.yield %square, %row : i64, tensor<2xf32>
  }
  return %squares, %rows : tensor<?xi64>, tensor<?x2xf32>
}

//--- scan.jsonl
{"x": [1.0, 2.0, 3.0, 4.0], "from": 1, "to": 4}
{"x": [1.0], "from": 1, "to": 1}
{"x": [1.0], "from": 1, "to": 0}

//--- scan.mlir
// Running sums from the left and, with reverse, from the right; row i - from comes from index i both times.
// SCAN{LITERAL}: {"last":9.0,"sums":[2.0,5.0,9.0],"reverse_last":9.0,"reverse_sums":[9.0,7.0,4.0],"indices":[[1],[2],[3]],"seen":[3,2,1]}
// SCAN{LITERAL}: {"last":0.0,"sums":[],"reverse_last":0.0,"reverse_sums":[],"indices":[],"seen":[0,0,0]}
// SCAN{LITERAL}: {"last":0.0,"sums":[],"reverse_last":0.0,"reverse_sums":[],"indices":[],"seen":[0,0,0]}
func.func @f(%x: tensor<?xf32> {amp.name = "x"}, %from: index {amp.name = "from"}, %to: index {amp.name = "to"})
    -> (f32 {amp.name = "last"}, tensor<?xf32> {amp.name = "sums"},
        f32 {amp.name = "reverse_last"}, tensor<?xf32> {amp.name = "reverse_sums"},
        tensor<?x1xindex> {amp.name = "indices"}, tensor<3xindex> {amp.name = "seen"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %last, %sums = amp.scan %t = %from to %to carry(%s = %zero) : (f32) -> (tensor<?xf32>) {
    %x_t = tensor.extract %x[%t] : tensor<?xf32>
    %s2 = arith.addf %s, %x_t : f32
    amp.yield %s2, %s2 : f32, f32
  }
  %none = tensor.splat %c0 : tensor<3xindex>
  // The order of the iterations, as a queue of three.
  %reverse_last, %seen, %reverse_sums = amp.scan reverse %t = %from to %to carry(%s = %zero, %q = %none)
      : (f32, tensor<3xindex>) -> (tensor<?xf32>) {
    %x_t = tensor.extract %x[%t] : tensor<?xf32>
    %s2 = arith.addf %s, %x_t : f32
    %tail = tensor.extract_slice %q[1] [2] [1] : tensor<3xindex> to tensor<2xindex>
    %new = tensor.from_elements %t : tensor<1xindex>
    %q2 = tensor.concat dim(0) %tail, %new : (tensor<2xindex>, tensor<1xindex>) -> tensor<3xindex>
    amp.yield %s2, %q2, %s2 : f32, tensor<3xindex>, f32
  }
  %indices = amp.scan %t = %from to %to -> (tensor<?x1xindex>) {
    %row = tensor.from_elements %t : tensor<1xindex>
    amp.yield %row : tensor<1xindex>
  }
  return %last, %sums, %reverse_last, %reverse_sums, %indices, %seen
      : f32, tensor<?xf32>, f32, tensor<?xf32>, tensor<?x1xindex>, tensor<3xindex>
}
