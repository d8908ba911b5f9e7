"""Turns the sentences of CoNLL-U files into the parser's instances, one JSON object a line. See README.md."""

import argparse
import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import NamedTuple


class Token(NamedTuple):
    """A word with its universal part of speech, its head (0: the root, 1: the first word) and the relation to it."""
    form: str
    tag: str
    head: int
    label: str


def read_sentences(path):
    """Yields every sentence of a .conllu or .conllu.gz file as a list of tokens."""
    sentence = []
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
        for line in lines:
            column = line.rstrip("\n").split("\t")
            if column[0].isdigit():  # else a comment, a multiword token (3-4), an empty node (8.1) or the end of a sentence
                sentence.append(Token(column[1], column[3], int(column[6]), column[7]))
            elif not column[0] and sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def make_vocabulary(sentences, word_count):
    """Words that occur at least `word_count` times, all tags and all labels: lists by number, in the order of first appearance."""
    count = Counter(token.form for sentence in sentences for token in sentence)
    words, tags, labels = {"<unk>": 0}, {"<unk>": 0}, {}
    for token in (token for sentence in sentences for token in sentence):
        if count[token.form] >= word_count:
            words.setdefault(token.form, len(words))
        tags.setdefault(token.tag, len(tags))
        labels.setdefault(token.label, len(labels))
    return {"words": list(words), "tags": list(tags), "labels": list(labels)}


def oracle(heads):
    """Pairs (kind, word) of the arc-hybrid actions that build a tree (its root is head n); None if it is not projective.

    Kinds: 0 shift, 1 left arc, 2 right arc.
    """
    count, waiting = len(heads), Counter(heads)
    stack, front, actions = [], 0, []
    while front < count or stack:
        top = stack[-1] if stack else None
        if stack and not waiting[top] and heads[top] in (front, *stack[-2:-1]):
            actions.append((1 if heads[top] == front else 2, top))
            waiting[heads[top]] -= 1
            stack.pop()
        elif front < count:
            actions.append((0, front))
            stack.append(front)
            front += 1
        else:
            return None
    return actions


def instance(sentence, index):
    """The fields of one sentence. A word, tag or label that is not in the vocabulary is number 0."""
    heads = [token.head - 1 if token.head else len(sentence) for token in sentence]
    labels = [index["labels"].get(token.label, 0) for token in sentence]
    fields = {"word": [index["words"].get(token.form, 0) for token in sentence], "tag": [index["tags"].get(token.tag, 0) for token in sentence],
              "head": heads, "label": labels}
    actions = oracle(heads)
    if actions is not None:
        fields["action"] = [kind and kind + 2 * labels[word] for kind, word in actions]
    fields["text"] = [token.form for token in sentence]
    return fields


def main():
    """Reads the options, makes or reads the vocabulary and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="CoNLL-U, may be gzipped (.gz)")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary of the whole input first")
    options.add_argument("--word-count", type=int, default=10, help="with --make-vocabulary: how often a word must occur")
    options.add_argument("--projective", action="store_true", help="leave out trees that are not projective: no actions build them")
    options.add_argument("--skip", type=int, default=0, help="leave out the first sentences")
    options.add_argument("--every", type=int, default=1, help="of the others, take the first of so many")
    options.add_argument("--limit", type=int, help="write at most so many sentences")
    chosen = options.parse_args()

    sentences = list(read_sentences(chosen.input))
    if chosen.make_vocabulary:
        chosen.vocabulary.write_text(json.dumps(make_vocabulary(sentences, chosen.word_count)) + "\n", encoding="utf-8")
    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    index = {kind: {name: number for number, name in enumerate(names)} for kind, names in vocabulary.items()}
    with open(chosen.output, "w", encoding="utf-8") as out:
        for sentence in islice(sentences[chosen.skip::chosen.every], chosen.limit):
            fields = instance(sentence, index)
            if "action" in fields or not chosen.projective:
                out.write(json.dumps(fields, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
