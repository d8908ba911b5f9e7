// RUN: not ampc -c %s -o %t.o 2>&1 | FileCheck %s

// CHECK: syntax-error.mlir:[[@LINE+5]]:10: error: use of undeclared SSA value name
// CHECK-NEXT: return %nothing : f32
// CHECK-NEXT: {{^ *\^}}
func.func @model(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  // An undefined value.
  return %nothing : f32
}
