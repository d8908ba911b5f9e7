// Losses by absolute differences and by margins; dropout, which does nothing to who does not train.
// RUN: split-file %s %t
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output - | FileCheck %s

// |1 - 3| + |2 - 5| + |4 - 4| = 5. Of the scores 1, 2.5, 0.25 and -3: where 0 is right, 1 + 2.5 - 1 and 1 + 0.25 - 1; where 1 is
// right, nothing is within 1; where 3 is right, 5, 6.5 and 4.25. A margin of exactly 1 costs nothing.
// CHECK: {"absolute":5.0,"one":2.75,"rows":18.5,"even":0.0,"dropped":[1.0,2.0,4.0]}
// CHECK-NEXT: {"absolute":5.0,"one":15.75,"rows":0.0,"even":0.0,"dropped":[1.0,2.0,4.0]}
// CHECK-NEXT: {"absolute":5.0,"one":0.0,"rows":0.0,"even":0.0,"dropped":[1.0,2.0,4.0]}
// CHECK-NEXT: {"error":"{{.*}}model.mlir:8:10: target 4 is outside [0, 4)"}
// CHECK-NEXT: {"error":"{{.*}}model.mlir:9:11: target -1 is outside [0, 4)"}
// CHECK-NEXT: {"error":"{{.*}}model.mlir:9:11: operands have different numbers of rows: tensor<1x4xf32> and tensor<2xi32>"}

//--- model.mlir
func.func @f(%tag: i32 {amp.name = "tag"}, %x: tensor<?x4xf32> {amp.name = "x"}, %tags: tensor<?xi32> {amp.name = "tags"})
    -> (f64 {amp.name = "absolute"}, f32 {amp.name = "one"}, f32 {amp.name = "rows"}, f32 {amp.name = "even"},
        tensor<3xf64> {amp.name = "dropped"}) {
  %a = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  %b = arith.constant dense<[3.0, 5.0, 4.0]> : tensor<3xf64>
  %absolute = amp.loss absolute_error %a, %b : tensor<3xf64>, tensor<3xf64> -> f64
  %scores = arith.constant dense<[1.0, 2.5, 0.25, -3.0]> : tensor<4xf32>
  %one = amp.loss hinge %scores, %tag : tensor<4xf32>, i32 -> f32
  %rows = amp.loss hinge %x, %tags : tensor<?x4xf32>, tensor<?xi32> -> f32
  %c1 = arith.constant 1 : index
  %w = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %even = amp.loss hinge %w, %c1 : tensor<2xf32>, index -> f32
  %dropped = amp.dropout %a[%c1] rate 0.9 : tensor<3xf64>, index
  return %absolute, %one, %rows, %even, %dropped : f64, f32, f32, f32, tensor<3xf64>
}
//--- in.jsonl
{"tag": 0, "x": [[1, 2.5, 0.25, -3], [1, 2.5, 0.25, -3]], "tags": [0, 3]}
{"tag": 3, "x": [[1, 2.5, 0.25, -3]], "tags": [1]}
{"tag": 1, "x": [], "tags": []}
{"tag": 4, "x": [], "tags": []}
{"tag": 0, "x": [[1, 2.5, 0.25, -3]], "tags": [-1]}
{"tag": 0, "x": [[1, 2.5, 0.25, -3]], "tags": [1, 2]}
