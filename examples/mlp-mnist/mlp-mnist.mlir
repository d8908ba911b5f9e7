// A perceptron of four layers over the pixels of a digit, ReLU between them. There is no
// control flow in it: what can be gained is one product for many instances.

amp.param @W1 : tensor<784x784xf32> init(glorot)
amp.param @b1 : tensor<784xf32>     init(uniform, -0.1, 0.1)
amp.param @W2 : tensor<784x784xf32> init(glorot)
amp.param @b2 : tensor<784xf32>     init(uniform, -0.1, 0.1)
amp.param @W3 : tensor<784x784xf32> init(glorot)
amp.param @b3 : tensor<784xf32>     init(uniform, -0.1, 0.1)
amp.param @W4 : tensor<784x10xf32>  init(glorot)
amp.param @b4 : tensor<10xf32>      init(uniform, -0.1, 0.1)

func.func @mlp(%pixel: tensor<784xf32> {amp.name = "pixel"},
               %label: i32 {amp.name = "label"})
    -> (tensor<10xf32> {amp.name = "logits"}, f32 {amp.name = "loss", amp.loss}) {
  %W1 = amp.get @W1 : tensor<784x784xf32>
  %b1 = amp.get @b1 : tensor<784xf32>
  %h1 = func.call @layer(%pixel, %W1, %b1) : (tensor<784xf32>, tensor<784x784xf32>, tensor<784xf32>) -> tensor<784xf32>
  %W2 = amp.get @W2 : tensor<784x784xf32>
  %b2 = amp.get @b2 : tensor<784xf32>
  %h2 = func.call @layer(%h1, %W2, %b2) : (tensor<784xf32>, tensor<784x784xf32>, tensor<784xf32>) -> tensor<784xf32>
  %W3 = amp.get @W3 : tensor<784x784xf32>
  %b3 = amp.get @b3 : tensor<784xf32>
  %h3 = func.call @layer(%h2, %W3, %b3) : (tensor<784xf32>, tensor<784x784xf32>, tensor<784xf32>) -> tensor<784xf32>
  %W4 = amp.get @W4 : tensor<784x10xf32>
  %b4 = amp.get @b4 : tensor<10xf32>
  %logits = amp.linear %h3, %W4, %b4 : tensor<784xf32>, tensor<784x10xf32>, tensor<10xf32>
  %loss = amp.loss cross_entropy %logits, %label : tensor<10xf32>, i32 -> f32
  return %logits, %loss : tensor<10xf32>, f32
}

func.func private @layer(%x: tensor<784xf32>, %W: tensor<784x784xf32>, %b: tensor<784xf32>) -> tensor<784xf32> {
  %zero = arith.constant dense<0.0> : tensor<784xf32>
  %y = amp.linear %x, %W, %b : tensor<784xf32>, tensor<784x784xf32>, tensor<784xf32>
  %h = arith.maximumf %y, %zero : tensor<784xf32>
  return %h : tensor<784xf32>
}
