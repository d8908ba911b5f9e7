// A binary tree-LSTM (Tai et al. 2015), h = 512, 5 classes at every node.
// Fields: nodes in post-order; a leaf has left = right = -1. Labels are needed to
// train only.

amp.param @emb   : tensor<?x512xf32>   init(normal, 0.1)
amp.param @W_iou : tensor<512x1536xf32> init(glorot)
amp.param @U_iou : tensor<1024x1536xf32> init(glorot)
amp.param @b_iou : tensor<1536xf32>     init(uniform, -0.1, 0.1)
amp.param @U_fl  : tensor<512x512xf32> init(glorot)
amp.param @U_fr  : tensor<512x512xf32> init(glorot)
amp.param @b_f   : tensor<512xf32>     init(uniform, -0.1, 0.1)
amp.param @W_out : tensor<512x5xf32>   init(glorot)
amp.param @b_out : tensor<5xf32>       init(uniform, -0.1, 0.1)

func.func @treelstm(%word: tensor<?xi32> {amp.name = "word"},
                    %left: tensor<?xi32> {amp.name = "left"},
                    %right: tensor<?xi32> {amp.name = "right"},
                    %label: tensor<?xi32> {amp.name = "label"})
    -> (tensor<?x5xf32> {amp.name = "logits"}, f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %word, %c0 : tensor<?xi32>
  %root = arith.subi %n, %c1 : index
  %out = amp.collector %n : !amp.collector<tensor<5xf32>>
  %h, %c = call @node(%word, %left, %right, %root, %out)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index, !amp.collector<tensor<5xf32>>)
      -> (tensor<512xf32>, tensor<512xf32>)
  %logits = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x5xf32>
  %loss = amp.loss cross_entropy %logits, %label : tensor<?x5xf32>, tensor<?xi32> -> f32
  return %logits, %loss : tensor<?x5xf32>, f32
}

// The state (h, c) of the subtree at %node; puts the logits of its nodes into %out.
func.func private @node(%word: tensor<?xi32>, %left: tensor<?xi32>, %right: tensor<?xi32>,
                        %node: index, %out: !amp.collector<tensor<5xf32>>)
    -> (tensor<512xf32>, tensor<512xf32>) {
  %zero = arith.constant 0 : i32
  %b_iou = amp.get @b_iou : tensor<1536xf32>
  %left_child = tensor.extract %left[%node] : tensor<?xi32>
  %leaf = arith.cmpi slt, %left_child, %zero : i32
  %h, %c = scf.if %leaf -> (tensor<512xf32>, tensor<512xf32>) {
    %emb = amp.get @emb : tensor<?x512xf32>
    %W_iou = amp.get @W_iou : tensor<512x1536xf32>
    %w = tensor.extract %word[%node] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<?x512xf32>, i32
    %iou = amp.linear %x, %W_iou, %b_iou : tensor<512xf32>, tensor<512x1536xf32>, tensor<1536xf32>
    %i0 = tensor.extract_slice %iou[0] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %o0 = tensor.extract_slice %iou[512] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %u0 = tensor.extract_slice %iou[1024] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %i = amp.sigmoid %i0 : tensor<512xf32>
    %o = amp.sigmoid %o0 : tensor<512xf32>
    %u = math.tanh %u0 : tensor<512xf32>
    %c_leaf = arith.mulf %i, %u : tensor<512xf32>
    %tc = math.tanh %c_leaf : tensor<512xf32>
    %h_leaf = arith.mulf %o, %tc : tensor<512xf32>
    scf.yield %h_leaf, %c_leaf : tensor<512xf32>, tensor<512xf32>
  } else {
    %U_iou = amp.get @U_iou : tensor<1024x1536xf32>
    %U_fl = amp.get @U_fl : tensor<512x512xf32>
    %U_fr = amp.get @U_fr : tensor<512x512xf32>
    %b_f = amp.get @b_f : tensor<512xf32>
    %right_child = tensor.extract %right[%node] : tensor<?xi32>
    %l = arith.index_cast %left_child : i32 to index
    %r = arith.index_cast %right_child : i32 to index
    // Independent of one another: both subtrees run at the same time.
    %h_l, %c_l = func.call @node(%word, %left, %right, %l, %out)
        : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index, !amp.collector<tensor<5xf32>>)
        -> (tensor<512xf32>, tensor<512xf32>)
    %h_r, %c_r = func.call @node(%word, %left, %right, %r, %out)
        : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index, !amp.collector<tensor<5xf32>>)
        -> (tensor<512xf32>, tensor<512xf32>)
    %h_lr = tensor.concat dim(0) %h_l, %h_r : (tensor<512xf32>, tensor<512xf32>) -> tensor<1024xf32>
    %iou = amp.linear %h_lr, %U_iou, %b_iou : tensor<1024xf32>, tensor<1024x1536xf32>, tensor<1536xf32>
    %fl0 = amp.linear %h_l, %U_fl, %b_f : tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>
    %fr0 = amp.linear %h_r, %U_fr, %b_f : tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>
    %i0 = tensor.extract_slice %iou[0] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %o0 = tensor.extract_slice %iou[512] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %u0 = tensor.extract_slice %iou[1024] [512] [1] : tensor<1536xf32> to tensor<512xf32>
    %i = amp.sigmoid %i0 : tensor<512xf32>
    %o = amp.sigmoid %o0 : tensor<512xf32>
    %u = math.tanh %u0 : tensor<512xf32>
    %fl = amp.sigmoid %fl0 : tensor<512xf32>
    %fr = amp.sigmoid %fr0 : tensor<512xf32>
    %c_new = arith.mulf %i, %u : tensor<512xf32>
    %c_left = arith.mulf %fl, %c_l : tensor<512xf32>
    %c_right = arith.mulf %fr, %c_r : tensor<512xf32>
    %c_sum = arith.addf %c_new, %c_left : tensor<512xf32>
    %c_inner = arith.addf %c_sum, %c_right : tensor<512xf32>
    %tc = math.tanh %c_inner : tensor<512xf32>
    %h_inner = arith.mulf %o, %tc : tensor<512xf32>
    scf.yield %h_inner, %c_inner : tensor<512xf32>, tensor<512xf32>
  }
  %W_out = amp.get @W_out : tensor<512x5xf32>
  %b_out = amp.get @b_out : tensor<5xf32>
  %logits = amp.linear %h, %W_out, %b_out : tensor<512xf32>, tensor<512x5xf32>, tensor<5xf32>
  amp.emit %logits, %out[%node] : !amp.collector<tensor<5xf32>>, index
  return %h, %c : tensor<512xf32>, tensor<512xf32>
}
