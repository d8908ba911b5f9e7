"""Trains the tagger with PyTorch on prepared instances, writes its weights and, for tests, outputs for some instances. See README.md.

    python3 train.py --instances all.jsonl --vocabulary vocab.json --weights tagger-char.safetensors

With --words-only it trains tagger, in which rare words are not spelt.
"""

import argparse
import json
import random
import time
from itertools import groupby, islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence


class Tagger(nn.Module):
    """The model of README.md, or without `spelling` that of ../tagger.

    Parameters with other layouts inside nn.LSTM and nn.Linear are converted by `export` and `restore`.
    """

    def __init__(self, vocabulary, dropout, spelling):
        super().__init__()
        self.emb = nn.Parameter(torch.randn(len(vocabulary["words"]), 128) * 0.1)
        self.cemb = nn.Parameter(torch.randn(len(vocabulary["chars"]), 20) * 0.1) if spelling else None
        self.cells = nn.ModuleDict({"cf": nn.LSTM(20, 64), "cb": nn.LSTM(20, 64)} if spelling else {})
        self.cells.update({"f": nn.LSTM(128, 50), "b": nn.LSTM(128, 50)})
        self.layers = nn.ModuleDict({"mlp": nn.Linear(100, 32), "tag": nn.Linear(32, len(vocabulary["tags"]))})
        self.dropout = nn.Dropout(dropout)

    def spell(self, spellings):
        """The last states of both character cells, [spellings, 128]."""
        sizes = torch.tensor([len(chars) for chars in spellings])
        forward, backward = (pad_sequence([chars.flip(0) if back else chars for chars in spellings]) for back in (False, True))
        last = (sizes - 1, torch.arange(len(sizes)))
        directions = (("cf", forward), ("cb", backward))
        return torch.cat([self.cells[name](F.embedding(chars, self.cemb))[0][last] for name, chars in directions], 1)

    def forward(self, words, spellings, sizes):
        """Logits of the words of all sentences in turn; `spellings` are those of the words that are -1, in order."""
        x = F.embedding(words.clamp(min=0), self.emb)
        if spellings:
            x = x.index_copy(0, (words < 0).nonzero().squeeze(1), self.spell(spellings))
        x = self.dropout(x)
        places = torch.arange(len(words)).split(sizes)
        sentence = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
        h = []
        for name, order in (("f", places), ("b", [place.flip(0) for place in places])):
            time = torch.cat([place - place.min() for place in order])  # when the cell reads each word
            h.append(self.cells[name](x[pad_sequence(order)])[0][time, sentence])
        h = self.dropout(torch.cat(h, 1))
        return self.layers["tag"](self.layers["mlp"](h).tanh())

    def layout(self):
        """Pairs of an exported name and the parameters whose sum (transposed where it is a matrix of a layer) it holds."""
        yield "emb", [self.emb]
        if self.cemb is not None:
            yield "cemb", [self.cemb]
        for name, cell in self.cells.items():
            yield from ((f"{name}_Wx", [cell.weight_ih_l0]), (f"{name}_Wh", [cell.weight_hh_l0]),
                        (f"{name}_b", [cell.bias_ih_l0, cell.bias_hh_l0]))
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


def entities(tags, outside):
    """The maximal runs of one tag other than `outside`, as a list of (begin, end, tag)."""
    found, begin = [], 0
    for tag, run in groupby(tags):
        end = begin + len(list(run))
        if tag != outside:
            found.append((begin, end, tag))
        begin = end
    return found


def mentions_by_tag(sentences, outside):
    """For every tag the entities of all sentences that have it, as lists of (word number, text)."""
    mentions = {}
    for sentence in sentences:
        words = list(zip(sentence["word"], sentence["text"]))
        for begin, end, tag in entities(sentence["tag"], outside):
            mentions.setdefault(tag, []).append(words[begin:end])
    return mentions


def exchange(sentence, mentions, outside, rate):
    """The sentence with a share `rate` of its entities replaced by others of the same tag: more training data for free."""
    words, tags, done = [], [], 0
    for begin, end, tag in entities(sentence["tag"], outside) + [(len(sentence["tag"]), len(sentence["tag"]), outside)]:
        before = list(zip(sentence["word"], sentence["text"]))[done:end]
        if begin < end and random.random() < rate:
            before[begin - done:] = random.choice(mentions[tag])
        words += before
        tags += [outside] * (begin - done) + [tag] * (len(words) - len(tags) - (begin - done))
        done = end
    return {"word": [word for word, _ in words], "text": [text for _, text in words], "tag": tags}


def batch_tensors(sentences, chars, spell_rate):
    """(words, spellings, sizes) for Tagger.forward; besides the rare words a share `spell_rate` of the others is spelt as well.

    Without `chars` nothing is spelt, and these are all word 0.
    """
    words, spellings = [], []
    for sentence in sentences:
        for word, text in zip(sentence["word"], sentence["text"]):
            if word < 0 or random.random() < spell_rate:
                word = 0 if chars is None else -1
            if word < 0:
                spellings.append(torch.tensor([0] + [chars[char] for char in text if char in chars] + [0]))
            words.append(word)
    return torch.tensor(words), spellings, [len(sentence["word"]) for sentence in sentences]


