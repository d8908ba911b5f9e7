"""Values over the whole range of f32, and a check of functions of them.

    floats.py make > in.jsonl            {"x": [...]}
    floats.py check OUT.jsonl ORACLE.jsonl   relative error below 1e-6, the same infinities and NaNs
"""

import json
import random
import struct
import sys


def values(count):
    """Bit patterns at random, so that every exponent is there, and the places where functions turn."""
    generator = random.Random(1)
    result = [0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 1.1754944e-38, 88.7, 88.8, -87.3, -87.4, -103.9, -104.1, 9.0, -9.0, 1e38, -1e38]
    result += [generator.uniform(-20, 20) for _ in range(count)]
    while len(result) < 3 * count:
        value = struct.unpack("f", struct.pack("I", generator.getrandbits(32)))[0]
        if value == value and abs(value) != float("inf"):
            result.append(value)
    return result


def check(got, expected):
    worst, where = 0.0, None
    for name, wanted in expected.items():
        assert len(got[name]) == len(wanted), name
        for i, (a, b) in enumerate(zip(got[name], wanted)):
            if a is None or b is None:
                assert a == b, f"{name}[{i}]: got {a}, expected {b}"
                continue
            # Below the smallest normal number, its last place counts.
            # Below the least normal number a result may be zero.
            small = 1.1754944e-38
            error = 0 if max(abs(a), abs(b)) < small else abs(a - b) / max(abs(b), small)
            if error > worst:
                worst, where = error, f"{name}[{i}]: got {a}, expected {b}"
    print(f"largest relative error {worst:.1e} at {where}")
    return worst < 1e-6


if sys.argv[1] == "make":
    print(json.dumps({"x": values(4000)}))
else:
    with open(sys.argv[2]) as ours, open(sys.argv[3]) as theirs:
        sys.exit(0 if check(json.loads(ours.readline()), json.loads(theirs.readline())) else 1)
