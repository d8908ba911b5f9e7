"""Cuts a program that fails down to a small one that fails in the same way."""

import time

from program_tree import blocks_of, default


class Shrinker:
    """`fails(program, instances)` says whether these still fail in the same way."""

    def __init__(self, fails, seconds):
        self.fails, self.end, self.tries = fails, time.monotonic() + seconds, 0

    def keeps_failing(self, program, instances):
        if time.monotonic() > self.end:
            return False
        self.tries += 1
        return self.fails(program, instances)

    def shrink(self, program, instances):
        program, instances = self.one_case(program, instances)
        program = self.without_collectors(program, instances)
        instances = self.fewer(instances, lambda some: self.keeps_failing(program, some)) or instances[:1]
        before = None
        while before != program.text() and time.monotonic() < self.end:
            before = program.text()
            program = self.without_ops(program, instances)
            for cut in (self.unwrap, self.hoist, self.bypass, self.use_defaults):
                program = cut(program, instances)
        return program, self.plain_values(program, instances)

    @staticmethod
    def fewer(items, keeps):
        """The items without those that can go (Zeller's delta debugging)."""
        size = max(len(items) // 2, 1)
        while size and items:
            start = 0
            while start < len(items):
                rest = items[:start] + items[start + size:]
                if rest != items and keeps(rest):
                    items = rest
                else:
                    start += size
            size //= 2
        return items

    def attempt(self, program, instances, change):
        """A changed copy, if there is something to change and it still fails."""
        candidate = program.copy()
        if change(candidate) is False or not self.keeps_failing(candidate, instances):
            return None
        return candidate

    def one_case(self, program, instances):
        for number in range(len(program.cases)) if len(program.cases) > 1 else ():
            candidate = program.copy()
            candidate.cases = [candidate.cases[number]]
            own = [{**instance, "case": 0} for instance in instances if instance["case"] == number]
            if own and self.keeps_failing(candidate, own):
                return candidate, own
        return program, instances

    def without_collectors(self, program, instances):
        def change(candidate):
            for case in candidate.cases:
                block = case.block
                block.ops = [op for op in block.ops if "%collector" not in op.text and op.name != "%collector"]
                block.yields[2], block.fixed = default(block.kinds[2]), ()

        return self.attempt(program, instances, change) or program

    def unwrap(self, program, instances):
        def change(candidate):
            if not candidate.wrapped or len(candidate.cases) > 1:
                return False
            candidate.wrapped = False

        return self.attempt(program, instances, change) or program

    # Ops are named by their number, in the order of the text: copies have the same.

    @staticmethod
    def functions(program):
        return program.cases + program.called()

    def places(self, program):
        return [(function, block, op) for function in self.functions(program) for block in blocks_of(function.block) for op in block.ops]

    def without_ops(self, program, instances):
        numbers = [i for i, (_, _, op) in enumerate(self.places(program)) if not op.fixed]

        def cut(kept):
            candidate = program.copy()
            gone = set(numbers) - set(kept)
            for i, (function, block, op) in enumerate(self.places(candidate)):
                if i in gone:
                    self.remove(function, block, op)
            return candidate

        kept = self.fewer(numbers, lambda some: self.keeps_failing(cut(some), instances))
        return cut(kept)

    @classmethod
    def remove(cls, function, block, op):
        if op in block.ops:
            block.ops.remove(op)
        cls.replace(function, {name: default(kind) for name, kind in op.values()})

    @staticmethod
    def replace(function, values):
        for block in blocks_of(function.block):
            block.yields = [values.get(value, value) for value in block.yields]
            for op in block.ops:
                op.operands = [values.get(value, value) for value in op.operands]

    def each(self, program, instances, changes):
        """Tries each of the changes that `changes(place)` gives for each op, from the last one on."""
        number = len(self.places(program)) - 1
        while number >= 0:
            for change in changes(self.places(program)[number]):
                smaller = self.attempt(program, instances, lambda candidate: change(*self.places(candidate)[number]))
                if smaller:
                    program = smaller
                    break
            number = min(number, len(self.places(program))) - 1
        return program

    def hoist(self, program, instances):
        """Ops of a region in the place of the op that owns it."""
        def changes(place):
            def into(index):
                def change(function, block, op):
                    region = op.regions[index]
                    for inner in [inner for inner in region.ops if inner.fixed]:
                        self.remove(function, region, inner)
                    free = [(value, kind) for i, (value, kind) in enumerate(zip(region.yields, region.kinds)) if i not in region.fixed]
                    values, found = op.values(), {}
                    for (name, kind), (value, own) in zip(values[len(values) - len(free):] if len(values) > len(free) else values, free):
                        if kind == own:
                            found[name] = value
                    arguments = {name: default(kind) for inner in blocks_of(region) for user in inner.ops
                                 for name, kind in zip(user.operands, user.kinds) if self.is_argument(name, op)}
                    arguments.update({name: default(kind) for inner in blocks_of(region) for name, kind in zip(inner.yields, inner.kinds)
                                      if self.is_argument(name, op)})
                    at = block.ops.index(op)
                    block.ops[at:at + 1] = region.ops
                    self.replace(function, {name: found.get(name, default(kind)) for name, kind in values})
                    self.replace(function, arguments)
                return change
            return [into(index) for index in range(len(place[2].regions))]

        return self.each(program, instances, changes)

    @staticmethod
    def is_argument(name, op):
        return name.startswith(op.name) and name[len(op.name):len(op.name) + 1].isalpha()

    def bypass(self, program, instances):
        """An operand in the place of a result of its kind."""
        def changes(place):
            op = place[2]
            if op.fixed or len(op.results) != 1 or op.results[0] not in op.kinds:
                return []

            def change(function, block, op):
                block.ops.remove(op)
                self.replace(function, {op.values()[0][0]: op.operands[op.kinds.index(op.results[0])]})
            return [change]

        return self.each(program, instances, changes)

    def use_defaults(self, program, instances):
        """Constants in the place of operands and of what blocks yield."""
        def changes(place):
            def operand(index):
                def change(_function, _block, op):
                    if op.operands[index] == default(op.kinds[index]):
                        return False
                    op.operands[index] = default(op.kinds[index])
                return change

            def value(region, index):
                def change(_function, _block, op):
                    block = op.regions[region]
                    if index in block.fixed or block.yields[index] == default(block.kinds[index]):
                        return False
                    block.yields[index] = default(block.kinds[index])
                return change

            op = place[2]
            return ([operand(index) for index in range(len(op.operands))] +
                    [value(number, index) for number, block in enumerate(op.regions) for index in range(len(block.yields))])

        program = self.each(program, instances, changes)
        for number, function in enumerate(self.functions(program)):
            for index, kind in enumerate(function.block.kinds):
                def change(candidate):
                    block = self.functions(candidate)[number].block
                    if index in block.fixed or block.yields[index] == default(kind):
                        return False
                    block.yields[index] = default(kind)
                program = self.attempt(program, instances, change) or program
        return program

    def plain_values(self, program, instances):
        plain = {"repeat": 1, "x": [0.5] * 4, "k": 1, "b": True, "rows": [], "ints": [], "h": [1.0] * 4}
        for number, instance in enumerate(instances):
            for name, value in plain.items():
                candidate = [{**each, name: value} if i == number else each for i, each in enumerate(instances)]
                if instance[name] != value and self.keeps_failing(program, candidate):
                    instances = candidate
        return instances
