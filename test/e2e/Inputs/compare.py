"""Compares two JSON Lines files of results: compare.py a.jsonl b.jsonl [--tolerance 1e-5] [--lines n].

Numbers may differ by `tolerance`, relative to the larger of 1 and the expected one; all else must be
the same. Prints how many lines there were and the largest difference."""

import argparse
import itertools
import json
import sys


def difference(a, b, where):
    """The largest difference between two values of the same shape; ends the program where shapes differ."""
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return max((difference(x, y, f"{where}[{i}]") for i, (x, y) in enumerate(zip(a, b))), default=0.0)
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return max((difference(a[key], b[key], f"{where}.{key}") for key in a), default=0.0)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) / max(1.0, abs(b))
    if a == b:
        return 0.0
    sys.exit(f"{where}: got {str(a)[:80]}, expected {str(b)[:80]}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("got")
    options.add_argument("expected")
    options.add_argument("--tolerance", type=float, default=1e-5)
    options.add_argument("--lines", type=int, help="compare only so many")
    chosen = options.parse_args()
    worst, count = 0.0, 0
    with open(chosen.got, encoding="utf-8") as got, open(chosen.expected, encoding="utf-8") as expected:
        pairs = itertools.islice(itertools.zip_longest(got, expected), chosen.lines)
        for count, (a, b) in enumerate(pairs, start=1):
            if a is None or b is None:
                sys.exit(f"line {count} is in one of the files only")
            worst = max(worst, difference(json.loads(a), json.loads(b), f"line {count}: "))
    print(f"{count} lines, largest difference {worst:.1e}")
    if worst > chosen.tolerance:
        sys.exit(f"more than {chosen.tolerance}")


if __name__ == "__main__":
    main()
