"""Turns the dependency trees of CoNLL-U files into the TreeLSTM's binary trees, one JSON object a line. See README.md.

With --bracketed it reads binary trees with a class at each node, such as those of the Stanford Sentiment Treebank.
"""

import argparse
import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import NamedTuple


class Token(NamedTuple):
    """A word with its universal part of speech, the number of its head (-1: the root) and the relation to it."""
    form: str
    upos: str
    head: int
    relation: str


def read_sentences(path):
    """Yields every sentence of a .conllu or .conllu.gz file as a list of tokens."""
    sentence = []
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
        for line in lines:
            column = line.rstrip("\n").split("\t")
            if column[0].isdigit():  # else a comment, a multiword token (3-4), an empty node (8.1) or the end of a sentence
                sentence.append(Token(column[1], column[3], int(column[6]) - 1, column[7].split(":")[0]))
            elif not column[0] and sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def label_names():
    """The five classes, in the order of their numbers."""
    return ["NP", "VP", "AP", "PP", "S"]


def word_label(upos):
    """The class of a single word."""
    return {"NOUN": 0, "PROPN": 0, "PRON": 0, "NUM": 0, "SYM": 0, "X": 0, "VERB": 1, "AUX": 1, "ADJ": 2, "ADV": 2, "INTJ": 2}.get(upos, 3)


def phrase_label(label, relation):
    """The class of a phrase whose head, of class `label` so far, gets one more dependent."""
    if relation in ("case", "mark"):
        return 3
    if relation in ("nsubj", "csubj", "expl"):
        return 4
    return 1 if relation in ("aux", "cop") and label != 4 else label


def attachment_order(dependents, sentence, head):
    """Right before left, the nearest first, but punctuation at either end after everything else."""
    left, right = [d for d in reversed(dependents) if d < head], [d for d in dependents if d > head]
    inner, outer = [], []
    for side in (right, left):
        words = max((place + 1 for place, d in enumerate(side) if sentence[d].relation != "punct"), default=0)
        inner += side[:words]
        outer += side[words:]
    return inner + outer


class TreeBuilder:
    """The post-order arrays of one sentence: a binary node for every dependent."""

    def __init__(self, sentence):
        self.sentence = sentence
        self.dependents = [[] for _ in sentence]
        for number, token in enumerate(sentence):
            if token.head >= 0:
                self.dependents[token.head].append(number)
        self.fields = {"word": [], "left": [], "right": [], "label": [], "text": []}
        self.add(self.nest([t.head for t in sentence].index(-1))[0])

    def nest(self, head):
        """(node, first word, last word) of the subtree of `head`; a node is (label, word number, left node, right node)."""
        first = last = head
        node = (word_label(self.sentence[head].upos), head, None, None)
        for dependent in attachment_order(self.dependents[head], self.sentence, head):
            other, other_first, other_last = self.nest(dependent)
            if other_first != last + 1 and other_last != first - 1:
                raise ValueError("not projective")
            children = (other, node) if other_last < first else (node, other)
            node = (phrase_label(node[0], self.sentence[dependent].relation), None, *children)
            first, last = min(first, other_first), max(last, other_last)
        return node, first, last

    def add(self, node):
        """Appends the nodes below and then `node` itself; returns its number. `word` is the word's number in the sentence as yet."""
        label, word, left, right = node
        children = (-1, -1) if left is None else (self.add(left), self.add(right))
        values = (-1 if word is None else word, *children, label, "" if word is None else self.sentence[word].form)
        for name, value in zip(self.fields, values):
            self.fields[name].append(value)
        return len(self.fields["word"]) - 1


def projective_trees(path):
    """Yields the fields of every projective sentence of a file."""
    for sentence in read_sentences(path):
        try:
            yield TreeBuilder(sentence).fields
        except ValueError:
            pass


