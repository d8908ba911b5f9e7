"""Trains the parser with PyTorch on prepared sentences, writes its weights and, for tests, outputs for some sentences. See README.md.

    python3 train.py --train train.jsonl --dev dev.jsonl --vocabulary vocab.json --weights parser.f16.safetensors
"""

import argparse
import json
import random
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence


class Parser(nn.Module):
    """The model of README.md."""

    def __init__(self, vocabulary, dropout):
        super().__init__()
        self.emb = nn.Parameter(torch.randn(len(vocabulary["words"]), 100) * 0.1)
        self.temb = nn.Parameter(torch.randn(len(vocabulary["tags"]), 25) * 0.1)
        self.cells = nn.ModuleDict({"l0f": nn.LSTM(125, 125), "l0b": nn.LSTM(125, 125), "l1f": nn.LSTM(250, 125), "l1b": nn.LSTM(250, 125)})
        self.root, self.pad = nn.Parameter(torch.randn(250) * 0.1), nn.Parameter(torch.randn(250) * 0.1)
        self.layers = nn.ModuleDict({"1": nn.Linear(1000, 100), "2": nn.Linear(100, 1 + 2 * len(vocabulary["labels"]))})
        self.dropout = nn.Dropout(dropout)

    def encode(self, words, tags):
        """The vectors of the words of all sentences in turn, then of the root and of what is not there."""
        sizes = [len(word) for word in words]
        v = torch.cat([self.emb[torch.cat(words)], self.temb[torch.cat(tags)]], 1)
        places = torch.arange(len(v)).split(sizes)
        sentence = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
        for layer in ("l0", "l1"):
            v, h = self.dropout(v), []
            for direction, order in (("f", places), ("b", [place.flip(0) for place in places])):
                time = torch.cat([(place - place.min()) for place in order])  # when the cell reads each word
                h.append(self.cells[layer + direction](v[pad_sequence(order)])[0][time, sentence])
            v = torch.cat(h, 1)
        return torch.cat([self.dropout(v), self.root[None], self.pad[None]])

    def scores(self, vectors, rows):
        """The scores of all actions; `rows` [..., 4] are those of s1', s1, s0 and b0 in `vectors`."""
        by_place = (vectors @ self.layers["1"].weight.view(-1, 4, vectors.shape[1]).permute(2, 1, 0).flatten(1)).view(len(vectors) * 4, -1)
        hidden = by_place[rows * 4 + torch.arange(4)].sum(-2) + self.layers["1"].bias
        return self.layers["2"](self.dropout(hidden.tanh()))

    def parse(self, word, tag):
        """The best legal action until all words have heads: README.md's outputs."""
        n = len(word)
        vectors = self.encode([word], [tag])
        stack, front, head, label, actions = [n + 1] * 3, 0, [0] * n, [0] * n, []
        while front < n or len(stack) > 3:
            scores = self.scores(vectors, torch.tensor([*stack[-3:], front]))
            if front == n:
                scores[0] = -torch.inf
            if len(stack) < 4:
                scores[1::2] = -torch.inf
            if len(stack) < 5:
                scores[2::2] = -torch.inf
            action = int(scores.argmax())
            actions.append(action)
            if action == 0:
                stack.append(front)
                front += 1
            else:
                child = stack.pop()
                head[child], label[child] = front if action % 2 else stack[-1], (action - 1) // 2
        return {"head": head, "label": label, "action": actions}

    def layout(self):
        """Pairs of an exported name and the parameters whose sum (transposed where it is a matrix of a layer) it holds."""
        yield from ((name, [getattr(self, name)]) for name in ("emb", "temb", "root", "pad"))
        for name, cell in self.cells.items():
            yield from ((f"{name}_Wx", [cell.weight_ih_l0]), (f"{name}_Wh", [cell.weight_hh_l0]),
                        (f"{name}_b", [cell.bias_ih_l0, cell.bias_hh_l0]))
        for name, layer in self.layers.items():
            yield from ((f"W_{name}", [layer.weight]), (f"b_{name}", [layer.bias]))

    def export(self):
        """The weights as named and laid out in README.md, in half precision."""
        sums = {name: sum(parts).detach() for name, parts in self.layout()}
        return {name: (tensor.T if "W" in name else tensor).half().contiguous() for name, tensor in sums.items()}

    @torch.no_grad()
    def restore(self, tensors):
        """Takes over weights that `export` gave."""
        for name, (first, *others) in self.layout():
            first.copy_(tensors[name].T if "W" in name else tensors[name])
            for other in others:
                other.zero_()


