// What became a cell is told at its place, in text and in YAML.
// RUN: ampc -Rbatch -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: ampc --remarks-file=%t.yaml -c %s -o %t.o 2>&1 | count 0
// RUN: FileCheck --check-prefix=YAML %s < %t.yaml

// CHECK: remarks.mlir:[[@LINE+10]]:8: remark: [Passed] cell{{.*}}amp-form-cells
// CHECK-SAME: math.tanh
// CHECK-NEXT: %y = math.tanh
// YAML: --- !Passed
// YAML: Name: {{ *}}cell
// YAML: remarks.mlir
// RUN: not ampc --remarks-file=%t.nowhere/x.yaml -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NOFILE %s
// NOFILE: ampc: error: cannot write remarks to '{{.*}}nowhere/x.yaml'
func.func @model(%x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {

  %y = math.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
