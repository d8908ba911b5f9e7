// Instances that fail: each with its place and reason; the others finish.

// RUN: split-file %s %t
// RUN: not ampc --interpret %t/ops.mlir --input %t/ops.jsonl --output %t/ops.out 2>%t/ops.err
// RUN: FileCheck %s --check-prefix=OPS <%t/ops.out
// RUN: FileCheck %s --check-prefix=ERR <%t/ops.err
// RUN: not ampc --interpret %t/shapes.mlir --input %t/shapes.jsonl --output - 2>%t/shapes.err | FileCheck %s --check-prefix=SHAPE
// RUN: not ampc --interpret %t/collectors.mlir --input %t/collectors.jsonl --output - 2>%t/collectors.err | FileCheck %s --check-prefix=COLLECT
// RUN: not ampc --interpret %t/ops.mlir --input %t/fields.jsonl --output - 2>%t/fields.err | FileCheck %s --check-prefix=FIELD

//--- ops.jsonl
{"case": 0, "a": 6, "b": 3, "x": 1.5}
{"case": 1, "a": 6, "b": 0, "x": 1.5}
{"case": 1, "a": -2147483648, "b": -1, "x": 1.5}
{"case": 2, "a": 6, "b": 0, "x": 1.5}
{"case": 3, "a": 1, "b": 32, "x": 1.5}
{"case": 4, "a": 1, "b": 32, "x": 3.0e9}
{"case": 5, "a": 4, "b": 0, "x": 1.5}
{"case": 5, "a": -1, "b": 0, "x": 1.5}
{"case": 6, "a": 3, "b": 0, "x": 1.5}
{"case": 7, "a": 3, "b": 0, "x": 1.5}
{"case": 8, "a": 0, "b": -1, "x": 1.5}
{"case": 9, "a": 0, "b": 0, "x": 1.5}
{"case": 0, "a": 7, "b": 7, "x": 1.5}

//--- ops.mlir
// OPS: {"r":0}
// ERR: line 2: {{.*}}ops.mlir:[[#@LINE+14]]:10: division by zero
// OPS: {"error":"{{.*}}ops.mlir:[[#@LINE+13]]:10: division by zero"}
// OPS: {"error":"{{.*}}ops.mlir:[[#@LINE+12]]:10: the quotient of the smallest integer and -1 does not fit"}
// OPS: {"error":"{{.*}}: division by zero"}
// OPS: {"error":"{{.*}}: a shift by the width of the integer or more"}
// OPS: {"error":"{{.*}}: 3000000000.000000 does not fit in i32"}
// OPS: {"error":"{{.*}}: index 4 is outside [0, 3)"}
// OPS: {"error":"{{.*}}: index -1 is outside [0, 3)"}
// OPS: {"error":"{{.*}}: index 3 is outside [0, 3)"}
// OPS: {"error":"{{.*}}: the arg-max of an empty vector"}
// OPS: {"error":"{{.*}}: zero to the power of a negative number"}
// OPS: {"error":"{{.*}}: the step is 0, not above 0"}
// OPS: {"r":0}
//--- end
