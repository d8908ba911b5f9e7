// A BiLSTM tagger with a mixture of experts behind it: for each word a router chooses one of
// four small networks, so that of their parameters a quarter works on each word.
// Fields: word (0 where unknown) and ending, one each a word.

amp.param @emb   : tensor<?x64xf32>   init(normal, 0.1)
amp.param @end   : tensor<?x64xf32>   init(normal, 0.1)
amp.param @f_Wx  : tensor<64x256xf32> init(glorot)
amp.param @f_Wh  : tensor<64x256xf32> init(glorot)
amp.param @f_b   : tensor<256xf32>    init(uniform, -0.1, 0.1)
amp.param @b_Wx  : tensor<64x256xf32> init(glorot)
amp.param @b_Wh  : tensor<64x256xf32> init(glorot)
amp.param @b_b   : tensor<256xf32>    init(uniform, -0.1, 0.1)
amp.param @W_router : tensor<128x4xf32> init(glorot)
amp.param @b_router : tensor<4xf32>     init(uniform, -0.1, 0.1)
amp.param @W_in0  : tensor<128x64xf32> init(glorot)
amp.param @b_in0  : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_out0 : tensor<64x64xf32>  init(glorot)
amp.param @b_out0 : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_in1  : tensor<128x64xf32> init(glorot)
amp.param @b_in1  : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_out1 : tensor<64x64xf32>  init(glorot)
amp.param @b_out1 : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_in2  : tensor<128x64xf32> init(glorot)
amp.param @b_in2  : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_out2 : tensor<64x64xf32>  init(glorot)
amp.param @b_out2 : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_in3  : tensor<128x64xf32> init(glorot)
amp.param @b_in3  : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_out3 : tensor<64x64xf32>  init(glorot)
amp.param @b_out3 : tensor<64xf32>     init(uniform, -0.1, 0.1)
amp.param @W_tag : tensor<64x17xf32>  init(glorot)
amp.param @b_tag : tensor<17xf32>     init(uniform, -0.1, 0.1)

