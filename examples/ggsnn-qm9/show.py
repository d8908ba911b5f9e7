"""Prints what the network says of each molecule, and how far that depends on the order of its atoms. See README.md."""

import argparse
import json
import sys
from pathlib import Path

ATOMS = "CNOFH"


def formula(atom):
    """C2H6O: carbon, hydrogen, then the others."""
    count = {symbol: atom.count(ATOMS.index(symbol)) for symbol in "CHNOF"}
    return "".join(symbol + (str(times) if times > 1 else "") for symbol, times in count.items() if times)


def main():
    """Reads the options, then instances and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="the instances, with `name`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--limit", type=int, default=24, help="print at most so many molecules (the last line counts all)")
    chosen = options.parse_args()

    molecules = {}  # a name's formula and predictions
    errors = []
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (instance, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            if "error" in output:
                sys.exit(f"molecule {number + 1}: {output['error']}")
            name = instance.get("name", f"molecule {number + 1}")
            molecules.setdefault(name, (formula(instance["atom"]), []))[1].append(output["pred"])
            if "y" in instance:
                errors.append(abs(output["pred"] - instance["y"]))
    for name, (atoms, predictions) in list(molecules.items())[:chosen.limit]:
        print(f"{name:20} {atoms:8} {predictions[0]:8.4f}")
    if errors:
        print(f"{len(errors)} molecules, mean absolute error {sum(errors) / len(errors):.5f}")
    repeated = [predictions for _, predictions in molecules.values() if len(predictions) > 1]
    if repeated:
        differ = sum(max(predictions) - min(predictions) > 1e-5 for predictions in repeated)
        print(f"{len(molecules)} molecules; of {len(repeated)} given twice, {differ} depend on the order of their atoms")


if __name__ == "__main__":
    main()