def train(model, sentences, chars, outside, options):
    """Adam with a learning rate that falls to zero along a cosine."""
    optimiser = torch.optim.Adam(model.parameters(), lr=options.rate)
    steps = options.epochs * -(-len(sentences) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(steps, 1))
    mentions, start = mentions_by_tag(sentences, outside), time.monotonic()
    for epoch in range(options.epochs):
        model.train()
        total = 0.0
        random.shuffle(sentences)
        for begin in range(0, len(sentences), options.batch):
            batch = [exchange(sentence, mentions, outside, options.exchange) for sentence in sentences[begin:begin + options.batch]]
            tags = torch.tensor([tag for sentence in batch for tag in sentence["tag"]])
            loss = F.cross_entropy(model(*batch_tensors(batch, chars, options.spell)), tags, reduction="sum") / options.batch
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * options.batch
        print(f"epoch {epoch + 1}: loss {total / len(sentences):.3f} a sentence, {time.monotonic() - start:.0f} s", flush=True)


@torch.no_grad()
def spell_unseen(model, sentences, vocabulary, chars):
    """Words of the vocabulary that no training sentence has get the vector of their spelling, without `chars` that of word 0."""
    seen = {word for sentence in sentences for word in sentence["word"]}
    unseen = [number for number in range(1, len(vocabulary["words"])) if number not in seen]
    if chars is None:
        model.emb[unseen] = model.emb[0].clone()
    elif unseen:
        spellings = [torch.tensor([0] + [chars[char] for char in vocabulary["words"][number]] + [0]) for number in unseen]
        model.emb[unseen] = model.spell(spellings)


@torch.inference_mode()
def logits_of(model, sentence, chars):
    """Logits of one sentence."""
    return model.eval()(*batch_tensors([sentence], chars, 0.0))


def report(model, sentences, chars, outside):
    """Prints the share of right tags, and F1 over entities."""
    right = total = found = known = both = 0
    for sentence in sentences:
        guess = logits_of(model, sentence, chars).argmax(1).tolist()
        right += sum(a == b for a, b in zip(guess, sentence["tag"]))
        total += len(guess)
        ours, theirs = (set(entities(tags, outside)) for tags in (guess, sentence["tag"]))
        found, known, both = found + len(ours), known + len(theirs), both + len(ours & theirs)
    print(f"held out: {len(sentences)} sentences, {right} of {total} tags right ({100 * right / max(total, 1):.2f} %), entities: precision"
          f" {100 * both / max(found, 1):.1f} %, recall {100 * both / max(known, 1):.1f} %, F1 {200 * both / max(found + known, 1):.1f} %")


def read_instances(path):
    """All instances of a JSON Lines file."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_expected(model, sample, count, chars, path):
    """Writes the logits of the first `count` instances of the file `sample`."""
    with open(path, "w", encoding="utf-8") as out:
        for sentence in islice(read_instances(sample), count):
            rows = [[float(f"{value:.7g}") for value in row] for row in logits_of(model, sentence, chars).tolist()]
            out.write(json.dumps({"logits": rows}, separators=(",", ":")) + "\n")


def main():
    """Reads the options and trains, or with --evaluate only reads weights; then reports and writes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--instances", type=Path, required=True, help="what prepare.py wrote")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--weights", type=Path, required=True, help="written; with --evaluate read")
    options.add_argument("--evaluate", action="store_true", help="do not train")
    options.add_argument("--words-only", action="store_true", help="a model without characters")
    options.add_argument("--train", type=int, default=1500, help="train on so many sentences, the first")
    options.add_argument("--held-out", type=int, help="test on at most so many of the others (default: all)")
    options.add_argument("--epochs", type=int, default=40)
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--rate", type=float, default=3e-3)
    options.add_argument("--dropout", type=float, default=0.3)
    options.add_argument("--spell", type=float, default=0.2, help="share of the words with a vector that are spelt in training")
    options.add_argument("--exchange", type=float, default=0.4, help="share of the entities replaced by others in training")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=Path, help="instances for --expected")
    options.add_argument("--expected", type=Path, help="write the logits of the first instances of --sample")
    options.add_argument("--expected-count", type=int, default=12)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    random.seed(chosen.seed)

    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    chars = None if chosen.words_only else {char: number for number, char in enumerate(vocabulary["chars"])}
    outside = vocabulary["tags"].index("O")
    sentences = read_instances(chosen.instances)
    training, rest = sentences[:chosen.train], sentences[chosen.train:][:chosen.held_out]
    model = Tagger(vocabulary, chosen.dropout, not chosen.words_only)
    if not chosen.evaluate:
        train(model, training, chars, outside, chosen)
        spell_unseen(model, training, vocabulary, chars)
        save_file(model.export(), chosen.weights)
    model.restore(load_file(chosen.weights))
    report(model, rest, chars, outside)
    if chosen.expected is not None:
        write_expected(model, chosen.sample, chosen.expected_count, chars, chosen.expected)


if __name__ == "__main__":
    main()
