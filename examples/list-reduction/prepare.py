"""Generates instances of AMPNet's list reduction, one JSON object a line. See README.md."""

import argparse
import json
import random
from fractions import Fraction
from pathlib import Path

OPERATIONS = ("mean", "alternating", "range", "length")


def mean(digits):
    """As a fraction; 0 of nothing."""
    return Fraction(sum(digits), len(digits)) if digits else Fraction(0)


def reduce(operation, digits):
    """The operation's result, rounded (half to even), modulo 10."""
    result = {"mean": lambda: mean(digits), "alternating": lambda: mean(digits[0::2]) - mean(digits[1::2]),
              "range": lambda: Fraction(max(digits) - min(digits)), "length": lambda: Fraction(len(digits))}[OPERATIONS[operation]]()
    return round(result) % 10


def instances(count, seed):
    """Yields `count` of them: the operation's token (10 + its number), then one to nine digits."""
    numbers = random.Random(seed)
    for _ in range(count):
        operation = numbers.randrange(len(OPERATIONS))
        digits = [numbers.randrange(10) for _ in range(numbers.randint(1, 9))]
        yield {"token": [10 + operation, *digits], "label": reduce(operation, digits)}


def main():
    """Reads the options and writes the file."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, required=True)
    options.add_argument("--seed", type=int, required=True, help="1: training, 2: validation")
    options.add_argument("--output", type=Path, required=True)
    chosen = options.parse_args()
    with open(chosen.output, "w", encoding="utf-8") as lines:
        for instance in instances(chosen.count, chosen.seed):
            lines.write(json.dumps(instance, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
