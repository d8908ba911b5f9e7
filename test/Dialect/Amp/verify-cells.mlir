// RUN: amp-opt %s --amp-verify-cells --split-input-file --verify-diagnostics

amp.graph @bare(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'math.tanh' op expected a cell, a control step or a control node}}
  %y = math.tanh %x : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph @cell(%x: tensor<?xi32>, %i: index) -> i32 {
  %y = amp.cell "c"(%x, %i) : (tensor<?xi32>, index) -> i32 {
  ^bb0(%a: tensor<?xi32>, %b: index):
    // expected-error @+1 {{'tensor.extract' op cannot stand in a cell}}
    %e = tensor.extract %a[%b] : tensor<?xi32>
    amp.yield %e : i32
  }
  amp.return %y : i32
}

// -----

amp.graph @control(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.control(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{'math.tanh' op cannot stand in a control step}}
    %e = math.tanh %a : tensor<4xf32>
    amp.yield %e : tensor<4xf32>
  }
  amp.return %y : tensor<4xf32>
}

// -----

// Fine as it is.
amp.graph @fine(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.cell "c"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %e = math.tanh %a : tensor<4xf32>
    amp.yield %e : tensor<4xf32>
  }
  amp.return %y : tensor<4xf32>
}
