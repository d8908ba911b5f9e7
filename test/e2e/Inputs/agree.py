"""Runs a compiled program under every policy, and with cells that belong to workers, and compares its outputs with the interpreter's.

The outputs of the runs must be the same to the last bit, those of the interpreter within the tolerance.

    agree.py PROGRAM IN.jsonl ORACLE.jsonl [--tolerance 1e-5] [-- options of run]

Lines with an error must have an error in both. Prints what differs; exit status 1 then.
"""

import argparse
import itertools
import json
import subprocess
import sys


def flat(value):
    """Numbers of nested lists, in order, and the shape of the nesting."""
    if isinstance(value, list):
        parts = [flat(v) for v in value]
        return [n for numbers, _ in parts for n in numbers], [shape for _, shape in parts]
    return [value], None


def same(ours, theirs, tolerance):
    if ours.keys() != theirs.keys():
        return False
    for name in ours:
        if name == "error":
            continue
        (a, shape_a), (b, shape_b) = flat(ours[name]), flat(theirs[name])
        if shape_a != shape_b:
            return False
        for x, y in zip(a, b):
            if x != y and (x is None or y is None or abs(x - y) > tolerance * max(1, abs(y))):
                return False
    return True


# Policy, workers, in flight, and what else.
SETTINGS = tuple((*setting, ()) for setting in itertools.product(
    ("none", "depth", "agenda", "phase", "greedy"), (1, 2), (1, 7, 64))) + tuple(
    ("agenda", workers, in_flight, ("--placement", "model")) for workers, in_flight in ((1, 64), (2, 7), (2, 64), (4, 64)))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program")
    options.add_argument("input")
    options.add_argument("oracle")
    options.add_argument("--tolerance", type=float, default=1e-5)
    options.add_argument("more", nargs="*")
    chosen = options.parse_args()
    with open(chosen.oracle) as lines:
        expected = [json.loads(line) for line in lines]
    first, wrong = None, 0
    for policy, workers, in_flight, how in SETTINGS:
        command = [chosen.program, "run", "--input", chosen.input, "--quiet", "--policy", policy,
                   "--workers", str(workers), "--max-in-flight", str(max(in_flight, workers)), *how, *chosen.more]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        first = first or lines
        got = [json.loads(line) for line in lines]
        if done.returncode not in (0, 1) or len(got) != len(expected):
            sys.exit(f"{command}: status {done.returncode}, {len(got)} of {len(expected)} lines\n{done.stderr}")
        setting = f"{policy}, {workers} workers, {in_flight} in flight{' by model' if how else ''}"
        for number, (ours, theirs, line, first_line) in enumerate(zip(got, expected, lines, first), 1):
            if not same(ours, theirs, chosen.tolerance):
                wrong += 1
                print(f"{setting}, line {number}:\n  {str(ours)[:1000]}\n  {str(theirs)[:1000]}")
            elif line != first_line and "error" not in ours:  # of several errors any may be reported
                wrong += 1
                print(f"{setting}, line {number}: not the bits of the first run:\n  {line[:1000]}\n  {first_line[:1000]}")
    print(f"{len(expected)} instances agree" if not wrong else f"{wrong} outputs differ")
    sys.exit(1 if wrong or not expected else 0)


if __name__ == "__main__":
    main()
