// Errors name file, line and column, and show the line with a caret.
// RUN: not ampc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o

// CHECK: errors.mlir:[[@LINE+6]]:8: error: 'arith.addf' op requires the same type for all operands and results
// CHECK-NEXT: %y = "arith.addf"(%x, %w)
// CHECK-NEXT: {{^ *\^}}
func.func @model(%x: tensor<4xf32> {amp.name = "x"},
                 %w: tensor<5xf32> {amp.name = "w"})
    -> (tensor<4xf32> {amp.name = "y"}) {
  %y = "arith.addf"(%x, %w) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
