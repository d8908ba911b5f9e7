// What trains the parser of parser.mlir: the same parameters, so that weights are
// interchangeable. The actions of the right tree are taken (teacher forcing), so all
// are scored at once: first the places in the stack and in the buffer that each is
// scored from, by integers alone, then two products for all actions of a sentence.
// Fields: word, tag, action (2 for each word: see parser.mlir).

amp.param @emb    : tensor<?x100xf32>    init(normal, 0.1)
amp.param @temb   : tensor<18x25xf32>    init(normal, 0.1)
amp.param @l0f_Wx : tensor<125x500xf32>  init(glorot)
amp.param @l0f_Wh : tensor<125x500xf32>  init(glorot)
amp.param @l0f_b  : tensor<500xf32>      init(uniform, -0.1, 0.1)
amp.param @l0b_Wx : tensor<125x500xf32>  init(glorot)
amp.param @l0b_Wh : tensor<125x500xf32>  init(glorot)
amp.param @l0b_b  : tensor<500xf32>      init(uniform, -0.1, 0.1)
amp.param @l1f_Wx : tensor<250x500xf32>  init(glorot)
amp.param @l1f_Wh : tensor<125x500xf32>  init(glorot)
amp.param @l1f_b  : tensor<500xf32>      init(uniform, -0.1, 0.1)
amp.param @l1b_Wx : tensor<250x500xf32>  init(glorot)
amp.param @l1b_Wh : tensor<125x500xf32>  init(glorot)
amp.param @l1b_b  : tensor<500xf32>      init(uniform, -0.1, 0.1)
amp.param @root   : tensor<250xf32>      init(uniform, -0.1, 0.1)
amp.param @pad    : tensor<250xf32>      init(uniform, -0.1, 0.1)
amp.param @W_1    : tensor<1000x100xf32> init(glorot)
amp.param @b_1    : tensor<100xf32>      init(uniform, -0.1, 0.1)
amp.param @W_2    : tensor<100x103xf32>  init(glorot)
amp.param @b_2    : tensor<103xf32>      init(uniform, -0.1, 0.1)

