"""The model's equations in NumPy, in double precision: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import ggsnn_step, main  # noqa: E402


def predict(weights, graph):
    """The outputs for one question."""
    x = np.array(graph["annotation"], np.float64)[:, None]
    h = np.concatenate([x, np.zeros((len(x), 4))], 1)
    for _ in range(2):
        h = ggsnn_step(weights, graph, h)
    score = (np.concatenate([h, x], 1) @ weights["w_out"] + weights["b_out"]).ravel()
    probability = np.exp(score - score.max())
    return {"answer": score.argmax(), "probability": probability / probability.sum()}

if __name__ == "__main__":
    main(__doc__, predict)
