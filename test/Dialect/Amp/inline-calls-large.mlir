// RUN: amp-opt %s -amp-inline-calls -remarks-filter="amp-.*" -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// Each function calls the next one twice, so all inlined @f0 would have 2^17 ops:
// the last calls stay, with a remark, and so do the functions that they call.
// REMARK: remark: [Missed] TooLarge
// REMARK-SAME: is not inlined: the function would have more than 20000 ops
// CHECK-LABEL: func.func @f0(
// CHECK: call @f1
// CHECK: func.func private @f1
func.func @f0(%x: i32) -> i32 {
  %y = func.call @f1(%x) : (i32) -> i32
  %z = func.call @f1(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f1(%x: i32) -> i32 {
  %y = func.call @f2(%x) : (i32) -> i32
  %z = func.call @f2(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f2(%x: i32) -> i32 {
  %y = func.call @f3(%x) : (i32) -> i32
  %z = func.call @f3(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f3(%x: i32) -> i32 {
  %y = func.call @f4(%x) : (i32) -> i32
  %z = func.call @f4(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f4(%x: i32) -> i32 {
  %y = func.call @f5(%x) : (i32) -> i32
  %z = func.call @f5(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f5(%x: i32) -> i32 {
  %y = func.call @f6(%x) : (i32) -> i32
  %z = func.call @f6(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f6(%x: i32) -> i32 {
  %y = func.call @f7(%x) : (i32) -> i32
  %z = func.call @f7(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f7(%x: i32) -> i32 {
  %y = func.call @f8(%x) : (i32) -> i32
  %z = func.call @f8(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f8(%x: i32) -> i32 {
  %y = func.call @f9(%x) : (i32) -> i32
  %z = func.call @f9(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f9(%x: i32) -> i32 {
  %y = func.call @f10(%x) : (i32) -> i32
  %z = func.call @f10(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f10(%x: i32) -> i32 {
  %y = func.call @f11(%x) : (i32) -> i32
  %z = func.call @f11(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f11(%x: i32) -> i32 {
  %y = func.call @f12(%x) : (i32) -> i32
  %z = func.call @f12(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f12(%x: i32) -> i32 {
  %y = func.call @f13(%x) : (i32) -> i32
  %z = func.call @f13(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f13(%x: i32) -> i32 {
  %y = func.call @f14(%x) : (i32) -> i32
  %z = func.call @f14(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f14(%x: i32) -> i32 {
  %y = func.call @f15(%x) : (i32) -> i32
  %z = func.call @f15(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f15(%x: i32) -> i32 {
  %y = func.call @f16(%x) : (i32) -> i32
  %z = func.call @f16(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f16(%x: i32) -> i32 {
  %y = func.call @f17(%x) : (i32) -> i32
  %z = func.call @f17(%y) : (i32) -> i32
  return %z : i32
}
func.func private @f17(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