def features(actions):
    """The rows that each action is chosen from when these are taken: s1', s1, s0, b0."""
    n = len(actions) // 2
    stack, front, rows = [n + 1] * 3, 0, []
    for action in actions:
        rows.append([*stack[-3:], front])
        if action == 0:
            stack.append(front)
            front += 1
        else:
            stack.pop()
    return rows


def rows_of(batch, words):
    """The features of all sentences of a batch as rows of its vectors: `words` of words, then the root and what is not there."""
    rows, begin = [], 0
    for sentence in batch:
        n, feature = len(sentence["word"]), sentence["feature"]
        rows.append(torch.where(feature < n, feature + begin, feature - n + words))
        begin += n
    return torch.cat(rows)


def rarely(word, count, rate):
    """The word, or now and then the unknown one: the more seldom it is the more often."""
    return 0 if random.random() < rate / (rate + count[word]) else word


def train(model, sentences, options):
    """Adam with a learning rate that falls to zero along a cosine; teacher forced with the static oracle."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate, betas=(0.9, 0.98))
    batches = -(-len(sentences) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(options.epochs * batches, 1))
    count = [0] * len(model.emb)
    for sentence in sentences:
        sentence["feature"] = torch.tensor(features(sentence["action"]))
        for word in sentence["word"]:
            count[word] += 1
    start = time.process_time()
    for epoch in range(options.epochs):
        model.train()
        total = 0.0
        # Sentences of about one length share a batch.
        random.shuffle(sentences)
        order = sorted(sentences, key=lambda sentence: len(sentence["word"]) + random.random() * 5)
        groups = [order[begin:begin + options.batch] for begin in range(0, len(order), options.batch)]
        random.shuffle(groups)
        for batch in groups:
            words = [torch.tensor([rarely(word, count, options.unknown) for word in sentence["word"]]) for sentence in batch]
            vectors = model.encode(words, [torch.tensor(sentence["tag"]) for sentence in batch])
            rows = rows_of(batch, len(vectors) - 2)
            actions = torch.tensor([action for sentence in batch for action in sentence["action"]])
            loss = F.cross_entropy(model.scores(vectors, rows), actions, reduction="sum") / options.batch
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * options.batch
        print(f"epoch {epoch + 1}: loss {total / len(sentences):.3f} a sentence, {time.process_time() - start:.0f} s of processor time", flush=True)


@torch.inference_mode()
def parses(model, sentences):
    """The outputs for some sentences."""
    model.eval()
    return [model.parse(torch.tensor(sentence["word"]), torch.tensor(sentence["tag"])) for sentence in sentences]


def report(model, sentences):
    """Prints the shares of words with the right head, and with the right label too."""
    heads = both = words = 0
    for sentence, output in zip(sentences, parses(model, sentences)):
        for head, label, right_head, right_label in zip(output["head"], output["label"], sentence["head"], sentence["label"]):
            heads += head == right_head
            both += head == right_head and label == right_label
            words += 1
    print(f"held out: {len(sentences)} sentences, {words} words: UAS {100 * heads / max(words, 1):.2f} %, LAS {100 * both / max(words, 1):.2f} %")


def read_instances(path):
    """All instances of a JSON Lines file."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--dev", type=Path, required=True, help="the same, held out")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True, help="written, in half precision; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--epochs", type=int, default=8)
    options.add_argument("--batch", type=int, default=48)
    options.add_argument("--rate", type=float, default=3e-3)
    options.add_argument("--dropout", type=float, default=0.25)
    options.add_argument("--unknown", type=float, default=0.25, help="a word seen n times becomes unknown with probability u / (u + n)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=Path, help="sentences for --expected")
    options.add_argument("--expected", type=Path, help="write the outputs for --sample")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(chosen.seed)
    random.seed(chosen.seed)

    model = Parser(json.loads(chosen.vocabulary.read_text(encoding="utf-8")), chosen.dropout)
    if not chosen.evaluate:
        train(model, [sentence for sentence in read_instances(chosen.train) if "action" in sentence], chosen)
        save_file(model.export(), chosen.weights)
    model.restore(load_file(chosen.weights))
    report(model, read_instances(chosen.dev))
    if chosen.expected is not None:
        with open(chosen.expected, "w", encoding="utf-8") as out:
            for output in parses(model, read_instances(chosen.sample)):
                out.write(json.dumps(output, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
