// RUN: amp-opt %s --amp-form-cells --split-input-file --verify-diagnostics

// No form for a cell, and no control step: the op is named.
amp.graph @division(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'arith.divsi' op can be neither batched nor run as a control step on operands of these types}}
  %z = arith.divsi %x, %y : tensor<4xi32>
  amp.return %z : tensor<4xi32>
}

// -----

// A region that makes more than scalars.
amp.graph @region(%x: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.generate' op can be neither batched nor run as a control step on operands of these types}}
  %y = tensor.generate {
  ^bb0(%i: index):
    %pair = tensor.from_elements %x, %x : tensor<2xf32>
    %v = tensor.extract %pair[%i] : tensor<2xf32>
    tensor.yield %v : f32
  } : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}
