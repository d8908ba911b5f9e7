"""What reference.py of several examples share: the equations are in NumPy, in double precision. Needs numpy and safetensors."""

import argparse
import json
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file


def sigmoid(x):
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def lstm(weights, cell, rows):
    """The h after each of `rows`, by the parameters whose names begin with `cell`."""
    size = len(weights[f"{cell}_Wh"])
    h, c, states = np.zeros(size), np.zeros(size), [np.zeros((0, size))]
    for row in rows:
        i, f, g, o = np.split(row @ weights[f"{cell}_Wx"] + h @ weights[f"{cell}_Wh"] + weights[f"{cell}_b"], 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h[None])
    return np.concatenate(states)


def both_ways(weights, forwards, backwards, rows):
    """Next to one another, for each row: the h of one cell forwards, and of the other one backwards."""
    return np.concatenate([lstm(weights, forwards, rows), lstm(weights, backwards, rows[::-1])[::-1]], 1)


def ggsnn_step(weights, graph, h):
    """The states of all nodes after messages along all edges and a gated recurrent unit."""
    m = np.zeros_like(h)
    for src, kind, dst in zip(graph["src"], graph["type"], graph["dst"]):
        m[dst] += h[src] @ weights["A"][kind] + weights["a"][kind]
    r_m, z_m, n_m = np.split(m @ weights["W_rzn"] + weights["b_rzn"], 3, 1)
    r_h, z_h, n_h = np.split(h @ weights["U_rzn"], 3, 1)
    r, z = sigmoid(r_m + r_h), sigmoid(z_m + z_h)
    return (1 - z) * np.tanh(n_m + r * (n_h + weights["c_n"])) + z * h


def rounded(value):
    """As JSON has it, numbers to seven digits."""
    if isinstance(value, (list, np.ndarray)):
        return [rounded(element) for element in value]
    return float(f"{value:.7g}") if isinstance(value, (float, np.floating)) else int(value)


def main(doc, predict):
    """Reads the options, and writes what `predict(weights, instance)` gives for each instance."""
    options = argparse.ArgumentParser(description=doc)
    options.add_argument("--input", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True)
    options.add_argument("--output", type=Path, required=True)
    options.add_argument("--limit", type=int, help="at most so many instances")
    chosen = options.parse_args()
    weights = {name: tensor.astype(np.float64) for name, tensor in load_file(chosen.weights).items()}
    with open(chosen.input, encoding="utf-8") as lines, open(chosen.output, "w", encoding="utf-8") as out:
        for line in islice(lines, chosen.limit):
            output = {name: rounded(value) for name, value in predict(weights, json.loads(line)).items()}
            out.write(json.dumps(output, separators=(",", ":")) + "\n")
