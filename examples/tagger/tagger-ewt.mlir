// The tagger of tagger.mlir with 17 tags, the universal parts of speech.
// Fields: word (0 where rare); tag, to train.

amp.param @emb   : tensor<?x128xf32>    init(normal, 0.1)
amp.param @f_Wx  : tensor<128x200xf32>  init(glorot)
amp.param @f_Wh  : tensor<50x200xf32>   init(glorot)
amp.param @f_b   : tensor<200xf32>      init(uniform, -0.1, 0.1)
amp.param @b_Wx  : tensor<128x200xf32>  init(glorot)
amp.param @b_Wh  : tensor<50x200xf32>   init(glorot)
amp.param @b_b   : tensor<200xf32>      init(uniform, -0.1, 0.1)
amp.param @W_mlp : tensor<100x32xf32>   init(glorot)
amp.param @b_mlp : tensor<32xf32>       init(uniform, -0.1, 0.1)
amp.param @W_tag : tensor<32x17xf32>    init(glorot)
amp.param @b_tag : tensor<17xf32>       init(uniform, -0.1, 0.1)

func.func @tagger_ewt(%word: tensor<?xi32> {amp.name = "word"}, %tag: tensor<?xi32> {amp.name = "tag"})
    -> (tensor<?x17xf32> {amp.name = "logits"}, f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %h0 = arith.constant dense<0.0> : tensor<50xf32>
  %n = tensor.dim %word, %c0 : tensor<?xi32>

  %x = amp.map %t to %n -> (tensor<?x128xf32>) {
    %emb = amp.get @emb : tensor<?x128xf32>
    %w = tensor.extract %word[%t] : tensor<?xi32>
    %row = amp.lookup %emb[%w] : tensor<?x128xf32>, i32
    amp.yield %row : tensor<128xf32>
  }

  // Both directions run at the same time.
  %f_Wx = amp.get @f_Wx : tensor<128x200xf32>
  %f_Wh = amp.get @f_Wh : tensor<50x200xf32>
  %f_b = amp.get @f_b : tensor<200xf32>
  %f_h, %f_c, %f_hs = amp.scan %t = %c0 to %n carry(%h = %h0, %c = %h0)
      : (tensor<50xf32>, tensor<50xf32>) -> (tensor<?x50xf32>) {
    %x_t = tensor.extract_slice %x[%t, 0] [1, 128] [1, 1] : tensor<?x128xf32> to tensor<128xf32>
    %gx = amp.linear %x_t, %f_Wx, %f_b : tensor<128xf32>, tensor<128x200xf32>, tensor<200xf32>
    %gh = amp.linear %h, %f_Wh : tensor<50xf32>, tensor<50x200xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<200xf32>, tensor<200xf32>, tensor<50xf32>) -> (tensor<50xf32>, tensor<50xf32>)
    amp.yield %h2, %c2, %h2 : tensor<50xf32>, tensor<50xf32>, tensor<50xf32>
  }
  %b_Wx = amp.get @b_Wx : tensor<128x200xf32>
  %b_Wh = amp.get @b_Wh : tensor<50x200xf32>
  %b_b = amp.get @b_b : tensor<200xf32>
  %b_h, %b_c, %b_hs = amp.scan reverse %t = %c0 to %n carry(%h = %h0, %c = %h0)
      : (tensor<50xf32>, tensor<50xf32>) -> (tensor<?x50xf32>) {
    %x_t = tensor.extract_slice %x[%t, 0] [1, 128] [1, 1] : tensor<?x128xf32> to tensor<128xf32>
    %gx = amp.linear %x_t, %b_Wx, %b_b : tensor<128xf32>, tensor<128x200xf32>, tensor<200xf32>
    %gh = amp.linear %h, %b_Wh : tensor<50xf32>, tensor<50x200xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<200xf32>, tensor<200xf32>, tensor<50xf32>) -> (tensor<50xf32>, tensor<50xf32>)
    amp.yield %h2, %c2, %h2 : tensor<50xf32>, tensor<50xf32>, tensor<50xf32>
  }

  %logits = amp.map %t to %n -> (tensor<?x17xf32>) {
    %W_mlp = amp.get @W_mlp : tensor<100x32xf32>
    %b_mlp = amp.get @b_mlp : tensor<32xf32>
    %W_tag = amp.get @W_tag : tensor<32x17xf32>
    %b_tag = amp.get @b_tag : tensor<17xf32>
    %hf = tensor.extract_slice %f_hs[%t, 0] [1, 50] [1, 1] : tensor<?x50xf32> to tensor<50xf32>
    %hb = tensor.extract_slice %b_hs[%t, 0] [1, 50] [1, 1] : tensor<?x50xf32> to tensor<50xf32>
    %hfb = tensor.concat dim(0) %hf, %hb : (tensor<50xf32>, tensor<50xf32>) -> tensor<100xf32>
    %m0 = amp.linear %hfb, %W_mlp, %b_mlp : tensor<100xf32>, tensor<100x32xf32>, tensor<32xf32>
    %m = math.tanh %m0 : tensor<32xf32>
    %y = amp.linear %m, %W_tag, %b_tag : tensor<32xf32>, tensor<32x17xf32>, tensor<17xf32>
    amp.yield %y : tensor<17xf32>
  }
  %loss = amp.loss cross_entropy %logits, %tag : tensor<?x17xf32>, tensor<?xi32> -> f32
  return %logits, %loss : tensor<?x17xf32>, f32
}

// The rest of an LSTM step, gates in the order i, f, g, o: (h', c').
func.func private @gates(%gx: tensor<200xf32>, %gh: tensor<200xf32>, %c: tensor<50xf32>)
    -> (tensor<50xf32>, tensor<50xf32>) {
  %g = arith.addf %gx, %gh : tensor<200xf32>
  %i0 = tensor.extract_slice %g[0] [50] [1] : tensor<200xf32> to tensor<50xf32>
  %f0 = tensor.extract_slice %g[50] [50] [1] : tensor<200xf32> to tensor<50xf32>
  %g0 = tensor.extract_slice %g[100] [50] [1] : tensor<200xf32> to tensor<50xf32>
  %o0 = tensor.extract_slice %g[150] [50] [1] : tensor<200xf32> to tensor<50xf32>
  %i = amp.sigmoid %i0 : tensor<50xf32>
  %f = amp.sigmoid %f0 : tensor<50xf32>
  %o = amp.sigmoid %o0 : tensor<50xf32>
  %u = math.tanh %g0 : tensor<50xf32>
  %keep = arith.mulf %f, %c : tensor<50xf32>
  %add = arith.mulf %i, %u : tensor<50xf32>
  %c2 = arith.addf %keep, %add : tensor<50xf32>
  %tc = math.tanh %c2 : tensor<50xf32>
  %h2 = arith.mulf %o, %tc : tensor<50xf32>
  return %h2, %c2 : tensor<50xf32>, tensor<50xf32>
}
