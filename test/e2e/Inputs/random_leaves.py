"""The ops without regions of random programs (and maps that only compute indices); see random_program.py."""

from program_tree import D, H, INTS, LIST, LISTS, NUMBERS, ROWS, T

UNARY = {"tanh": "math.tanh", "sigmoid": "amp.sigmoid", "softmax": "amp.softmax"}
LISTED = ((LIST, T), (LIST, T), (NUMBERS, "i32"), (NUMBERS, "i32"), (LISTS, NUMBERS))


class Leaves:
    # Scalars

    def arith(self, env, _):
        op = self.random.choice(("addi", "subi", "muli", "andi", "xori", "maxsi", "minsi"))
        value = self.add(env, ["i32"], f"arith.{op} {{0}}, {{1}} : i32", self.use(env, "i32", "i32"))
        if self.random.random() < 0.05:  # may fail: by zero
            self.add(env, ["i32"], "arith.remsi {0}, {1} : i32", [(value, "i32")] + self.use(env, "i32"))

    def compare(self, env, _):
        kind = self.random.choice(("slt", "eq", "sge"))
        self.add(env, ["i1"], f"arith.cmpi {kind}, {{0}}, {{1}} : i32", self.use(env, "i32", "i32"))

    def modulo(self, env, size):
        return self.add(env, ["index"], f"{{r}}w = arith.index_castui {{0}} : i32 to index\n{{r}} = arith.remui {{r}}w, %c{size} : index",
                        self.use(env, "i32"))

    def number(self, env, _):
        self.add(env, ["i32"], "arith.index_cast {0} : index to i32", self.use(env, "index"))

    def rekey(self, env, _):
        text = ("amp.rekey {0} : i32 forward {{\n^bb0({r}a: i32):\n  {r}b = arith.constant 7 : i32\n  {r}c = arith.xori {r}a, {r}b : i32\n"
                "  amp.yield {r}c : i32\n}} inverse {{\n^bb0({r}d: i32):\n  {r}e = arith.constant 7 : i32\n  {r}f = arith.xori {r}d, {r}e : i32\n"
                "  amp.yield {r}f : i32\n}}")
        self.add(env, ["i32"], text, self.use(env, "i32"))

    def as_tensor(self, value, kind):
        """Any value as a tensor of four numbers that depends on it."""
        def convert(result, text):
            return self.add([], [result], text, [(value, kind)]), result

        if kind == T:
            return value
        if kind == "i32":
            text = (f"{{r}}a = arith.andi {{0}}, %three : i32\n{{r}}f = arith.sitofp {{r}}a : i32 to f32\n{{r}}s = tensor.splat {{r}}f : {T}\n"
                    f"{{r}} = math.tanh {{r}}s : {T}")
            return convert(T, text)[0]
        text = {"index": ("i32", "arith.index_cast {0} : index to i32"), D: (T, f"arith.truncf {{0}} : {D} to {T}"),
                H: (T, f"{{r}}x = arith.extf {{0}} : {H} to {T}\n{{r}} = math.tanh {{r}}x : {T}"),
                LIST: (ROWS, f"amp.stack {{0}} : {LIST}"), NUMBERS: (INTS, f"amp.stack {{0}} : {NUMBERS}"),
                LISTS: ("i32", f"{{r}}n = amp.length {{0}} : {LISTS}\n{{r}} = arith.index_cast {{r}}n : index to i32"),
                ROWS: (T, f"{{r}}p = amp.pool mean {{0}} : {ROWS}\n{{r}} = math.tanh {{r}}p : {T}"), INTS: (ROWS, self.gathered)}[kind]
        return self.as_tensor(*convert(*text))

    # Tensors of four numbers

    def tensor(self, env, _):
        kind = self.random.choice(("addf", "mulf", "subf", "maximumf", "tanh", "sigmoid", "softmax", "mix"))
        if kind in UNARY:
            self.add(env, [T], f"{UNARY[kind]} {{0}} : {T}", self.use(env, T))
        elif kind == "mix":
            text = (f"{{r}}c = tensor.concat dim(0) {{0}}, {{1}} : ({T}, {T}) -> tensor<8xf32>\n"
                    f"{{r}} = tensor.extract_slice {{r}}c[{self.random.randint(0, 4)}] [4] [1] : tensor<8xf32> to {T}")
            self.add(env, [T], text, self.use(env, T, T))
        else:
            self.add(env, [T], f"{{r}}s = arith.{kind} {{0}}, {{1}} : {T}\n{{r}} = math.tanh {{r}}s : {T}", self.use(env, T, T))

    def product(self, env, _):
        weight = self.random.choice("WV")
        text = f"{{r}}w = amp.get @{weight} : tensor<4x4xf32>\n{{r}}y = amp.linear {{0}}, {{r}}w : {T}, tensor<4x4xf32>\n{{r}} = math.tanh {{r}}y : {T}"
        self.add(env, [T], text, self.use(env, T))

    def lookup(self, env, _):
        text = f"{{r}}w = amp.get @W : tensor<4x4xf32>\n{{r}} = amp.lookup {{r}}w[{{0}}] : tensor<4x4xf32>, index"
        self.add(env, [T], text, [(self.modulo(env, 4), "index")])

    def extract(self, env, _):
        """A decision on a computed number."""
        text = f"{{r}}x = tensor.extract {{0}}[{{1}}] : {T}\n{{r}} = arith.cmpf ogt, {{r}}x, %some : f32"
        self.add(env, ["i1"], text, self.use(env, T) + [(self.modulo(env, 4), "index")])

    def elements(self, env, _):
        text = (f"{{r}}a = tensor.extract {{0}}[{{2}}] : {T}\n{{r}}b = tensor.extract {{1}}[%c1] : {T}\n{{r}}c = arith.mulf {{r}}a, {{r}}b : f32\n"
                f"{{r}} = tensor.from_elements {{r}}c, {{r}}a, {{r}}b, %some : {T}")
        self.add(env, [T], text, self.use(env, T, T) + [(self.modulo(env, 4), "index")])

    def argmax(self, env, _):
        """Of numbers in steps: elements that are equal but for rounding must not decide."""
        text = (f"{{r}}t = arith.constant dense<64.0> : {T}\n{{r}}m = arith.mulf {{0}}, {{r}}t : {T}\n{{r}}o = arith.addf {{r}}m, %half : {T}\n"
                f"{{r}}f = math.floor {{r}}o : {T}\n{{r}}k = amp.argmax {{r}}f : {T}\n{{r}} = arith.index_cast {{r}}k : index to i32")
        self.add(env, ["i32"], text, self.use(env, T))

    def loss(self, env, _):
        if self.random.random() < 0.5:
            text, used = f"amp.loss cross_entropy {{0}}, {{1}} : {T}, index -> f32", self.use(env, T) + [(self.modulo(env, 4), "index")]
        else:
            text, used = f"amp.loss squared_error {{0}}, {{1}} : {T}, {T} -> f32", self.use(env, T, T)
        self.add(env, [T], f"{{r}}l = {text}\n{{r}}s = tensor.splat {{r}}l : {T}\n{{r}} = math.tanh {{r}}s : {T}", used)

    def structured(self, env, _):
        """linalg: a product, or an element-wise op with the index."""
        if self.random.random() < 0.5:
            text = (f"{{r}}w = amp.get @W : tensor<4x4xf32>\n{{r}}m = linalg.matvec ins({{r}}w, {{0}} : tensor<4x4xf32>, {T}) outs({{1}} : {T}) -> {T}\n"
                    f"{{r}} = math.tanh {{r}}m : {T}")
        else:
            text = (f"{{r}} = linalg.generic {{{{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>],"
                    f" iterator_types = [\"parallel\"]}}}} ins({{0}}, {{1}} : {T}, {T}) outs(%half : {T}) {{{{\n^bb0({{r}}a: f32, {{r}}b: f32, {{r}}o: f32):\n"
                    f"  {{r}}s = arith.subf {{r}}a, {{r}}b : f32\n  {{r}}t = math.tanh {{r}}s : f32\n  linalg.yield {{r}}t : f32\n}}}} -> {T}")
        self.add(env, [T], text, self.use(env, T, T))

    def wide(self, env, _):
        """f64, from f32 and back."""
        kind = self.random.choice(("extf", "addf", "mulf", "linear", "softmax", "truncf"))
        if kind == "extf":
            self.add(env, [D], f"arith.extf {{0}} : {T} to {D}", self.use(env, T))
        elif kind == "truncf":
            self.add(env, [T], f"arith.truncf {{0}} : {D} to {T}", self.use(env, D))
        elif kind == "linear":
            text = f"{{r}}w = amp.get @D : tensor<4x4xf64>\n{{r}}y = amp.linear {{0}}, {{r}}w : {D}, tensor<4x4xf64>\n{{r}} = math.tanh {{r}}y : {D}"
            self.add(env, [D], text, self.use(env, D))
        elif kind == "softmax":
            self.add(env, [D], f"amp.softmax {{0}} : {D}", self.use(env, D))
        else:
            self.add(env, [D], f"{{r}}s = arith.{kind} {{0}}, {{1}} : {D}\n{{r}} = math.tanh {{r}}s : {D}", self.use(env, D, D))

    def narrow(self, env, _):
        """bf16: exact in f32 before it is rounded, and kept in [-4, 4]."""
        kind = self.random.choice(("addf", "subf", "mulf", "int", "extf", "map"))
        if kind == "extf":
            self.add(env, [T], f"{{r}}x = arith.extf {{0}} : {H} to {T}\n{{r}} = math.tanh {{r}}x : {T}", self.use(env, H))
        elif kind == "int":
            text = (f"{{r}}a = arith.andi {{0}}, %three : i32\n{{r}}v = tensor.from_elements {{r}}a, {{1}}, {{r}}a, %one : tensor<4xi32>\n"
                    f"{{r}}x = arith.sitofp {{r}}v : tensor<4xi32> to {H}\n{{r}}c = arith.constant dense<4.0> : {H}\n{{r}}l = arith.minimumf {{r}}x, {{r}}c : {H}\n"
                    f"{{r}}d = arith.constant dense<-4.0> : {H}\n{{r}} = arith.maximumf {{r}}l, {{r}}d : {H}")
            self.add(env, [H], text, self.use(env, "i32", "i32"))
        elif kind == "map":
            stacked = "tensor<?x4xbf16>"
            text = f"{{r}}m = amp.map {{r}}i to %c3 -> ({stacked}) {{{{\n  amp.yield {{0}} : {H}\n}}}}\n{{r}} = amp.lookup {{r}}m[%c2] : {stacked}, index"
            self.add(env, [H], text, self.use(env, H))
        else:
            text = (f"{{r}}s = arith.{kind} {{0}}, {{1}} : {H}\n{{r}}c = arith.constant dense<4.0> : {H}\n{{r}}l = arith.minimumf {{r}}s, {{r}}c : {H}\n"
                    f"{{r}}d = arith.constant dense<-4.0> : {H}\n{{r}} = arith.maximumf {{r}}l, {{r}}d : {H}")
            self.add(env, [H], text, self.use(env, H, H))

    def reshaped(self, env, _):
        """There and back, or to a shape that does not fit."""
        square = "tensor<2x2xf32>"
        if self.random.random() < 0.5:
            text = (f"{{r}}s = arith.constant dense<2> : tensor<2xi32>\n{{r}}q = tensor.reshape {{0}}({{r}}s) : ({T}, tensor<2xi32>) -> {square}\n"
                    f"{{r}}u = linalg.transpose ins({{r}}q : {square}) outs({{r}}q : {square}) permutation = [1, 0]\n"
                    f"{{r}}f = tensor.from_elements %c4 : tensor<1xindex>\n{{r}} = tensor.reshape {{r}}u({{r}}f) : ({square}, tensor<1xindex>) -> {T}")
            return self.add(env, [T], text, self.use(env, T))
        wrong = self.random.random() < 0.05  # may fail: {1} is not four
        text = (f"{{r}}n = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}}m = arith.muli {{r}}n, %c4 : index\n{{r}}s = tensor.from_elements {{r}}m : tensor<1xindex>\n"
                f"{{r}}f = tensor.reshape {{0}}({{r}}s) : ({ROWS}, tensor<1xindex>) -> tensor<?xf32>\n{{r}}t = math.tanh {{r}}f : tensor<?xf32>\n"
                f"{{r}}k = tensor.from_elements {{r}}n, {'{1}' if wrong else '%c4'} : tensor<2xindex>\n"
                f"{{r}}o = tensor.reshape {{r}}t({{r}}k) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>\n{{r}} = tensor.cast {{r}}o : tensor<?x?xf32> to {ROWS}")
        self.add(env, [ROWS], text, self.use(env, ROWS) + ([(self.modulo(env, 5), "index")] if wrong else []))

    def generated(self, env, _):
        """From indices, from another tensor's elements, from an i32."""
        kind = self.random.choice(("turned", "rows", "ints"))
        if kind == "turned":
            text = (f"{{r}} = tensor.generate {{{{\n^bb0({{r}}i: index):\n  {{r}}j = arith.addi {{r}}i, {{1}} : index\n  {{r}}k = arith.remui {{r}}j, %c4 : index\n"
                    f"  {{r}}v = tensor.extract {{0}}[{{r}}k] : {T}\n  tensor.yield {{r}}v : f32\n}}}} : {T}")
            return self.add(env, [T], text, self.use(env, T) + [(self.modulo(env, 4), "index")])
        if kind == "ints":
            text = (f"{{r}} = tensor.generate {{1}} {{{{\n^bb0({{r}}i: index):\n  {{r}}v = arith.index_cast {{r}}i : index to i32\n"
                    f"  {{r}}w = arith.xori {{r}}v, {{0}} : i32\n  {{r}}u = arith.andi {{r}}w, %three : i32\n  tensor.yield {{r}}u : i32\n}}}} : {INTS}")
            return self.add(env, [INTS], text, self.use(env, "i32") + [(self.modulo(env, 4), "index")])
        limit = "{1}" if self.random.random() < 0.05 else "{r}n"  # may fail: there may be fewer rows
        text = (f"{{r}}n = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}} = tensor.generate {limit} {{{{\n^bb0({{r}}i: index, {{r}}j: index):\n"
                f"  {{r}}v = tensor.extract {{0}}[{{r}}i, {{r}}j] : {ROWS}\n  {{r}}w = arith.negf {{r}}v : f32\n  tensor.yield {{r}}w : f32\n}}}} : {ROWS}")
        self.add(env, [ROWS], text, self.use(env, ROWS) + ([(self.modulo(env, 4), "index")] if "1" in limit else []))

    def constant(self, env, _):
        """Constants of rank 2, and such as have no rows."""
        kind = self.random.choice(("lookup", "rows", "matvec", "map", "map rows", "map ints", "gather", "concat"))
        if kind == "lookup":
            self.add(env, [T], "amp.lookup %table[{0}] : tensor<3x4xf32>, index", [(self.modulo(env, 3), "index")])
        elif kind == "rows":
            self.add(env, [ROWS], f"tensor.cast %table : tensor<3x4xf32> to {ROWS}")
        elif kind == "matvec":
            text = f"{{r}}m = linalg.matvec ins(%square, {{0}} : tensor<4x4xf32>, {T}) outs({{1}} : {T}) -> {T}\n{{r}} = math.tanh {{r}}m : {T}"
            self.add(env, [T], text, self.use(env, T, T))
        elif kind == "gather":
            self.add(env, [ROWS], f"{{r}}x = tensor.cast %noints : tensor<0xi32> to {INTS}\n{{r}} = amp.gather {{0}}[{{r}}x] : {ROWS}, {INTS}", self.use(env, ROWS))
        elif kind == "concat":
            text = f"{{r}}e = tensor.cast %norows : tensor<0x4xf32> to {ROWS}\n{{r}} = tensor.concat dim(0) {{r}}e, {{0}} : ({ROWS}, {ROWS}) -> {ROWS}"
            self.add(env, [ROWS], text, self.use(env, ROWS))
        else:
            of, rest, result, element = {"map": ("%table", "3x4xf32", ROWS, T), "map rows": ("%norows", "0x4xf32", ROWS, T),
                                         "map ints": ("%noints", "0xi32", INTS, "i32")}[kind]
            read = f"amp.lookup {of}[{{r}}i] : tensor<{rest}>, index" if element == T else f"tensor.extract {of}[{{r}}i] : tensor<{rest}>"
            change = "subf" if element == T else "xori"
            text = (f"{{r}}n = tensor.dim {of}, %c0 : tensor<{rest}>\n{{r}} = amp.map {{r}}i to {{r}}n -> ({result}) {{{{\n  {{r}}v = {read}\n"
                    f"  {{r}}w = arith.{change} {{r}}v, {{0}} : {element}\n  amp.yield {{r}}w : {element}\n}}}}")
            self.add(env, [result], text, self.use(env, element))

    # Lists

    def push(self, env, _):
        kind, element = self.random.choice(LISTED)
        self.add(env, [kind], f"amp.push {{0}}, {{1}} : {kind}", self.use(env, element, kind))

    def guarded(self, env, kind, element, results, body, otherwise, operands):
        """What needs an element of the list {0}, if it has one."""
        several = f":{len(results)}" if len(results) > 1 else ""
        lines = "".join(f"\n  {line}" for line in body)
        text = (f"{{r}}n = amp.length {{0}} : {kind}\n{{r}}p = arith.cmpi ugt, {{r}}n, %c0 : index\n{{r}}{several} = scf.if {{r}}p -> ({', '.join(results)}) {{{{"
                f"{lines}\n}}}} else {{{{\n  scf.yield {otherwise} : {', '.join(results)}\n}}}}")
        self.add(env, results, text, operands)

    def pop(self, env, _):
        kind, element = self.random.choice(LISTED)
        used = self.use(env, kind, element)
        if self.random.random() < 0.07:  # may fail: empty
            self.add(env, [kind, element], f"{{r}}:2 = amp.pop {{0}} : {kind}", used[:1])
        else:
            self.guarded(env, kind, element, [kind, element],
                         [f"{{r}}q:2 = amp.pop {{0}} : {kind}", f"scf.yield {{r}}q#0, {{r}}q#1 : {kind}, {element}"], "{0}, {1}", used)

    def at(self, env, _):
        kind, element = self.random.choice(LISTED)
        used = self.use(env, kind, element) + [(self.modulo(env, 4), "index")]
        if self.random.random() < 0.07:  # may fail: outside
            self.add(env, [element], f"amp.at {{0}}[{{2}}] : {kind}, index", used)
        else:
            self.guarded(env, kind, element, [element],
                         ["{r}i = arith.remui {2}, {r}n : index", f"{{r}}e = amp.at {{0}}[{{r}}i] : {kind}, index", f"scf.yield {{r}}e : {element}"], "{1}", used)

    def length(self, env, _):
        kind, _ = self.random.choice(LISTED)
        self.add(env, ["i32"], f"{{r}}n = amp.length {{0}} : {kind}\n{{r}} = arith.index_cast {{r}}n : index to i32", self.use(env, kind))

    def stack(self, env, _):
        kind, result = self.random.choice(((LIST, ROWS), (NUMBERS, INTS)))
        self.add(env, [result], f"amp.stack {{0}} : {kind}", self.use(env, kind))

    # Rows

    def few(self, env):
        """At most two rows."""
        text = (f"{{r}}n = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}}m = arith.minui {{r}}n, %c2 : index\n"
                f"{{r}} = tensor.extract_slice {{0}}[0, 0] [{{r}}m, 4] [1, 1] : {ROWS} to {ROWS}")
        return self.add(env, [ROWS], text, self.use(env, ROWS))

    def row(self, env, _):
        """A row if there is one, else something else."""
        size = self.random.randint(0, 2)
        text = (f"{{r}}s = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}}h = arith.cmpi ugt, {{r}}s, %c{size} : index\n{{r}} = scf.if {{r}}h -> ({T}) {{{{\n"
                f"  {{r}}r = tensor.extract_slice {{0}}[%c{size}, 0] [1, 4] [1, 1] : {ROWS} to {T}\n  scf.yield {{r}}r : {T}\n}}}} else {{{{\n"
                f"  scf.yield {{1}} : {T}\n}}}}")
        self.add(env, [T], text, self.use(env, ROWS, T))

    def rows(self, env, _):
        kind = self.random.choice(("tanh", "sigmoid", "softmax", "linear", "add", "count"))
        if kind in UNARY:
            self.add(env, [ROWS], f"{UNARY[kind]} {{0}} : {ROWS}", self.use(env, ROWS))
        elif kind == "linear":
            text = f"{{r}}w = amp.get @V : tensor<4x4xf32>\n{{r}}y = amp.linear {{0}}, {{r}}w : {ROWS}, tensor<4x4xf32>\n{{r}} = math.tanh {{r}}y : {ROWS}"
            self.add(env, [ROWS], text, self.use(env, ROWS))
        elif kind == "add":
            self.add(env, [ROWS], f"{{r}}s = arith.addf {{0}}, {{0}} : {ROWS}\n{{r}} = math.tanh {{r}}s : {ROWS}", self.use(env, ROWS))
        else:
            self.add(env, ["i32"], f"{{r}}n = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}} = arith.index_cast {{r}}n : index to i32", self.use(env, ROWS))

    def pool(self, env, _):
        kind = self.random.choice(("sum", "mean", "max"))
        self.add(env, [T], f"{{r}}p = amp.pool {kind} {{0}} : {ROWS}\n{{r}} = math.tanh {{r}}p : {T}", self.use(env, ROWS))

    def indices(self, limit):
        """Lines that make {r}x: one index below `limit` for each row of {0}."""
        factor, first = self.random.randint(1, 3), self.random.randint(0, 3)
        return (f"{{r}}n = tensor.dim {{0}}, %c0 : {ROWS}\n{{r}}x = amp.map {{r}}i to {{r}}n -> ({INTS}) {{{{\n  {{r}}a = arith.constant {factor} : index\n"
                f"  {{r}}b = arith.muli {{r}}i, {{r}}a : index\n  {{r}}c = arith.constant {first} : index\n  {{r}}d = arith.addi {{r}}b, {{r}}c : index\n"
                f"  {{r}}e = arith.remui {{r}}d, {limit} : index\n  {{r}}f = arith.index_cast {{r}}e : index to i32\n  amp.yield {{r}}f : i32\n}}}}\n")

    def gather(self, env, _):
        if self.random.random() < 0.05:  # may fail: outside
            self.add(env, [ROWS], f"amp.gather {{0}}[{{1}}] : {ROWS}, {INTS}", self.use(env, ROWS, INTS))
            return
        # Where there are rows, all of {r}x is below their number, else it is empty.
        self.add(env, [ROWS], self.indices("{r}n") + f"{{r}} = amp.gather {{0}}[{{r}}x] : {ROWS}, {INTS}", self.use(env, ROWS))

    gathered = (f"{{r}}n = tensor.dim {{0}}, %c0 : {INTS}\n{{r}}x = amp.map {{r}}i to {{r}}n -> ({INTS}) {{{{\n  {{r}}e = tensor.extract {{0}}[{{r}}i] : {INTS}\n"
                f"  {{r}}f = arith.andi {{r}}e, %three : i32\n  amp.yield {{r}}f : i32\n}}}}\n{{r}}w = amp.get @W : tensor<4x4xf32>\n"
                f"{{r}} = amp.gather {{r}}w[{{r}}x] : tensor<4x4xf32>, {INTS}")

    def gather_parameter(self, env, _):
        self.add(env, [ROWS], self.gathered, self.use(env, INTS))

    def segment(self, env, _):
        kind, count = self.random.choice(("sum", "mean", "max")), self.random.choice(("%c1", "%c3", "%c4"))
        text = self.indices(count) + f"{{r}}s = amp.segment {kind} {{0}}[{{r}}x] to {count} : {ROWS}, {INTS}\n{{r}} = math.tanh {{r}}s : {ROWS}"
        self.add(env, [ROWS], text, self.use(env, ROWS))

    def group(self, env, _):
        text = self.indices("%c3")
        if self.random.random() < 0.5:
            text += f"{{r}}g, {{r}}s = amp.group {{0}}[{{r}}x] to %c3 : {ROWS}, {INTS}\n{{r}}t = math.tanh {{r}}g : {ROWS}\n{{r}} = amp.ungroup {{r}}t[{{r}}x] to %c3 : {ROWS}, {INTS}"
            self.add(env, [ROWS], text, self.use(env, ROWS))
        else:
            text += f"{{r}}g, {{r}}s = amp.group {{0}}[{{r}}x] to %c3 : {ROWS}, {INTS}\n{{r}}k = tensor.extract {{r}}s[%c2] : tensor<?xindex>\n{{r}} = arith.index_cast {{r}}k : index to i32"
            self.add(env, ["i32"], text, self.use(env, ROWS))

    def grouped(self, env, _):
        text = self.indices("%c2") + (f"{{r}}w = amp.get @G : tensor<2x4x4xf32>\n{{r}}y = amp.grouped_linear {{0}}, {{r}}w[{{r}}x] : {ROWS}, tensor<2x4x4xf32>, {INTS}\n"
                                      f"{{r}} = math.tanh {{r}}y : {ROWS}")
        self.add(env, [ROWS], text, self.use(env, ROWS))

    LEAVES = (arith, arith, compare, compare, number, rekey, tensor, tensor, tensor, product, product, lookup, extract, elements, argmax,
              loss, structured, reshaped, generated, constant, constant, wide, wide, narrow, narrow, push, push, push, pop, pop, at, at, length, stack, stack, row, row, rows, rows,
              pool, gather, gather_parameter, segment, group, grouped)
