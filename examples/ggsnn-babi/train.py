"""Trains the network with PyTorch on prepared questions, writes its weights and, for tests, outputs for some questions. See README.md.

    python3 train.py --train train.jsonl --test test.jsonl --weights ggsnn-babi.safetensors
"""

import argparse
import json
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F

HIDDEN, STEPS, TYPES = 5, 2, 4


class Graphs:
    """Some questions as one graph without edges between them."""

    def __init__(self, questions):
        sizes = torch.tensor([len(question["annotation"]) for question in questions])
        self.begin = sizes.cumsum(0) - sizes
        self.annotation, self.src, self.type, self.dst = (
            torch.cat([torch.tensor(question[name]) + shift for question, shift in zip(questions, shifts)])
            for name, shifts in (("annotation", 0 * sizes), ("src", self.begin), ("type", 0 * sizes), ("dst", self.begin)))
        self.right = torch.tensor([question["right"] for question in questions])
        self.sizes = sizes.tolist()


class Network(nn.Module):
    """The model of README.md, with its parameters."""

    def __init__(self):
        super().__init__()
        shapes = {"A": (TYPES, HIDDEN, HIDDEN), "a": (TYPES, HIDDEN), "W_rzn": (HIDDEN, 3 * HIDDEN), "U_rzn": (HIDDEN, 3 * HIDDEN),
                  "b_rzn": (3 * HIDDEN,), "c_n": (HIDDEN,), "w_out": (HIDDEN + 1, 1), "b_out": (1,)}
        for name, shape in shapes.items():
            bound = (6 / (shape[-2] + shape[-1])) ** 0.5 if name[0] in "AWUw" else 0.1
            self.register_parameter(name, nn.Parameter(torch.empty(shape).uniform_(-bound, bound)))

    def forward(self, graphs):
        """The scores of all nodes, a tensor a question."""
        x = graphs.annotation[:, None]
        h = F.pad(x, (0, HIDDEN - 1))
        for _ in range(STEPS):
            sent = torch.bmm(h[graphs.src][:, None], self.A[graphs.type])[:, 0] + self.a[graphs.type]
            m = torch.zeros_like(h).index_add(0, graphs.dst, sent)
            r_m, z_m, n_m = (m @ self.W_rzn + self.b_rzn).chunk(3, 1)
            r_h, z_h, n_h = (h @ self.U_rzn).chunk(3, 1)
            z = (z_m + z_h).sigmoid()
            h = (1 - z) * (n_m + (r_m + r_h).sigmoid() * (n_h + self.c_n)).tanh() + z * h
        return (torch.cat([h, x], 1) @ self.w_out + self.b_out)[:, 0].split(graphs.sizes)


def loss_of(model, graphs):
    """Cross-entropy of the right nodes, on the mean over the questions."""
    scores = nn.utils.rnn.pad_sequence(model(graphs), batch_first=True, padding_value=-1e9)
    return F.cross_entropy(scores, graphs.right)


def train(model, questions, options):
    """Adam over all questions at once, until the loss is small."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    graphs = Graphs(questions)
    for epoch in range(options.epochs):
        loss = loss_of(model, graphs)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if loss.item() < options.enough:
            break
    print(f"loss {loss.item():.4f} after {epoch + 1} epochs", flush=True)
    return loss.item()


@torch.inference_mode()
def report(model, questions, name):
    """Prints the share of right answers."""
    graphs = Graphs(questions)
    right = sum(int(scores.argmax()) == answer for scores, answer in zip(model(graphs), graphs.right.tolist()))
    print(f"{name}: {right} of {len(questions)} right ({100 * right / len(questions):.1f} %)")


def read_instances(path, count=None):
    """The first `count` instances of a JSON Lines file."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, count)]


@torch.inference_mode()
def write_expected(model, questions, path):
    """Writes README.md's outputs for the questions."""
    with open(path, "w", encoding="utf-8") as out:
        for scores in model(Graphs(questions)):
            probability = [float(f"{value:.7g}") for value in scores.softmax(0).tolist()]
            out.write(json.dumps({"answer": int(scores.argmax()), "probability": probability}, separators=(",", ":")) + "\n")


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--test", type=Path, nargs="+", required=True, help="the same, held out")
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--count", type=int, default=50, help="train on so many questions, the first")
    options.add_argument("--epochs", type=int, default=3000, help="at most")
    options.add_argument("--enough", type=float, default=0.01, help="the loss at which training ends")
    options.add_argument("--rate", type=float, default=0.01)
    options.add_argument("--tries", type=int, default=5, help="train anew, with another seed, so often at most where the loss stays above --enough")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=Path, help="questions for --expected")
    options.add_argument("--expected", type=Path, help="write the outputs for --sample")
    chosen = options.parse_args()
    torch.set_num_threads(1)

    if not chosen.evaluate:
        for seed in range(chosen.seed, chosen.seed + chosen.tries):
            torch.manual_seed(seed)
            model = Network()
            if train(model, read_instances(chosen.train, chosen.count), chosen) < chosen.enough:
                break
        save_file(model.state_dict(), chosen.weights)
    model = Network()
    model.load_state_dict(load_file(chosen.weights))
    for path in chosen.test:
        report(model, read_instances(path), path.name)
    if chosen.expected is not None:
        write_expected(model, read_instances(chosen.sample), chosen.expected)


if __name__ == "__main__":
    main()
