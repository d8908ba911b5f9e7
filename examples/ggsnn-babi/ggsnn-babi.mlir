// A gated graph network that answers by deduction (Li et al. 2016; Gaunt et al. 2017):
// hidden 5, 2 steps, 4 types of edges.
// Fields: annotation (1 at the node that is asked about, else 0); the edges, each fact in
// both directions.

amp.param @A     : tensor<4x5x5xf32> init(glorot)
amp.param @a     : tensor<4x5xf32>   init(uniform, -0.1, 0.1)
amp.param @W_rzn : tensor<5x15xf32>  init(glorot)
amp.param @U_rzn : tensor<5x15xf32>  init(glorot)
amp.param @b_rzn : tensor<15xf32>    init(uniform, -0.1, 0.1)
amp.param @c_n   : tensor<5xf32>     init(uniform, -0.1, 0.1)
amp.param @w_out : tensor<6x1xf32>   init(glorot)
amp.param @b_out : tensor<1xf32>     init(uniform, -0.1, 0.1)

func.func @ggsnn_babi(%annotation: tensor<?xf32> {amp.name = "annotation"},
                      %src: tensor<?xi32> {amp.name = "src"},
                      %type: tensor<?xi32> {amp.name = "type"},
                      %dst: tensor<?xi32> {amp.name = "dst"},
                      %right: i32 {amp.name = "right"})
    -> (index {amp.name = "answer"}, tensor<?xf32> {amp.name = "probability"},
        f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %annotation, %c0 : tensor<?xf32>

  // The annotation, padded to the hidden size.
  %x = tensor.expand_shape %annotation [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %h0 = tensor.pad %x low[0, 0] high[0, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x1xf32> to tensor<?x5xf32>

  %h = scf.for %step = %c0 to %steps step %c1 iter_args(%h = %h0) -> tensor<?x5xf32> {
    // Each edge sends what its source says through the matrix of its type.
    %A = amp.get @A : tensor<4x5x5xf32>
    %a = amp.get @a : tensor<4x5xf32>
    %h_src = amp.gather %h[%src] : tensor<?x5xf32>, tensor<?xi32>
    %message = amp.grouped_linear %h_src, %A[%type], %a
        : tensor<?x5xf32>, tensor<4x5x5xf32>, tensor<?xi32>, tensor<4x5xf32>
    %m = amp.segment sum %message[%dst] to %n : tensor<?x5xf32>, tensor<?xi32>

    // A GRU step of all nodes.
    %W_rzn = amp.get @W_rzn : tensor<5x15xf32>
    %U_rzn = amp.get @U_rzn : tensor<5x15xf32>
    %b_rzn = amp.get @b_rzn : tensor<15xf32>
    %c_n = amp.get @c_n : tensor<5xf32>
    %gm = amp.linear %m, %W_rzn, %b_rzn : tensor<?x5xf32>, tensor<5x15xf32>, tensor<15xf32>
    %gh = amp.linear %h, %U_rzn : tensor<?x5xf32>, tensor<5x15xf32>
    %rz_m = tensor.extract_slice %gm[0, 0] [%n, 10] [1, 1] : tensor<?x15xf32> to tensor<?x10xf32>
    %rz_h = tensor.extract_slice %gh[0, 0] [%n, 10] [1, 1] : tensor<?x15xf32> to tensor<?x10xf32>
    %n_m = tensor.extract_slice %gm[0, 10] [%n, 5] [1, 1] : tensor<?x15xf32> to tensor<?x5xf32>
    %n_h = tensor.extract_slice %gh[0, 10] [%n, 5] [1, 1] : tensor<?x15xf32> to tensor<?x5xf32>
    %rz0 = arith.addf %rz_m, %rz_h : tensor<?x10xf32>
    %rz = amp.sigmoid %rz0 : tensor<?x10xf32>
    %r = tensor.extract_slice %rz[0, 0] [%n, 5] [1, 1] : tensor<?x10xf32> to tensor<?x5xf32>
    %z = tensor.extract_slice %rz[0, 5] [%n, 5] [1, 1] : tensor<?x10xf32> to tensor<?x5xf32>
    %any = tensor.empty(%n) : tensor<?x5xf32>
    %c = linalg.broadcast ins(%c_n : tensor<5xf32>) outs(%any : tensor<?x5xf32>) dimensions = [0]
    %n_hc = arith.addf %n_h, %c : tensor<?x5xf32>
    %r_n = arith.mulf %r, %n_hc : tensor<?x5xf32>
    %n0 = arith.addf %n_m, %r_n : tensor<?x5xf32>
    %new = math.tanh %n0 : tensor<?x5xf32>
    // (1 - z) new + z h
    %old_less_new = arith.subf %h, %new : tensor<?x5xf32>
    %keep = arith.mulf %z, %old_less_new : tensor<?x5xf32>
    %h2 = arith.addf %new, %keep : tensor<?x5xf32>
    scf.yield %h2 : tensor<?x5xf32>
  }

  // Which node it is.
  %w_out = amp.get @w_out : tensor<6x1xf32>
  %b_out = amp.get @b_out : tensor<1xf32>
  %hx = tensor.concat dim(1) %h, %x : (tensor<?x5xf32>, tensor<?x1xf32>) -> tensor<?x6xf32>
  %score_column = amp.linear %hx, %w_out, %b_out : tensor<?x6xf32>, tensor<6x1xf32>, tensor<1xf32>
  %score = tensor.collapse_shape %score_column [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %probability = amp.softmax %score : tensor<?xf32>
  %answer = amp.argmax %probability : tensor<?xf32>
  %loss = amp.loss cross_entropy %score, %right : tensor<?xf32>, i32 -> f32
  return %answer, %probability, %loss : index, tensor<?xf32>, f32
}
