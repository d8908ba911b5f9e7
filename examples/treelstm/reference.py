"""The model's equations in NumPy, in double precision: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import main, sigmoid  # noqa: E402


def predict(weights, tree):
    """The outputs for one tree."""
    h, c = [], []
    for word, left, right in zip(tree["word"], tree["left"], tree["right"]):
        if word >= 0:
            iou, kept = weights["emb"][word] @ weights["W_iou"], 0
        else:
            iou = np.concatenate([h[left], h[right]]) @ weights["U_iou"]
            kept = sum(sigmoid(h[child] @ weights[U] + weights["b_f"]) * c[child] for child, U in ((left, "U_fl"), (right, "U_fr")))
        i, o, u = np.split(iou + weights["b_iou"], 3)
        c.append(sigmoid(i) * np.tanh(u) + kept)
        h.append(sigmoid(o) * np.tanh(c[-1]))
    return {"logits": np.array(h) @ weights["W_out"] + weights["b_out"]}

if __name__ == "__main__":
    main(__doc__, predict)
