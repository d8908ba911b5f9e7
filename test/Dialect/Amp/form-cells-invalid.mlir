// RUN: amp-opt %s --amp-form-cells --split-input-file --verify-diagnostics

// No form for a cell, and no control step: the op is named.
amp.graph @dynamic(%x: tensor<?xf32>, %shape: tensor<2xindex>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'tensor.reshape' op can be neither batched nor run as a control step on operands of these types}}
  %y = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  amp.return %y : tensor<?x?xf32>
}
