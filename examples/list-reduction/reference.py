"""The model's equations in NumPy, in double precision: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import main  # noqa: E402


def predict(weights, instance):
    """The outputs for one list."""
    operation, *digits = instance["token"]
    operation -= 10
    h = np.zeros(64)
    for x in weights["emb"][digits]:
        h = np.tanh(x @ weights[f"Wx_{operation}"] + h @ weights[f"Wh_{operation}"] + weights[f"b_{operation}"])
    logits = h @ weights["W_out"] + weights["b_out"]
    return {"logits": logits, "loss": np.log(np.exp(logits).sum()) - logits[instance["label"]]}

if __name__ == "__main__":
    main(__doc__, predict)
