// RUN: amp-opt --convert-amprt-to-llvm --split-input-file --verify-diagnostics %s

func.func private @enqueue(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  // expected-error@+1 {{expected the name of an amprt.cell, but got @nothing}}
  amprt.enqueue %worker, @nothing, %frame, %depth
  return
}

// -----

func.func private @post(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  // expected-error@+1 {{expected the name of a function, but got @nothing}}
  amprt.post %worker, @nothing, %frame, %depth
  return
}

// -----

amprt.frame @layout bytes 48 arrived 1 events [] words []
func.func private @open(%worker: !amprt.worker, %parent: !amprt.frame) {
  // expected-error@+1 {{expected the name of an amprt.frame, but got @open}}
  %frame = amprt.open %worker, %parent @open
  // expected-error@+1 {{expected the name of an amprt.site, but got @layout}}
  amprt.set_site %frame, @layout
  return
}

// -----

func.func private @param(%worker: !amprt.worker, %x: !llvm.ptr, %rows: i64) {
  // expected-error@+1 {{expected the name of an amp.param, but got @W}}
  %data, %n = amprt.param %worker, @W
  // expected-error@+1 {{expected the name of an amprt.linear, but got @W}}
  amprt.product %worker, @W(%x, %x) rows %rows
  return
}

// -----

// expected-error@+1 {{expected the name of an amp.param, but got @W}}
amprt.linear @lin @W 4 4

// -----

// expected-error@+1 {{expected the name of a function, but got @compute}}
amprt.cell @cell compute @compute complete @compute product false priority 0 work 0 reads [] writes [] params [] ""

// -----

// expected-error@+1 {{expected the name of an amp.param, but got @W}}
amprt.cell @cell compute @compute complete @compute product false priority 0 work 0 reads [] writes [] params [@W] ""

// -----

// expected-error@+1 {{expected the name of a function, but got @handler}}
amprt.site @site [@handler] [48]

// -----

func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  return
}
// expected-error@+1 {{expected a type and an offset for each field, and a type for each result}}
amprt.model "m" @entry {
  entry_bytes = 48, arrived = array<i64>, field_names = ["x"], field_types = [],
  field_offsets = array<i64: 48>, result_names = [], result_types = [], result_events = 0
}

// -----

func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  return
}
// expected-error@+1 {{expected a scalar or a tensor of f32, f64, bf16, f16, i1, i32, i64 or index, but got 'tensor<*xf32>'}}
amprt.model "m" @entry {
  entry_bytes = 48, arrived = array<i64>, field_names = ["x"],
  field_types = [tensor<*xf32>], field_offsets = array<i64: 48>,
  result_names = [], result_types = [], result_events = 0
}

// -----

// Structured control flow must be gone.
func.func private @loop(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{failed to legalize operation 'scf.for'}}
  scf.for %i = %c0 to %n step %n {
  }
  return
}
