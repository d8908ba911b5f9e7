// Derivatives of ops that move elements: slices, concatenations, shapes, casts, broadcasts, transposes.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/model.mlir --input %t/in.jsonl --samples 0 | FileCheck %s
// RUN: ampc --check-gradients %t/open.mlir --input %t/open.jsonl --samples 0 | FileCheck %s --check-prefix=OPEN

// CHECK:      broadcast: 3 checked, 3 not zero
// CHECK-NEXT: broadcast_scalar: 1 checked, 1 not zero
// CHECK-NEXT: broadcast_value: 3 checked, 3 not zero
// CHECK-NEXT: cast: 4 checked, 4 not zero
// CHECK-NEXT: collapse: 6 checked, 6 not zero
// CHECK-NEXT: concat: 2 checked, 2 not zero
// CHECK-NEXT: concat.second: 4 checked, 4 not zero
// CHECK-NEXT: expand: 6 checked, 6 not zero
// CHECK-NEXT: extract: 3 checked, 1 not zero
// CHECK-NEXT: extract2: 4 checked, 1 not zero
// CHECK-NEXT: extract_scalar: 1 checked, 1 not zero
// CHECK-NEXT: extract_value: 3 checked, 2 not zero
// CHECK-NEXT: from_elements: 4 checked, 4 not zero
// CHECK-NEXT: gates: 8 checked, 8 not zero
// CHECK-NEXT: insert: 4 checked, 2 not zero
// CHECK-NEXT: insert.dest: 6 checked, 4 not zero
// CHECK-NEXT: overlap: 4 checked, 4 not zero
// CHECK-NEXT: row: 6 checked, 4 not zero
// CHECK-NEXT: slice: 6 checked, 2 not zero
// CHECK-NEXT: slice_at: 6 checked, 3 not zero
// CHECK-NEXT: slice_strided: 5 checked, 2 not zero
// CHECK-NEXT: splat: 1 checked, 1 not zero
// CHECK-NEXT: transpose: 6 checked, 6 not zero
// CHECK-NEXT: transpose3: 12 checked, 12 not zero

// OPEN:      block: 16 checked, 10 not zero
// OPEN-NEXT: broadcast: 4 checked, 4 not zero
// OPEN-NEXT: row: 4 checked, 4 not zero

//--- model.mlir
amp.param @broadcast : tensor<3xf32> init(normal, 1.0)
amp.param @broadcast_scalar : tensor<f32> init(normal, 1.0)
amp.param @broadcast_value : tensor<3xf32> init(normal, 1.0)
amp.param @cast : tensor<4xf32> init(normal, 1.0)
amp.param @collapse : tensor<2x3xf32> init(normal, 1.0)
amp.param @concat : tensor<2xf32> init(normal, 1.0)
amp.param @concat.second : tensor<2x2xf32> init(normal, 1.0)
amp.param @expand : tensor<6xf32> init(normal, 1.0)
amp.param @extract : tensor<3xf32> init(normal, 1.0)
amp.param @extract2 : tensor<2x2xf32> init(normal, 1.0)
amp.param @extract_scalar : tensor<f32> init(normal, 1.0)
amp.param @extract_value : tensor<3xf32> init(normal, 1.0)
amp.param @from_elements : tensor<4xf32> init(normal, 1.0)
amp.param @gates : tensor<8xf32> init(normal, 1.0)
amp.param @insert : tensor<4xf32> init(normal, 1.0)
amp.param @insert.dest : tensor<6xf32> init(normal, 1.0)
amp.param @overlap : tensor<4xf32> init(normal, 1.0)
amp.param @row : tensor<3x2xf32> init(normal, 1.0)
amp.param @slice : tensor<2x3xf32> init(normal, 1.0)
amp.param @slice_at : tensor<6xf32> init(normal, 1.0)
amp.param @slice_strided : tensor<5xf32> init(normal, 1.0)
amp.param @splat : tensor<1xf32> init(normal, 1.0)
amp.param @transpose : tensor<2x3xf32> init(normal, 1.0)
amp.param @transpose3 : tensor<2x3x2xf32> init(normal, 1.0)

