"""Writes a random well-typed program that ends, and instances for it.

    random_program.py SEED MODEL.mlir IN.jsonl [--cases N] [--small]

Nested ifs, switches, loops with ranges and conditions, scans, maps, flatmaps, calls with recursion, collectors; on scalars, tensors
of four f32, f64 or bf16, rows, and lists. Recursion has fuel and while loops a counter, so every instance ends; indices are taken
modulo the size; values go through tanh, so they stay small, and what is made of rows keeps few of them. Some programs fail for some
instances. bf16 only sees arithmetic whose rounding cannot depend on the last bits of an f32.
"""

import argparse
import json
import random

from program_tree import COLLECTOR, D, H, INTS, LIST, LISTS, NUMBERS, ROWS, Block, Function, Op, Program, T, default
import random_leaves

CARRIED = (T, T, T, "i32", "i32", LIST, NUMBERS, LISTS, ROWS, INTS, H, D)


class Writer(random_leaves.Leaves):
    """Makes ops; an environment is a list of (value, kind) that may be used."""

    def __init__(self, seed, prefix="f", without=(), small=False):
        self.random, self.small = random.Random(seed), small
        self.leaves = [make for make in self.LEAVES if make.__name__ not in without]
        self.nests = [make for make in self.NESTS if make.__name__ not in without]
        self.prefix, self.count, self.ops, self.fuel = prefix, 0, [], "%fuel0"
        self.unused = {}  # Values, with their kinds.
        self.callees = [(f"{prefix}{number}", [T, "i32"] + self.kinds(0, 2), self.kinds()) for number in range(1 if small else 3)]

    def kinds(self, least=0, most=2):
        """Kinds of values that leave a block; by default there is a tensor among them."""
        kinds = [self.random.choice(CARRIED) for _ in range(self.random.randint(least, most))]
        if least == 0 and most == 2:
            kinds.insert(self.random.randint(0, len(kinds)), T)
        return kinds

    def pick(self, env, kind):
        values = [value for value, type in env if type == kind]
        fresh = [value for value in values if value in self.unused]
        if fresh and self.random.random() < 0.7:
            values = fresh
        if not values:
            return default(kind)
        value = self.random.choice(values[-6:] if self.random.random() < 0.7 else values)
        self.unused.pop(value, None)
        return value

    def add(self, env, results, text, operands=(), regions=(), fixed=False, name=None):
        """Appends an op whose operands are (value, kind); its results may be used from now on."""
        if name is None:
            name = self.name()
        op = Op(name, results, text, [value for value, _ in operands], [kind for _, kind in operands], regions, fixed)
        self.ops.append(op)
        env += op.values()
        if not fixed:
            self.unused.update(op.values())
        for value, _ in operands:
            self.unused.pop(value, None)
        return op.values()[0][0] if results else None

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def use(self, env, *kinds):
        return [(self.pick(env, kind), kind) for kind in kinds]

    def block(self, env, depth, kinds, end, size=4, least=0, opening="", before=None, fixed_end=()):
        """A block of random ops that ends with values of these kinds, after those of `fixed_end`."""
        if self.small:  # About a third of the ops.
            size, least = (size + 1) // 2, (least + 1) // 2
        outer, self.ops = self.ops, []
        known, env = len(env), list(env)
        if before:
            before(env)
        for _ in range(self.random.randint(least, size)):
            self.random.choice(self.leaves + self.nests if depth > 0 else self.leaves)(self, env, depth)
        first = [make(env) for make in fixed_end]
        yields = [value for value, _ in first] + [self.pick(env, kind) for kind in kinds]
        if T in kinds:
            at = len(first) + kinds.index(T)
            yields[at] = self.absorb(yields[at], [(name, kind) for name, kind in env[known:] if name in self.unused])
        ops, self.ops = self.ops, outer
        return Block(ops, end, yields, [kind for _, kind in first] + list(kinds), opening, tuple(range(len(first))))

    def absorb(self, tensor, values):
        """A tensor that depends on `tensor` and most of the values, so that little of what is computed is not needed."""
        for name, kind in values:
            if name == tensor or self.random.random() < 0.15:
                continue
            if kind == "i1":
                tensor = self.add([], [T], f"{{r}}n = arith.negf {{1}} : {T}\n{{r}} = arith.select {{0}}, {{1}}, {{r}}n : {T}", [(name, kind), (tensor, T)])
            else:
                other = self.as_tensor(name, kind)
                tensor = self.add([], [T], f"{{r}}s = arith.subf {{0}}, {{1}} : {T}\n{{r}} = math.tanh {{r}}s : {T}", [(tensor, T), (other, T)])
        self.unused.pop(tensor, None)
        return tensor

    # Ops with regions

    @staticmethod
    def ending(name, count, kinds, first=()):
        slots = ", ".join(f"{{{i}}}" for i in range(count))
        return f"{name} {slots} : {', '.join(kinds)}"

    def branch(self, env, depth):
        kinds = self.kinds()
        end = self.ending("scf.yield", len(kinds), kinds)
        regions = [self.block(env, depth - 1, kinds, end) for _ in range(2)]
        self.add(env, kinds, f"scf.if {{0}} -> ({', '.join(kinds)}) {{{{|}}}} else {{{{|}}}}", self.use(env, "i1"), regions)

    def switch(self, env, depth):
        kinds = self.kinds()
        index = self.modulo(env, 4)
        end = self.ending("scf.yield", len(kinds), kinds)
        regions = [self.block(env, depth - 1, kinds, end, size=3) for _ in range(3)]
        text = f"scf.index_switch {{0}} -> {', '.join(kinds)}\ncase {self.random.randint(0, 1)} {{{{|}}}}\ncase {self.random.randint(2, 3)} {{{{|}}}}\ndefault {{{{|}}}}"
        self.add(env, kinds, text, [(index, "index")], regions)

    def carrying(self, env, name):
        """Kinds of carried values, their initial values, and the arguments of the body."""
        kinds = self.kinds()
        return kinds, self.use(env, *kinds), [(f"{name}a{i}", kind) for i, kind in enumerate(kinds)]

    def range_loop(self, env, depth):
        name, upper = self.name(), self.modulo(env, 4)
        kinds, inits, arguments = self.carrying(env, name)
        body = self.block(env + arguments + [(f"{name}i", "index")], depth - 1, kinds, self.ending("scf.yield", len(kinds), kinds))
        carried = ", ".join(f"{argument} = {{{i + 1}}}" for i, (argument, _) in enumerate(arguments))
        text = f"scf.for {{r}}i = %c{self.random.randint(0, 1)} to {{0}} step %c{self.random.randint(1, 2)} iter_args({carried}) -> ({', '.join(kinds)}) {{{{|}}}}"
        self.add(env, kinds, text, [(upper, "index")] + inits, [body], name=name)

    def while_loop(self, env, depth):
        name = self.name()
        kinds, inits, arguments = self.carrying(env, name)
        types = ", ".join(["i32"] + kinds)

        def condition(inner):
            self.add([], ["i1"], f"arith.cmpi slt, {name}n, %three : i32", name=f"{name}l", fixed=True)
            self.add([], ["i1"], f"arith.andi {name}l, {{0}} : i1", self.use(inner, "i1"), name=f"{name}m", fixed=True)
            return f"{name}m", "i1"

        before = self.block(env + arguments, depth - 1, kinds, "", size=3, fixed_end=(condition, lambda _: (f"{name}n", "i32")))
        before.end = f"scf.condition({{0}}) {', '.join(f'{{{i + 1}}}' for i in range(len(kinds) + 1))} : {types}"
        after_arguments = [(f"{name}b{i}", kind) for i, kind in enumerate(kinds)]

        def count(_):
            self.add([], ["i32"], f"arith.addi {name}k, %one : i32", name=f"{name}o", fixed=True)
            return f"{name}o", "i32"

        opening = f"^bb0({', '.join(f'{value}: {kind}' for value, kind in [(f'{name}k', 'i32')] + after_arguments)}):"
        after = self.block(env + after_arguments, depth - 1, kinds, self.ending("scf.yield", len(kinds) + 1, ["i32"] + kinds), size=3,
                           opening=opening, fixed_end=(count,))
        carried = ", ".join([f"{name}n = %zero"] + [f"{argument} = {{{i}}}" for i, (argument, _) in enumerate(arguments)])
        self.add(env, ["i32"] + kinds, f"scf.while ({carried}) : ({types}) -> ({types}) {{{{|}}}} do {{{{|}}}}", inits, [before, after], name=name)

    def scan(self, env, depth):
        name, upper = self.name(), self.modulo(env, 4)
        kinds, inits, arguments = self.carrying(env, name)
        stacked, result = self.random.choice(((T, ROWS), ("i32", INTS)))
        body = self.block(env + arguments + [(f"{name}i", "index")], depth - 1, kinds + [stacked],
                          self.ending("amp.yield", len(kinds) + 1, kinds + [stacked]))
        carried = ", ".join(f"{argument} = {{{i + 1}}}" for i, (argument, _) in enumerate(arguments))
        text = f"amp.scan {self.random.choice(('', 'reverse '))}{{r}}i = %c0 to {{0}} carry({carried}) : ({', '.join(kinds)}) -> ({result}) {{{{|}}}}"
        self.add(env, kinds + [result], text, [(upper, "index")] + inits, [body], name=name)

    def map(self, env, depth):
        name = self.name()
        kind, result = self.random.choice(((T, ROWS), (T, ROWS), ("i32", INTS)))
        rows, before = None, None
        if self.random.random() < 0.4:  # over the rows of something
            rows = self.pick(env, ROWS)
            count = self.add(env, ["index"], f"tensor.dim {{0}}, %c0 : {ROWS}", [(rows, ROWS)])

            def before(inner):
                self.add(inner, [T], f"amp.lookup {{0}}[{name}i] : {ROWS}, index", [(rows, ROWS)], fixed=True)
        else:
            count = self.modulo(env, 4)
        body = self.block(env + [(f"{name}i", "index")], depth - 1, [kind], self.ending("amp.yield", 1, [kind]), before=before)
        text = f"amp.map {{r}}i to {{0}} -> ({result}) {{{{|}}}}"
        self.add(env, [result], text, [(count, "index")], [body], name=name, fixed=False)
        if rows:  # the count and the rows belong together
            self.ops[-1].text = text.replace("{0}", count)
            self.ops[-1].operands, self.ops[-1].kinds = [], []
            self.ops[-2].fixed = True

    def flatmap(self, env, depth):
        name, count = self.name(), self.modulo(env, 4)
        body = self.block(env + [(f"{name}i", "index")], depth - 1, [], f"amp.yield {{0}} : {ROWS}", size=3,
                          fixed_end=(lambda inner: (self.few(inner), ROWS),))
        self.add(env, [ROWS], f"amp.flatmap {{r}}i to {{0}} -> ({ROWS}) {{{{|}}}}", [(count, "index")], [body], name=name)

    def call(self, env, _):
        callee, kinds, results = self.random.choice(self.callees)
        types = ", ".join(results)
        several = f":{len(results)}" if len(results) > 1 else ""
        given = ", ".join(f"{{r}}q#{i}" for i in range(len(results))) if several else "{r}q"
        slots = "".join(f", {{{i}}}" for i in range(len(kinds)))
        text = f"""{{r}}m = arith.subi {self.fuel}, %one : i32
{{r}}g = arith.cmpi sgt, {self.fuel}, %zero : i32
{{r}}{several} = scf.if {{r}}g -> ({types}) {{{{
  {{r}}q{several} = func.call @{callee}({{r}}m{slots}) : ({', '.join(['i32'] + kinds)}) -> ({types})
  scf.yield {given} : {types}
}}}} else {{{{
  scf.yield {', '.join(default(kind) for kind in results)} : {types}
}}}}"""
        self.add(env, results, text, self.use(env, *kinds))

    NESTS = (branch, branch, switch, range_loop, while_loop, scan, map, map, flatmap, call, call)
    LEAVES = random_leaves.Leaves.LEAVES

    # Functions

    def case(self, number):
        env = [(f"%{name}", kind) for name, kind in Program.FIELDS]
        yields = [kind for _, kind in Program.RESULTS[:2]]

        def collect(inner):
            self.add([], [COLLECTOR], f"amp.collector %c2 : {COLLECTOR}", name="%collector", fixed=True)
            self.emit(inner, 1)
            result = self.add([], [ROWS], f"amp.collect %collector : {COLLECTOR} -> {ROWS}", name="%collected", fixed=True)
            self.emit(inner, 0)
            return result, ROWS

        body = self.block(env, 2 if self.small else 3, yields, "", size=11, least=5, fixed_end=(collect,))
        # The rows are the last result, and a value like the others for shrinking.
        body.end = f"return {{1}}, {{2}}, {{0}} : {', '.join(kind for _, kind in Program.RESULTS)}"
        body.kinds, body.yields = body.kinds[1:] + body.kinds[:1], body.yields[1:] + body.yields[:1]
        body.end, body.fixed = f"return {{0}}, {{1}}, {{2}} : {', '.join(body.kinds)}", (2,)
        return Function(f"{self.prefix}_case{number}", [(f"%{name}", kind) for name, kind in Program.FIELDS], body, " attributes {no_inline}")

    def emit(self, env, row):
        self.add([], [], f"amp.emit {{0}}, %collector[%c{row}] : {COLLECTOR}, index", self.use(env, T), fixed=True)

    def function(self, name, arguments, results):
        self.fuel = "%fuel"
        env = [(f"%x{i}", kind) for i, kind in enumerate(arguments)]
        body = self.block(env, 1 if self.small else 2, results, self.ending("return", len(results), results), size=7, least=3)
        self.fuel = "%fuel0"
        return Function(name, [("%fuel", "i32")] + env, body)