def names_of(form, first):
    """The names under which a word may stand in the vocabulary, the most telling first; `first`: it begins the sentence."""
    lower = form.lower()
    yield lower
    if "@" in form or "www." in lower or "http" in lower:
        yield "<address>"
    elif any(char.isdigit() for char in form):
        yield "<mixed>" if any(char.isalpha() for char in form) else "<number>"
    elif not any(char.isalpha() for char in form):
        yield "<symbols>"
    else:
        capital = form[0].isupper() and not first
        yield from (f"<{'A' if capital else 'a'}-{lower[-size:]}>" for size in range(min(4, len(form) - 1), 0, -1))
        yield "<A>" if capital else "<a>"


def bracketed_trees(path):
    """Yields the fields of every line `(class child child)`, in which a leaf is `(class word)`."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields, open_nodes, words = {"word": [], "left": [], "right": [], "label": [], "text": []}, [], 0
            for token in line.strip(" \n").replace("(", " ( ").replace(")", " ) ").split(" "):  # other blanks belong to words
                if token == "(":
                    open_nodes.append([])
                elif token == ")":
                    label, *inside = open_nodes.pop()
                    leaf = isinstance(inside[0], str)
                    values = (words, -1, -1, int(label), inside[0]) if leaf else (-1, *inside, int(label), "")
                    words += leaf
                    for name, value in zip(fields, values):
                        fields[name].append(value)
                    if open_nodes:
                        open_nodes[-1].append(len(fields["word"]) - 1)
                elif token:
                    open_nodes[-1].append(token)
            if fields["word"]:
                yield fields


def words_of(tree):
    """Pairs of a word and whether it is the first of its sentence."""
    return [(tree["text"][node], number == 0) for node, number in enumerate(tree["word"]) if number >= 0]


def make_vocabulary(trees, word_count, class_count, labels):
    """Frequent words (in small letters), then classes of the others by their endings and capitals, most frequent first."""
    words = [word for tree in trees for word in words_of(tree)]
    count = Counter(form.lower() for form, _ in words)
    frequent = [word for word, times in count.most_common() if times >= word_count]
    known = set(frequent)
    classes = Counter(name for form, first in words if form.lower() not in known for name in islice(names_of(form, first), 1, None))
    return {"words": ["<unk>"] + frequent + [name for name, times in classes.most_common() if times >= class_count],
            "labels": labels}


def number_words(tree, index):
    """Puts numbers of the vocabulary in place of the words' numbers in the sentence."""
    for node, number in enumerate(tree["word"]):
        if number >= 0:
            tree["word"][node] = next((index[name] for name in names_of(tree["text"][node], number == 0) if name in index), 0)


def main():
    """Reads the options, makes or reads the vocabulary and writes the trees."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="CoNLL-U, may be gzipped (.gz)")
    options.add_argument("--bracketed", action="store_true", help="the input is trees such as (3 (2 It) (4 (2 is) (3 good))), one a line")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary of the whole input first")
    options.add_argument("--word-count", type=int, default=8, help="with --make-vocabulary: how often a word must occur")
    options.add_argument("--class-count", type=int, default=40, help="with --make-vocabulary: how often a class of the other words must")
    options.add_argument("--skip", type=int, default=0, help="leave out the first trees")
    options.add_argument("--every", type=int, default=1, help="of the others, take the first of so many")
    options.add_argument("--limit", type=int, help="write at most so many trees")
    chosen = options.parse_args()

    trees = list(bracketed_trees(chosen.input) if chosen.bracketed else projective_trees(chosen.input))
    if chosen.make_vocabulary:
        labels = list("01234") if chosen.bracketed else label_names()
        vocabulary = make_vocabulary(trees, chosen.word_count, chosen.class_count, labels)
        chosen.vocabulary.write_text(json.dumps(vocabulary) + "\n", encoding="utf-8")
    words = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))["words"]
    index = {word: number for number, word in enumerate(words)}
    with open(chosen.output, "w", encoding="utf-8") as out:
        for tree in islice(trees[chosen.skip::chosen.every], chosen.limit):
            number_words(tree, index)
            out.write(json.dumps(tree, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