func.func private @length6(%x: tensor<6xf32>, %sum: f32) -> f32 {
  %target = arith.constant dense<[0.1, -0.2, 0.3, 1.0, -1.0, 0.7]> : tensor<6xf32>
  %l = amp.loss squared_error %x, %target : tensor<6xf32>, tensor<6xf32> -> f32
  %s = arith.addf %l, %sum : f32
  return %s : f32
}
func.func private @length4(%x: tensor<4xf32>, %sum: f32) -> f32 {
  %target = arith.constant dense<[0.4, -0.2, 0.3, 1.0]> : tensor<4xf32>
  %l = amp.loss squared_error %x, %target : tensor<4xf32>, tensor<4xf32> -> f32
  %s = arith.addf %l, %sum : f32
  return %s : f32
}
func.func private @length2(%x: tensor<2xf32>, %sum: f32) -> f32 {
  %target = arith.constant dense<[0.4, -0.2]> : tensor<2xf32>
  %l = amp.loss squared_error %x, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %s = arith.addf %l, %sum : f32
  return %s : f32
}

func.func @tensors(%i: index {amp.name = "i"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %weights23 = arith.constant dense<[[1.0, 2.0, -1.0], [0.5, 0.25, 3.0]]> : tensor<2x3xf32>
  %targets23 = arith.constant dense<[[0.3, 2.0, -1.0], [0.5, -0.25, 3.0]]> : tensor<2x3xf32>

  // Along new first dimensions.
  %broadcast = amp.get @broadcast : tensor<3xf32>
  %empty23 = tensor.empty() : tensor<2x3xf32>
  %b0 = linalg.broadcast ins(%broadcast : tensor<3xf32>) outs(%empty23 : tensor<2x3xf32>) dimensions = [0]
  %b1 = arith.mulf %b0, %weights23 : tensor<2x3xf32>
  %s0 = amp.loss squared_error %b1, %targets23 : tensor<2x3xf32>, tensor<2x3xf32> -> f32
  %broadcast_value = amp.get @broadcast_value : tensor<3xf32>
  %bv0 = math.tanh %broadcast_value : tensor<3xf32>
  %empty223 = tensor.empty() : tensor<2x2x3xf32>
  %bv1 = linalg.broadcast ins(%bv0 : tensor<3xf32>) outs(%empty223 : tensor<2x2x3xf32>) dimensions = [0, 1]
  %bv2 = arith.mulf %bv1, %bv1 : tensor<2x2x3xf32>
  %bv3 = tensor.collapse_shape %bv2 [[0, 1, 2]] : tensor<2x2x3xf32> into tensor<12xf32>
  %bv4 = tensor.extract_slice %bv3[3] [6] [1] : tensor<12xf32> to tensor<6xf32>
  %s1 = call @length6(%bv4, %s0) : (tensor<6xf32>, f32) -> f32
  %broadcast_scalar = amp.get @broadcast_scalar : tensor<f32>
  %bs0 = linalg.broadcast ins(%broadcast_scalar : tensor<f32>) outs(%empty23 : tensor<2x3xf32>) dimensions = [0, 1]
  %bs1 = arith.mulf %bs0, %weights23 : tensor<2x3xf32>
  %bs2 = amp.loss squared_error %bs1, %targets23 : tensor<2x3xf32>, tensor<2x3xf32> -> f32
  %s2 = arith.addf %s1, %bs2 : f32

  %cast = amp.get @cast : tensor<4xf32>
  %ca0 = tensor.cast %cast : tensor<4xf32> to tensor<?xf32>
  %ca1 = math.sin %ca0 : tensor<?xf32>
  %ca2 = tensor.cast %ca1 : tensor<?xf32> to tensor<4xf32>
  %s3 = call @length4(%ca2, %s2) : (tensor<4xf32>, f32) -> f32

  %collapse = amp.get @collapse : tensor<2x3xf32>
  %co0 = tensor.collapse_shape %collapse [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %s4 = call @length6(%co0, %s3) : (tensor<6xf32>, f32) -> f32
  %expand = amp.get @expand : tensor<6xf32>
  %ex0 = math.sin %expand : tensor<6xf32>
  %ex1 = tensor.expand_shape %ex0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %ex2 = arith.mulf %ex1, %weights23 : tensor<2x3xf32>
  %ex3 = amp.loss squared_error %ex2, %targets23 : tensor<2x3xf32>, tensor<2x3xf32> -> f32
  %s5 = arith.addf %s4, %ex3 : f32

  %concat = amp.get @concat : tensor<2xf32>
  %concat.second = amp.get @concat.second : tensor<2x2xf32>
  %cc0 = tensor.expand_shape %concat [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %cc1 = tensor.concat dim(1) %cc0, %concat.second : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  %cc2 = arith.mulf %cc1, %weights23 : tensor<2x3xf32>
  %cc3 = tensor.collapse_shape %cc2 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %s6 = call @length6(%cc3, %s5) : (tensor<6xf32>, f32) -> f32

  // One element: of a vector, of more dimensions, of none, and of a value twice.
  %extract = amp.get @extract : tensor<3xf32>
  %et0 = tensor.extract %extract[%i] : tensor<3xf32>
  %et1 = arith.mulf %et0, %et0 : f32
  %s7 = arith.addf %s6, %et1 : f32
  %extract2 = amp.get @extract2 : tensor<2x2xf32>
  %eu0 = tensor.extract %extract2[%i, %c0] : tensor<2x2xf32>
  %eu1 = math.exp %eu0 : f32
  %s8 = arith.addf %s7, %eu1 : f32
  %extract_scalar = amp.get @extract_scalar : tensor<f32>
  %es0 = tensor.extract %extract_scalar[] : tensor<f32>
  %es1 = math.exp %es0 : f32
  %s9 = arith.addf %s8, %es1 : f32
  %extract_value = amp.get @extract_value : tensor<3xf32>
  %ev0 = math.tanh %extract_value : tensor<3xf32>
  %ev1 = tensor.extract %ev0[%i] : tensor<3xf32>
  %ev2 = tensor.extract %ev0[%c2] : tensor<3xf32>
  %ev3 = arith.mulf %ev1, %ev2 : f32
  %s10 = arith.addf %s9, %ev3 : f32

  %from_elements = amp.get @from_elements : tensor<4xf32>
  %fe0 = math.tanh %from_elements : tensor<4xf32>
  %c3 = arith.constant 3 : index
  %fe1 = tensor.extract %fe0[%c0] : tensor<4xf32>
  %fe2 = tensor.extract %fe0[%c1] : tensor<4xf32>
  %fe3 = tensor.extract %fe0[%c2] : tensor<4xf32>
  %fe4 = tensor.extract %fe0[%c3] : tensor<4xf32>
  %fe5 = tensor.from_elements %fe4, %fe3, %fe2, %fe1, %fe2, %fe1 : tensor<2x3xf32>
  %fe6 = arith.mulf %fe5, %weights23 : tensor<2x3xf32>
  %fe7 = tensor.collapse_shape %fe6 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %s11 = call @length6(%fe7, %s10) : (tensor<6xf32>, f32) -> f32

  // Slices side by side, one of them not used; and slices that overlap.
  %gates = amp.get @gates : tensor<8xf32>
  %ga0 = math.sin %gates : tensor<8xf32>
  %ga1 = tensor.extract_slice %ga0[2] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %ga2 = tensor.extract_slice %ga0[6] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %ga3 = tensor.extract_slice %ga0[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %ga4 = tensor.extract_slice %ga0[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %ga5 = arith.mulf %ga1, %ga2 : tensor<2xf32>
  %ga6 = arith.mulf %ga3, %ga4 : tensor<2xf32>
  %ga7 = arith.addf %ga5, %ga6 : tensor<2xf32>
  %s12 = call @length2(%ga7, %s11) : (tensor<2xf32>, f32) -> f32
  %overlap = amp.get @overlap : tensor<4xf32>
  %ov0 = math.sin %overlap : tensor<4xf32>
  %ov1 = tensor.extract_slice %ov0[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %ov2 = tensor.extract_slice %ov0[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %ov3 = tensor.extract_slice %ov0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %ov4 = arith.mulf %ov1, %ov2 : tensor<2xf32>
  %ov5 = arith.mulf %ov4, %ov3 : tensor<2xf32>
  %s13 = call @length2(%ov5, %s12) : (tensor<2xf32>, f32) -> f32

  %insert = amp.get @insert : tensor<4xf32>
  %insert.dest = amp.get @insert.dest : tensor<6xf32>
  %in0 = math.sin %insert : tensor<4xf32>
  %in1 = tensor.extract_slice %in0[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %in2 = math.sin %insert.dest : tensor<6xf32>
  %in3 = tensor.insert_slice %in1 into %in2[%i] [2] [2] : tensor<2xf32> into tensor<6xf32>
  %s14 = call @length6(%in3, %s13) : (tensor<6xf32>, f32) -> f32

  // Rows of a value, one of them twice.
  %row = amp.get @row : tensor<3x2xf32>
  %ro0 = math.sin %row : tensor<3x2xf32>
  %ro1 = tensor.extract_slice %ro0[%i, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
  %ro2 = tensor.extract_slice %ro0[2, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
  %ro3 = amp.lookup %ro0[%i] : tensor<3x2xf32>, index
  %ro4 = arith.mulf %ro1, %ro2 : tensor<2xf32>
  %ro5 = arith.mulf %ro4, %ro3 : tensor<2xf32>
  %s15 = call @length2(%ro5, %s14) : (tensor<2xf32>, f32) -> f32

  // A column, a place that is computed, a stride.
  %slice = amp.get @slice : tensor<2x3xf32>
  %sl0 = tensor.extract_slice %slice[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2xf32>
  %s16 = call @length2(%sl0, %s15) : (tensor<2xf32>, f32) -> f32
  %slice_at = amp.get @slice_at : tensor<6xf32>
  %sa0 = math.sin %slice_at : tensor<6xf32>
  %sa1 = tensor.extract_slice %sa0[%i] [3] [1] : tensor<6xf32> to tensor<3xf32>
  %sa2 = amp.softmax %sa1 : tensor<3xf32>
  %sa3 = tensor.extract %sa2[%c0] : tensor<3xf32>
  %s17 = arith.addf %s16, %sa3 : f32
  %slice_strided = amp.get @slice_strided : tensor<5xf32>
  %ss0 = tensor.extract_slice %slice_strided[%i] [2] [2] : tensor<5xf32> to tensor<2xf32>
  %s18 = call @length2(%ss0, %s17) : (tensor<2xf32>, f32) -> f32

  %splat = amp.get @splat : tensor<1xf32>
  %sp0 = tensor.extract %splat[%c0] : tensor<1xf32>
  %sp1 = math.sin %sp0 : f32
  %sp2 = tensor.splat %sp1 : tensor<2x3xf32>
  %sp3 = arith.mulf %sp2, %weights23 : tensor<2x3xf32>
  %sp4 = amp.loss squared_error %sp3, %targets23 : tensor<2x3xf32>, tensor<2x3xf32> -> f32
  %s19 = arith.addf %s18, %sp4 : f32

  %transpose = amp.get @transpose : tensor<2x3xf32>
  %empty32 = tensor.empty() : tensor<3x2xf32>
  %tr0 = linalg.transpose ins(%transpose : tensor<2x3xf32>) outs(%empty32 : tensor<3x2xf32>) permutation = [1, 0]
  %tr1 = tensor.collapse_shape %tr0 [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  %s20 = call @length6(%tr1, %s19) : (tensor<6xf32>, f32) -> f32
  %transpose3 = amp.get @transpose3 : tensor<2x3x2xf32>
  %tv0 = math.sin %transpose3 : tensor<2x3x2xf32>
  %empty322 = tensor.empty() : tensor<3x2x2xf32>
  %tv1 = linalg.transpose ins(%tv0 : tensor<2x3x2xf32>) outs(%empty322 : tensor<3x2x2xf32>) permutation = [1, 2, 0]
  %tv2 = tensor.collapse_shape %tv1 [[0, 1, 2]] : tensor<3x2x2xf32> into tensor<12xf32>
  %tv3 = tensor.extract_slice %tv2[0] [6] [1] : tensor<12xf32> to tensor<6xf32>
  %tv4 = tensor.extract_slice %tv2[6] [6] [1] : tensor<12xf32> to tensor<6xf32>
  %s21 = call @length6(%tv3, %s20) : (tensor<6xf32>, f32) -> f32
  %tv5 = arith.negf %tv4 : tensor<6xf32>
  %s22 = call @length6(%tv5, %s21) : (tensor<6xf32>, f32) -> f32
  return %s22 : f32
}
//--- in.jsonl
{"i": 1}

//--- open.mlir
// The same with numbers of rows that only an instance knows.
amp.param @row : tensor<2xf32> init(normal, 1.0)
amp.param @broadcast : tensor<2xf32> init(normal, 1.0)
amp.param @block : tensor<4x2xf32> init(normal, 1.0)
func.func @open(%n: index {amp.name = "n"}, %x: tensor<?x2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = amp.get @row : tensor<2xf32>
  %rows = tensor.expand_shape %row [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  // Between two blocks of any size.
  %joined = tensor.concat dim(0) %x, %rows, %x : (tensor<?x2xf32>, tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %m = tensor.dim %joined, %c0 : tensor<?x2xf32>
  %broadcast = amp.get @broadcast : tensor<2xf32>
  %empty = tensor.empty(%m) : tensor<?x2xf32>
  %tanh = math.tanh %broadcast : tensor<2xf32>
  %wide = linalg.broadcast ins(%tanh : tensor<2xf32>) outs(%empty : tensor<?x2xf32>) dimensions = [0]
  %product = arith.mulf %joined, %wide : tensor<?x2xf32>
  %wide2 = linalg.broadcast ins(%broadcast : tensor<2xf32>) outs(%empty : tensor<?x2xf32>) dimensions = [0]
  %sum = arith.addf %product, %wide2 : tensor<?x2xf32>
  // All rows but the first, turned.
  %fixed = amp.get @block : tensor<4x2xf32>
  %block = tensor.cast %fixed : tensor<4x2xf32> to tensor<?x2xf32>
  %sines = math.sin %block : tensor<?x2xf32>
  %rest = tensor.dim %sines, %c0 : tensor<?x2xf32>
  %less = arith.subi %rest, %c1 : index
  %tail = tensor.extract_slice %sines[1, 0] [%less, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  %head = tensor.extract_slice %sines[0, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
  %turn = tensor.empty(%less) : tensor<2x?xf32>
  %turned = linalg.transpose ins(%tail : tensor<?x2xf32>) outs(%turn : tensor<2x?xf32>) permutation = [1, 0]
  %p = amp.pool mean %sum : tensor<?x2xf32>
  %q = arith.mulf %p, %head : tensor<2xf32>
  %zeros = arith.constant dense<0.5> : tensor<2xf32>
  %l0 = amp.loss squared_error %q, %zeros : tensor<2xf32>, tensor<2xf32> -> f32
  %soft = amp.softmax %turned : tensor<2x?xf32>
  %first = tensor.extract %soft[%c0, %c1] : tensor<2x?xf32>
  %l1 = arith.addf %l0, %first : f32
  return %l1 : f32
}
//--- open.jsonl
{"n": 1, "x": []}
{"n": 1, "x": [[0.5, 2], [-1, 0.25]]}
