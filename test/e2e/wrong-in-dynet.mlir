// The graphs that DyNet 2.1 batches wrongly (its signatures are 32-bit hashes written by hand), each with its neighbours:
// ELU beside ReLU, SiLU with two betas, an LSTM's c beside its h, concatenations along different axes, transposes with
// different permutations; and slices at other offsets, pools of other kinds, comparisons with other predicates. All have
// the same shapes, are ready at the same time in different instances (`chosen`) and in the same one (`all`), and go
// through the same op afterwards.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: %python %S/Inputs/cubes.py 66 22 > %t/in.jsonl
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<3x12xf32> init(glorot)

func.func private @lstm(%x: tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>) {
  %W = amp.get @W : tensor<3x12xf32>
  %g = amp.linear %x, %W : tensor<3x3x3xf32>, tensor<3x12xf32>
  %i0 = tensor.extract_slice %g[0, 0, 0] [3, 3, 3] [1, 1, 1] : tensor<3x3x12xf32> to tensor<3x3x3xf32>
  %f0 = tensor.extract_slice %g[0, 0, 3] [3, 3, 3] [1, 1, 1] : tensor<3x3x12xf32> to tensor<3x3x3xf32>
  %g0 = tensor.extract_slice %g[0, 0, 6] [3, 3, 3] [1, 1, 1] : tensor<3x3x12xf32> to tensor<3x3x3xf32>
  %o0 = tensor.extract_slice %g[0, 0, 9] [3, 3, 3] [1, 1, 1] : tensor<3x3x12xf32> to tensor<3x3x3xf32>
  %i1 = amp.sigmoid %i0 : tensor<3x3x3xf32>
  %f1 = amp.sigmoid %f0 : tensor<3x3x3xf32>
  %g1 = math.tanh %g0 : tensor<3x3x3xf32>
  %o1 = amp.sigmoid %o0 : tensor<3x3x3xf32>
  %fx = arith.mulf %f1, %x : tensor<3x3x3xf32>
  %ig = arith.mulf %i1, %g1 : tensor<3x3x3xf32>
  %c = arith.addf %fx, %ig : tensor<3x3x3xf32>
  %t = math.tanh %c : tensor<3x3x3xf32>
  %h = arith.mulf %o1, %t : tensor<3x3x3xf32>
  return %h, %c : tensor<3x3x3xf32>, tensor<3x3x3xf32>
}

