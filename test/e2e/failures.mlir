// One instance in some fails, each in its own way; the others do not notice.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl || true
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @E : tensor<5x3xf32> init(normal, 1.0)
func.func @failures(%word: tensor<?xi32> {amp.name = "word"}, %d: i32 {amp.name = "d"}, %rows: index {amp.name = "rows"})
    -> (tensor<3xf32> {amp.name = "sum"}, i32 {amp.name = "quotient"}, tensor<?x3xf32> {amp.name = "out"}) {
  %E = amp.get @E : tensor<5x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hundred = arith.constant 100 : i32
  %n = tensor.dim %word, %c0 : tensor<?xi32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %collector = amp.collector %rows : !amp.collector<tensor<3xf32>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<3xf32>) {
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %e = amp.lookup %E[%w] : tensor<5x3xf32>, i32
    %b = arith.addf %a, %e : tensor<3xf32>
    amp.emit %b, %collector[%i] : !amp.collector<tensor<3xf32>>, index
    scf.yield %b : tensor<3xf32>
  }
  %q = arith.divsi %hundred, %d : i32
  %out = amp.collect %collector : !amp.collector<tensor<3xf32>> -> tensor<?x3xf32>
  return %sum, %q, %out : tensor<3xf32>, i32, tensor<?x3xf32>
}
//--- in.jsonl
{"word": [0, 1, 2], "d": 7, "rows": 3}
{"word": [0, 5, 2], "d": 7, "rows": 3}
{"word": [0, -1, 2], "d": 7, "rows": 3}
{"word": [0, 1, 2], "d": 0, "rows": 3}
{"word": [0, 1, 2], "d": -7, "rows": 4}
{"word": [0, 1, 2], "d": -7, "rows": 2}
{"word": [4, 4, 4, 3], "d": 3, "rows": 4}