func.func @parser(%word: tensor<?xi32> {amp.name = "word"}, %tag: tensor<?xi32> {amp.name = "tag"},
                  %action: tensor<?xi32> {amp.name = "action"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %shift_action = arith.constant 0 : i32
  %n = tensor.dim %word, %c0 : tensor<?xi32>
  %steps = tensor.dim %action, %c0 : tensor<?xi32>
  %v = call @encode(%word, %tag) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x250xf32>

  // Row n is the root, row n + 1 stands for a word that is not there.
  %root = amp.get @root : tensor<250xf32>
  %pad = amp.get @pad : tensor<250xf32>
  %root_row = tensor.expand_shape %root [[0, 1]] output_shape [1, 250] : tensor<250xf32> into tensor<1x250xf32>
  %pad_row = tensor.expand_shape %pad [[0, 1]] output_shape [1, 250] : tensor<250xf32> into tensor<1x250xf32>
  %table = tensor.concat dim(0) %v, %root_row, %pad_row : (tensor<?x250xf32>, tensor<1x250xf32>, tensor<1x250xf32>) -> tensor<?x250xf32>

  // Three of the latter lie at the bottom of the stack.
  %missing = arith.addi %n, %c1 : index
  %empty = amp.list : !amp.list<index>
  %bottom1 = amp.push %missing, %empty : !amp.list<index>
  %bottom2 = amp.push %missing, %bottom1 : !amp.list<index>
  %bottom3 = amp.push %missing, %bottom2 : !amp.list<index>
  %stack9, %b9, %at_s1p, %at_s1, %at_s0, %at_b0 = amp.scan %t = %c0 to %steps carry(%stack = %bottom3, %b = %c0)
      : (!amp.list<index>, index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
    %length = amp.length %stack : !amp.list<index>
    %below0 = arith.subi %length, %c2 : index
    %below1 = arith.subi %length, %c3 : index
    %rest, %s0 = amp.pop %stack : !amp.list<index>
    %s1 = amp.at %stack[%below0] : !amp.list<index>, index
    %s1p = amp.at %stack[%below1] : !amp.list<index>, index
    %taken = tensor.extract %action[%t] : tensor<?xi32>
    %shift = arith.cmpi eq, %taken, %shift_action : i32
    %stack2, %b2 = scf.if %shift -> (!amp.list<index>, index) {
      %pushed = amp.push %b, %stack : !amp.list<index>
      %next = arith.addi %b, %c1 : index
      scf.yield %pushed, %next : !amp.list<index>, index
    } else {
      scf.yield %rest, %b : !amp.list<index>, index
    }
    %s1p32 = arith.index_cast %s1p : index to i32
    %s132 = arith.index_cast %s1 : index to i32
    %s032 = arith.index_cast %s0 : index to i32
    %b32 = arith.index_cast %b : index to i32
    %s1p_row = tensor.from_elements %s1p32 : tensor<i32>
    %s1_row = tensor.from_elements %s132 : tensor<i32>
    %s0_row = tensor.from_elements %s032 : tensor<i32>
    %b_row = tensor.from_elements %b32 : tensor<i32>
    amp.yield %stack2, %b2, %s1p_row, %s1_row, %s0_row, %b_row
        : !amp.list<index>, index, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }

  // A row for each action.
  %v_s1p = amp.gather %table[%at_s1p] : tensor<?x250xf32>, tensor<?xi32>
  %v_s1 = amp.gather %table[%at_s1] : tensor<?x250xf32>, tensor<?xi32>
  %v_s0 = amp.gather %table[%at_s0] : tensor<?x250xf32>, tensor<?xi32>
  %v_b0 = amp.gather %table[%at_b0] : tensor<?x250xf32>, tensor<?xi32>
  %x = tensor.concat dim(1) %v_s1p, %v_s1, %v_s0, %v_b0
      : (tensor<?x250xf32>, tensor<?x250xf32>, tensor<?x250xf32>, tensor<?x250xf32>) -> tensor<?x1000xf32>
  %W_1 = amp.get @W_1 : tensor<1000x100xf32>
  %b_1 = amp.get @b_1 : tensor<100xf32>
  %W_2 = amp.get @W_2 : tensor<100x103xf32>
  %b_2 = amp.get @b_2 : tensor<103xf32>
  %m0 = amp.linear %x, %W_1, %b_1 : tensor<?x1000xf32>, tensor<1000x100xf32>, tensor<100xf32>
  %m = math.tanh %m0 : tensor<?x100xf32>
  %score = amp.linear %m, %W_2, %b_2 : tensor<?x100xf32>, tensor<100x103xf32>, tensor<103xf32>
  %loss = amp.loss cross_entropy %score, %action : tensor<?x103xf32>, tensor<?xi32> -> f32
  return %loss : f32
}

// A vector for each word from two layers of BiLSTMs.
func.func private @encode(%word: tensor<?xi32>, %tag: tensor<?xi32>) -> tensor<?x250xf32> {
  %emb = amp.get @emb : tensor<?x100xf32>
  %temb = amp.get @temb : tensor<18x25xf32>
  %x_word = amp.gather %emb[%word] : tensor<?x100xf32>, tensor<?xi32>
  %x_tag = amp.gather %temb[%tag] : tensor<18x25xf32>, tensor<?xi32>
  %x0 = tensor.concat dim(1) %x_word, %x_tag : (tensor<?x100xf32>, tensor<?x25xf32>) -> tensor<?x125xf32>
  %l0f_Wx = amp.get @l0f_Wx : tensor<125x500xf32>
  %l0f_Wh = amp.get @l0f_Wh : tensor<125x500xf32>
  %l0f_b = amp.get @l0f_b : tensor<500xf32>
  %l0b_Wx = amp.get @l0b_Wx : tensor<125x500xf32>
  %l0b_Wh = amp.get @l0b_Wh : tensor<125x500xf32>
  %l0b_b = amp.get @l0b_b : tensor<500xf32>
  %g0f = amp.linear %x0, %l0f_Wx, %l0f_b : tensor<?x125xf32>, tensor<125x500xf32>, tensor<500xf32>
  %g0b = amp.linear %x0, %l0b_Wx, %l0b_b : tensor<?x125xf32>, tensor<125x500xf32>, tensor<500xf32>
  %x1 = call @bilstm(%g0f, %g0b, %l0f_Wh, %l0b_Wh) : (tensor<?x500xf32>, tensor<?x500xf32>, tensor<125x500xf32>, tensor<125x500xf32>) -> tensor<?x250xf32>
  %l1f_Wx = amp.get @l1f_Wx : tensor<250x500xf32>
  %l1f_Wh = amp.get @l1f_Wh : tensor<125x500xf32>
  %l1f_b = amp.get @l1f_b : tensor<500xf32>
  %l1b_Wx = amp.get @l1b_Wx : tensor<250x500xf32>
  %l1b_Wh = amp.get @l1b_Wh : tensor<125x500xf32>
  %l1b_b = amp.get @l1b_b : tensor<500xf32>
  %g1f = amp.linear %x1, %l1f_Wx, %l1f_b : tensor<?x250xf32>, tensor<250x500xf32>, tensor<500xf32>
  %g1b = amp.linear %x1, %l1b_Wx, %l1b_b : tensor<?x250xf32>, tensor<250x500xf32>, tensor<500xf32>
  %x2 = call @bilstm(%g1f, %g1b, %l1f_Wh, %l1b_Wh) : (tensor<?x500xf32>, tensor<?x500xf32>, tensor<125x500xf32>, tensor<125x500xf32>) -> tensor<?x250xf32>
  return %x2 : tensor<?x250xf32>
}

// [hf_t; hb_t] for each t; %gf and %gb are what the words give to the gates.
func.func private @bilstm(%gf: tensor<?x500xf32>, %gb: tensor<?x500xf32>, %f_Wh: tensor<125x500xf32>, %b_Wh: tensor<125x500xf32>) -> tensor<?x250xf32> {
  %c0 = arith.constant 0 : index
  %h0 = arith.constant dense<0.0> : tensor<125xf32>
  %n = tensor.dim %gf, %c0 : tensor<?x500xf32>
  %f_h, %f_c, %f_hs = amp.scan %t = %c0 to %n carry(%h = %h0, %c = %h0) : (tensor<125xf32>, tensor<125xf32>) -> (tensor<?x125xf32>) {
    %gx = amp.lookup %gf[%t] : tensor<?x500xf32>, index
    %gh = amp.linear %h, %f_Wh : tensor<125xf32>, tensor<125x500xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<500xf32>, tensor<500xf32>, tensor<125xf32>) -> (tensor<125xf32>, tensor<125xf32>)
    amp.yield %h2, %c2, %h2 : tensor<125xf32>, tensor<125xf32>, tensor<125xf32>
  }
  %b_h, %b_c, %b_hs = amp.scan reverse %t = %c0 to %n carry(%h = %h0, %c = %h0) : (tensor<125xf32>, tensor<125xf32>) -> (tensor<?x125xf32>) {
    %gx = amp.lookup %gb[%t] : tensor<?x500xf32>, index
    %gh = amp.linear %h, %b_Wh : tensor<125xf32>, tensor<125x500xf32>
    %h2, %c2 = func.call @gates(%gx, %gh, %c) : (tensor<500xf32>, tensor<500xf32>, tensor<125xf32>) -> (tensor<125xf32>, tensor<125xf32>)
    amp.yield %h2, %c2, %h2 : tensor<125xf32>, tensor<125xf32>, tensor<125xf32>
  }
  %hs = tensor.concat dim(1) %f_hs, %b_hs : (tensor<?x125xf32>, tensor<?x125xf32>) -> tensor<?x250xf32>
  return %hs : tensor<?x250xf32>
}

