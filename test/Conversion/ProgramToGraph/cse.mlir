// RUN: amp-opt %s -convert-program-to-graph -cse -amp-verify-graph | FileCheck %s

// The map decides by the same condition as the if, on the same value. CSE must not
// give the map's elements the branch that stands outside: the map would wait for
// both sides of it and never run.
// CHECK-LABEL: amp.graph @same_branch(
// CHECK-SAME: %[[N:[^:]*]]: index {{.*}}, %[[C:[^:]*]]: i1 {{.*}}, %[[X:[^:]*]]: f32
// CHECK: amp.branch %[[C]], %[[X]]
// CHECK: amp.map
// CHECK-NEXT: amp.branch %[[C]], %[[X]]
func.func @same_branch(%n: index {amp.name = "n"}, %c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"})
    -> (f32 {amp.name = "y"}, tensor<?xf32> {amp.name = "z"}) {
  %y = scf.if %c -> (f32) {
    %a = math.tanh %x : f32
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  %z = amp.map %i to %n -> (tensor<?xf32>) {
    %v = scf.if %c -> (f32) {
      %a = math.exp %x : f32
      scf.yield %a : f32
    } else {
      scf.yield %x : f32
    }
    amp.yield %v : f32
  }
  return %y, %z : f32, tensor<?xf32>
}

// In one block equal branches become one, whatever pass made them.
// CHECK-LABEL: amp.graph private @one_block(
// CHECK: amp.branch
// CHECK-NOT: amp.branch
// CHECK: amp.return
amp.graph private @one_block(%c: i1, %x: f32) -> f32 {
  %at, %af = amp.branch %c, %x : f32
  %bt, %bf = amp.branch %c, %x : f32
  %y = amp.merge %at, %bf : f32
  amp.return %y : f32
}
