// A product and a sum are one rounding where the processor has the instruction, and
// never a call; other values are left alone.
// RUN: ampc --compile-from=runtime --emit=asm --mcpu=x86-64-v3 %s | FileCheck --check-prefix=FMA %s
// RUN: ampc --compile-from=runtime --emit=asm --mcpu=x86-64 %s | FileCheck --check-prefix=PLAIN %s
// REQUIRES: x86

// FMA-LABEL: entry:
// FMA: vfmadd{{[0-9]*}}ss
// FMA-NOT: fmaf
// PLAIN-LABEL: entry:
// PLAIN: mulss
// PLAIN: addss
// PLAIN-NOT: fmaf
amprt.model "m" @entry {
  entry_bytes = 80, arrived = array<i64: 1>, field_names = ["x"],
  field_types = [f32], field_offsets = array<i64: 48>, result_names = ["y", "z"],
  result_types = [f32, f32], result_events = 1
}
func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  %x = amprt.load %frame[48] : f32
  %w = amprt.load %frame[56] : f32
  %product = arith.mulf %x, %w : f32
  %sum = arith.addf %product, %w : f32
  amprt.deliver %sum, %frame word 0 : f32
  // Read twice: the product stays.
  // FMA: vmulss
  // FMA: vaddss
  %square = arith.mulf %sum, %sum : f32
  %more = arith.addf %square, %x : f32
  %both = arith.divf %square, %more : f32
  amprt.deliver %both, %frame word 1 : f32
  amprt.post_result %worker, %frame event 0, %depth
  return
}
