// Maps in maps, over counts that are negative or zero, of scalars and tensors, with rows from outside; collectors.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @E : tensor<5x3xf32> init(normal, 1.0)
func.func @maps(%word: tensor<?xi32> {amp.name = "word"}, %extra: index {amp.name = "extra"})
    -> (tensor<?x3xf32> {amp.name = "sum"}, tensor<?xi32> {amp.name = "square"}, tensor<?x3xf32> {amp.name = "none"},
        tensor<?x3xf32> {amp.name = "back"}) {
  %E = amp.get @E : tensor<5x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %word, %c0 : tensor<?xi32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %out = amp.collector %n : !amp.collector<tensor<3xf32>>
  %sum, %square = amp.map %i to %n -> (tensor<?x3xf32>, tensor<?xi32>) {
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %rows = amp.map %j to %i -> (tensor<?x3xf32>) {
      %v = tensor.extract %word[%j] : tensor<?xi32>
      %e = amp.lookup %E[%v] : tensor<5x3xf32>, i32
      %f = amp.lookup %E[%w] : tensor<5x3xf32>, i32
      %g = arith.mulf %e, %f : tensor<3xf32>
      amp.yield %g : tensor<3xf32>
    }
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%a = %zero) -> (tensor<3xf32>) {
      %r = tensor.extract_slice %rows[%j, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
      %b = arith.addf %a, %r : tensor<3xf32>
      scf.yield %b : tensor<3xf32>
    }
    %last = arith.subi %n, %c1 : index
    %place = arith.subi %last, %i : index
    amp.emit %s, %out[%place] : !amp.collector<tensor<3xf32>>, index
    %q = arith.muli %w, %w : i32
    amp.yield %s, %q : tensor<3xf32>, i32
  }
  %none = amp.map %i to %extra -> (tensor<?x3xf32>) {
    amp.yield %zero : tensor<3xf32>
  }
  %back = amp.collect %out : !amp.collector<tensor<3xf32>> -> tensor<?x3xf32>
  return %sum, %square, %none, %back : tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>, tensor<?x3xf32>
}
//--- in.jsonl
{"word": [], "extra": 0}
{"word": [3], "extra": -2}
{"word": [1, 2, 0, 4, 4], "extra": 2}
{"word": [4, 3, 2, 1, 0, 1, 2, 3], "extra": 1}
