"""Prints lists, their operation and what the program makes of them. See README.md."""

import argparse
import json
from pathlib import Path

NAMES = ("mean", "alternating", "range", "length")


def main():
    """Reads the options, then instances and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True)
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--limit", type=int, default=8, help="print at most so many (the last line counts all)")
    chosen = options.parse_args()
    right = count = 0
    with open(chosen.input, encoding="utf-8") as lists, open(chosen.output, encoding="utf-8") as outputs:
        for instance, output in zip(map(json.loads, lists), map(json.loads, outputs), strict=True):
            guess = max(range(10), key=output["logits"].__getitem__)
            right += guess == instance["label"]
            if count < chosen.limit:
                mark = "" if guess == instance["label"] else f"  (right: {instance['label']})"
                print(f"{NAMES[instance['token'][0] - 10]:>11} {' '.join(map(str, instance['token'][1:])):<17} = {guess}{mark}")
            count += 1
    print(f"{right} of {count} are right ({100 * right / max(count, 1):.1f} %)")


if __name__ == "__main__":
    main()
