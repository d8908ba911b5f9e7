"""Prints instances of wrong-in-dynet.mlir: cubes of numbers, and which of the variants is chosen.

    cubes.py COUNT VARIANTS
"""

import json
import random
import sys

count, variants = map(int, sys.argv[1:])
numbers = random.Random(5)
for i in range(count):
    cube = [[[round(numbers.uniform(-2, 2), 3) for _ in range(3)] for _ in range(3)] for _ in range(3)]
    print(json.dumps({"x": cube, "k": i % variants}))
