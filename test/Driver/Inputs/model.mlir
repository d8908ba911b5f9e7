// The smallest model, at level C: y = x.
amprt.model "echo" @entry {
  entry_bytes = 64, arrived = array<i64: 1>, field_names = ["x"],
  field_types = [i32], field_offsets = array<i64: 48>, result_names = ["y"],
  result_types = [i32], result_events = 1
}
func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  %x = amprt.load %frame[48] : i32
  amprt.deliver %x, %frame word 0 : i32
  amprt.post_result %worker, %frame event 0, %depth
  return
}
