"""Trains the classifier with PyTorch on prepared digits, writes its weights and, for tests, outputs for some digits. See README.md.

    python3 train.py --train train.jsonl --test test.jsonl --weights early-exit.safetensors
"""

import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F

DEPTHS = (1, 2, 3, 4)


class EarlyExit(nn.Module):
    """The model of README.md, with its parameters."""

    def __init__(self, width=24):
        super().__init__()
        for k in DEPTHS:
            self.matrix(f"P{k}", 784, width)
            if k > 1:
                self.matrix(f"U{k}", (k - 1) * width, width)
            self.register_parameter(f"b{k}", nn.Parameter(torch.zeros(width)))
            self.matrix(f"W{k}", k * width, 10)
            self.register_parameter(f"c{k}", nn.Parameter(torch.zeros(10)))

    def matrix(self, name, *shape):
        """Makes a parameter."""
        self.register_parameter(name, nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape))))

    def forward(self, pixels):
        """Logits of all heads, [depths, digits, 10]."""
        h, logits = None, []
        for k in DEPTHS:
            P, U, b, W, c = (getattr(self, f"{name}{k}", None) for name in "PUbWc")
            a = torch.addmm(b, pixels, P)
            h = a.relu() if h is None else torch.cat((h, torch.addmm(a, h, U).relu()), 1)
            logits.append(torch.addmm(c, h, W))
        return torch.stack(logits)


def leave(logits, threshold):
    """(logits, depth) with which each digit leaves, of the logits of all heads."""
    confident = F.softmax(logits, 2).amax(2) > threshold
    confident[-1] = True
    depth = confident.int().argmax(0)
    return logits[depth, torch.arange(len(depth))], depth + 1


def shifted(pixels):
    """The images, all moved by the same pixel or none: more training data for free."""
    grown = F.pad(pixels.view(-1, 28, 28), (1, 1, 1, 1))
    right, down = torch.randint(3, (2,)).tolist()
    return grown[:, down:down + 28, right:right + 28].flatten(1)


def train(model, pixels, labels, options):
    """Adam on the sum of all heads' losses, with a learning rate that falls to zero along a cosine."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    batches = -(-len(labels) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, options.epochs * batches)
    for epoch in range(options.epochs):
        total = 0.0
        for chosen in torch.randperm(len(labels)).split(options.batch):
            logits = model(shifted(pixels[chosen]))
            loss = sum(F.cross_entropy(head, labels[chosen]) for head in logits)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1}: loss {total / len(labels):.3f} a digit", flush=True)


def report(model, pixels, labels, thresholds):
    """Prints the share of right digits and of exits for each threshold."""
    logits = model(pixels)
    for k, head in zip(DEPTHS, logits):
        print(f"held out, all at depth {k}: {100 * (head.argmax(1) == labels).float().mean():.2f} % of {len(labels)} digits right")
    for threshold in thresholds:
        chosen, depth = leave(logits, threshold)
        shares = ", ".join(f"{100 * (depth == k).float().mean():.1f} %" for k in DEPTHS)
        print(f"held out, threshold {threshold}: {100 * (chosen.argmax(1) == labels).float().mean():.2f} % right, leave at depth {DEPTHS}: {shares}")


def read_digits(path):
    """All instances of a JSON Lines file, and their pixels [k, 784] and labels [k]."""
    with open(path, encoding="utf-8") as lines:
        instances = [json.loads(line) for line in lines]
    pixels = torch.tensor([instance["pixel"] for instance in instances], dtype=torch.float32)
    return instances, pixels, torch.tensor([instance["label"] for instance in instances])


def write_expected(model, sample, path):
    """Writes the outputs for all instances of the file `sample`."""
    instances, pixels, _ = read_digits(sample)
    logits, depths = leave(model(pixels), torch.tensor([instance["threshold"] for instance in instances]))
    with open(path, "w", encoding="utf-8") as out:
        for row, depth in zip(logits.tolist(), depths.tolist()):
            out.write(json.dumps({"logits": [float(f"{value:.7g}") for value in row], "exit": depth}, separators=(",", ":")) + "\n")


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--test", type=Path, required=True, help="the same, held out")
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--epochs", type=int, default=40)
    options.add_argument("--batch", type=int, default=64)
    options.add_argument("--rate", type=float, default=3e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threshold", type=float, nargs="*", default=[0.9, 0.99, 0.999], help="thresholds to report on")
    options.add_argument("--sample", type=Path, help="instances for --expected")
    options.add_argument("--expected", type=Path, help="write the outputs for --sample")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)

    model = EarlyExit()
    if chosen.evaluate:
        model.load_state_dict(load_file(chosen.weights))
    else:
        train(model, *read_digits(chosen.train)[1:], chosen)
        save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, chosen.weights)
    with torch.inference_mode():
        report(model, *read_digits(chosen.test)[1:], chosen.threshold)
        if chosen.expected is not None:
            write_expected(model, chosen.sample, chosen.expected)


if __name__ == "__main__":
    main()
