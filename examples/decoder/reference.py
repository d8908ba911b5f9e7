"""The model's equations in NumPy, in double precision, with the weights of seed 10: writes what a program should. See README.md.

There is no cache that could go wrong: all positions are computed anew for every token. Prints by how little the best score led.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from seed_weights import seed_weights  # noqa: E402


def rms(x, gain):
    """Each row over its root mean square, times the gains."""
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain


def scores(weights, tokens):
    """The scores of what follows `tokens`."""
    x = weights["emb"][tokens] + weights["pos"][:len(tokens)]
    later = np.triu(np.full((len(tokens), len(tokens)), -np.inf), 1)
    for layer in range(2):
        def w(name):
            return weights[f"{name}_{layer}"]  # noqa: B023
        qkv = rms(x, w("n1")) @ w("W_qkv") + w("b_qkv")
        q, k, v = (part.reshape(-1, 4, 64).transpose(1, 0, 2) for part in np.split(qkv, 3, 1))
        fit = np.exp(q @ k.transpose(0, 2, 1) / 8 + later)
        taken = (fit / fit.sum(-1, keepdims=True)) @ v
        x = x + taken.transpose(1, 0, 2).reshape(-1, 256) @ w("W_o") + w("b_o")
        up = rms(x, w("n2")) @ w("W_up") + w("b_up")
        x = x + 0.5 * up * (1 + np.tanh(np.sqrt(2 / np.pi) * (up + 0.044715 * up ** 3))) @ w("W_down") + w("b_down")
    return rms(x[-1], weights["n_f"]) @ weights["W_out"]


def main():
    """Reads the options and writes an output for each request."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True)
    options.add_argument("--output", type=Path, required=True)
    chosen = options.parse_args()

    weights = {name: tensor.astype(np.float64) for name, tensor in seed_weights(HERE / "decoder.mlir", seed=10).items()}
    least = np.inf
    with open(chosen.input, encoding="utf-8") as lines, open(chosen.output, "w", encoding="utf-8") as out:
        for request in map(json.loads, lines):
            new = []
            while not new or new[-1] != 0 and len(new) < request["max_new"]:
                said = scores(weights, request["prompt"] + new)
                second, best = np.sort(said)[-2:]
                least = min(least, best - second)
                new.append(int(said.argmax()))
            out.write(json.dumps({"token": new}, separators=(",", ":")) + "\n")
    print(f"the best score led by {least:.1e} at least")


if __name__ == "__main__":
    main()