// The rest of an LSTM step, gates in the order i, f, g, o: (h', c').
func.func private @gates(%gx: tensor<500xf32>, %gh: tensor<500xf32>, %c: tensor<125xf32>) -> (tensor<125xf32>, tensor<125xf32>) {
  %g = arith.addf %gx, %gh : tensor<500xf32>
  %i0 = tensor.extract_slice %g[0] [125] [1] : tensor<500xf32> to tensor<125xf32>
  %f0 = tensor.extract_slice %g[125] [125] [1] : tensor<500xf32> to tensor<125xf32>
  %g0 = tensor.extract_slice %g[250] [125] [1] : tensor<500xf32> to tensor<125xf32>
  %o0 = tensor.extract_slice %g[375] [125] [1] : tensor<500xf32> to tensor<125xf32>
  %i = amp.sigmoid %i0 : tensor<125xf32>
  %f = amp.sigmoid %f0 : tensor<125xf32>
  %o = amp.sigmoid %o0 : tensor<125xf32>
  %u = math.tanh %g0 : tensor<125xf32>
  %keep = arith.mulf %f, %c : tensor<125xf32>
  %add = arith.mulf %i, %u : tensor<125xf32>
  %c2 = arith.addf %keep, %add : tensor<125xf32>
  %tc = math.tanh %c2 : tensor<125xf32>
  %h2 = arith.mulf %o, %tc : tensor<125xf32>
  return %h2, %c2 : tensor<125xf32>, tensor<125xf32>
}
