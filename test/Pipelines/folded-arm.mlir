// An arm that only CSE and folding together turn into a constant: the fold happens
// before the arm's values become tokens of one side.
// RUN: ampc --compile-to=graph %s | FileCheck %s
// CHECK: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: %[[ZERO:.*]], %{{.*}} = amp.branch %{{.*}}, %[[C0]]
// CHECK: amp.merge %[[ZERO]]
func.func @m(%c: i1 {amp.name = "c"}, %x: i32 {amp.name = "x"}, %y: i32 {amp.name = "y"})
    -> (i32 {amp.name = "z"}) {
  %z = scf.if %c -> (i32) {
    %a = arith.muli %x, %y : i32
    %b = arith.muli %x, %y : i32
    %d = arith.subi %a, %b : i32
    scf.yield %d : i32
  } else {
    %e = arith.muli %x, %x : i32
    scf.yield %e : i32
  }
  return %z : i32
}
