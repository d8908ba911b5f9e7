"""Prints digits as pictures of text with what they were taken for, and the share that is right. See README.md.

Serves the models that stop early, too: where there is an output `exit`, it says how deep each digit went.
"""

import argparse
import json
from collections import Counter
from itertools import zip_longest
from pathlib import Path


def picture(pixels):
    """Lines of text: the middle of the image, in which the digit is; a character stands for two pixels, one above the other."""
    shades = " .:+#"
    lines = []
    for row in range(3, 25, 2):
        pairs = ((pixels[row * 28 + column] + pixels[(row + 1) * 28 + column]) / 2 for column in range(3, 25))
        lines.append("".join(shades[round(shade * (len(shades) - 1))] for shade in pairs))
    return lines


def caption(digit, label, output):
    """What the digit was taken for, what it is where that is something else, and the depth."""
    text = str(digit) if label in (None, digit) else f"{digit}, but it is {label}"
    return f"{text} (depth {output['exit']})" if "exit" in output else text


def main():
    """Reads the options, then instances and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="the digits")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--limit", type=int, default=8, help="print at most so many digits (the last lines count all)")
    options.add_argument("--columns", type=int, default=4, help="digits beside one another")
    chosen = options.parse_args()

    shown, right, labelled, depths = [], 0, 0, Counter()
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (instance, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            digit, label = max(range(10), key=output["logits"].__getitem__), instance.get("label")
            if number < chosen.limit:
                shown.append(picture(instance["pixel"]) + [caption(digit, label, output)])
            right += digit == label
            labelled += label is not None
            depths.update([output["exit"]] if "exit" in output else [])
    for begin in range(0, len(shown), chosen.columns):
        for parts in zip_longest(*shown[begin:begin + chosen.columns]):
            print("  ".join(f"{part:22}" for part in parts).rstrip())
        print()
    if labelled:
        print(f"{right} of {labelled} digits right ({100 * right / labelled:.1f} %)")
    if depths:
        shares = (f"{depth}: {100 * times / depths.total():.1f} %" for depth, times in sorted(depths.items()))
        print(f"left at depth {', '.join(shares)}")


if __name__ == "__main__":
    main()
