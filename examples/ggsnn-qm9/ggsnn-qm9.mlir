// A gated graph network on molecules (Li et al. 2016; Gilmer et al. 2017): hidden 100,
// 4 steps, 5 kinds of atoms, 8 types of edges.
// Fields: the kind of each atom; the edges, each bond in both directions.

amp.param @emb   : tensor<5x100xf32>     init(normal, 0.1)
amp.param @A     : tensor<8x100x100xf32> init(glorot)
amp.param @a     : tensor<8x100xf32>     init(uniform, -0.1, 0.1)
amp.param @W_rzn : tensor<100x300xf32>   init(glorot)
amp.param @U_rzn : tensor<100x300xf32>   init(glorot)
amp.param @b_rzn : tensor<300xf32>       init(uniform, -0.1, 0.1)
amp.param @c_n   : tensor<100xf32>       init(uniform, -0.1, 0.1)
amp.param @W_i   : tensor<200x100xf32>   init(glorot)
amp.param @b_i   : tensor<100xf32>       init(uniform, -0.1, 0.1)
amp.param @W_j   : tensor<200x100xf32>   init(glorot)
amp.param @b_j   : tensor<100xf32>       init(uniform, -0.1, 0.1)
amp.param @w_out : tensor<100x1xf32>     init(glorot)
amp.param @b_out : tensor<1xf32>         init(uniform, -0.1, 0.1)

func.func @ggsnn_qm9(%atom: tensor<?xi32> {amp.name = "atom"},
                     %src: tensor<?xi32> {amp.name = "src"},
                     %type: tensor<?xi32> {amp.name = "type"},
                     %dst: tensor<?xi32> {amp.name = "dst"},
                     %target: f32 {amp.name = "y"})
    -> (f32 {amp.name = "pred"}, f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 4 : index
  %n = tensor.dim %atom, %c0 : tensor<?xi32>
  %emb = amp.get @emb : tensor<5x100xf32>
  %h0 = amp.gather %emb[%atom] : tensor<5x100xf32>, tensor<?xi32>

  %h = scf.for %step = %c0 to %steps step %c1 iter_args(%h = %h0) -> tensor<?x100xf32> {
    // Each edge sends what its source says through the matrix of its type.
    %A = amp.get @A : tensor<8x100x100xf32>
    %a = amp.get @a : tensor<8x100xf32>
    %h_src = amp.gather %h[%src] : tensor<?x100xf32>, tensor<?xi32>
    %message = amp.grouped_linear %h_src, %A[%type], %a
        : tensor<?x100xf32>, tensor<8x100x100xf32>, tensor<?xi32>, tensor<8x100xf32>
    %m = amp.segment sum %message[%dst] to %n : tensor<?x100xf32>, tensor<?xi32>

    // A GRU step of all atoms.
    %W_rzn = amp.get @W_rzn : tensor<100x300xf32>
    %U_rzn = amp.get @U_rzn : tensor<100x300xf32>
    %b_rzn = amp.get @b_rzn : tensor<300xf32>
    %c_n = amp.get @c_n : tensor<100xf32>
    %gm = amp.linear %m, %W_rzn, %b_rzn : tensor<?x100xf32>, tensor<100x300xf32>, tensor<300xf32>
    %gh = amp.linear %h, %U_rzn : tensor<?x100xf32>, tensor<100x300xf32>
    %rz_m = tensor.extract_slice %gm[0, 0] [%n, 200] [1, 1] : tensor<?x300xf32> to tensor<?x200xf32>
    %rz_h = tensor.extract_slice %gh[0, 0] [%n, 200] [1, 1] : tensor<?x300xf32> to tensor<?x200xf32>
    %n_m = tensor.extract_slice %gm[0, 200] [%n, 100] [1, 1] : tensor<?x300xf32> to tensor<?x100xf32>
    %n_h = tensor.extract_slice %gh[0, 200] [%n, 100] [1, 1] : tensor<?x300xf32> to tensor<?x100xf32>
    %rz0 = arith.addf %rz_m, %rz_h : tensor<?x200xf32>
    %rz = amp.sigmoid %rz0 : tensor<?x200xf32>
    %r = tensor.extract_slice %rz[0, 0] [%n, 100] [1, 1] : tensor<?x200xf32> to tensor<?x100xf32>
    %z = tensor.extract_slice %rz[0, 100] [%n, 100] [1, 1] : tensor<?x200xf32> to tensor<?x100xf32>
    %any = tensor.empty(%n) : tensor<?x100xf32>
    %c = linalg.broadcast ins(%c_n : tensor<100xf32>) outs(%any : tensor<?x100xf32>) dimensions = [0]
    %n_hc = arith.addf %n_h, %c : tensor<?x100xf32>
    %r_n = arith.mulf %r, %n_hc : tensor<?x100xf32>
    %n0 = arith.addf %n_m, %r_n : tensor<?x100xf32>
    %new = math.tanh %n0 : tensor<?x100xf32>
    // (1 - z) new + z h
    %old_less_new = arith.subf %h, %new : tensor<?x100xf32>
    %keep = arith.mulf %z, %old_less_new : tensor<?x100xf32>
    %h2 = arith.addf %new, %keep : tensor<?x100xf32>
    scf.yield %h2 : tensor<?x100xf32>
  }
  %x = tensor.concat dim(1) %h, %h0 : (tensor<?x100xf32>, tensor<?x100xf32>) -> tensor<?x200xf32>
  %W_i = amp.get @W_i : tensor<200x100xf32>
  %b_i = amp.get @b_i : tensor<100xf32>
  %W_j = amp.get @W_j : tensor<200x100xf32>
  %b_j = amp.get @b_j : tensor<100xf32>
  %i0 = amp.linear %x, %W_i, %b_i : tensor<?x200xf32>, tensor<200x100xf32>, tensor<100xf32>
  %j0 = amp.linear %x, %W_j, %b_j : tensor<?x200xf32>, tensor<200x100xf32>, tensor<100xf32>
  %i = amp.sigmoid %i0 : tensor<?x100xf32>
  %j = math.tanh %j0 : tensor<?x100xf32>
  %ij = arith.mulf %i, %j : tensor<?x100xf32>
  %g = amp.pool sum %ij : tensor<?x100xf32>
  %w_out = amp.get @w_out : tensor<100x1xf32>
  %b_out = amp.get @b_out : tensor<1xf32>
  %y = amp.linear %g, %w_out, %b_out : tensor<100xf32>, tensor<100x1xf32>, tensor<1xf32>
  %pred = tensor.extract %y[%c0] : tensor<1xf32>
  %wanted = tensor.from_elements %target : tensor<1xf32>
  %loss = amp.loss squared_error %y, %wanted : tensor<1xf32>, tensor<1xf32> -> f32
  return %pred, %loss : f32, f32
}
