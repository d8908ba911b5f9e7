"""Trains the TreeLSTM with PyTorch on prepared trees, writes its weights and, for tests, outputs for some trees. See README.md.

    python3 train.py --train train.jsonl --dev dev.jsonl --vocabulary vocab.json --weights treelstm.safetensors
"""

import argparse
import json
import time
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F


class Levels:
    """A batch's nodes, level by level from the roots down: a level holds the children of the level above's inner nodes, in pairs."""

    def __init__(self, trees):
        sizes = np.array([len(tree["word"]) for tree in trees])
        begins = (sizes.cumsum() - sizes).repeat(sizes)
        word, left, right, label = (np.concatenate([tree[name] for tree in trees]) for name in ("word", "left", "right", "label"))
        children = np.stack((left + begins, right + begins), 1)
        nodes, levels, self.inner = sizes.cumsum() - 1, [], []
        while len(nodes):
            levels.append(nodes)
            inner = (word[nodes] < 0).nonzero()[0]
            self.inner.append(torch.from_numpy(inner))
            nodes = children[nodes[inner]].ravel()
        self.sizes = [len(level) for level in levels]
        order = np.concatenate(levels)
        leaf = (word[order] >= 0).nonzero()[0]
        self.order, self.label = torch.from_numpy(order), torch.from_numpy(label[order])
        self.leaf, self.word = torch.from_numpy(leaf), torch.from_numpy(word[order[leaf]])


class TreeLSTM(nn.Module):
    """The model of README.md, with its parameters."""

    def __init__(self, words, labels, hidden, dropout):
        super().__init__()
        shapes = {"W_iou": (hidden, 3 * hidden), "U_iou": (2 * hidden, 3 * hidden), "b_iou": (3 * hidden,), "U_fl": (hidden, hidden),
                  "U_fr": (hidden, hidden), "b_f": (hidden,), "W_out": (hidden, labels), "b_out": (labels,)}
        self.emb = nn.Parameter(torch.randn(words, hidden) * 0.1)
        for name, shape in shapes.items():
            values = torch.zeros(shape)
            self.register_parameter(name, nn.Parameter(nn.init.xavier_uniform_(values) if len(shape) == 2 else values))
        self.dropout = nn.Dropout(dropout)

    def leaves(self, word):
        """States (h, c) of leaves."""
        i, o, u = torch.addmm(self.b_iou, self.dropout(self.emb[word]), self.W_iou).chunk(3, 1)
        c = i.sigmoid() * u.tanh()
        return o.sigmoid() * c.tanh(), c

    def inner(self, h, c):
        """States of inner nodes from those of their children, [nodes, 2, hidden], left before right."""
        i, o, u = torch.addmm(self.b_iou, h.flatten(1), self.U_iou).chunk(3, 1)
        f_left = torch.addmm(self.b_f, h[:, 0], self.U_fl).sigmoid()
        f_right = torch.addmm(self.b_f, h[:, 1], self.U_fr).sigmoid()
        c = i.sigmoid() * u.tanh() + f_left * c[:, 0] + f_right * c[:, 1]
        return o.sigmoid() * c.tanh(), c

    def forward(self, levels):
        """Logits of all nodes, in the order of the levels."""
        blank = torch.zeros(sum(levels.sizes), len(self.b_f))
        leaf_h, leaf_c = (blank.index_copy(0, levels.leaf, state).split(levels.sizes) for state in self.leaves(levels.word))
        h, c, done = leaf_h[-1], leaf_c[-1], [leaf_h[-1]]
        for inner, h_level, c_level in list(zip(levels.inner, leaf_h, leaf_c))[-2::-1]:
            h, c = self.inner(h.view(len(inner), 2, -1), c.view(len(inner), 2, -1))
            h, c = h_level.index_copy(0, inner, h), c_level.index_copy(0, inner, c)
            done.append(h)
        return torch.addmm(self.b_out, self.dropout(torch.cat(done[::-1])), self.W_out)


def train(model, trees, options):
    """Adam with a learning rate that falls to zero along a cosine."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    batches = -(-len(trees) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(options.epochs * batches, 1))
    start = time.monotonic()
    for epoch in range(options.epochs):
        model.train()
        total = 0.0
        for chosen in torch.randperm(len(trees)).split(options.batch):
            levels = Levels([trees[number] for number in chosen.tolist()])
            loss = F.cross_entropy(model(levels), levels.label, reduction="sum")
            optimiser.zero_grad()
            (loss / options.batch).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(trees):.3f} a tree, {time.monotonic() - start:.0f} s", flush=True)


@torch.inference_mode()
def logits_of(model, tree):
    """Logits of one tree's nodes in its own order."""
    levels = Levels([tree])
    logits = model.eval()(levels)
    return torch.empty_like(logits).index_copy(0, levels.order, logits)


def report(model, trees):
    """Prints the share of right labels: at all nodes, at leaves, at inner nodes and at roots."""
    right, total = {}, {}
    for tree in trees:
        rights = logits_of(model, tree).argmax(1).numpy() == tree["label"]
        leaf = tree["word"] >= 0
        for kind, chosen in (("nodes", rights), ("leaves", rights[leaf]), ("inner nodes", rights[~leaf]), ("roots", rights[-1:])):
            right[kind] = right.get(kind, 0) + int(chosen.sum())
            total[kind] = total.get(kind, 0) + len(chosen)
    shares = (f"{kind} {100 * right[kind] / max(total[kind], 1):.2f} % of {total[kind]}" for kind in total)
    print(f"held out: {len(trees)} trees, right: {', '.join(shares)}")


def read_trees(path):
    """All trees of a JSON Lines file, with their numbers as arrays."""
    with open(path, encoding="utf-8") as lines:
        return [{name: values if name == "text" else np.array(values) for name, values in json.loads(line).items()} for line in lines]


def write_expected(model, sample, count, path):
    """Writes the logits of the first `count` trees of the file `sample`."""
    with open(path, "w", encoding="utf-8") as out:
        for tree in islice(read_trees(sample), count):
            rows = [[float(f"{value:.7g}") for value in row] for row in logits_of(model, tree).tolist()]
            out.write(json.dumps({"logits": rows}, separators=(",", ":")) + "\n")


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--dev", type=Path, required=True, help="the same, held out")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--hidden", type=int, default=128)
    options.add_argument("--epochs", type=int, default=12)
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--rate", type=float, default=2e-3)
    options.add_argument("--dropout", type=float, default=0.3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=Path, help="trees for --expected")
    options.add_argument("--expected", type=Path, help="write the logits of the first trees of --sample")
    options.add_argument("--expected-count", type=int, default=12)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(chosen.seed)

    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    model = TreeLSTM(len(vocabulary["words"]), len(vocabulary["labels"]), chosen.hidden, chosen.dropout)
    if chosen.evaluate:
        model.load_state_dict(load_file(chosen.weights))
    else:
        train(model, read_trees(chosen.train), chosen)
        save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, chosen.weights)
    report(model, read_trees(chosen.dev))
    if chosen.expected is not None:
        write_expected(model, chosen.sample, chosen.expected_count, chosen.expected)


if __name__ == "__main__":
    main()
