"""Programs as trees of ops that can be printed, walked and cut down: what random_program.py makes and shrink.py shrinks."""

import copy
import re

T = "tensor<4xf32>"
D = "tensor<4xf64>"
H = "tensor<4xbf16>"
ROWS = "tensor<?x4xf32>"
INTS = "tensor<?xi32>"
LIST = f"!amp.list<{T}>"
NUMBERS = "!amp.list<i32>"
LISTS = f"!amp.list<{NUMBERS}>"
COLLECTOR = f"!amp.collector<{T}>"

# What stands at the head of each function, as far as it is used: constants of each type, the first one of which stands for a value
# whose op is cut.
HEAD = (
    ("%zero", "i32", "arith.constant 0 : i32"), ("%one", "i32", "arith.constant 1 : i32"), ("%three", "i32", "arith.constant 3 : i32"),
    ("%fuel0", "fuel", "arith.constant 3 : i32"),
    ("%c0", "index", "arith.constant 0 : index"), ("%c1", "index", "arith.constant 1 : index"),
    ("%c2", "index", "arith.constant 2 : index"), ("%c3", "index", "arith.constant 3 : index"), ("%c4", "index", "arith.constant 4 : index"), ("%c5", None, "arith.constant 5 : index"),
    ("%true", "i1", "arith.constant true"), ("%some", "f32", "arith.constant 0.1 : f32"),
    ("%half", T, f"arith.constant dense<0.5> : {T}"), ("%wide", D, f"arith.constant dense<0.25> : {D}"),
    ("%narrow", H, f"arith.constant dense<[1.0, -0.5, 3.0, 0.0078125]> : {H}"),
    ("%onerow0", None, "arith.constant dense<0.25> : tensor<1x4xf32>"),
    ("%onerow", ROWS, f"tensor.cast %onerow0 : tensor<1x4xf32> to {ROWS}"),
    ("%threeints0", None, "arith.constant dense<[2, 0, 1]> : tensor<3xi32>"), ("%threeints", INTS, f"tensor.cast %threeints0 : tensor<3xi32> to {INTS}"),
    # Rank 2, and no rows at all.
    ("%table", None, "arith.constant dense<[[0.5, -0.25, 1.0, 0.0], [-1.5, 0.125, 0.75, 2.0], [0.0625, 3.0, -0.5, -2.0]]> : tensor<3x4xf32>"),
    ("%square", None, "arith.constant dense<[[0.5, -1.0, 0.25, 0.0], [1.0, 0.75, -0.5, 0.125], [-0.25, 0.0, 2.0, 1.0], [0.0, 0.5, -0.75, 1.0]]> : tensor<4x4xf32>"),
    ("%norows", None, "arith.constant dense<> : tensor<0x4xf32>"), ("%noints", None, "arith.constant dense<> : tensor<0xi32>"),
    ("%nolist", LIST, f"amp.list : {LIST}"), ("%nonumbers", NUMBERS, f"amp.list : {NUMBERS}"), ("%nolists", LISTS, f"amp.list : {LISTS}"),
)
PARAMS = ("amp.param @W : tensor<4x4xf32> init(glorot)", "amp.param @V : tensor<4x4xf32> init(normal, 0.7)",
          "amp.param @G : tensor<2x4x4xf32> init(glorot)", "amp.param @D : tensor<4x4xf64> init(glorot)")


def default(kind):
    return next(name for name, type, _ in HEAD if type == kind)


class Block:
    """Ops, and what ends them: `end` with the values of `yields` in its slots. `opening` is the line of its arguments, if any."""

    def __init__(self, ops, end, yields, kinds, opening="", fixed=()):
        self.ops, self.end, self.yields, self.kinds, self.opening = ops, end, yields, kinds, opening
        self.fixed = fixed  # positions of yields that keep the program finite

    def lines(self, indent):
        result = [indent[2:] + self.opening] if self.opening else []
        for op in self.ops:
            result += op.lines(indent)
        return result + [indent + self.end.format(*self.yields)]


class Op:
    """`text` has slots {0}, {1}, ... for the operands and {r} for the name; regions stand between its parts, which `|` separates.

    A fixed op keeps the program finite: it goes only together with the op around it."""

    def __init__(self, name, results, text, operands=(), kinds=(), regions=(), fixed=False):
        self.name, self.results, self.text, self.fixed = name, list(results), text, fixed
        self.operands, self.kinds, self.regions = list(operands), list(kinds), list(regions)

    def values(self):
        if len(self.results) == 1:
            return [(self.name, self.results[0])]
        return [(f"{self.name}#{i}", kind) for i, kind in enumerate(self.results)]

    def lines(self, indent):
        naming = {0: "", 1: f"{self.name} = "}.get(len(self.results), f"{self.name}:{len(self.results)} = ")
        if re.search(r"\{r\}(:\d+)? =", self.text):
            naming = ""  # A text of several lines names the results itself.
        parts = (naming + self.text).split("|")
        result = []
        for i, part in enumerate(parts):
            result += [indent + line for line in part.format(*self.operands, r=self.name).split("\n")]
            if i < len(self.regions):
                result += self.regions[i].lines(indent + "  ")
        return result


