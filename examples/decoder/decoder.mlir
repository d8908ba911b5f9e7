// A transformer decoder with a cache that grows: d 256, 4 heads of 64, 2 layers, FFN
// 1024, vocabulary 4096. Greedy; a request ends at token 0 or after max_new tokens.
// Fields: prompt (tokens), max_new.

!vector = tensor<256xf32>
!heads = tensor<4x64xf32>
!positions = tensor<?x4x64xf32>
!cache = !amp.list<!heads>

amp.param @emb      : tensor<4096x256xf32> init(normal, 0.1)
amp.param @pos      : tensor<256x256xf32>  init(normal, 0.1)
amp.param @n1_0     : tensor<256xf32>      init(uniform, 0.9, 1.1)
amp.param @W_qkv_0  : tensor<256x768xf32>  init(glorot)
amp.param @b_qkv_0  : tensor<768xf32>      init(uniform, -0.1, 0.1)
amp.param @W_o_0    : tensor<256x256xf32>  init(glorot)
amp.param @b_o_0    : tensor<256xf32>      init(uniform, -0.1, 0.1)
amp.param @n2_0     : tensor<256xf32>      init(uniform, 0.9, 1.1)
amp.param @W_up_0   : tensor<256x1024xf32> init(glorot)
amp.param @b_up_0   : tensor<1024xf32>     init(uniform, -0.1, 0.1)
amp.param @W_down_0 : tensor<1024x256xf32> init(glorot)
amp.param @b_down_0 : tensor<256xf32>      init(uniform, -0.1, 0.1)
amp.param @n1_1     : tensor<256xf32>      init(uniform, 0.9, 1.1)
amp.param @W_qkv_1  : tensor<256x768xf32>  init(glorot)
amp.param @b_qkv_1  : tensor<768xf32>      init(uniform, -0.1, 0.1)
amp.param @W_o_1    : tensor<256x256xf32>  init(glorot)
amp.param @b_o_1    : tensor<256xf32>      init(uniform, -0.1, 0.1)
amp.param @n2_1     : tensor<256xf32>      init(uniform, 0.9, 1.1)
amp.param @W_up_1   : tensor<256x1024xf32> init(glorot)
amp.param @b_up_1   : tensor<1024xf32>     init(uniform, -0.1, 0.1)
amp.param @W_down_1 : tensor<1024x256xf32> init(glorot)
amp.param @b_down_1 : tensor<256xf32>      init(uniform, -0.1, 0.1)
amp.param @n_f      : tensor<256xf32>      init(uniform, 0.9, 1.1)
amp.param @W_out    : tensor<256x4096xf32> init(glorot)

