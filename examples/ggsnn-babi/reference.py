"""The model's equations in NumPy, in double precision: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import main, sigmoid  # noqa: E402


def predict(weights, graph):
    """The outputs for one question."""
    x = np.array(graph["annotation"], np.float64)[:, None]
    h = np.concatenate([x, np.zeros((len(x), 4))], 1)
    for _ in range(2):
        m = np.zeros_like(h)
        for src, kind, dst in zip(graph["src"], graph["type"], graph["dst"]):
            m[dst] += h[src] @ weights["A"][kind] + weights["a"][kind]
        r_m, z_m, n_m = np.split(m @ weights["W_rzn"] + weights["b_rzn"], 3, 1)
        r_h, z_h, n_h = np.split(h @ weights["U_rzn"], 3, 1)
        r, z = sigmoid(r_m + r_h), sigmoid(z_m + z_h)
        h = (1 - z) * np.tanh(n_m + r * (n_h + weights["c_n"])) + z * h
    score = (np.concatenate([h, x], 1) @ weights["w_out"] + weights["b_out"]).ravel()
    probability = np.exp(score - score.max())
    return {"answer": score.argmax(), "probability": probability / probability.sum()}

if __name__ == "__main__":
    main(__doc__, predict)
