// Rows of graphs and sequences: gathers, segments, pools, groups, flatmaps, attention over a number of rows
// that differs from instance to instance; indices outside their range, sizes that do not fit.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @rows(%n: index {amp.name="n"}, %x: tensor<?x4xf32> {amp.name="x"}, %k: tensor<?xi32> {amp.name="k"}, %t: tensor<?xi32> {amp.name="t"})
  -> (tensor<?x4xf32> {amp.name="gather"}, tensor<?x4xf32> {amp.name="sum"}, tensor<?x4xf32> {amp.name="mean"}, tensor<?x4xf32> {amp.name="max"}, tensor<4xf32> {amp.name="pool"}, tensor<?x4xf32> {amp.name="rows"}, tensor<?xindex> {amp.name="starts"}, tensor<?x4xf32> {amp.name="back"}, tensor<?x4xf32> {amp.name="flat"}, f32 {amp.name="loss"}, index {amp.name="rk"}, tensor<?xf32> {amp.name="att"}, tensor<4xf32> {amp.name="ws"}, f32 {amp.name="ce"}, tensor<?x4xf32> {amp.name="st"}, i32 {amp.name="v"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = amp.list : !amp.list<tensor<4xf32>>
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %l = scf.for %i = %c0 to %m step %c1 iter_args(%li = %e) -> !amp.list<tensor<4xf32>> {
    %row = amp.lookup %x[%i] : tensor<?x4xf32>, index
    %row2 = math.tanh %row : tensor<4xf32>
    %l2 = amp.push %row2, %li : !amp.list<tensor<4xf32>>
    scf.yield %l2 : !amp.list<tensor<4xf32>>
  }
  %st = amp.stack %l : !amp.list<tensor<4xf32>>
  %li0 = amp.list : !amp.list<i32>
  %li1 = scf.for %i = %c0 to %m step %c1 iter_args(%li = %li0) -> !amp.list<i32> {
    %q = tensor.extract %k[%i] : tensor<?xi32>
    %l2 = amp.push %q, %li : !amp.list<i32>
    scf.yield %l2 : !amp.list<i32>
  }
  %v = amp.at %li1[%c1] : !amp.list<i32>, index
  %g = amp.gather %x[%k] : tensor<?x4xf32>, tensor<?xi32>
  %s = amp.segment sum %g[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  %sm = amp.segment mean %g[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  %sx = amp.segment max %g[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  %p = amp.pool mean %s : tensor<?x4xf32>
  %rows, %starts = amp.group %x[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  %u = amp.ungroup %rows[%k] to %n : tensor<?x4xf32>, tensor<?xi32>
  %f = amp.flatmap %i to %m -> (tensor<?x4xf32>) {
    %w = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %w2 = tensor.cast %w : tensor<1x4xf32> to tensor<?x4xf32>
    %w3 = tensor.concat dim(0) %w2, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    amp.yield %w3 : tensor<?x4xf32> }
  %lo = amp.loss squared_error %f, %f : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  %ce = amp.loss cross_entropy %x, %t : tensor<?x4xf32>, tensor<?xi32> -> f32
  %rk = amp.rekey %n : index forward {
  ^bb0(%kk: index):
    %1 = arith.constant 1 : index
    %2 = arith.addi %kk, %1 : index
    amp.yield %2 : index
  } inverse {
  ^bb0(%kk: index):
    %1 = arith.constant 1 : index
    %2 = arith.subi %kk, %1 : index
    amp.yield %2 : index
  }
  %em = tensor.empty(%m) : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %fi = linalg.fill ins(%z : f32) outs(%em : tensor<?xf32>) -> tensor<?xf32>
  %mv = linalg.matvec ins(%x, %p : tensor<?x4xf32>, tensor<4xf32>) outs(%fi : tensor<?xf32>) -> tensor<?xf32>
  %att = amp.softmax %mv : tensor<?xf32>
  %z4 = arith.constant dense<0.0> : tensor<4xf32>
  %ws = linalg.vecmat ins(%att, %x : tensor<?xf32>, tensor<?x4xf32>) outs(%z4 : tensor<4xf32>) -> tensor<4xf32>
  return %g, %s, %sm, %sx, %p, %rows, %starts, %u, %f, %lo, %rk, %att, %ws, %ce, %st, %v : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<?x4xf32>, tensor<?xindex>, tensor<?x4xf32>, tensor<?x4xf32>, f32, index, tensor<?xf32>, tensor<4xf32>, f32, tensor<?x4xf32>, i32
}

//--- in.jsonl
{"n":3,"x":[[1,2,3,4],[-1,0,1,2],[0.5,0.25,-3,1]],"k":[2,0,2],"t":[0,3,1]}
{"n":4,"x":[[1,2,3,4],[-1,0,1,2]],"k":[1,1],"t":[3,2]}
{"n":4,"x":[[1,2,3,4],[-1,0,1,2]],"k":[1,2],"t":[3,2]}
{"n":4,"x":[[1,2,3,4],[-1,0,1,2]],"k":[1],"t":[3,2]}
{"n":4,"x":[[1,2,3,4],[-1,0,1,2]],"k":[1,0],"t":[3,7]}
{"n": 1, "x": [[-1.056, -1.587, -0.416, -1.38], [-1.734, -0.394, 1.672, 1.202]], "k": [0, 0], "t": [2, 2]}
{"n": 5, "x": [[1.119, 1.307, -0.953, 1.772], [-1.897, 0.563, -0.959, -0.913], [-1.341, -0.841, 1.469, 1.844], [1.394, -0.51, 1.379, -0.65], [-0.448, -1.005, -1.011, -0.88], [1.778, 1.272, 1.769, 1.362], [-1.971, -0.832, 0.82, -0.753], [1.061, -1.219, -0.305, -0.847], [-0.195, -1.067, -0.961, 1.19]], "k": [0, 0, 3, 2, 4, 4, 3, 2, 1], "t": [1, 0, 3, 1, 3, 2, 1, 2, 3]}
{"n": 30, "x": [[0.988, -0.717, 0.234, 1.617], [-1.596, -1.754, -1.085, 1.061], [0.462, -1.05, -0.676, -1.29], [-0.164, -1.829, 0.789, 1.584], [1.819, 0.94, 1.839, -1.927], [-0.844, 1.864, 1.101, -0.358], [1.773, 0.482, 1.272, -0.826], [-1.234, -0.223, -1.454, -0.473], [1.847, -0.675, -1.962, -1.821], [-1.322, 1.135, -0.549, -0.839], [-1.612, 1.927, -0.304, -1.168], [-1.763, -1.779, -1.325, 0.707]], "k": [2, 9, 0, 8, 7, 9, 3, 5, 0, 1, 8, 4], "t": [3, 1, 3, 1, 1, 3, 3, 3, 0, 1, 3, 3]}
{"n": 2, "x": [[-1.006, 1.557, 1.324, -0.006], [-1.873, -0.982, -1.03, -1.168], [-1.074, 1.479, -1.433, -1.795], [1.712, 0.261, 1.962, -0.388], [1.604, 0.616, 1.163, 0.979], [-0.023, -1.628, -1.156, 1.495], [1.599, 1.698, -0.654, 0.628], [1.198, 0.57, 1.259, 0.112], [0.619, 0.744, -0.927, 1.691], [1.825, -1.702, 1.884, 1.847], [0.673, -1.822, 1.596, -1.489], [1.874, 0.669, -1.758, -1.331], [0.541, 0.277, 0.986, 1.71], [-1.126, -1.987, 1.689, -1.948], [1.506, -1.536, 1.239, 1.132], [1.512, 0.202, 1.515, -1.193], [0.686, -0.677, 1.567, 1.094], [-0.114, 0.106, -1.894, -1.863], [0.378, -0.045, 1.459, 0.433], [-1.445, -0.55, 1.07, 0.092], [-1.958, 1.351, 1.31, -1.659], [0.174, -0.475, 1.15, -0.755], [-1.065, -0.053, 1.865, -1.62], [-1.542, 0.484, 1.541, 0.05], [-0.264, 1.431, 1.106, -1.732], [1.525, -1.217, -0.791, 1.346], [-0.31, 1.193, -1.33, 1.497], [-1.295, -1.403, -0.023, -0.646], [0.167, 1.616, 0.842, -1.978], [-0.753, 0.18, -0.054, 0.862], [-0.063, -1.697, -1.018, 1.39], [-0.573, 1.067, 1.943, 0.507], [0.707, 0.438, -0.747, 1.651], [-0.132, 1.646, -0.777, 1.47], [1.147, 0.452, -0.232, -1.437], [1.084, -0.551, 0.648, -1.467], [-1.67, -1.424, 1.236, -1.289], [1.608, -0.512, 0.304, -0.598], [0.483, -1.626, -0.39, 1.745], [-1.281, 0.617, -0.693, -0.798]], "k": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1], "t": [2, 2, 0, 2, 3, 1, 3, 0, 1, 1, 0, 2, 1, 0, 1, 3, 2, 0, 1, 1, 0, 1, 0, 2, 0, 0, 2, 0, 2, 1, 1, 3, 1, 0, 2, 0, 1, 3, 1, 1]}
{"n": 7, "x": [[1.377, -0.063, -1.729, -1.328], [1.499, -0.976, -0.435, 0.729], [1.446, -0.686, -0.453, -0.308], [-1.888, 1.507, -1.924, 1.84], [-1.39, -1.373, 1.394, 1.294], [-1.072, 0.214, -0.093, 0.874], [-1.26, 1.302, 1.986, 0.826]], "k": [5, 5, 3, 2, 6, 1, 6], "t": [1, 0, 3, 2, 2, 3, 0]}
{"n": 3, "x": [[1.283, -1.152, 0.316, 1.209], [0.364, 1.137, -0.09, 1.335]], "k": [0, 0], "t": [2, 0]}
{"n":-2,"x":[[1,2,3,4],[0,0,0,0]],"k":[1,0],"t":[3,3]}
{"n":2,"x":[[1,2,3,4],[0,0,0,0],[1,1,1,1]],"k":[1,0],"t":[3,3]}
