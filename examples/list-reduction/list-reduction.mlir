// AMPNet's list reduction as a graph written by hand (level B): a loop over the
// list's digits, and in it a branch on the operation, which the first token names.
// Each operation has a recurrent network of its own.
//
//   h' = tanh(emb[digit] Wx_op + h Wh_op + b_op),   logits = h W_out + b_out

amp.param @emb : tensor<10x16xf32> init(normal, 1.0)
amp.param @Wx_0 : tensor<16x64xf32> init(glorot)
amp.param @Wh_0 : tensor<64x64xf32> init(glorot)
amp.param @b_0 : tensor<64xf32> init(zeros)
amp.param @Wx_1 : tensor<16x64xf32> init(glorot)
amp.param @Wh_1 : tensor<64x64xf32> init(glorot)
amp.param @b_1 : tensor<64xf32> init(zeros)
amp.param @Wx_2 : tensor<16x64xf32> init(glorot)
amp.param @Wh_2 : tensor<64x64xf32> init(glorot)
amp.param @b_2 : tensor<64xf32> init(zeros)
amp.param @Wx_3 : tensor<16x64xf32> init(glorot)
amp.param @Wh_3 : tensor<64x64xf32> init(glorot)
amp.param @b_3 : tensor<64xf32> init(zeros)
amp.param @W_out : tensor<64x10xf32> init(glorot)
amp.param @b_out : tensor<10xf32> init(zeros)

