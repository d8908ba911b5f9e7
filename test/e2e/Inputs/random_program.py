"""Writes a random well-typed program that ends, and instances for it.

    random_program.py SEED MODEL.mlir IN.jsonl

Nested ifs, loops with ranges and conditions, scans, maps, calls with recursion, collectors, on tensors of four
floats, i32 and index. Recursion has fuel and while loops a counter, so every instance ends; indices are taken
modulo the size; values go through tanh, so they stay small. Some programs fail for some instances.
"""

import json
import random
import sys

T = "tensor<4xf32>"
ROWS = "tensor<?x4xf32>"
COLLECTOR = f"!amp.collector<{T}>"


class Writer:
    """Emits ops; an environment is a list of (value, type) that may be used."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.lines = []
        self.indent = 1
        self.can_call = True

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def pick(self, env, kind):
        values = [value for value, type in env if type == kind]
        return self.random.choice(values[-6:] if self.random.random() < 0.7 else values)

    def simple(self, line, type, env):
        value = self.name()
        self.emit(f"{value} = {line}")
        env.append((value, type))
        return value

    def block(self, opening, env, depth, results, closing="scf.yield", size=4):
        """A region that yields values of the types `results`."""
        self.emit(opening)
        self.indent += 1
        inner = self.ops(env, depth - 1, self.random.randint(0, size))
        values = [self.pick(inner, type) for type in results]
        self.emit(f"{closing} {', '.join(values)} : {', '.join(results)}")
        self.indent -= 1

    def ops(self, env, depth, count):
        env = list(env)
        leaves = (self.arith, self.tensor, self.tensor, self.product, self.compare, self.lookup, self.extract, self.argmax)
        nests = (self.branch, self.branch, self.range_loop, self.while_loop, self.scan, self.map, self.call)
        for _ in range(count):
            self.random.choice(leaves + nests if depth > 0 else leaves)(env, depth)
        return env

    # Ops without regions

    def arith(self, env, _):
        op = self.random.choice(("addi", "subi", "muli", "andi", "xori", "maxsi", "minsi"))
        value = self.simple(f"arith.{op} {self.pick(env, 'i32')}, {self.pick(env, 'i32')} : i32", "i32", env)
        if self.random.random() < 0.1:  # may fail: by zero
            self.simple(f"arith.remsi {value}, {self.pick(env, 'i32')} : i32", "i32", env)

    def tensor(self, env, _):
        kind = self.random.choice(("addf", "mulf", "subf", "maximumf", "tanh", "sigmoid", "softmax", "mix"))
        a, b = self.pick(env, T), self.pick(env, T)
        if kind == "mix":
            value = self.name()
            self.emit(f"{value}c = tensor.concat dim(0) {a}, {b} : ({T}, {T}) -> tensor<8xf32>")
            self.simple(f"tensor.extract_slice {value}c[{self.random.randint(0, 4)}] [4] [1] : tensor<8xf32> to {T}", T, env)
            return
        line = {"tanh": f"math.tanh {a}", "sigmoid": f"amp.sigmoid {a}", "softmax": f"amp.softmax {a}"}.get(kind, f"arith.{kind} {a}, {b}")
        value = self.simple(f"{line} : {T}", T, env)
        if kind in ("addf", "mulf", "subf"):
            self.simple(f"math.tanh {value} : {T}", T, env)

    def product(self, env, _):
        weight = self.name()
        self.emit(f"{weight} = amp.get @{self.random.choice('WV')} : tensor<4x4xf32>")
        value = self.simple(f"amp.linear {self.pick(env, T)}, {weight} : {T}, tensor<4x4xf32>", T, [])
        self.simple(f"math.tanh {value} : {T}", T, env)

    def compare(self, env, _):
        kind = self.random.choice(("slt", "eq", "sge"))
        self.simple(f"arith.cmpi {kind}, {self.pick(env, 'i32')}, {self.pick(env, 'i32')} : i32", "i1", env)

    def modulo(self, env, size):
        value = self.name()
        self.emit(f"{value}w = arith.index_castui {self.pick(env, 'i32')} : i32 to index")
        self.emit(f"{value} = arith.remui {value}w, %c{size} : index")
        return value

    def lookup(self, env, _):
        table, index = self.name(), self.modulo(env, 4)
        self.emit(f"{table} = amp.get @W : tensor<4x4xf32>")
        self.simple(f"amp.lookup {table}[{index}] : tensor<4x4xf32>, index", T, env)

    def extract(self, env, _):
        """A decision on a computed number."""
        value = self.name()
        self.emit(f"{value} = tensor.extract {self.pick(env, T)}[{self.modulo(env, 4)}] : {T}")
        self.emit(f"{value}z = arith.constant 0.1 : f32")
        self.simple(f"arith.cmpf ogt, {value}, {value}z : f32", "i1", env)

    def argmax(self, env, _):
        value = self.name()
        self.emit(f"{value} = amp.argmax {self.pick(env, T)} : {T}")
        self.simple(f"arith.index_cast {value} : index to i32", "i32", env)

    # Ops with regions, and calls

    def branch(self, env, depth):
        value, types = self.name(), (T, "i32")
        self.block(f"{value}:2 = scf.if {self.pick(env, 'i1')} -> ({T}, i32) {{", env, depth, types)
        self.block("} else {", env, depth, types)
        self.emit("}")
        env += [(f"{value}#0", T), (f"{value}#1", "i32")]

    def range_loop(self, env, depth):
        value, i = self.name(), self.name()
        upper = self.modulo(env, 4)
        opening = f"{value}:2 = scf.for {i} = %c{self.random.randint(0, 1)} to {upper} step %c{self.random.randint(1, 2)} " \
            f"iter_args({i}a = {self.pick(env, T)}, {i}b = {self.pick(env, 'i32')}) -> ({T}, i32) {{"
        self.block(opening, env + [(f"{i}a", T), (f"{i}b", "i32")], depth, (T, "i32"))
        self.emit("}")
        env += [(f"{value}#0", T), (f"{value}#1", "i32")]

    def while_loop(self, env, depth):
        value, before, after = self.name(), self.name(), self.name()
        types = f"({T}, i32, i32)"
        self.emit(f"{value}:3 = scf.while ({before}a = {self.pick(env, T)}, {before}b = {self.pick(env, 'i32')}, {before}n = %zero) : {types} -> {types} {{")
        self.indent += 1
        inner = self.ops(env + [(f"{before}a", T), (f"{before}b", "i32")], depth - 1, self.random.randint(0, 3))
        self.emit(f"{before}l = arith.cmpi slt, {before}n, %three : i32")
        self.emit(f"{before}m = arith.andi {before}l, {self.pick(inner, 'i1')} : i1")
        self.emit(f"scf.condition({before}m) {self.pick(inner, T)}, {self.pick(inner, 'i32')}, {before}n : {T}, i32, i32")
        self.indent -= 1
        self.emit("} do {")
        self.emit(f"^bb0({after}a: {T}, {after}b: i32, {after}n: i32):")
        self.indent += 1
        inner = self.ops(env + [(f"{after}a", T), (f"{after}b", "i32")], depth - 1, self.random.randint(0, 3))
        self.emit(f"{after}m = arith.addi {after}n, %one : i32")
        self.emit(f"scf.yield {self.pick(inner, T)}, {self.pick(inner, 'i32')}, {after}m : {T}, i32, i32")
        self.indent -= 1
        self.emit("}")
        env += [(f"{value}#0", T), (f"{value}#1", "i32")]

    def row_of(self, rows, size, env):
        """A row of a stacked value if there is one, else a constant."""
        value = self.name()
        self.emit(f"{value}s = tensor.dim {rows}, %c0 : {ROWS}")
        self.emit(f"{value}h = arith.cmpi ugt, {value}s, %c{size} : index")
        self.emit(f"{value} = scf.if {value}h -> ({T}) {{")
        self.emit(f"  {value}r = tensor.extract_slice {rows}[%c{size}, 0] [1, 4] [1, 1] : {ROWS} to {T}")
        self.emit(f"  scf.yield {value}r : {T}")
        self.emit("} else {")
        self.emit(f"  scf.yield %half : {T}")
        self.emit("}")
        env.append((value, T))

    def scan(self, env, depth):
        value, i = self.name(), self.name()
        upper = self.modulo(env, 4)
        opening = f"{value}:3 = amp.scan {self.random.choice(('', 'reverse '))}{i} = %c0 to {upper} " \
            f"carry({i}a = {self.pick(env, T)}, {i}b = {self.pick(env, 'i32')}) : ({T}, i32) -> ({ROWS}) {{"
        self.block(opening, env + [(f"{i}a", T), (f"{i}b", "i32")], depth, (T, "i32", T), "amp.yield")
        self.emit("}")
        env += [(f"{value}#0", T), (f"{value}#1", "i32")]
        self.row_of(f"{value}#2", self.random.randint(0, 2), env)

    def map(self, env, depth):
        value, i = self.name(), self.name()
        upper = self.modulo(env, 4)
        self.emit(f"{value} = amp.map {i} to {upper} -> ({ROWS}) {{")
        self.indent += 1
        self.emit(f"{i}w = arith.index_cast {i} : index to i32")
        inner = self.ops(env + [(f"{i}w", "i32")], depth - 1, self.random.randint(0, 4))
        self.emit(f"amp.yield {self.pick(inner, T)} : {T}")
        self.indent -= 1
        self.emit("}")
        self.row_of(value, self.random.randint(0, 2), env)

    def call(self, env, _):
        if not self.can_call:
            return
        value = self.name()
        self.emit(f"{value}m = arith.subi %fuel, %one : i32")
        self.emit(f"{value}g = arith.cmpi sgt, %fuel, %zero : i32")
        self.emit(f"{value}:2 = scf.if {value}g -> ({T}, i32) {{")
        self.emit(f"  {value}r:2 = func.call @f{self.random.randint(0, 2)}({value}m, {self.pick(env, 'i32')}, {self.pick(env, T)}) : (i32, i32, {T}) -> ({T}, i32)")
        self.emit(f"  scf.yield {value}r#0, {value}r#1 : {T}, i32")
        self.emit("} else {")
        self.emit(f"  scf.yield %half, %one : {T}, i32")
        self.emit("}")
        env += [(f"{value}#0", T), (f"{value}#1", "i32")]

    def head(self):
        for line in ("%zero = arith.constant 0 : i32", "%one = arith.constant 1 : i32", "%three = arith.constant 3 : i32",
                     f"%half = arith.constant dense<0.5> : {T}", "%true = arith.constant true", "%c0 = arith.constant 0 : index",
                     "%c1 = arith.constant 1 : index", "%c2 = arith.constant 2 : index", "%c4 = arith.constant 4 : index"):
            self.emit(line)
        return [("%one", "i32"), ("%three", "i32"), ("%half", T), ("%true", "i1")]

    def module(self):
        self.lines.append("amp.param @W : tensor<4x4xf32> init(glorot)\namp.param @V : tensor<4x4xf32> init(normal, 0.7)")
        self.lines.append(f'func.func @entry(%x: {T} {{amp.name = "x"}}, %k: i32 {{amp.name = "k"}}, %b: i1 {{amp.name = "b"}})'
                          f' -> ({T} {{amp.name = "y"}}, i32 {{amp.name = "z"}}, {ROWS} {{amp.name = "rows"}}) {{')
        env = self.head()
        self.emit("%fuel = arith.constant 3 : i32")
        self.emit(f"%out = amp.collector %c2 : {COLLECTOR}")
        env = self.ops(env + [("%x", T), ("%k", "i32"), ("%b", "i1")], 3, self.random.randint(3, 8))
        self.emit(f"amp.emit {self.pick(env, T)}, %out[%c1] : {COLLECTOR}, index")
        self.emit(f"%rows = amp.collect %out : {COLLECTOR} -> {ROWS}")
        self.emit(f"amp.emit {self.pick(env, T)}, %out[%c0] : {COLLECTOR}, index")
        self.emit(f"return {self.pick(env, T)}, {self.pick(env, 'i32')}, %rows : {T}, i32, {ROWS}")
        self.lines.append("}")
        for number in range(3):
            self.lines.append(f"func.func private @f{number}(%fuel: i32, %k: i32, %x: {T}) -> ({T}, i32) {{")
            env = self.ops(self.head() + [("%x", T), ("%k", "i32")], 2, self.random.randint(2, 5))
            self.emit(f"return {self.pick(env, T)}, {self.pick(env, 'i32')} : {T}, i32")
            self.lines.append("}")
        return "\n".join(self.lines) + "\n"


def main():
    seed = int(sys.argv[1])
    with open(sys.argv[2], "w") as model:
        model.write(Writer(seed).module())
    generator = random.Random(seed)
    with open(sys.argv[3], "w") as instances:
        for _ in range(12):
            x = [round(generator.uniform(-2, 2), 3) for _ in range(4)]
            instances.write(json.dumps({"x": x, "k": generator.randint(-5, 9), "b": generator.random() < 0.5}) + "\n")


if __name__ == "__main__":
    main()
