// Sums and maxima of many lengths, known and open: the lanes that they are made in leave nothing out, and a row's bits do not depend on
// what it is batched with.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: %python -c "import json, random; random.seed(3); [print(json.dumps({'x': [round(random.uniform(-3, 3), 3) for _ in range(n)], 'y': [round(random.uniform(-1, 1), 3) for _ in range(150)], 'z': [round(random.uniform(-1, 1), 3) for _ in range(33)]})) for n in list(range(1, 40)) + [64, 100, 255]]" > %t/in.jsonl
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @main(%x: tensor<?xf32> {amp.name = "x"}, %y: tensor<150xf32> {amp.name = "y"}, %z: tensor<33xf32> {amp.name = "z"})
    -> (f32 {amp.name = "open"}, f32 {amp.name = "known"}, f32 {amp.name = "short"}, f64 {amp.name = "wide"}, tensor<?xf32> {amp.name = "p"},
        tensor<150xf32> {amp.name = "q"}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %zero64 = arith.constant dense<0.0> : tensor<f64>
  %open = linalg.dot ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%one : tensor<f32>) -> tensor<f32>
  %known = linalg.dot ins(%y, %y : tensor<150xf32>, tensor<150xf32>) outs(%one : tensor<f32>) -> tensor<f32>
  // The sum on the left, and an index among the terms.
  %short = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%z : tensor<33xf32>) outs(%one : tensor<f32>) {
  ^bb0(%z_i: f32, %sum: f32):
    %i = linalg.index 0 : index
    %i32 = arith.index_cast %i : index to i32
    %factor = arith.sitofp %i32 : i32 to f32
    %term = arith.mulf %z_i, %factor : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  %y64 = arith.extf %y : tensor<150xf32> to tensor<150xf64>
  %wide = linalg.dot ins(%y64, %y64 : tensor<150xf64>, tensor<150xf64>) outs(%zero64 : tensor<f64>) -> tensor<f64>
  %p = amp.softmax %x : tensor<?xf32>
  %q = amp.softmax %y : tensor<150xf32>
  %o = tensor.extract %open[] : tensor<f32>
  %k = tensor.extract %known[] : tensor<f32>
  %s = tensor.extract %short[] : tensor<f32>
  %w = tensor.extract %wide[] : tensor<f64>
  return %o, %k, %s, %w, %p, %q : f32, f32, f32, f64, tensor<?xf32>, tensor<150xf32>
}
