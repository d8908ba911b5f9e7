// What the interpreter does not know is told before anything runs; so is a program without an entry.

// RUN: split-file %s %t
// RUN: not ampc --interpret %t/ops.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not ampc --interpret %t/none.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ampc --interpret %t/two.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not ampc --interpret %t/name.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not ampc --interpret %t/twice.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ampc --interpret %t/collector.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not ampc --interpret %t/open.mlir --input %t/in.jsonl --output - 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not ampc --interpret %t/open.mlir --input %t/in.jsonl --output - --weights %t/no.safetensors 2>&1 | FileCheck %s --check-prefix=FILE

//--- in.jsonl
{"x": 1}

//--- ops.mlir
// OPS: ops.mlir:5:5: error: the interpreter does not know this op
// OPS: ops.mlir:8:8: error: the interpreter does not know type 'i8'
// OPS-NOT: "r"
func.func @f(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "r"}) {
    scf.execute_region {
      scf.yield
    }
  %y = arith.trunci %x : i32 to i8
  return %x : i32
}

//--- none.mlir
// NONE: error: expected a public func.func or amp.graph, the entry
func.func private @f(%x: i32) -> i32 {
  return %x : i32
}

//--- two.mlir
// TWO: two.mlir:7:1: error: expected one public function, the entry, but this is another one
// TWO: two.mlir:4:1: note: the first one is here
func.func private @h(%x: i32) { return }
func.func @f(%x: i32 {amp.name = "x"}) {
  return
}
func.func @g(%x: i32 {amp.name = "x"}) {
  return
}

//--- name.mlir
// NAME: name.mlir:2:14: error: expected field 0 to have a name: the string attribute amp.name
func.func @f(%x: i32) -> (i32 {amp.name = "r"}) {
  return %x : i32
}

//--- twice.mlir
// TWICE: error: result "r" is there twice
func.func @f(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "r"}, i32 {amp.name = "r"}) {
  return %x, %x : i32, i32
}

//--- collector.mlir
// TYPE: error: expected field "x" to be a scalar or a tensor, but got '!amp.collector<tensor<2xf32>>'
func.func @f(%x: !amp.collector<tensor<2xf32>> {amp.name = "x"}) {
  return
}

//--- open.mlir
// OPEN: error: parameter 'emb' (tensor<?x2xf32>) must be in the weights' file
// FILE: error: {{.*}}no.safetensors
amp.param @emb : tensor<?x2xf32> init(normal, 0.1)
func.func @f(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "r"}) {
  return %x : i32
}