class Function:
    def __init__(self, name, arguments, block, attributes=""):
        self.name, self.arguments, self.block, self.attributes = name, arguments, block, attributes

    def text(self, signature):
        body = self.block.lines("  ")
        used = set(re.findall(r"%\w+", "\n".join(body)))
        head = []
        for name, _, text in reversed(HEAD):
            if name in used:
                head.insert(0, f"  {name} = {text}")
                used |= set(re.findall(r"%\w+", text))
        return "\n".join([signature, *head, *body, "}"])

    def private_text(self):
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        return self.text(f"func.func private @{self.name}({arguments}) -> ({', '.join(self.block.kinds)}){self.attributes} {{")


def blocks_of(block):
    """All blocks, outer ones first."""
    yield block
    for op in block.ops:
        for region in op.regions:
            yield from blocks_of(region)


class Program:
    """Cases, each a function of the fields, with the functions that they call.

    Where `wrapped`, the entry chooses one by the field `case` and runs it `repeat` times, each time on what the last one gave; else the
    only case is the entry."""

    FIELDS = (("x", T), ("k", "i32"), ("b", "i1"), ("rows", ROWS), ("ints", INTS), ("h", H))
    RESULTS = (("y", T), ("z", "i32"), ("out", ROWS))

    def __init__(self, cases, functions, wrapped):
        self.cases, self.functions, self.wrapped = cases, functions, wrapped

    def copy(self):
        return copy.deepcopy(self)

    def all_functions(self):
        return self.cases + self.functions

    def all_blocks(self):
        for function in self.all_functions():
            yield from blocks_of(function.block)

    def size(self):
        return sum(len(block.ops) for block in self.all_blocks()) + len(self.cases)

    def called(self):
        """The functions that the cases reach."""
        names, queue = set(), [case.private_text() for case in self.cases]
        while queue:
            for name in re.findall(r"@(\w+)\(", queue.pop()):
                for function in self.functions:
                    if function.name == name and name not in names:
                        names.add(name)
                        queue.append(function.private_text())
        return [function for function in self.functions if function.name in names]

    def text(self):
        results = ", ".join(f'{kind} {{amp.name = "{name}"}}' for name, kind in self.RESULTS)
        fields = [f'%{name}: {kind} {{amp.name = "{name}"}}' for name, kind in self.FIELDS]
        functions = [function.private_text() for function in self.called()]
        if self.wrapped:
            fields = ['%case: index {amp.name = "case"}', '%repeat: index {amp.name = "repeat"}'] + fields
            functions = [case.private_text() for case in self.cases] + functions
            entry = self.entry(f"func.func @entry({', '.join(fields)}) -> ({results}) {{")
        else:
            entry = self.cases[0].text(f"func.func @entry({', '.join(fields)}) -> ({results}) {{")
        all_text = "\n".join([entry] + functions)
        params = [param for param in PARAMS if re.search(re.findall(r"@\w", param)[0] + r"\b", all_text)]
        return "\n".join(params + [all_text]) + "\n"

    def entry(self, signature):
        """Runs the chosen case again and again; its results are carried."""
        kinds = [kind for _, kind in self.RESULTS]
        names = ", ".join(f"%{name}" for name, _ in self.FIELDS).replace("%x", "%y1").replace("%k", "%z1").replace("%rows", "%out1")
        types = ", ".join(kind for _, kind in self.FIELDS)
        lines = [signature, "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
                 f"  %i, %y, %z, %out = scf.while (%i0 = %c0, %y0 = %x, %z0 = %k, %out0 = %rows) : (index, {', '.join(kinds)})"
                 f" -> (index, {', '.join(kinds)}) {{",
                 "    %more = arith.cmpi slt, %i0, %repeat : index",
                 f"    scf.condition(%more) %i0, %y0, %z0, %out0 : index, {', '.join(kinds)}", "  } do {",
                 f"  ^bb0(%i1: index, %y1: {T}, %z1: i32, %out1: {ROWS}):", "    %next = arith.addi %i1, %c1 : index",
                 f"    %r:3 = scf.index_switch %case -> {', '.join(kinds)}"]
        for number, case in enumerate(self.cases):
            lines += [f"    case {number} {{" if number + 1 < len(self.cases) else "    default {",
                      f"      %s:3 = func.call @{case.name}({names}) : ({types}) -> ({', '.join(kinds)})",
                      f"      scf.yield %s#0, %s#1, %s#2 : {', '.join(kinds)}", "    }"]
        return "\n".join(lines + [f"    scf.yield %next, %r#0, %r#1, %r#2 : index, {', '.join(kinds)}", "  }",
                                  f"  return %y, %z, %out : {', '.join(kinds)}", "}"])
