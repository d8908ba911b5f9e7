// RUN: amp-opt %s --amp-form-cells --split-input-file --verify-diagnostics

// No form for a cell, and no control step: the op is named.
amp.graph @dynamic(%x: tensor<?xf32>) -> index {
  // expected-error @+1 {{'amp.argmax' op can be neither batched nor run as a control step on operands of these types}}
  %k = amp.argmax %x : tensor<?xf32>
  amp.return %k : index
}
