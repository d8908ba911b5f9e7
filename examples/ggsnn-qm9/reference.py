"""The model's equations in NumPy, in double precision, with the weights of the seed: writes what a program should. See README.md."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from equations import ggsnn_step, sigmoid  # noqa: E402
from seed_weights import seed_weights  # noqa: E402


def predict(weights, molecule):
    """`pred` of one molecule."""
    h = h0 = weights["emb"][molecule["atom"]]
    for _ in range(4):
        h = ggsnn_step(weights, molecule, h)
    x = np.concatenate([h, h0], 1)
    said = sigmoid(x @ weights["W_i"] + weights["b_i"]) * np.tanh(x @ weights["W_j"] + weights["b_j"])
    return (said.sum(0) @ weights["w_out"] + weights["b_out"])[0]


def main():
    """Reads the options and writes an output for each instance."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True)
    options.add_argument("--output", type=Path, required=True)
    chosen = options.parse_args()

    weights = {name: tensor.astype(np.float64) for name, tensor in seed_weights(HERE / "ggsnn-qm9.mlir").items()}
    with open(chosen.input, encoding="utf-8") as lines, open(chosen.output, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps({"pred": float(f"{predict(weights, json.loads(line)):.7g}")}) + "\n")


if __name__ == "__main__":
    main()
