"""Interprets a program, its graph, that with explicit forks, and its cells, and compares the results.

    levels.py MODEL IN.jsonl [--levels graph,forks,batched] [-- options of ampc --interpret]

All must give the same lines, but for the places of errors. Needs ampc and amp-opt in PATH.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command, allowed=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def interpret(model, chosen):
    lines = run("ampc", "--interpret", model, "--input", chosen.input, "--output", "-", *chosen.more, allowed=(0, 1))
    return [re.sub(r'"error":".*?:\d+:\d+: ', '"error":"', line) for line in lines.splitlines()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("input")
    options.add_argument("--levels", default="graph,forks,batched")
    options.add_argument("more", nargs="*")
    chosen = options.parse_args()
    levels = chosen.levels.split(",")
    expected = interpret(chosen.model, chosen)
    with tempfile.TemporaryDirectory() as folder:
        path = {level: str(Path(folder) / f"{level}.mlir") for level in ("graph", "forks", "batched")}
        run("ampc", "--compile-to=graph", chosen.model, "-o", path["graph"])
        run("amp-opt", "--amp-materialize-forks", path["graph"], "-o", path["forks"])
        if "batched" in levels:
            run("ampc", "--compile-to=batched", chosen.model, "-o", path["batched"])
        for level in levels:
            got = interpret(path[level], chosen)
            for number, (ours, theirs) in enumerate(zip(got, expected, strict=True), 1):
                if ours != theirs:
                    sys.exit(f"{level}, line {number}:\n  {ours}\n  {theirs}")
    print(f"{len(expected)} instances, the same at each level")
    sys.exit(0 if expected else 1)


if __name__ == "__main__":
    main()