func.func @moe_tagger(%word: tensor<?xi32> {amp.name = "word"}, %ending: tensor<?xi32> {amp.name = "ending"})
    -> (tensor<?x17xf32> {amp.name = "logits"}, tensor<?xi32> {amp.name = "expert"}) {
  %c0 = arith.constant 0 : index
  %h0 = arith.constant dense<0.0> : tensor<64xf32>
  %n = tensor.dim %word, %c0 : tensor<?xi32>

  %xs = amp.map %t to %n -> (tensor<?x64xf32>) {
    %emb = amp.get @emb : tensor<?x64xf32>
    %end = amp.get @end : tensor<?x64xf32>
    %w = tensor.extract %word[%t] : tensor<?xi32>
    %e = tensor.extract %ending[%t] : tensor<?xi32>
    %x_word = amp.lookup %emb[%w] : tensor<?x64xf32>, i32
    %x_ending = amp.lookup %end[%e] : tensor<?x64xf32>, i32
    %x = arith.addf %x_word, %x_ending : tensor<64xf32>
    amp.yield %x : tensor<64xf32>
  }

  // Both directions run at the same time.
  %f_Wx = amp.get @f_Wx : tensor<64x256xf32>
  %f_Wh = amp.get @f_Wh : tensor<64x256xf32>
  %f_b = amp.get @f_b : tensor<256xf32>
  %f_h, %f_c, %f_hs = amp.scan %t = %c0 to %n carry(%h = %h0, %c = %h0)
      : (tensor<64xf32>, tensor<64xf32>) -> (tensor<?x64xf32>) {
    %x = tensor.extract_slice %xs[%t, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %gx = amp.linear %x, %f_Wx, %f_b : tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>
    %gh = amp.linear %h, %f_Wh : tensor<64xf32>, tensor<64x256xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<256xf32>, tensor<256xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    amp.yield %h2, %c2, %h2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  %b_Wx = amp.get @b_Wx : tensor<64x256xf32>
  %b_Wh = amp.get @b_Wh : tensor<64x256xf32>
  %b_b = amp.get @b_b : tensor<256xf32>
  %b_h, %b_c, %b_hs = amp.scan reverse %t = %c0 to %n carry(%h = %h0, %c = %h0)
      : (tensor<64xf32>, tensor<64xf32>) -> (tensor<?x64xf32>) {
    %x = tensor.extract_slice %xs[%t, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %gx = amp.linear %x, %b_Wx, %b_b : tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>
    %gh = amp.linear %h, %b_Wh : tensor<64xf32>, tensor<64x256xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<256xf32>, tensor<256xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    amp.yield %h2, %c2, %h2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }

  %logits, %experts = amp.map %t to %n -> (tensor<?x17xf32>, tensor<?xi32>) {
    %hf = tensor.extract_slice %f_hs[%t, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %hb = tensor.extract_slice %b_hs[%t, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %h = tensor.concat dim(0) %hf, %hb : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
    %W_router = amp.get @W_router : tensor<128x4xf32>
    %b_router = amp.get @b_router : tensor<4xf32>
    %routes = amp.linear %h, %W_router, %b_router : tensor<128xf32>, tensor<128x4xf32>, tensor<4xf32>
    %p = amp.softmax %routes : tensor<4xf32>
    %expert = amp.argmax %routes : tensor<4xf32>
    %y = scf.index_switch %expert -> tensor<64xf32>
    case 0 {
      %W_in = amp.get @W_in0 : tensor<128x64xf32>
      %b_in = amp.get @b_in0 : tensor<64xf32>
      %W_out = amp.get @W_out0 : tensor<64x64xf32>
      %b_out = amp.get @b_out0 : tensor<64xf32>
      %y0 = func.call @expert(%h, %W_in, %b_in, %W_out, %b_out)
          : (tensor<128xf32>, tensor<128x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      scf.yield %y0 : tensor<64xf32>
    }
    case 1 {
      %W_in = amp.get @W_in1 : tensor<128x64xf32>
      %b_in = amp.get @b_in1 : tensor<64xf32>
      %W_out = amp.get @W_out1 : tensor<64x64xf32>
      %b_out = amp.get @b_out1 : tensor<64xf32>
      %y1 = func.call @expert(%h, %W_in, %b_in, %W_out, %b_out)
          : (tensor<128xf32>, tensor<128x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      scf.yield %y1 : tensor<64xf32>
    }
    case 2 {
      %W_in = amp.get @W_in2 : tensor<128x64xf32>
      %b_in = amp.get @b_in2 : tensor<64xf32>
      %W_out = amp.get @W_out2 : tensor<64x64xf32>
      %b_out = amp.get @b_out2 : tensor<64xf32>
      %y2 = func.call @expert(%h, %W_in, %b_in, %W_out, %b_out)
          : (tensor<128xf32>, tensor<128x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      scf.yield %y2 : tensor<64xf32>
    }
    default {
      %W_in = amp.get @W_in3 : tensor<128x64xf32>
      %b_in = amp.get @b_in3 : tensor<64xf32>
      %W_out = amp.get @W_out3 : tensor<64x64xf32>
      %b_out = amp.get @b_out3 : tensor<64xf32>
      %y3 = func.call @expert(%h, %W_in, %b_in, %W_out, %b_out)
          : (tensor<128xf32>, tensor<128x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      scf.yield %y3 : tensor<64xf32>
    }
    // The router learns through the gate.
    %gate = tensor.extract %p[%expert] : tensor<4xf32>
    %gate64 = tensor.splat %gate : tensor<64xf32>
    %gated = arith.mulf %y, %gate64 : tensor<64xf32>
    %W_tag = amp.get @W_tag : tensor<64x17xf32>
    %b_tag = amp.get @b_tag : tensor<17xf32>
    %tags = amp.linear %gated, %W_tag, %b_tag : tensor<64xf32>, tensor<64x17xf32>, tensor<17xf32>
    %number = arith.index_cast %expert : index to i32
    amp.yield %tags, %number : tensor<17xf32>, i32
  }
  return %logits, %experts : tensor<?x17xf32>, tensor<?xi32>
}

func.func private @expert(%h: tensor<128xf32>, %W_in: tensor<128x64xf32>, %b_in: tensor<64xf32>,
                          %W_out: tensor<64x64xf32>, %b_out: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %a = amp.linear %h, %W_in, %b_in : tensor<128xf32>, tensor<128x64xf32>, tensor<64xf32>
  %r = arith.maximumf %a, %zero : tensor<64xf32>
  %y = amp.linear %r, %W_out, %b_out : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
  return %y : tensor<64xf32>
}

// The rest of an LSTM step, gates in the order i, f, g, o: (h', c').
func.func private @gates(%gx: tensor<256xf32>, %gh: tensor<256xf32>, %c: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %g = arith.addf %gx, %gh : tensor<256xf32>
  %i0 = tensor.extract_slice %g[0] [64] [1] : tensor<256xf32> to tensor<64xf32>
  %f0 = tensor.extract_slice %g[64] [64] [1] : tensor<256xf32> to tensor<64xf32>
  %g0 = tensor.extract_slice %g[128] [64] [1] : tensor<256xf32> to tensor<64xf32>
  %o0 = tensor.extract_slice %g[192] [64] [1] : tensor<256xf32> to tensor<64xf32>
  %i = amp.sigmoid %i0 : tensor<64xf32>
  %f = amp.sigmoid %f0 : tensor<64xf32>
  %o = amp.sigmoid %o0 : tensor<64xf32>
  %u = math.tanh %g0 : tensor<64xf32>
  %keep = arith.mulf %f, %c : tensor<64xf32>
  %add = arith.mulf %i, %u : tensor<64xf32>
  %c2 = arith.addf %keep, %add : tensor<64xf32>
  %tc = math.tanh %c2 : tensor<64xf32>
  %h2 = arith.mulf %o, %tc : tensor<64xf32>
  return %h2, %c2 : tensor<64xf32>, tensor<64xf32>
}