func.func private @elu(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x3x3xf32>
  %one = arith.constant dense<1.0> : tensor<3x3x3xf32>
  %pos = arith.cmpf ogt, %x, %zero : tensor<3x3x3xf32>
  %e = math.exp %x : tensor<3x3x3xf32>
  %m = arith.subf %e, %one : tensor<3x3x3xf32>
  %y = arith.select %pos, %x, %m : tensor<3x3x3xi1>, tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @relu(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x3x3xf32>
  %y = arith.maximumf %x, %zero : tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @silu1(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %beta = arith.constant dense<1.0> : tensor<3x3x3xf32>
  %s = arith.mulf %x, %beta : tensor<3x3x3xf32>
  %g = amp.sigmoid %s : tensor<3x3x3xf32>
  %y = arith.mulf %x, %g : tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @silu2(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %beta = arith.constant dense<2.0> : tensor<3x3x3xf32>
  %s = arith.mulf %x, %beta : tensor<3x3x3xf32>
  %g = amp.sigmoid %s : tensor<3x3x3xf32>
  %y = arith.mulf %x, %g : tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @lstm_c(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %h, %c = func.call @lstm(%x) : (tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>)
  %y = math.absf %c : tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @lstm_h(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %h, %c = func.call @lstm(%x) : (tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>)
  %y = math.absf %h : tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @concat0(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %a = tensor.extract_slice %x[0, 0, 0] [1, 3, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<1x3x3xf32>
  %b = tensor.extract_slice %x[1, 0, 0] [2, 3, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<2x3x3xf32>
  %n = arith.negf %b : tensor<2x3x3xf32>
  %y = tensor.concat dim(0) %n, %a : (tensor<2x3x3xf32>, tensor<1x3x3xf32>) -> tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @concat1(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %a = tensor.extract_slice %x[0, 0, 0] [3, 1, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3x1x3xf32>
  %b = tensor.extract_slice %x[0, 1, 0] [3, 2, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3x2x3xf32>
  %n = arith.negf %b : tensor<3x2x3xf32>
  %y = tensor.concat dim(1) %n, %a : (tensor<3x2x3xf32>, tensor<3x1x3xf32>) -> tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @concat2(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %a = tensor.extract_slice %x[0, 0, 0] [3, 3, 1] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3x3x1xf32>
  %b = tensor.extract_slice %x[0, 0, 1] [3, 3, 2] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3x3x2xf32>
  %n = arith.negf %b : tensor<3x3x2xf32>
  %y = tensor.concat dim(2) %n, %a : (tensor<3x3x2xf32>, tensor<3x3x1xf32>) -> tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @transpose102(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x3x3xf32>) outs(%init : tensor<3x3x3xf32>) permutation = [1, 0, 2]
  return %y : tensor<3x3x3xf32>
}

func.func private @transpose021(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x3x3xf32>) outs(%init : tensor<3x3x3xf32>) permutation = [0, 2, 1]
  return %y : tensor<3x3x3xf32>
}

func.func private @transpose210(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x3x3xf32>) outs(%init : tensor<3x3x3xf32>) permutation = [2, 1, 0]
  return %y : tensor<3x3x3xf32>
}

func.func private @transpose120(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x3x3xf32>) outs(%init : tensor<3x3x3xf32>) permutation = [1, 2, 0]
  return %y : tensor<3x3x3xf32>
}

func.func private @transpose201(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x3x3xf32>) outs(%init : tensor<3x3x3xf32>) permutation = [2, 0, 1]
  return %y : tensor<3x3x3xf32>
}

func.func private @slice01(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %row = tensor.extract_slice %x[0, 1, 0] [1, 1, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%row : tensor<3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0, 1]
  return %y : tensor<3x3x3xf32>
}

func.func private @slice10(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %row = tensor.extract_slice %x[1, 0, 0] [1, 1, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%row : tensor<3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0, 1]
  return %y : tensor<3x3x3xf32>
}

func.func private @slice22(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %row = tensor.extract_slice %x[2, 2, 0] [1, 1, 3] [1, 1, 1] : tensor<3x3x3xf32> to tensor<3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%row : tensor<3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0, 1]
  return %y : tensor<3x3x3xf32>
}

func.func private @pool_sum(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %p = amp.pool sum %x : tensor<3x3x3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%p : tensor<3x3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0]
  return %y : tensor<3x3x3xf32>
}

func.func private @pool_mean(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %p = amp.pool mean %x : tensor<3x3x3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%p : tensor<3x3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0]
  return %y : tensor<3x3x3xf32>
}

func.func private @pool_max(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %p = amp.pool max %x : tensor<3x3x3xf32>
  %init = tensor.empty() : tensor<3x3x3xf32>
  %y = linalg.broadcast ins(%p : tensor<3x3xf32>) outs(%init : tensor<3x3x3xf32>) dimensions = [0]
  return %y : tensor<3x3x3xf32>
}

func.func private @less_olt(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %half = arith.constant dense<0.25> : tensor<3x3x3xf32>
  %c = arith.cmpf olt, %x, %half : tensor<3x3x3xf32>
  %y = arith.select %c, %x, %half : tensor<3x3x3xi1>, tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func private @less_ogt(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
  %half = arith.constant dense<0.25> : tensor<3x3x3xf32>
  %c = arith.cmpf ogt, %x, %half : tensor<3x3x3xf32>
  %y = arith.select %c, %x, %half : tensor<3x3x3xi1>, tensor<3x3x3xf32>
  return %y : tensor<3x3x3xf32>
}

func.func @wrong(%x: tensor<3x3x3xf32> {amp.name = "x"}, %k: index {amp.name = "k"}) -> (tensor<3x3x3xf32> {amp.name = "chosen"}, tensor<3x3x3xf32> {amp.name = "all"}) {
  %y = scf.index_switch %k -> tensor<3x3x3xf32>
  case 0 {
    %r = func.call @elu(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 1 {
    %r = func.call @relu(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 2 {
    %r = func.call @silu1(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 3 {
    %r = func.call @silu2(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 4 {
    %r = func.call @lstm_c(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 5 {
    %r = func.call @lstm_h(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 6 {
    %r = func.call @concat0(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 7 {
    %r = func.call @concat1(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 8 {
    %r = func.call @concat2(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 9 {
    %r = func.call @transpose102(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 10 {
    %r = func.call @transpose021(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 11 {
    %r = func.call @transpose210(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 12 {
    %r = func.call @transpose120(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 13 {
    %r = func.call @transpose201(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 14 {
    %r = func.call @slice01(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 15 {
    %r = func.call @slice10(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 16 {
    %r = func.call @slice22(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 17 {
    %r = func.call @pool_sum(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 18 {
    %r = func.call @pool_mean(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 19 {
    %r = func.call @pool_max(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  case 20 {
    %r = func.call @less_olt(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  default {
    %r = func.call @less_ogt(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %r : tensor<3x3x3xf32>
  }
  %chosen = math.tanh %y : tensor<3x3x3xf32>
  %s0 = arith.constant dense<0.0> : tensor<3x3x3xf32>
  %w = arith.constant dense<0.8> : tensor<3x3x3xf32>
  %r0 = func.call @elu(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m0 = arith.mulf %s0, %w : tensor<3x3x3xf32>
  %s1 = arith.addf %m0, %r0 : tensor<3x3x3xf32>
  %r1 = func.call @relu(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m1 = arith.mulf %s1, %w : tensor<3x3x3xf32>
  %s2 = arith.addf %m1, %r1 : tensor<3x3x3xf32>
  %r2 = func.call @silu1(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m2 = arith.mulf %s2, %w : tensor<3x3x3xf32>
  %s3 = arith.addf %m2, %r2 : tensor<3x3x3xf32>
  %r3 = func.call @silu2(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m3 = arith.mulf %s3, %w : tensor<3x3x3xf32>
  %s4 = arith.addf %m3, %r3 : tensor<3x3x3xf32>
  %r4 = func.call @lstm_c(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m4 = arith.mulf %s4, %w : tensor<3x3x3xf32>
  %s5 = arith.addf %m4, %r4 : tensor<3x3x3xf32>
  %r5 = func.call @lstm_h(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m5 = arith.mulf %s5, %w : tensor<3x3x3xf32>
  %s6 = arith.addf %m5, %r5 : tensor<3x3x3xf32>
  %r6 = func.call @concat0(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m6 = arith.mulf %s6, %w : tensor<3x3x3xf32>
  %s7 = arith.addf %m6, %r6 : tensor<3x3x3xf32>
  %r7 = func.call @concat1(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m7 = arith.mulf %s7, %w : tensor<3x3x3xf32>
  %s8 = arith.addf %m7, %r7 : tensor<3x3x3xf32>
  %r8 = func.call @concat2(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m8 = arith.mulf %s8, %w : tensor<3x3x3xf32>
  %s9 = arith.addf %m8, %r8 : tensor<3x3x3xf32>
  %r9 = func.call @transpose102(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m9 = arith.mulf %s9, %w : tensor<3x3x3xf32>
  %s10 = arith.addf %m9, %r9 : tensor<3x3x3xf32>
  %r10 = func.call @transpose021(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m10 = arith.mulf %s10, %w : tensor<3x3x3xf32>
  %s11 = arith.addf %m10, %r10 : tensor<3x3x3xf32>
  %r11 = func.call @transpose210(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m11 = arith.mulf %s11, %w : tensor<3x3x3xf32>
  %s12 = arith.addf %m11, %r11 : tensor<3x3x3xf32>
  %r12 = func.call @transpose120(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m12 = arith.mulf %s12, %w : tensor<3x3x3xf32>
  %s13 = arith.addf %m12, %r12 : tensor<3x3x3xf32>
  %r13 = func.call @transpose201(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m13 = arith.mulf %s13, %w : tensor<3x3x3xf32>
  %s14 = arith.addf %m13, %r13 : tensor<3x3x3xf32>
  %r14 = func.call @slice01(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m14 = arith.mulf %s14, %w : tensor<3x3x3xf32>
  %s15 = arith.addf %m14, %r14 : tensor<3x3x3xf32>
  %r15 = func.call @slice10(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m15 = arith.mulf %s15, %w : tensor<3x3x3xf32>
  %s16 = arith.addf %m15, %r15 : tensor<3x3x3xf32>
  %r16 = func.call @slice22(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m16 = arith.mulf %s16, %w : tensor<3x3x3xf32>
  %s17 = arith.addf %m16, %r16 : tensor<3x3x3xf32>
  %r17 = func.call @pool_sum(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m17 = arith.mulf %s17, %w : tensor<3x3x3xf32>
  %s18 = arith.addf %m17, %r17 : tensor<3x3x3xf32>
  %r18 = func.call @pool_mean(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m18 = arith.mulf %s18, %w : tensor<3x3x3xf32>
  %s19 = arith.addf %m18, %r18 : tensor<3x3x3xf32>
  %r19 = func.call @pool_max(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m19 = arith.mulf %s19, %w : tensor<3x3x3xf32>
  %s20 = arith.addf %m19, %r19 : tensor<3x3x3xf32>
  %r20 = func.call @less_olt(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m20 = arith.mulf %s20, %w : tensor<3x3x3xf32>
  %s21 = arith.addf %m20, %r20 : tensor<3x3x3xf32>
  %r21 = func.call @less_ogt(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %m21 = arith.mulf %s21, %w : tensor<3x3x3xf32>
  %s22 = arith.addf %m21, %r21 : tensor<3x3x3xf32>
  return %chosen, %s22 : tensor<3x3x3xf32>, tensor<3x3x3xf32>
}
