"""Trains the tagger with PyTorch on prepared sentences, writes its weights and, for tests, outputs for some sentences. See README.md.

    python3 train.py --train train.jsonl --dev dev.jsonl --vocabulary vocab.json --weights moe-tagger.safetensors
"""

import argparse
import json
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import PackedSequence, pack_sequence

EXPERTS = 4
SIZE = 64  # of embeddings, of the states of a direction, and inside and behind an expert


class Tagger(nn.Module):
    """The model of README.md. The parameters of nn.LSTM and nn.Linear, which have other layouts, are converted by `export` and `restore`."""

    def __init__(self, vocabulary, dropout):
        super().__init__()
        self.emb, self.end = (nn.Parameter(torch.randn(len(vocabulary[kind]), SIZE) * 0.1) for kind in ("words", "endings"))
        self.lstm = nn.LSTM(SIZE, SIZE, bidirectional=True)
        self.layers = nn.ModuleDict({"router": nn.Linear(2 * SIZE, EXPERTS), "tag": nn.Linear(SIZE, len(vocabulary["tags"]))})
        for number in range(EXPERTS):
            self.layers[f"in{number}"] = nn.Linear(2 * SIZE, SIZE)
            self.layers[f"out{number}"] = nn.Linear(SIZE, SIZE)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words, endings):
        """For the words of a batch, which is packed: logits, the experts' probabilities and the expert of each word."""
        x = self.dropout(F.embedding(words.data, self.emb) + F.embedding(endings.data, self.end))
        h = self.dropout(self.lstm(PackedSequence(x, words.batch_sizes))[0].data)
        probability = self.layers["router"](h).softmax(1)
        gate, expert = probability.max(1)
        y = torch.zeros(len(h), SIZE)
        for number in range(EXPERTS):
            own = (expert == number).nonzero().squeeze(1)
            y = y.index_copy(0, own, self.layers[f"out{number}"](self.layers[f"in{number}"](h[own]).relu()))
        return self.layers["tag"](y * gate.unsqueeze(1)), probability, expert

    def layout(self):
        """Pairs of an exported name and the parameters whose sum (transposed where it is a matrix of a layer) it holds."""
        yield from (("emb", [self.emb]), ("end", [self.end]))
        for name, (W_x, W_h, b_x, b_h) in zip("fb", self.lstm.all_weights):
            yield from ((f"{name}_Wx", [W_x]), (f"{name}_Wh", [W_h]), (f"{name}_b", [b_x, b_h]))
        for name, layer in self.layers.items():
            yield from ((f"W_{name}", [layer.weight]), (f"b_{name}", [layer.bias]))

    def export(self):
        """The weights as named and laid out in README.md."""
        sums = {name: sum(parts).detach() for name, parts in self.layout()}
        return {name: (tensor.T if "W" in name else tensor).contiguous() for name, tensor in sums.items()}

    @torch.no_grad()
    def restore(self, tensors):
        """Takes over weights that `export` gave."""
        for name, (first, *others) in self.layout():
            first.copy_(tensors[name].T if "W" in name else tensors[name])
            for other in others:
                other.zero_()


def packed(sentences, field):
    """One field of all sentences as a packed sequence. The order of the words depends on the sentences' lengths only."""
    return pack_sequence([sentence[field] for sentence in sentences], enforce_sorted=False)


def balance(probability, expert):
    """The loss of Switch Transformers: 1 if all experts get equally many words, more if not; its gradient is that of the probabilities."""
    share = torch.bincount(expert, minlength=EXPERTS) / len(expert)
    return EXPERTS * (share * probability.mean(0)).sum()


def train(model, sentences, options):
    """Adam with a learning rate that falls to zero along a cosine. A share of the words is taken for unknown ones."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    batches = -(-len(sentences) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(options.epochs * batches, 1))
    start = time.monotonic()
    for epoch in range(options.epochs):
        model.train()
        total = words_done = 0
        for chosen in torch.randperm(len(sentences)).split(options.batch):
            batch = [sentences[number] for number in chosen.tolist()]
            words, endings, tags = (packed(batch, field) for field in ("word", "ending", "tag"))
            words = words._replace(data=words.data * (torch.rand(len(words.data)) >= options.unknown))
            logits, probability, expert = model(words, endings)
            loss = F.cross_entropy(logits, tags.data, reduction="sum")
            optimiser.zero_grad()
            (loss / options.batch + options.balance * len(expert) / options.batch * balance(probability, expert)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
            words_done += len(expert)
        print(f"epoch {epoch + 1}: loss {total / words_done:.3f} a word, {time.monotonic() - start:.0f} s", flush=True)


@torch.inference_mode()
def outputs_of(model, sentence):
    """Logits and experts of one sentence."""
    logits, _, expert = model.eval()(*(packed([sentence], field) for field in ("word", "ending")))
    return logits, expert


def report(model, sentences):
    """Prints the share of right tags, and of each expert."""
    right, total, words = 0, 0, torch.zeros(EXPERTS)
    for sentence in sentences:
        logits, expert = outputs_of(model, sentence)
        right += int((logits.argmax(1) == sentence["tag"]).sum())
        total += len(expert)
        words += torch.bincount(expert, minlength=EXPERTS)
    shares = ", ".join(f"{100 * share:.1f} %" for share in (words / total).tolist())
    print(f"held out: {len(sentences)} sentences, {right} of {total} tags right ({100 * right / total:.2f} %), experts: {shares}")


def read_sentences(path):
    """All sentences of a JSON Lines file, with their numbers as tensors."""
    with open(path, encoding="utf-8") as lines:
        return [{name: values if name == "text" else torch.tensor(values) for name, values in json.loads(line).items()} for line in lines]


def write_expected(model, sample, path):
    """Writes the outputs for all sentences of the file `sample`."""
    with open(path, "w", encoding="utf-8") as out:
        for sentence in read_sentences(sample):
            logits, expert = outputs_of(model, sentence)
            rows = [[float(f"{value:.7g}") for value in row] for row in logits.tolist()]
            out.write(json.dumps({"logits": rows, "expert": expert.tolist()}, separators=(",", ":")) + "\n")


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", type=Path, help="what prepare.py wrote; not needed with --evaluate")
    options.add_argument("--dev", type=Path, required=True, help="the same, held out")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--batch", type=int, default=64)
    options.add_argument("--rate", type=float, default=5e-3)
    options.add_argument("--dropout", type=float, default=0.3)
    options.add_argument("--unknown", type=float, default=0.05, help="share of the words taken for unknown in training")
    options.add_argument("--balance", type=float, default=0.02, help="weight of the loss that spreads the words over the experts")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=Path, help="sentences for --expected")
    options.add_argument("--expected", type=Path, help="write the outputs for --sample")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(chosen.seed)

    model = Tagger(json.loads(chosen.vocabulary.read_text(encoding="utf-8")), chosen.dropout)
    if not chosen.evaluate:
        train(model, read_sentences(chosen.train), chosen)
        save_file(model.export(), chosen.weights)
    model.restore(load_file(chosen.weights))
    report(model, read_sentences(chosen.dev))
    if chosen.expected is not None:
        write_expected(model, chosen.sample, chosen.expected)


if __name__ == "__main__":
    main()
