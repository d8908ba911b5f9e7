"""Turns sentences of `word|TAG` tokens (the form of wikigold.txt) into the tagger's instances, one JSON object a line. See README.md."""

import argparse
import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path


def read_sentences(path, plain):
    """Yields (words, tags) of every line that is not blank; with `plain` the tokens are words only and tags is None."""
    with sys.stdin if str(path) == "-" else open(path, encoding="utf-8") as lines:
        for line in lines:
            tokens = line.rstrip("\n").split(" ") if not plain else line.split()
            if plain and tokens:
                yield tokens, None
            elif line.strip():
                words, tags = zip(*(token.rsplit("|", 1) for token in tokens))
                yield list(words), list(tags)


def make_vocabulary(sentences, rare):
    """Words that occur more than `rare` times, all tags and all characters: lists by number, in the order of first appearance."""
    count = Counter(word for words, _ in sentences for word in words)
    words, tags, chars = {"<unk>": 0}, {}, {"<boundary>": 0}
    for sentence, sentence_tags in sentences:
        for word, tag in zip(sentence, sentence_tags):
            if count[word] > rare:
                words.setdefault(word, len(words))
            tags.setdefault(tag, len(tags))
            for char in word:
                chars.setdefault(char, len(chars))
    return {"words": list(words), "chars": list(chars), "tags": list(tags)}


def instance(words, tags, index):
    """The fields of one sentence. Only rare words are spelt; a character that is not in the vocabulary is left out."""
    fields = {"word": [index["words"].get(word, -1) for word in words], "chars": [], "char_begin": [], "char_end": []}
    for word, number in zip(words, fields["word"]):
        fields["char_begin"].append(len(fields["chars"]))
        if number < 0:
            fields["chars"] += [0] + [index["chars"][char] for char in word if char in index["chars"]] + [0]
        fields["char_end"].append(len(fields["chars"]))
    if tags is not None:
        fields["tag"] = [index["tags"][tag] for tag in tags]
    fields["text"] = words
    return fields


def main():
    """Reads the options, makes or reads the vocabulary and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="a file of sentences, or - for the standard input")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary of the whole input first")
    options.add_argument("--rare", type=int, default=5, help="with --make-vocabulary: words this frequent or less are rare")
    options.add_argument("--plain", action="store_true", help="the input is words parted by blanks, without tags")
    options.add_argument("--skip", type=int, default=0, help="leave out the first sentences")
    options.add_argument("--limit", type=int, help="write at most so many sentences")
    chosen = options.parse_args()
    if chosen.make_vocabulary and chosen.plain:
        options.error("--make-vocabulary needs an input with tags")

    sentences = list(read_sentences(chosen.input, chosen.plain))
    if chosen.make_vocabulary:
        chosen.vocabulary.write_text(json.dumps(make_vocabulary(sentences, chosen.rare)) + "\n", encoding="utf-8")
    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    index = {kind: {name: number for number, name in enumerate(names)} for kind, names in vocabulary.items()}
    with open(chosen.output, "w", encoding="utf-8") as out:
        for words, tags in islice(sentences, chosen.skip, None if chosen.limit is None else chosen.skip + chosen.limit):
            out.write(json.dumps(instance(words, tags, index), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
