// What cells read of parameters: those that their ops name, and those of which their inputs may be rows. A row that a control step
// looks up is an address; it is followed wherever values go.
// RUN: amp-opt %s --split-input-file --convert-amp-to-amprt | FileCheck %s

// Through a call, as its argument and as its result; by position, so that a value beside it is none. What only takes rows' addresses
// does not read them.
// CHECK-NOT: read_by_control
// CHECK: amprt.cell @main.result {{.*}} params [@emb] "math.tanh"
// CHECK: amprt.cell @main.fresh {{.*}} params [] "math.tanh"
// CHECK: amprt.cell @f.argument {{.*}} params [@emb] "math.tanh"
// CHECK: amprt.cell @f.other {{.*}} params [@V] "arith.addf"
amp.param @emb : tensor<?x4xf32> init(zeros)
amp.param @V : tensor<4xf32> init(zeros)
amp.graph @main(%i: i32 {amp.name = "i"}, %x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  %emb = amp.get @emb : tensor<?x4xf32>
  %row = amp.control(%emb, %i) : (tensor<?x4xf32>, i32) -> tensor<4xf32> {
  ^bb0(%t: tensor<?x4xf32>, %k: i32):
    %r = amp.lookup %t[%k] : tensor<?x4xf32>, i32
    amp.yield %r : tensor<4xf32>
  }
  %same, %other, %fresh = amp.call @f(%row, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %a = amp.cell "main.result"(%same, %other) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
    %y = math.tanh %p : tensor<4xf32>
    amp.yield %y : tensor<4xf32>
  }
  %b = amp.cell "main.fresh"(%fresh, %other) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
    %y = math.tanh %p : tensor<4xf32>
    amp.yield %y : tensor<4xf32>
  }
  amp.return %b : tensor<4xf32>
}
amp.graph private @f(%row: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %h = amp.cell "f.argument"(%row) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>):
    %y = math.tanh %p : tensor<4xf32>
    amp.yield %y : tensor<4xf32>
  }
  %g = amp.cell "f.other"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>):
    %V = amp.get @V : tensor<4xf32>
    %y = arith.addf %p, %V : tensor<4xf32>
    amp.yield %y : tensor<4xf32>
  }
  amp.return %row, %g, %h : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop's carried values, by position: the first one begins as a row of @a and goes on as one of @b, the second is fresh. Its last
// value is either. What the loop stacks is copied where control runs.
// CHECK: {{^// -+$}}
// CHECK: amp.param @a : tensor<?x4xf32> init(zeros){{$}}
// CHECK: amp.param @b : tensor<?x4xf32> init(zeros){{$}}
// CHECK: amp.param @stacked : tensor<?x4xf32> init(zeros) {amprt.read_by_control}
// The body reads a row that its own frame holds, and one that the frame around it holds.
// CHECK: amprt.cell @main.first {{.*}} reads [<tensor<4xf32> at {{[0-9]+}}>, <tensor<4xf32> at {{[0-9]+}} up 1>] writes [<tensor<4xf32> at {{[0-9]+}}>] params [@a, @b]
// CHECK: amprt.cell @main.second {{.*}} params []
// CHECK: amprt.cell @main.last {{.*}} params [@a, @b]
// CHECK: amprt.cell @main.rows {{.*}} params []
amp.param @a : tensor<?x4xf32> init(zeros)
amp.param @b : tensor<?x4xf32> init(zeros)
amp.param @stacked : tensor<?x4xf32> init(zeros)
amp.graph @main(%i: i32 {amp.name = "i"}, %n: index {amp.name = "n"}, %x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ra, %rb, %rs = amp.control(%i) : (i32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%k: i32):
    %ta = amp.get @a : tensor<?x4xf32>
    %tb = amp.get @b : tensor<?x4xf32>
    %ts = amp.get @stacked : tensor<?x4xf32>
    %la = amp.lookup %ta[%k] : tensor<?x4xf32>, i32
    %lb = amp.lookup %tb[%k] : tensor<?x4xf32>, i32
    %ls = amp.lookup %ts[%k] : tensor<?x4xf32>, i32
    amp.yield %la, %lb, %ls : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  %p, %q, %s = amp.loop range(%c0, %n, %c1) init(%ra, %x : tensor<4xf32>, tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>) stacked(tensor<?x4xf32>) {
  ^bb0(%t: index, %u: tensor<4xf32>, %v: tensor<4xf32>):
    %w = amp.cell "main.first"(%u, %rb) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%e: tensor<4xf32>, %f: tensor<4xf32>):
      %g = arith.addf %e, %f : tensor<4xf32>
      amp.yield %g : tensor<4xf32>
    }
    %z = amp.cell "main.second"(%v, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%e: tensor<4xf32>, %f: tensor<4xf32>):
      %g = arith.addf %e, %f : tensor<4xf32>
      amp.yield %g : tensor<4xf32>
    }
    amp.next carried(%rb, %z : tensor<4xf32>, tensor<4xf32>) stacked(%rs : tensor<4xf32>)
  }
  %y = amp.cell "main.last"(%p, %q) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb1(%e: tensor<4xf32>, %f: tensor<4xf32>):
    %g = arith.addf %e, %f : tensor<4xf32>
    amp.yield %g : tensor<4xf32>
  }
  %m = amp.cell "main.rows"(%s) : (tensor<?x4xf32>) -> tensor<4xf32> {
  ^bb1(%e: tensor<?x4xf32>):
    %g = amp.pool sum %e : tensor<?x4xf32>
    amp.yield %g : tensor<4xf32>
  }
  amp.return %y : tensor<4xf32>
}

// -----

