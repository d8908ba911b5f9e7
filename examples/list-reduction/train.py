"""Trains the list reduction with PyTorch and writes its weights. See README.md."""

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HIDDEN, EMBEDDING, OPERATIONS, CLASSES = 64, 16, 4, 10


def make_parameters():
    """The model's parameters by name."""
    def matrix(rows, columns):
        return nn.init.xavier_uniform_(torch.empty(rows, columns))
    parameters = {"emb": torch.randn(10, EMBEDDING)}
    for k in range(OPERATIONS):
        parameters |= {f"Wx_{k}": matrix(EMBEDDING, HIDDEN), f"Wh_{k}": nn.init.orthogonal_(torch.empty(HIDDEN, HIDDEN)),
                       f"b_{k}": torch.zeros(HIDDEN)}
    parameters |= {"W_out": matrix(HIDDEN, CLASSES), "b_out": torch.zeros(CLASSES)}
    return {name: nn.Parameter(value) for name, value in parameters.items()}


def logits(p, operation, digits):
    """Of a batch of lists [n, length] of one operation and one length."""
    h = torch.zeros(len(digits), HIDDEN)
    for x in p["emb"][digits].unbind(1):
        h = torch.tanh(x @ p[f"Wx_{operation}"] + h @ p[f"Wh_{operation}"] + p[f"b_{operation}"])
    return h @ p["W_out"] + p["b_out"]


def read(path):
    """Instances by operation and length: lists and labels."""
    groups = defaultdict(lambda: ([], []))
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            instance = json.loads(line)
            lists, labels = groups[instance["token"][0] - 10, len(instance["token"]) - 1]
            lists.append(instance["token"][1:])
            labels.append(instance["label"])
    return {key: (torch.tensor(lists), torch.tensor(labels)) for key, (lists, labels) in groups.items()}


def accuracy(p, groups):
    """The share of right labels, of each operation."""
    right, all_ = [0] * OPERATIONS, [0] * OPERATIONS
    with torch.no_grad():
        for (operation, _), (lists, labels) in groups.items():
            right[operation] += (logits(p, operation, lists).argmax(1) == labels).sum().item()
            all_[operation] += len(labels)
    return [r / a for r, a in zip(right, all_)]


def main():
    """Reads the options, trains, writes weights and expected outputs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--train", type=Path, required=True)
    options.add_argument("--dev", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True)
    options.add_argument("--sample", type=Path, required=True)
    options.add_argument("--expected", type=Path, required=True, help="PyTorch's outputs for the sample")
    options.add_argument("--seconds", type=float, default=240)
    options.add_argument("--batch", type=int, default=100)
    chosen = options.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    p = make_parameters()
    train, dev = read(chosen.train), read(chosen.dev)
    optimizer = torch.optim.Adam(p.values(), lr=2e-3)
    begin = time.monotonic()
    while (spent := time.monotonic() - begin) < chosen.seconds:
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * max(0.02, 1 - spent / chosen.seconds)
        batches = [(key, part) for key, (lists, _) in train.items() for part in torch.randperm(len(lists)).split(chosen.batch)]
        for i in torch.randperm(len(batches)).tolist():
            (operation, _), part = batches[i][0], batches[i][1]
            lists, labels = train[batches[i][0]]
            loss = nn.functional.cross_entropy(logits(p, operation, lists[part]), labels[part])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(p.values(), 1.0)
            optimizer.step()
        print(f"{spent:.0f} s: dev", " ".join(f"{share:.3f}" for share in accuracy(p, dev)), flush=True)
    save_file({name: value.detach().contiguous() for name, value in p.items()}, chosen.weights)
    with open(chosen.sample, encoding="utf-8") as lines, open(chosen.expected, "w", encoding="utf-8") as out, torch.no_grad():
        for line in lines:
            instance = json.loads(line)
            row = logits(p, instance["token"][0] - 10, torch.tensor([instance["token"][1:]]))
            loss = nn.functional.cross_entropy(row, torch.tensor([instance["label"]]))
            out.write(json.dumps({"logits": row[0].tolist(), "loss": loss.item()}) + "\n")


if __name__ == "__main__":
    main()
