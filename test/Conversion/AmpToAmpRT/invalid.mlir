// RUN: amp-opt %s --convert-amp-to-amprt --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a public graph, the model's entry}}
module {
  amp.graph private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    amp.return %x : tensor<4xf32>
  }
}
