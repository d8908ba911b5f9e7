// The runner: limits, blank lines, standard input, seeds.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output - --limit 2 | FileCheck %s --check-prefix=LIMIT
// RUN: ampc --interpret %t/model.mlir --input - --output %t/all.out <%t/in.jsonl
// RUN: FileCheck %s --check-prefix=ALL <%t/all.out
// RUN: ampc --interpret %t/seed.mlir --input %t/in.jsonl --output %t/one.out --limit 1 --seed 1
// RUN: ampc --interpret %t/seed.mlir --input %t/in.jsonl --output %t/one-again.out --limit 1 --seed 1
// RUN: ampc --interpret %t/seed.mlir --input %t/in.jsonl --output %t/two.out --limit 1 --seed 2
// RUN: cmp %t/one.out %t/one-again.out
// RUN: not cmp %t/one.out %t/two.out
// RUN: not ampc --interpret %t/model.mlir --input %t/none.jsonl --output - 2>&1 | FileCheck %s --check-prefix=NONE

// LIMIT: {"y":1,"x":true,"z":0.5}
// LIMIT-NEXT: {"y":2,"x":false,"z":-1.0}
// LIMIT-NOT: {{.}}

// ALL: {"y":1,"x":true,"z":0.5}
// ALL-NEXT: {"y":2,"x":false,"z":-1.0}
// ALL-NEXT: {"y":3,"x":true,"z":1.0}
// ALL-NOT: {{.}}

// NONE: error: {{.*}}none.jsonl

//--- in.jsonl
{"x": true, "y": 1, "z": 0.5}

{"z": -1.0, "y": 2, "x": 0, "unknown": []}
{"x": 1, "y": 3, "z": 1}

//--- model.mlir
func.func @f(%x: i1 {amp.name = "x"}, %y: i64 {amp.name = "y"}, %z: f64 {amp.name = "z"})
    -> (i64 {amp.name = "y"}, i1 {amp.name = "x"}, f64 {amp.name = "z"}) {
  return %y, %x, %z : i64, i1, f64
}

//--- seed.mlir
amp.param @W : tensor<3x4xf32> init(glorot)
func.func @f(%x: i1 {amp.name = "x"}) -> (tensor<3x4xf32> {amp.name = "W"}) {
  %W = amp.get @W : tensor<3x4xf32>
  return %W : tensor<3x4xf32>
}
