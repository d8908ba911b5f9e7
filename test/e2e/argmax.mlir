// The lowest index among the largest elements, of short and long vectors, known and open; a NaN is larger than any number, and no zero
// larger than another. Compiled programs look for it in two vectorised loops.
// REQUIRES: runtime
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/argmax.py %t/instances.jsonl %t/expected.jsonl
// RUN: ampc %s --interpret --input %t/instances.jsonl | diff - %t/expected.jsonl
// RUN: ampc %s -o %t/model && %t/model run -q -i %t/instances.jsonl -o %t/results.jsonl && diff %t/results.jsonl %t/expected.jsonl

func.func @main(%x: tensor<?xf32> {amp.name = "x"}, %over: tensor<?xf32> {amp.name = "over"}, %z: tensor<37xf32> {amp.name = "z"})
    -> (index {amp.name = "open"}, index {amp.name = "known"}, index {amp.name = "wide"}) {
  %y = arith.divf %x, %over : tensor<?xf32> // 0 / 0
  %open = amp.argmax %y : tensor<?xf32>
  %known = amp.argmax %z : tensor<37xf32>
  %y64 = arith.extf %y : tensor<?xf32> to tensor<?xf64>
  %wide = amp.argmax %y64 : tensor<?xf64>
  return %open, %known, %wide : index, index, index
}
