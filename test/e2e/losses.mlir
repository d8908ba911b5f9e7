// Losses of all kinds, of one row and of many, in f32 and f64; targets outside their range. Dropout does nothing to who predicts.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @losses(%tag: i64 {amp.name = "tag"}, %x: tensor<?x4xf32> {amp.name = "x"}, %tags: tensor<?xi32> {amp.name = "tags"}, %w: tensor<4xf64> {amp.name = "w"})
    -> (f64 {amp.name = "absolute"}, f32 {amp.name = "absolutes"}, f64 {amp.name = "squared"}, f64 {amp.name = "hinge"}, f32 {amp.name = "hinges"},
        f64 {amp.name = "entropy"}, f32 {amp.name = "entropies"}, tensor<?x4xf32> {amp.name = "dropped"}) {
  %c0 = arith.constant 0 : index
  %b = arith.constant dense<[3.0, 5.0, -4.0, 0.5]> : tensor<4xf64>
  %absolute = amp.loss absolute_error %w, %b : tensor<4xf64>, tensor<4xf64> -> f64
  %y = math.tanh %x : tensor<?x4xf32>
  %absolutes = amp.loss absolute_error %x, %y : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  %squared = amp.loss squared_error %w, %b : tensor<4xf64>, tensor<4xf64> -> f64
  %hinge = amp.loss hinge %w, %tag : tensor<4xf64>, i64 -> f64
  %hinges = amp.loss hinge %x, %tags : tensor<?x4xf32>, tensor<?xi32> -> f32
  %entropy = amp.loss cross_entropy %w, %tag : tensor<4xf64>, i64 -> f64
  %entropies = amp.loss cross_entropy %x, %tags : tensor<?x4xf32>, tensor<?xi32> -> f32
  %dropped = amp.dropout %x rate 0.75 : tensor<?x4xf32>
  return %absolute, %absolutes, %squared, %hinge, %hinges, %entropy, %entropies, %dropped : f64, f32, f64, f64, f32, f64, f32, tensor<?x4xf32>
}
//--- in.jsonl
{"tag": 0, "x": [[1, 2.5, 0.25, -3], [1, -2.5, 0.25, 3]], "tags": [0, 3], "w": [0.5, 0.25, 1, -2]}
{"tag": 3, "x": [[1, 2.5, 0.25, -3]], "tags": [1], "w": [0.5, 5, 1, -2]}
{"tag": 1, "x": [], "tags": [], "w": [-0.5, 0.25, 10, 20]}
{"tag": 4, "x": [], "tags": [], "w": [0.5, 0.25, 1, -2]}
{"tag": 2, "x": [[1, 2.5, 0.25, -3]], "tags": [-1], "w": [0.5, 0.25, 1, -2]}
{"tag": 2, "x": [[1, 2.5, 0.25, -3]], "tags": [1, 2], "w": [0.5, 0.25, 1, -2]}
{"tag": -1, "x": [[1, 2.5, 0.25, -3], [0, 0, 0, 0], [1, 0, 2, 1]], "tags": [1, 2, 3], "w": [0.5, 0.25, 1, -2]}
{"tag": 2, "x": [[1, 2.5, 0.25, -3], [0, 0, 0, 0], [1, 0, 2, 1]], "tags": [1, 2, 3], "w": [0.5, 0.25, 1, -2]}
