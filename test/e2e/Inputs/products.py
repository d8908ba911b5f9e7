"""Makes a program with products of many shapes, and instances for it; or checks the code of the innermost loops.

    products.py make MODEL.mlir IN.jsonl
    products.py spills CODE.s      no loop of multiply-adds uses the stack; there are some
"""

import json
import random
import re
import sys

# Elements of a row, columns of a gate, and whether there is a fifth one. Some are one vector less, more or exactly, some leave one row
# or column over. Without a fifth gate, what is left of all may be one vector.
SHAPES = ((1, 1, True), (7, 5, True), (8, 8, True), (130, 9, True), (300, 31, True), (130, 10, False), (20, 17, False))


def cell(name, k, n, has_fifth):
    """Four gates of one product and a fifth of another, as rows and as a block of rows; a second layer; a raw use."""
    params = f"""
amp.param @{name}_W : tensor<{2 * k}x{4 * n}xf32> init(uniform, -0.3, 0.3)
amp.param @{name}_b : tensor<{4 * n}xf32> init(uniform, -1.0, 1.0)
amp.param @{name}_V : tensor<{n}x{k}xf32> init(uniform, -0.3, 0.3)
"""
    if has_fifth:
        params += f"amp.param @{name}_U : tensor<{k}x{n}xf32> init(uniform, -0.3, 0.3)\n"

    def body(v, rows, x, y):
        """`rows`: "" or "?x"."""
        of = lambda columns: f"tensor<{rows}{columns}xf32>"
        axis = 1 if rows else 0
        fifth = f"amp.linear {y}, %{name}_U : {of(k)}, tensor<{k}x{n}xf32>" if has_fifth else f"math.tanh %{v}f0 : {of(n)}"
        at = lambda offset: f"[0, {offset}] [%rows, {n}] [1, 1]" if rows else f"[{offset}] [{n}] [1]"
        return f"""
  %{v}both = tensor.concat dim({axis}) {x}, {y} : ({of(k)}, {of(k)}) -> {of(2 * k)}
  %{v}all = amp.linear %{v}both, %{name}_W, %{name}_b : {of(2 * k)}, tensor<{2 * k}x{4 * n}xf32>, tensor<{4 * n}xf32>
  %{v}i0 = tensor.extract_slice %{v}all{at(0)} : {of(4 * n)} to {of(n)}
  %{v}f0 = tensor.extract_slice %{v}all{at(n)} : {of(4 * n)} to {of(n)}
  %{v}o0 = tensor.extract_slice %{v}all{at(2 * n)} : {of(4 * n)} to {of(n)}
  %{v}u0 = tensor.extract_slice %{v}all{at(3 * n)} : {of(4 * n)} to {of(n)}
  %{v}g = {fifth}
  %{v}i = amp.sigmoid %{v}i0 : {of(n)}
  %{v}f = amp.sigmoid %{v}f0 : {of(n)}
  %{v}o = amp.sigmoid %{v}o0 : {of(n)}
  %{v}u = math.tanh %{v}u0 : {of(n)}
  %{v}iu = arith.mulf %{v}i, %{v}u : {of(n)}
  %{v}fg = arith.mulf %{v}f, %{v}g : {of(n)}
  %{v}c = arith.addf %{v}iu, %{v}fg : {of(n)}
  %{v}t = math.tanh %{v}c : {of(n)}
  %{v}h = arith.mulf %{v}o, %{v}t : {of(n)}
  %{v}next = amp.linear %{v}h, %{name}_V : {of(n)}, tensor<{n}x{k}xf32>
  %{v}res = arith.addf %{v}next, {x} : {of(k)}"""

    gets = "".join(
        f"\n  %{name}_{p} = amp.get @{name}_{p} : {t}"
        for p, t in (
            ("W", f"tensor<{2 * k}x{4 * n}xf32>"),
            ("U", f"tensor<{k}x{n}xf32>"),
            ("b", f"tensor<{4 * n}xf32>"),
            ("V", f"tensor<{n}x{k}xf32>"),
        )
        if has_fifth or p != "U"
    )
    lines = (
        gets
        + body(f"{name}r", "", f"%{name}_x", f"%{name}_y")
        + body(f"{name}m", "?x", f"%{name}_xs", f"%{name}_ys")
        + f"""
  %{name}p = amp.pool max %{name}mh : tensor<?x{n}xf32>
  %{name}q = amp.pool sum %{name}mg : tensor<?x{n}xf32>"""
    )
    row, block = f"tensor<{k}xf32>", f"tensor<?x{k}xf32>"
    fields = [(f"{name}_x", row), (f"{name}_y", row), (f"{name}_xs", block), (f"{name}_ys", block)]
    results = [
        (f"{name}rc", f"tensor<{n}xf32>"),
        (f"{name}rres", row),
        (f"{name}mc", f"tensor<?x{n}xf32>"),
        (f"{name}mres", block),
        (f"{name}p", f"tensor<{n}xf32>"),
        (f"{name}q", f"tensor<{n}xf32>"),
    ]
    return params, lines, fields, results


def make(model, instances):
    params, lines, fields, results = "", "", [], []
    for number, (k, n, has_fifth) in enumerate(SHAPES):
        a, b, c, d = cell(f"s{number}", k, n, has_fifth)
        params, lines, fields, results = params + a, lines + b, fields + c, results + d
    arguments = ", ".join(f'%{name}: {t} {{amp.name = "{name}"}}' for name, t in fields)
    types = ", ".join(f'{t} {{amp.name = "{name}"}}' for name, t in results)
    with open(model, "w") as file:
        file.write(f"{params}\nfunc.func @products({arguments}) -> ({types}) {{\n  %zero = arith.constant 0 : index")
        file.write(f"\n  %rows = tensor.dim %s0_xs, %zero : tensor<?x{SHAPES[0][0]}xf32>{lines}")
        file.write("\n  return " + ", ".join("%" + name for name, _ in results))
        file.write(" : " + ", ".join(t for _, t in results) + "\n}\n")
    random.seed(1)
    with open(instances, "w") as file:
        for number in range(18):
            rows = 2 * number if number < 15 else number % 15
            instance = {}
            for name, _ in fields:
                k = SHAPES[int(re.match(r"s(\d+)", name).group(1))][0]
                vector = lambda: [round(random.uniform(-2, 2), 4) for _ in range(k)]
                # Once the blocks have different numbers of rows: an error, and nothing past an end.
                count = rows + (number == 9 and name.endswith("ys"))
                instance[name] = [vector() for _ in range(count)] if name.endswith("s") else vector()
            file.write(json.dumps(instance) + "\n")


def spills(path):
    """Blocks that jump to their own label and multiply and add."""
    label, block, loops, bad = None, [], 0, []
    for line in open(path):
        text = line.strip()
        if re.match(r"\.?\w+.*:", text):
            label, block = text.split(":")[0], []
            continue
        block.append(text)
        if re.match(rf"j\w+\s+{re.escape(label or '?')}$", text):
            sums = sum("vfmadd231ps" in each for each in block)
            # Polynomials have multiply-adds, too, but divide, or read no elements of rows.
            if sums >= 8 and not any("vdiv" in each for each in block) and any("vbroadcastss" in each and "rip" not in each for each in block):
                loops += 1
                bad += [each for each in block if "(%rsp" in each]
            block = []
    print(f"{loops} loops, {len(bad)} uses of the stack")
    if not loops or bad:
        print("\n".join(bad))
        sys.exit(1)


if __name__ == "__main__":
    {"make": make, "spills": spills}[sys.argv[1]](*sys.argv[2:])
