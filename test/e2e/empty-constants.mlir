// Maps over constants that have no rows, or rows without elements: there is nothing to take, and what takes something
// fails.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @empty(%k: tensor<?xi32> {amp.name = "k"})
    -> (tensor<?xi32> {amp.name = "ints"}, tensor<?x4xf32> {amp.name = "rows"}, tensor<?xi32> {amp.name = "open"}, tensor<?x0xf32> {amp.name = "narrow"},
        tensor<?x0xf32> {amp.name = "chosen"}, tensor<?x4xf32> {amp.name = "gathered"}) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<> : tensor<0xi32>
  %norows = arith.constant dense<> : tensor<0x4xf32>
  %columns = arith.constant dense<> : tensor<3x0xf32>
  %m = tensor.dim %k, %c0 : tensor<?xi32>

  // As many as it has: none.
  %n0 = tensor.dim %none, %c0 : tensor<0xi32>
  %ints = amp.map %i to %n0 -> (tensor<?xi32>) {
    %v = tensor.extract %none[%i] : tensor<0xi32>
    %w = arith.addi %v, %v : i32
    amp.yield %w : i32
  }
  %n1 = tensor.dim %norows, %c0 : tensor<0x4xf32>
  %rows = amp.map %i to %n1 -> (tensor<?x4xf32>) {
    %v = amp.lookup %norows[%i] : tensor<0x4xf32>, index
    %w = math.tanh %v : tensor<4xf32>
    amp.yield %w : tensor<4xf32>
  }
  // Its type does not say so.
  %cast = tensor.cast %none : tensor<0xi32> to tensor<?xi32>
  %n2 = tensor.dim %cast, %c0 : tensor<?xi32>
  %open = amp.map %i to %n2 -> (tensor<?xi32>) {
    %v = tensor.extract %cast[%i] : tensor<?xi32>
    %w = arith.addi %v, %v : i32
    amp.yield %w : i32
  }
  // As many as the instance says: some of the three.
  %narrow = amp.map %i to %m -> (tensor<?x0xf32>) {
    %v = amp.lookup %columns[%i] : tensor<3x0xf32>, index
    %w = math.tanh %v : tensor<0xf32>
    amp.yield %w : tensor<0xf32>
  }
  %chosen = amp.map %i to %m -> (tensor<?x0xf32>) {
    %at = tensor.extract %k[%i] : tensor<?xi32>
    %v = amp.lookup %columns[%at] : tensor<3x0xf32>, i32
    %w = math.tanh %v : tensor<0xf32>
    amp.yield %w : tensor<0xf32>
  }
  %two = arith.constant 2 : i32
  %small = amp.map %i to %m -> (tensor<?xi32>) {
    %at = tensor.extract %k[%i] : tensor<?xi32>
    %v = arith.maxsi %at, %two : i32
    amp.yield %v : i32
  }
  %c4 = arith.constant 4 : index
  %isLong = arith.cmpi ugt, %m, %c4 : index
  %gathered = scf.if %isLong -> (tensor<?x4xf32>) {
    %g = amp.gather %norows[%small] : tensor<0x4xf32>, tensor<?xi32>
    scf.yield %g : tensor<?x4xf32>
  } else {
    %g = amp.gather %norows[%cast] : tensor<0x4xf32>, tensor<?xi32>
    scf.yield %g : tensor<?x4xf32>
  }
  return %ints, %rows, %open, %narrow, %chosen, %gathered
      : tensor<?xi32>, tensor<?x4xf32>, tensor<?xi32>, tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x4xf32>
}

//--- in.jsonl
{"k": []}
{"k": [2, 0]}
{"k": [1, 1, 2]}
{"k": [1, 1, 2, 0]}
{"k": [0, 3]}
{"k": [-1]}
{"k": [0, 1, 2, 0, 1]}