def random_program(seed, cases=1, without=(), small=False):
    """Where there is one case, it is in every third program the entry itself. `small`: cases of fewer ops."""
    writers = [Writer(seed * 64 + number, f"f{number}_", without, small) for number in range(cases)]
    return Program([writer.case(number) for number, writer in enumerate(writers)],
                   [writer.function(*callee) for writer in writers for callee in writer.callees],
                   wrapped=cases > 1 or seed % 3 != 0)


def random_instances(seed, cases=1, count=12):
    """So many instances for each case."""
    generator = random.Random(seed)

    def vector(bound=2):
        return [round(generator.uniform(-bound, bound), 3) for _ in range(4)]

    return [{"case": case, "repeat": generator.choice((1, 1, 1, 2)), "x": vector(), "k": generator.randint(-5, 9),
             "b": generator.random() < 0.5, "rows": [vector() for _ in range(generator.randint(0, 5))],
             "ints": [generator.randint(0, 3) for _ in range(generator.randint(0, 5))],
             # Of different sizes: a decision between x and -x, squared, would depend on the last bit.
             "h": [size * generator.choice((-1, 1)) / 8 for size in generator.sample(range(17), 4)]}
            for _ in range(count) for case in range(cases)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("seed", type=int)
    options.add_argument("model")
    options.add_argument("instances")
    options.add_argument("--cases", type=int, default=1)
    options.add_argument("--small", action="store_true", help="cases of fewer ops")
    chosen = options.parse_args()
    with open(chosen.model, "w") as model:
        model.write(random_program(chosen.seed, chosen.cases, small=chosen.small).text())
    with open(chosen.instances, "w") as instances:
        for instance in random_instances(chosen.seed, chosen.cases):
            instances.write(json.dumps(instance) + "\n")


if __name__ == "__main__":
    main()
