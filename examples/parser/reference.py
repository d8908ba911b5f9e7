"""The model's equations in NumPy, in double precision: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import both_ways, main  # noqa: E402


def predict(weights, sentence):
    """The outputs for one sentence."""
    v = np.concatenate([weights["emb"][sentence["word"]], weights["temb"][sentence["tag"]]], 1)
    for layer in ("l0", "l1"):
        v = both_ways(weights, layer + "f", layer + "b", v)
    n = len(v)
    v = np.concatenate([v, weights["root"][None], weights["pad"][None]])
    stack, front, head, label, actions = [n + 1] * 3, 0, [0] * n, [0] * n, []
    while front < n or len(stack) > 3:
        features = np.concatenate([v[stack[-3]], v[stack[-2]], v[stack[-1]], v[front]])
        score = np.tanh(features @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"]
        if front == n:
            score[0] = -np.inf
        if len(stack) < 4:
            score[1::2] = -np.inf
        if len(stack) < 5:
            score[2::2] = -np.inf
        action = int(score.argmax())
        actions.append(action)
        if action == 0:
            stack.append(front)
            front += 1
        else:
            child = stack.pop()
            head[child], label[child] = front if action % 2 else stack[-1], (action - 1) // 2
    return {"head": head, "label": label, "action": actions}

if __name__ == "__main__":
    main(__doc__, predict)