func.func @decoder(%prompt: tensor<?xi32> {amp.name = "prompt"}, %max_new: i32 {amp.name = "max_new"})
    -> (tensor<?xi32> {amp.name = "token"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 0 : i32
  %limit = arith.index_cast %max_new : i32 to index
  %p = tensor.dim %prompt, %c0 : tensor<?xi32>
  %last = arith.subi %p, %c1 : index

  // The prompt: all positions at once; each attends to those up to itself.
  %x0, %q0, %k0, %v0 = amp.map %i to %p -> (tensor<?x256xf32>, !positions, !positions, !positions) {
    %t = tensor.extract %prompt[%i] : tensor<?xi32>
    %x = func.call @embed(%t, %i) : (i32, index) -> !vector
    %q, %k, %v = func.call @project_0(%x) : (!vector) -> (!heads, !heads, !heads)
    amp.yield %x, %q, %k, %v : !vector, !heads, !heads, !heads
  }
  %x1, %q1, %k1, %v1 = amp.map %i to %p -> (tensor<?x256xf32>, !positions, !positions, !positions) {
    %seen = arith.addi %i, %c1 : index
    %x = amp.lookup %x0[%i] : tensor<?x256xf32>, index
    %q = amp.lookup %q0[%i] : !positions, index
    %k = tensor.extract_slice %k0[0, 0, 0] [%seen, 4, 64] [1, 1, 1] : !positions to !positions
    %v = tensor.extract_slice %v0[0, 0, 0] [%seen, 4, 64] [1, 1, 1] : !positions to !positions
    %y = func.call @layer_0(%x, %q, %k, %v) : (!vector, !heads, !positions, !positions) -> !vector
    %q_y, %k_y, %v_y = func.call @project_1(%y) : (!vector) -> (!heads, !heads, !heads)
    amp.yield %y, %q_y, %k_y, %v_y : !vector, !heads, !heads, !heads
  }
  // What comes out of the last layer is needed at the last position only.
  %x_last = amp.lookup %x1[%last] : tensor<?x256xf32>, index
  %q_last = amp.lookup %q1[%last] : !positions, index
  %y_last = call @layer_1(%x_last, %q_last, %k1, %v1) : (!vector, !heads, !positions, !positions) -> !vector
  %first = call @choose(%y_last) : (!vector) -> i32

  // Keys and values of both layers, position after position.
  %none = amp.list : !cache
  %K0, %V0, %K1, %V1 = scf.for %i = %c0 to %p step %c1 iter_args(%K0 = %none, %V0 = %none, %K1 = %none, %V1 = %none) -> (!cache, !cache, !cache, !cache) {
    %k0_i = amp.lookup %k0[%i] : !positions, index
    %v0_i = amp.lookup %v0[%i] : !positions, index
    %k1_i = amp.lookup %k1[%i] : !positions, index
    %v1_i = amp.lookup %v1[%i] : !positions, index
    %K0_i = amp.push %k0_i, %K0 : !cache
    %V0_i = amp.push %v0_i, %V0 : !cache
    %K1_i = amp.push %k1_i, %K1 : !cache
    %V1_i = amp.push %v1_i, %V1 : !cache
    scf.yield %K0_i, %V0_i, %K1_i, %V1_i : !cache, !cache, !cache, !cache
  }

  // One token after the other. %n are there, %t is the last of them.
  %no_tokens = amp.list : !amp.list<i32>
  %tokens1 = amp.push %first, %no_tokens : !amp.list<i32>
  %tokens:7 = scf.while (%tokens = %tokens1, %t = %first, %n = %c1, %K0_n = %K0, %V0_n = %V0, %K1_n = %K1, %V1_n = %V1)
      : (!amp.list<i32>, i32, index, !cache, !cache, !cache, !cache) -> (!amp.list<i32>, i32, index, !cache, !cache, !cache, !cache) {
    %goes_on = arith.cmpi ne, %t, %end : i32
    %may = arith.cmpi slt, %n, %limit : index
    %more = arith.andi %goes_on, %may : i1
    scf.condition(%more) %tokens, %t, %n, %K0_n, %V0_n, %K1_n, %V1_n : !amp.list<i32>, i32, index, !cache, !cache, !cache, !cache
  } do {
  ^bb0(%tokens: !amp.list<i32>, %t: i32, %n: index, %K0_n: !cache, %V0_n: !cache, %K1_n: !cache, %V1_n: !cache):
    %at = arith.addi %last, %n : index
    %x = func.call @embed(%t, %at) : (i32, index) -> !vector
    %q, %k, %v = func.call @project_0(%x) : (!vector) -> (!heads, !heads, !heads)
    %K0_2 = amp.push %k, %K0_n : !cache
    %V0_2 = amp.push %v, %V0_n : !cache
    %ks = amp.stack %K0_2 : !cache
    %vs = amp.stack %V0_2 : !cache
    %y = func.call @layer_0(%x, %q, %ks, %vs) : (!vector, !heads, !positions, !positions) -> !vector
    %q_y, %k_y, %v_y = func.call @project_1(%y) : (!vector) -> (!heads, !heads, !heads)
    %K1_2 = amp.push %k_y, %K1_n : !cache
    %V1_2 = amp.push %v_y, %V1_n : !cache
    %ks_y = amp.stack %K1_2 : !cache
    %vs_y = amp.stack %V1_2 : !cache
    %z = func.call @layer_1(%y, %q_y, %ks_y, %vs_y) : (!vector, !heads, !positions, !positions) -> !vector
    %next = func.call @choose(%z) : (!vector) -> i32
    %tokens2 = amp.push %next, %tokens : !amp.list<i32>
    %n2 = arith.addi %n, %c1 : index
    scf.yield %tokens2, %next, %n2, %K0_2, %V0_2, %K1_2, %V1_2 : !amp.list<i32>, i32, index, !cache, !cache, !cache, !cache
  }
  %token = amp.stack %tokens#0 : !amp.list<i32>
  return %token : tensor<?xi32>
}

func.func private @embed(%t: i32, %at: index) -> !vector {
  %emb = amp.get @emb : tensor<4096x256xf32>
  %pos = amp.get @pos : tensor<256x256xf32>
  %e = amp.lookup %emb[%t] : tensor<4096x256xf32>, i32
  %p = amp.lookup %pos[%at] : tensor<256x256xf32>, index
  %x = arith.addf %e, %p : !vector
  return %x : !vector
}

// The functions that are not inlined are one cell wherever they are called: positions of
// prompts and tokens that are generated, of all requests, share its calls.

// The best token behind x.
func.func private @choose(%x: !vector) -> i32 attributes {no_inline} {
  %n_f = amp.get @n_f : !vector
  %W_out = amp.get @W_out : tensor<256x4096xf32>
  %r = call @rms(%x, %n_f) : (!vector, !vector) -> !vector
  %scores = amp.linear %r, %W_out : !vector, tensor<256x4096xf32>
  %t = amp.argmax %scores : tensor<4096xf32>
  %t32 = arith.index_cast %t : index to i32
  return %t32 : i32
}

func.func private @project_0(%x: !vector) -> (!heads, !heads, !heads) attributes {no_inline} {
  %n1 = amp.get @n1_0 : !vector
  %W_qkv = amp.get @W_qkv_0 : tensor<256x768xf32>
  %b_qkv = amp.get @b_qkv_0 : tensor<768xf32>
  %q, %k, %v = call @project(%x, %n1, %W_qkv, %b_qkv) : (!vector, !vector, tensor<256x768xf32>, tensor<768xf32>) -> (!heads, !heads, !heads)
  return %q, %k, %v : !heads, !heads, !heads
}

func.func private @project_1(%x: !vector) -> (!heads, !heads, !heads) attributes {no_inline} {
  %n1 = amp.get @n1_1 : !vector
  %W_qkv = amp.get @W_qkv_1 : tensor<256x768xf32>
  %b_qkv = amp.get @b_qkv_1 : tensor<768xf32>
  %q, %k, %v = call @project(%x, %n1, %W_qkv, %b_qkv) : (!vector, !vector, tensor<256x768xf32>, tensor<768xf32>) -> (!heads, !heads, !heads)
  return %q, %k, %v : !heads, !heads, !heads
}

func.func private @layer_0(%x: !vector, %q: !heads, %k: !positions, %v: !positions) -> !vector attributes {no_inline} {
  %W_o = amp.get @W_o_0 : tensor<256x256xf32>
  %b_o = amp.get @b_o_0 : !vector
  %n2 = amp.get @n2_0 : !vector
  %W_up = amp.get @W_up_0 : tensor<256x1024xf32>
  %b_up = amp.get @b_up_0 : tensor<1024xf32>
  %W_down = amp.get @W_down_0 : tensor<1024x256xf32>
  %b_down = amp.get @b_down_0 : !vector
  %a = call @attention(%q, %k, %v) : (!heads, !positions, !positions) -> !vector
  %o = amp.linear %a, %W_o, %b_o : !vector, tensor<256x256xf32>, !vector
  %y = arith.addf %x, %o : !vector
  %r = call @rms(%y, %n2) : (!vector, !vector) -> !vector
  %up = amp.linear %r, %W_up, %b_up : !vector, tensor<256x1024xf32>, tensor<1024xf32>
  %g = call @gelu(%up) : (tensor<1024xf32>) -> tensor<1024xf32>
  %down = amp.linear %g, %W_down, %b_down : tensor<1024xf32>, tensor<1024x256xf32>, !vector
  %z = arith.addf %y, %down : !vector
  return %z : !vector
}

func.func private @layer_1(%x: !vector, %q: !heads, %k: !positions, %v: !positions) -> !vector attributes {no_inline} {
  %W_o = amp.get @W_o_1 : tensor<256x256xf32>
  %b_o = amp.get @b_o_1 : !vector
  %n2 = amp.get @n2_1 : !vector
  %W_up = amp.get @W_up_1 : tensor<256x1024xf32>
  %b_up = amp.get @b_up_1 : tensor<1024xf32>
  %W_down = amp.get @W_down_1 : tensor<1024x256xf32>
  %b_down = amp.get @b_down_1 : !vector
  %a = call @attention(%q, %k, %v) : (!heads, !positions, !positions) -> !vector
  %o = amp.linear %a, %W_o, %b_o : !vector, tensor<256x256xf32>, !vector
  %y = arith.addf %x, %o : !vector
  %r = call @rms(%y, %n2) : (!vector, !vector) -> !vector
  %up = amp.linear %r, %W_up, %b_up : !vector, tensor<256x1024xf32>, tensor<1024xf32>
  %g = call @gelu(%up) : (tensor<1024xf32>) -> tensor<1024xf32>
  %down = amp.linear %g, %W_down, %b_down : tensor<1024xf32>, tensor<1024x256xf32>, !vector
  %z = arith.addf %y, %down : !vector
  return %z : !vector
}

// Query, key and value of one position, by head.
func.func private @project(%x: !vector, %n1: !vector, %W_qkv: tensor<256x768xf32>, %b_qkv: tensor<768xf32>) -> (!heads, !heads, !heads) {
  %r = call @rms(%x, %n1) : (!vector, !vector) -> !vector
  %qkv = amp.linear %r, %W_qkv, %b_qkv : !vector, tensor<256x768xf32>, tensor<768xf32>
  %by_head = tensor.expand_shape %qkv [[0, 1, 2]] output_shape [3, 4, 64] : tensor<768xf32> into tensor<3x4x64xf32>
  %q = tensor.extract_slice %by_head[0, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<3x4x64xf32> to !heads
  %k = tensor.extract_slice %by_head[1, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<3x4x64xf32> to !heads
  %v = tensor.extract_slice %by_head[2, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<3x4x64xf32> to !heads
  return %q, %k, %v : !heads, !heads, !heads
}

// What one position takes from the values of all that it sees, by how well its query fits their keys.
func.func private @attention(%q: !heads, %k: !positions, %v: !positions) -> !vector {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant dense<0.125> : !heads
  %seen = tensor.dim %k, %c0 : !positions
  %q8 = arith.mulf %q, %eighth : !heads
  %scores_empty = tensor.empty(%seen) : tensor<4x?xf32>
  %scores_zero = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<4x?xf32>) -> tensor<4x?xf32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(h, j, d) -> (h, d)>, affine_map<(h, j, d) -> (j, h, d)>, affine_map<(h, j, d) -> (h, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%q8, %k : !heads, !positions) outs(%scores_zero : tensor<4x?xf32>) {
  ^bb0(%q_hd: f32, %k_jhd: f32, %sum: f32):
    %product = arith.mulf %q_hd, %k_jhd : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x?xf32>
  %weights = amp.softmax %scores : tensor<4x?xf32>
  %taken_zero = arith.constant dense<0.0> : !heads
  %taken = linalg.generic {
      indexing_maps = [affine_map<(h, d, j) -> (h, j)>, affine_map<(h, d, j) -> (j, h, d)>, affine_map<(h, d, j) -> (h, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<4x?xf32>, !positions) outs(%taken_zero : !heads) {
  ^bb0(%w_hj: f32, %v_jhd: f32, %sum: f32):
    %product = arith.mulf %w_hj, %v_jhd : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> !heads
  %a = tensor.collapse_shape %taken [[0, 1]] : !heads into !vector
  return %a : !vector
}

// x n / sqrt(mean of x^2 + 1e-5)
func.func private @rms(%x: !vector, %n: !vector) -> !vector {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.dot ins(%x, %x : !vector, !vector) outs(%zero : tensor<f32>) -> tensor<f32>
  %any = tensor.empty() : !vector
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x, %n, %square : !vector, !vector, tensor<f32>) outs(%any : !vector) {
  ^bb0(%x_i: f32, %n_i: f32, %s: f32, %unused: f32):
    %size = arith.constant 256.0 : f32
    %small = arith.constant 1.0e-5 : f32
    %mean = arith.divf %s, %size : f32
    %safe = arith.addf %mean, %small : f32
    %root = math.sqrt %safe : f32
    %unit = arith.divf %x_i, %root : f32
    %y_i = arith.mulf %unit, %n_i : f32
    linalg.yield %y_i : f32
  } -> !vector
  return %y : !vector
}

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
func.func private @gelu(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %half = arith.constant dense<0.5> : tensor<1024xf32>
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %cubic = arith.constant dense<0.044715> : tensor<1024xf32>
  %scale = arith.constant dense<0.7978845608> : tensor<1024xf32>
  %x2 = arith.mulf %x, %x : tensor<1024xf32>
  %x3 = arith.mulf %x2, %x : tensor<1024xf32>
  %a = arith.mulf %cubic, %x3 : tensor<1024xf32>
  %b = arith.addf %x, %a : tensor<1024xf32>
  %c = arith.mulf %scale, %b : tensor<1024xf32>
  %t = math.tanh %c : tensor<1024xf32>
  %d = arith.addf %one, %t : tensor<1024xf32>
  %e = arith.mulf %half, %x : tensor<1024xf32>
  %y = arith.mulf %e, %d : tensor<1024xf32>
  return %y : tensor<1024xf32>
}
