"""Trains the perceptron with PyTorch on prepared digits and writes its weights. See README.md.

    python3 train.py --train train.jsonl --test test.jsonl --weights mlp-mnist.safetensors
"""

import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F


class Perceptron(nn.Module):
    """The model of README.md, with its parameters."""

    def __init__(self):
        super().__init__()
        for layer, columns in enumerate((784, 784, 784, 10), 1):
            W = torch.empty(columns, 784)
            self.register_parameter(f"W{layer}", nn.Parameter(nn.init.kaiming_uniform_(W, nonlinearity="relu").T.contiguous()))
            self.register_parameter(f"b{layer}", nn.Parameter(torch.zeros(columns)))

    def forward(self, x):
        for W, b in ((self.W1, self.b1), (self.W2, self.b2), (self.W3, self.b3)):
            x = torch.addmm(b, x, W).relu()
        return torch.addmm(self.b4, x, self.W4)


def train(model, pixels, labels, options):
    """Adam with a learning rate that falls to zero along a cosine."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    batches = -(-len(labels) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, options.epochs * batches)
    for epoch in range(options.epochs):
        total = 0.0
        for chosen in torch.randperm(len(labels)).split(options.batch):
            loss = F.cross_entropy(model(pixels[chosen]), labels[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1}: loss {total / len(labels):.3f} a digit", flush=True)


def read_digits(path):
    """(pixels [k, 784], labels [k]) of a JSON Lines file."""
    with open(path, encoding="utf-8") as lines:
        instances = [json.loads(line) for line in lines]
    pixels = torch.tensor([instance["pixel"] for instance in instances], dtype=torch.float32)
    return pixels, torch.tensor([instance["label"] for instance in instances])


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--test", type=Path, required=True, help="the same, held out")
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--epochs", type=int, default=1)
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--rate", type=float, default=1e-3)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)

    model = Perceptron()
    if chosen.evaluate:
        model.load_state_dict(load_file(chosen.weights))
    else:
        train(model, *read_digits(chosen.train), chosen)
        save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, chosen.weights)
    pixels, labels = read_digits(chosen.test)
    with torch.inference_mode():
        right = int((model(pixels).argmax(1) == labels).sum())
    print(f"held out: {right} of {len(labels)} digits right ({100 * right / len(labels):.2f} %)")


if __name__ == "__main__":
    main()
