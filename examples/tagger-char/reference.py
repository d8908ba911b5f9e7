"""The model's equations in NumPy, in double precision, and those of tagger: writes what a program should. See README.md."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from equations import both_ways, lstm, main  # noqa: E402


def vector(weights, sentence, word, begin, end):
    """x of a word."""
    if word >= 0:
        return weights["emb"][word]
    rows = weights["cemb"][sentence["chars"][begin:end]]
    return np.concatenate([lstm(weights, "cf", rows)[-1], lstm(weights, "cb", rows[::-1])[-1]])


def predict(weights, sentence):
    """The outputs for one sentence."""
    nowhere = [0] * len(sentence["word"])
    spelling = zip(sentence["word"], sentence.get("char_begin", nowhere), sentence.get("char_end", nowhere))
    rows = np.array([vector(weights, sentence, *word) for word in spelling])
    m = np.tanh(both_ways(weights, "f", "b", rows) @ weights["W_mlp"] + weights["b_mlp"])
    return {"logits": m @ weights["W_tag"] + weights["b_tag"]}

if __name__ == "__main__":
    main(__doc__, predict)
