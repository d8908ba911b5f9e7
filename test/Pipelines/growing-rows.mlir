// A loop whose rows grow from an initial value of known size: their type stays open, and the last value has as many as were made.
// RUN: ampc --compile-to=graph %s | FileCheck %s
// RUN: echo '{"n": 2}' > %t.jsonl
// RUN: ampc --interpret %s --input %t.jsonl | FileCheck %s --check-prefix=RESULT
// RUN: ampc --compile-to=graph %s | ampc --interpret - --input %t.jsonl | FileCheck %s --check-prefix=RESULT
// CHECK: amp.loop range({{.*}}) init(%{{.*}} : tensor<?x2xf32>)
// RESULT: {"out":{{\[\[1.0,1.0\],\[1.0,1.0\],\[1.0,1.0\],\[1.0,1.0\]\]}}}
func.func @m(%n: index {amp.name = "n"}) -> (tensor<?x2xf32> {amp.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %first = tensor.cast %one : tensor<1x2xf32> to tensor<?x2xf32>
  %rows = scf.for %i = %c0 to %n step %c1 iter_args(%r = %first) -> (tensor<?x2xf32>) {
    %twice = tensor.concat dim(0) %r, %r : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    scf.yield %twice : tensor<?x2xf32>
  }
  return %rows : tensor<?x2xf32>
}
