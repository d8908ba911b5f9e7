// RUN: amp-opt %s -split-input-file -amp-differentiate -verify-diagnostics

// expected-error @below {{has no loss to train: a result of the entry with the attribute amp.loss}}
module {
  amp.graph @no_loss(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
    amp.return %x : f32
  }
}

// -----

// expected-warning @below {{parameter 'beside' has no influence on the loss: it is not trained}}
amp.param @beside : tensor<4xf32> init(zeros)
// expected-warning @below {{parameter 'unread' has no influence on the loss: it is not trained}}
amp.param @unread : tensor<4xf32> init(zeros)
// expected-warning @below {{parameter 'by_integers' has no influence on the loss: it is not trained}}
amp.param @by_integers : tensor<4xf32> init(zeros)
amp.param @trained : tensor<4xf32> init(zeros)
amp.graph @warnings(%t: tensor<4xf32> {amp.name = "t"}) -> (tensor<4xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %beside = amp.get @beside : tensor<4xf32>
  %by_integers = amp.get @by_integers : tensor<4xf32>
  %trained = amp.get @trained : tensor<4xf32>
  %k = amp.argmax %by_integers : tensor<4xf32>
  %x = tensor.extract %trained[%k] : tensor<4xf32>
  %y = tensor.splat %x : tensor<4xf32>
  %l = amp.loss squared_error %y, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %beside, %l : tensor<4xf32>, f32
}

// -----

amp.param @p : tensor<4xf32> init(zeros)
amp.graph @no_derivative(%t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<4xf32>
  // expected-error @below {{'arith.remf' op has no derivative, but the loss depends on parameters by way of it}}
  %y = arith.remf %p, %t : tensor<4xf32>
  %l = amp.loss squared_error %y, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}

// -----

// A convolution: which element of the input is read, two loops say together.
amp.param @p : tensor<5xf32> init(zeros)
amp.graph @convolution(%t: tensor<3xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<5xf32>
  // expected-error @below {{'linalg.conv_1d' op is not differentiated: several loops say together which element of operand 0 is read}}
  %y = linalg.conv_1d ins(%p, %t : tensor<5xf32>, tensor<3xf32>) outs(%t : tensor<3xf32>) -> tensor<3xf32>
  %l = amp.loss squared_error %y, %t : tensor<3xf32>, tensor<3xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @p : tensor<2x3xf32> init(zeros)
amp.graph @maximum(%t: tensor<2xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %p = amp.get @p : tensor<2x3xf32>
  // expected-error @below {{'linalg.reduce' op is not differentiated: its body must set or add to one result, by what it makes of inputs}}
  %y = linalg.reduce ins(%p : tensor<2x3xf32>) outs(%t : tensor<2xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %m = arith.maximumf %a, %b : f32
      linalg.yield %m : f32
    }
  %l = amp.loss squared_error %y, %t : tensor<2xf32>, tensor<2xf32> -> f32
  amp.return %l : f32
}

// -----

amp.param @A : tensor<3x2x2xf32> init(zeros)
amp.graph @grouped(%x: tensor<?x2xf32> {amp.name = "x"}, %k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %A = amp.get @A : tensor<3x2x2xf32>
  %B = math.exp %A : tensor<3x2x2xf32>
  // expected-error @below {{'amp.grouped_linear' op is differentiated only if its weight is a parameter (amp.get)}}
  %y = amp.grouped_linear %x, %B[%k] : tensor<?x2xf32>, tensor<3x2x2xf32>, tensor<?xi32>
  %l = amp.loss squared_error %y, %x : tensor<?x2xf32>, tensor<?x2xf32> -> f32
  amp.return %l : f32
}

// -----

// Each of its rows may come from any collector that the loop has carried by then.
amp.param @p : tensor<4xf32> init(zeros)
amp.graph @carried(%n: index {amp.name = "n"}, %t: tensor<?x4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = amp.get @p : tensor<4xf32>
  %a = amp.collector %c1 : !amp.collector<tensor<4xf32>>
  %b = amp.collector %c1 : !amp.collector<tensor<4xf32>>
  // expected-error @below {{'amp.loop' op gives rows to a collector that a loop carries: that is not differentiated}}
  %last:2 = amp.loop range(%c0, %c2, %c1) init(%a, %b : !amp.collector<tensor<4xf32>>, !amp.collector<tensor<4xf32>>)
      -> (!amp.collector<tensor<4xf32>>, !amp.collector<tensor<4xf32>>) stacked () {
  ^bb0(%i: index, %x: !amp.collector<tensor<4xf32>>, %y: !amp.collector<tensor<4xf32>>):
    amp.emit %p, %x[%c0] : !amp.collector<tensor<4xf32>>, index
    amp.next carried(%y, %x : !amp.collector<tensor<4xf32>>, !amp.collector<tensor<4xf32>>)
  }
  %rows = amp.collect %a : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %more = amp.collect %b : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %s = arith.addf %rows, %more : tensor<?x4xf32>
  %l = amp.loss squared_error %s, %t : tensor<?x4xf32>, tensor<?x4xf32> -> f32
  amp.return %l : f32
}

// -----

// One call of it is differentiated, whose values are f32 then; the other is not.
amp.param @p : tensor<4xf32> init(zeros)
amp.graph private @last(%list: !amp.list<tensor<4xbf16>>) -> tensor<4xbf16> {
  %rest, %last = amp.pop %list : !amp.list<tensor<4xbf16>>
  amp.return %last : tensor<4xbf16>
}
amp.graph @narrow(%t: tensor<4xf32> {amp.name = "t"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "evaluate"} {
  %c0 = arith.constant 0 : index
  %p = amp.get @p : tensor<4xf32>
  %n = arith.truncf %p : tensor<4xf32> to tensor<4xbf16>
  %l0 = amp.list : !amp.list<tensor<4xbf16>>
  %l1 = amp.push %n, %l0 : !amp.list<tensor<4xbf16>>
  %x = amp.call @last(%l1) : (!amp.list<tensor<4xbf16>>) -> tensor<4xbf16>
  // expected-error @below {{'amp.call' op hands on a list or collector of narrow floats, beside others through which gradients go: that is not differentiated}}
  %z = amp.call @last(%l1) : (!amp.list<tensor<4xbf16>>) -> tensor<4xbf16>
  %k = arith.cmpf ogt, %z, %z : tensor<4xbf16>
  %y = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
  %w = arith.select %k, %t, %y : tensor<4xi1>, tensor<4xf32>
  %l = amp.loss squared_error %w, %t : tensor<4xf32>, tensor<4xf32> -> f32
  amp.return %l : f32
}