// Branches, merges, slices and lists move an address, too. An element that a control step reads is a copy, and so is a row that goes
// into a collector, or that a list is stacked with; but that a table has so many rows says nothing of what is in it.
// CHECK: {{^// -+$}}
// CHECK: amp.param @branch : tensor<?x4xf32> init(zeros){{$}}
// CHECK: amp.param @merge : tensor<?x4xf32> init(zeros){{$}}
// CHECK: amp.param @list : tensor<?x4xf32> init(zeros) {amprt.read_by_control}
// CHECK: amp.param @size : tensor<?x4xf32> init(zeros){{$}}
// CHECK: amp.param @element : tensor<?x4xf32> init(zeros) {amprt.read_by_control}
// CHECK: amp.param @collected : tensor<?x4xf32> init(zeros) {amprt.read_by_control}
// CHECK: amp.param @result : tensor<?x4xf32> init(zeros) {amprt.read_by_control}
// CHECK: amprt.cell @main.true {{.*}} params [@branch]
// CHECK: amprt.cell @main.merged {{.*}} params [@branch, @merge]
// CHECK: amprt.cell @main.popped {{.*}} params [@list]
// CHECK: amprt.cell @main.listed {{.*}} params []
// CHECK: amprt.cell @main.scalars {{.*}} params []
amp.param @branch : tensor<?x4xf32> init(zeros)
amp.param @merge : tensor<?x4xf32> init(zeros)
amp.param @list : tensor<?x4xf32> init(zeros)
amp.param @size : tensor<?x4xf32> init(zeros)
amp.param @element : tensor<?x4xf32> init(zeros)
amp.param @collected : tensor<?x4xf32> init(zeros)
amp.param @result : tensor<?x4xf32> init(zeros)
amp.graph @main(%i: i32 {amp.name = "i"}, %c: i1 {amp.name = "c"})
    -> (tensor<4xf32> {amp.name = "y"}, tensor<4xf32> {amp.name = "z"}, tensor<?x4xf32> {amp.name = "rows"}) {
  %c1 = arith.constant 1 : index
  %rb, %rm, %rc, %rr, %list, %popped, %size, %element = amp.control(%i)
      : (i32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !amp.list<tensor<2xf32>>, tensor<2xf32>, index, f32) {
  ^bb0(%k: i32):
    %zero = arith.constant 0 : index
    %tb = amp.get @branch : tensor<?x4xf32>
    %tm = amp.get @merge : tensor<?x4xf32>
    %tc = amp.get @collected : tensor<?x4xf32>
    %tr = amp.get @result : tensor<?x4xf32>
    %tl = amp.get @list : tensor<?x4xf32>
    %ts = amp.get @size : tensor<?x4xf32>
    %te = amp.get @element : tensor<?x4xf32>
    %lb = amp.lookup %tb[%k] : tensor<?x4xf32>, i32
    %lm = amp.lookup %tm[%k] : tensor<?x4xf32>, i32
    %lc = amp.lookup %tc[%k] : tensor<?x4xf32>, i32
    %lr = amp.lookup %tr[%k] : tensor<?x4xf32>, i32
    %ll = amp.lookup %tl[%k] : tensor<?x4xf32>, i32
    %half = tensor.extract_slice %ll[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %none = amp.list : !amp.list<tensor<2xf32>>
    %one = amp.push %half, %none : !amp.list<tensor<2xf32>>
    %last = amp.at %one[%zero] : !amp.list<tensor<2xf32>>, index
    %n = tensor.dim %ts, %zero : tensor<?x4xf32>
    %e = tensor.extract %te[%zero, %zero] : tensor<?x4xf32>
    amp.yield %lb, %lm, %lc, %lr, %one, %last, %n, %e
        : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !amp.list<tensor<2xf32>>, tensor<2xf32>, index, f32
  }
  %out = amp.collector %c1 : !amp.collector<tensor<4xf32>>
  amp.emit %rc, %out[%i] : !amp.collector<tensor<4xf32>>, i32
  %rows = amp.collect %out : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  %t, %f = amp.branch %c, %rb : tensor<4xf32>
  %mt, %mf = amp.branch %c, %rm : tensor<4xf32>
  %h = amp.cell "main.true"(%t) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>):
    %y = math.tanh %p : tensor<4xf32>
    amp.yield %y : tensor<4xf32>
  }
  %m = amp.merge %mt, %f : tensor<4xf32>
  %y = amp.cell "main.merged"(%m) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>):
    %g = math.tanh %p : tensor<4xf32>
    amp.yield %g : tensor<4xf32>
  }
  %u = amp.cell "main.popped"(%popped) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%p: tensor<2xf32>):
    %g = math.tanh %p : tensor<2xf32>
    amp.yield %g : tensor<2xf32>
  }
  %all = amp.control(%list) : (!amp.list<tensor<2xf32>>) -> tensor<?x2xf32> {
  ^bb0(%p: !amp.list<tensor<2xf32>>):
    %g = amp.stack %p : !amp.list<tensor<2xf32>>
    amp.yield %g : tensor<?x2xf32>
  }
  %v = amp.cell "main.listed"(%all) : (tensor<?x2xf32>) -> tensor<2xf32> {
  ^bb0(%p: tensor<?x2xf32>):
    %g = amp.pool sum %p : tensor<?x2xf32>
    amp.yield %g : tensor<2xf32>
  }
  %w = amp.cell "main.scalars"(%element, %rows) : (f32, tensor<?x4xf32>) -> tensor<4xf32> {
  ^bb0(%p: f32, %q: tensor<?x4xf32>):
    %g = amp.pool sum %q : tensor<?x4xf32>
    amp.yield %g : tensor<4xf32>
  }
  amp.return %y, %rr, %rows : tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>
}
