amp.param @W : tensor<8x8xf32> init(glorot)
func.func @m(%x: tensor<8xf32> {amp.name = "x"}, %a: tensor<4xf32> {amp.name = "a"}) -> (tensor<8xf32> {amp.name = "y"}, tensor<8xf32> {amp.name = "z"}) {
  %W = amp.get @W : tensor<8x8xf32>
  %p = amp.linear %x, %W : tensor<8xf32>, tensor<8x8xf32>
  %t = math.tanh %p : tensor<8xf32>
  %h = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %c = tensor.concat dim(0) %h, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %d = tensor.concat dim(0) %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %y = amp.linear %t, %W, %c : tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>
  %z = amp.linear %x, %W, %d : tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>
  return %y, %z : tensor<8xf32>, tensor<8xf32>
}