amp.graph @list_reduction(%token: tensor<?xi32> {amp.name = "token"}, %label: i32 {amp.name = "label"})
    -> (tensor<10xf32> {amp.name = "logits"}, f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %firstOperation = arith.constant 10 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %h0 = arith.constant dense<0.0> : tensor<64xf32>

  // Which of the four operations: two decisions, by the bits of its number.
  %n = tensor.dim %token, %c0 : tensor<?xi32>
  %first = tensor.extract %token[%c0] : tensor<?xi32>
  %operation = arith.subi %first, %firstOperation : i32
  %isHigh = arith.cmpi sge, %operation, %two : i32
  %bit = arith.andi %operation, %one : i32
  %isOdd = arith.cmpi eq, %bit, %one : i32

  %last = amp.loop init(%c1, %h0 : index, tensor<64xf32>) -> (tensor<64xf32>) stacked () {
  ^bb0(%i: index, %h: tensor<64xf32>):
    %more = arith.cmpi slt, %i, %n : index
    %here, %end = amp.branch %more, %i : index
    %going, %done = amp.branch %more, %h : tensor<64xf32>
    amp.sink %end : index

    // The position goes to the digit's extraction and to the next iteration.
    %at, %from = amp.fork %here : index to 2
    %digit = tensor.extract %token[%at] : tensor<?xi32>
    %emb = amp.get @emb : tensor<10x16xf32>
    %x = amp.lookup %emb[%digit] : tensor<10x16xf32>, i32

    // Cond: the state and the digit's row go to the operation's own network.
    %hHigh, %hLow = amp.branch %isHigh, %going : tensor<64xf32>
    %xHigh, %xLow = amp.branch %isHigh, %x : tensor<16xf32>
    %h3, %h2 = amp.branch %isOdd, %hHigh : tensor<64xf32>
    %x3, %x2 = amp.branch %isOdd, %xHigh : tensor<16xf32>
    %h1, %h0b = amp.branch %isOdd, %hLow : tensor<64xf32>
    %x1, %x0 = amp.branch %isOdd, %xLow : tensor<16xf32>

    %y0 = amp.transform(%x0, %h0b) : (tensor<16xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb1(%xt: tensor<16xf32>, %ht: tensor<64xf32>):
      %Wx = amp.get @Wx_0 : tensor<16x64xf32>
      %Wh = amp.get @Wh_0 : tensor<64x64xf32>
      %b = amp.get @b_0 : tensor<64xf32>
      %p = amp.linear %xt, %Wx, %b : tensor<16xf32>, tensor<16x64xf32>, tensor<64xf32>
      %q = amp.linear %ht, %Wh : tensor<64xf32>, tensor<64x64xf32>
      %s = arith.addf %p, %q : tensor<64xf32>
      %y = math.tanh %s : tensor<64xf32>
      amp.yield %y : tensor<64xf32>
    }
    %y1 = amp.transform(%x1, %h1) : (tensor<16xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb1(%xt: tensor<16xf32>, %ht: tensor<64xf32>):
      %Wx = amp.get @Wx_1 : tensor<16x64xf32>
      %Wh = amp.get @Wh_1 : tensor<64x64xf32>
      %b = amp.get @b_1 : tensor<64xf32>
      %p = amp.linear %xt, %Wx, %b : tensor<16xf32>, tensor<16x64xf32>, tensor<64xf32>
      %q = amp.linear %ht, %Wh : tensor<64xf32>, tensor<64x64xf32>
      %s = arith.addf %p, %q : tensor<64xf32>
      %y = math.tanh %s : tensor<64xf32>
      amp.yield %y : tensor<64xf32>
    }
    %y2 = amp.transform(%x2, %h2) : (tensor<16xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb1(%xt: tensor<16xf32>, %ht: tensor<64xf32>):
      %Wx = amp.get @Wx_2 : tensor<16x64xf32>
      %Wh = amp.get @Wh_2 : tensor<64x64xf32>
      %b = amp.get @b_2 : tensor<64xf32>
      %p = amp.linear %xt, %Wx, %b : tensor<16xf32>, tensor<16x64xf32>, tensor<64xf32>
      %q = amp.linear %ht, %Wh : tensor<64xf32>, tensor<64x64xf32>
      %s = arith.addf %p, %q : tensor<64xf32>
      %y = math.tanh %s : tensor<64xf32>
      amp.yield %y : tensor<64xf32>
    }
    %y3 = amp.transform(%x3, %h3) : (tensor<16xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb1(%xt: tensor<16xf32>, %ht: tensor<64xf32>):
      %Wx = amp.get @Wx_3 : tensor<16x64xf32>
      %Wh = amp.get @Wh_3 : tensor<64x64xf32>
      %b = amp.get @b_3 : tensor<64xf32>
      %p = amp.linear %xt, %Wx, %b : tensor<16xf32>, tensor<16x64xf32>, tensor<64xf32>
      %q = amp.linear %ht, %Wh : tensor<64xf32>, tensor<64x64xf32>
      %s = arith.addf %p, %q : tensor<64xf32>
      %y = math.tanh %s : tensor<64xf32>
      amp.yield %y : tensor<64xf32>
    }

    // Phi: whichever ran.
    %yHigh = amp.merge %y3, %y2 : tensor<64xf32>
    %yLow = amp.merge %y1, %y0 : tensor<64xf32>
    %y = amp.merge %yHigh, %yLow : tensor<64xf32>

    // Isu: the position is this graph's own key.
    %next = amp.rekey %from : index forward {
    ^bb1(%k: index):
      %step = arith.constant 1 : index
      %k1 = arith.addi %k, %step : index
      amp.yield %k1 : index
    } inverse {
    ^bb1(%k: index):
      %step = arith.constant 1 : index
      %k1 = arith.subi %k, %step : index
      amp.yield %k1 : index
    }
    amp.next while(%more) carried(%next, %y : index, tensor<64xf32>) exit(%done : tensor<64xf32>)
  }

  %W_out = amp.get @W_out : tensor<64x10xf32>
  %b_out = amp.get @b_out : tensor<10xf32>
  %logits = amp.linear %last, %W_out, %b_out : tensor<64xf32>, tensor<64x10xf32>, tensor<10xf32>
  %loss = amp.loss cross_entropy %logits, %label : tensor<10xf32>, i32 -> f32
  amp.return %logits, %loss : tensor<10xf32>, f32
}
