"""Writes instances for argmax.mlir and what is expected of them: argmax.py INSTANCES EXPECTED"""

import json
import math
import random
import sys


def first_of_largest(values):
    """The place of the first NaN, or else of the first of the largest."""
    for i, value in enumerate(values):
        if math.isnan(value):
            return i
    return values.index(max(values))


def quotient(a, b):
    if b:
        return a / b
    return math.nan if a == 0 else math.copysign(math.inf, a)


random.seed(1)
with open(sys.argv[1], "w", encoding="utf-8") as instances, open(sys.argv[2], "w", encoding="utf-8") as expected:
    for n in list(range(1, 70)) + [1000]:
        # Few different values, so that there are ties; zeros of both signs; nothing but -inf.
        x = [random.choice((-1.0, -0.0, 0.0, 1.0, 2.0)) for _ in range(n)] if n % 5 else [-1.0] * n
        over = [random.choice((0.0, 1.0)) if n % 3 == 0 else 1.0 for _ in range(n)] if n % 5 else [0.0] * n
        z = [random.choice((-2.0, -0.0, 0.0)) for _ in range(37)]
        y = [quotient(a, b) for a, b in zip(x, over)]
        print(json.dumps({"x": x, "over": over, "z": z}), file=instances)
        place = first_of_largest(y)
        print(json.dumps({"open": place, "known": first_of_largest(z), "wide": place}, separators=(",", ":")), file=expected)
