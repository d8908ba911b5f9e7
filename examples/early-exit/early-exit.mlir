// A classifier of digits with four exits: after each block a head says what it thinks, and
// the digit leaves as soon as one head is sure. The branches depend on computed values.
// Fields: pixel; threshold, the probability that is sure enough.

amp.param @P1 : tensor<784x24xf32> init(glorot)
amp.param @b1 : tensor<24xf32>     init(uniform, -0.1, 0.1)
amp.param @W1 : tensor<24x10xf32>  init(glorot)
amp.param @c1 : tensor<10xf32>     init(uniform, -0.1, 0.1)
amp.param @P2 : tensor<784x24xf32> init(glorot)
amp.param @U2 : tensor<24x24xf32>  init(glorot)
amp.param @b2 : tensor<24xf32>     init(uniform, -0.1, 0.1)
amp.param @W2 : tensor<48x10xf32>  init(glorot)
amp.param @c2 : tensor<10xf32>     init(uniform, -0.1, 0.1)
amp.param @P3 : tensor<784x24xf32> init(glorot)
amp.param @U3 : tensor<48x24xf32>  init(glorot)
amp.param @b3 : tensor<24xf32>     init(uniform, -0.1, 0.1)
amp.param @W3 : tensor<72x10xf32>  init(glorot)
amp.param @c3 : tensor<10xf32>     init(uniform, -0.1, 0.1)
amp.param @P4 : tensor<784x24xf32> init(glorot)
amp.param @U4 : tensor<72x24xf32>  init(glorot)
amp.param @b4 : tensor<24xf32>     init(uniform, -0.1, 0.1)
amp.param @W4 : tensor<96x10xf32>  init(glorot)
amp.param @c4 : tensor<10xf32>     init(uniform, -0.1, 0.1)

func.func @early_exit(%pixel: tensor<784xf32> {amp.name = "pixel"}, %threshold: f32 {amp.name = "threshold"})
    -> (tensor<10xf32> {amp.name = "logits"}, i32 {amp.name = "exit"}) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32

  %P1 = amp.get @P1 : tensor<784x24xf32>
  %b1 = amp.get @b1 : tensor<24xf32>
  %W1 = amp.get @W1 : tensor<24x10xf32>
  %c1 = amp.get @c1 : tensor<10xf32>
  %a1 = amp.linear %pixel, %P1, %b1 : tensor<784xf32>, tensor<784x24xf32>, tensor<24xf32>
  %h1 = func.call @relu(%a1) : (tensor<24xf32>) -> tensor<24xf32>
  %y1 = amp.linear %h1, %W1, %c1 : tensor<24xf32>, tensor<24x10xf32>, tensor<10xf32>
  %sure1 = func.call @sure(%y1, %threshold) : (tensor<10xf32>, f32) -> i1
  %logits, %exit = scf.if %sure1 -> (tensor<10xf32>, i32) {
    scf.yield %y1, %one : tensor<10xf32>, i32
  } else {
    %P2 = amp.get @P2 : tensor<784x24xf32>
    %U2 = amp.get @U2 : tensor<24x24xf32>
    %b2 = amp.get @b2 : tensor<24xf32>
    %W2 = amp.get @W2 : tensor<48x10xf32>
    %c2 = amp.get @c2 : tensor<10xf32>
    %p2 = amp.linear %pixel, %P2, %b2 : tensor<784xf32>, tensor<784x24xf32>, tensor<24xf32>
    %u2 = amp.linear %h1, %U2 : tensor<24xf32>, tensor<24x24xf32>
    %a2 = arith.addf %p2, %u2 : tensor<24xf32>
    %v2 = func.call @relu(%a2) : (tensor<24xf32>) -> tensor<24xf32>
    %h2 = tensor.concat dim(0) %h1, %v2 : (tensor<24xf32>, tensor<24xf32>) -> tensor<48xf32>
    %y2 = amp.linear %h2, %W2, %c2 : tensor<48xf32>, tensor<48x10xf32>, tensor<10xf32>
    %sure2 = func.call @sure(%y2, %threshold) : (tensor<10xf32>, f32) -> i1
    %logits2, %exit2 = scf.if %sure2 -> (tensor<10xf32>, i32) {
      scf.yield %y2, %two : tensor<10xf32>, i32
    } else {
      %P3 = amp.get @P3 : tensor<784x24xf32>
      %U3 = amp.get @U3 : tensor<48x24xf32>
      %b3 = amp.get @b3 : tensor<24xf32>
      %W3 = amp.get @W3 : tensor<72x10xf32>
      %c3 = amp.get @c3 : tensor<10xf32>
      %p3 = amp.linear %pixel, %P3, %b3 : tensor<784xf32>, tensor<784x24xf32>, tensor<24xf32>
      %u3 = amp.linear %h2, %U3 : tensor<48xf32>, tensor<48x24xf32>
      %a3 = arith.addf %p3, %u3 : tensor<24xf32>
      %v3 = func.call @relu(%a3) : (tensor<24xf32>) -> tensor<24xf32>
      %h3 = tensor.concat dim(0) %h2, %v3 : (tensor<48xf32>, tensor<24xf32>) -> tensor<72xf32>
      %y3 = amp.linear %h3, %W3, %c3 : tensor<72xf32>, tensor<72x10xf32>, tensor<10xf32>
      %sure3 = func.call @sure(%y3, %threshold) : (tensor<10xf32>, f32) -> i1
      %logits3, %exit3 = scf.if %sure3 -> (tensor<10xf32>, i32) {
        scf.yield %y3, %three : tensor<10xf32>, i32
      } else {
        %P4 = amp.get @P4 : tensor<784x24xf32>
        %U4 = amp.get @U4 : tensor<72x24xf32>
        %b4 = amp.get @b4 : tensor<24xf32>
        %W4 = amp.get @W4 : tensor<96x10xf32>
        %c4 = amp.get @c4 : tensor<10xf32>
        %p4 = amp.linear %pixel, %P4, %b4 : tensor<784xf32>, tensor<784x24xf32>, tensor<24xf32>
        %u4 = amp.linear %h3, %U4 : tensor<72xf32>, tensor<72x24xf32>
        %a4 = arith.addf %p4, %u4 : tensor<24xf32>
        %v4 = func.call @relu(%a4) : (tensor<24xf32>) -> tensor<24xf32>
        %h4 = tensor.concat dim(0) %h3, %v4 : (tensor<72xf32>, tensor<24xf32>) -> tensor<96xf32>
        %y4 = amp.linear %h4, %W4, %c4 : tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>
        scf.yield %y4, %four : tensor<10xf32>, i32
      }
      scf.yield %logits3, %exit3 : tensor<10xf32>, i32
    }
    scf.yield %logits2, %exit2 : tensor<10xf32>, i32
  }
  return %logits, %exit : tensor<10xf32>, i32
}

func.func private @relu(%x: tensor<24xf32>) -> tensor<24xf32> {
  %zero = arith.constant dense<0.0> : tensor<24xf32>
  %y = arith.maximumf %x, %zero : tensor<24xf32>
  return %y : tensor<24xf32>
}

// Whether the most probable class is more probable than %threshold.
func.func private @sure(%logits: tensor<10xf32>, %threshold: f32) -> i1 {
  %p = amp.softmax %logits : tensor<10xf32>
  %k = amp.argmax %logits : tensor<10xf32>
  %best = tensor.extract %p[%k] : tensor<10xf32>
  %sure = arith.cmpf ogt, %best, %threshold : f32
  return %sure : i1
}
