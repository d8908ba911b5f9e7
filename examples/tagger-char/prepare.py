"""Turns sentences of `word|TAG` tokens (the form of wikigold.txt) into the tagger's instances, one JSON object a line. See README.md.

Serves tagger, too, whose instances have no characters (--words-only), and reads .conll files with the tags of WNUT 2017.
"""

import argparse
import json
import sys
from collections import Counter
from itertools import groupby, islice
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


def class_of(tag):
    """Wikigold's tag for one of WNUT 2017's, such as B-person: these have more classes, and mark where an entity begins."""
    classes = {"person": "PER", "location": "LOC", "corporation": "ORG", "group": "ORG"}
    return "O" if tag == "O" else f"I-{classes.get(tag[2:], 'MISC')}"


def read_conll(path):
    """The same of a file with a word, a tab and its tag a line and blank lines between sentences."""
    with open(path, encoding="utf-8") as lines:
        for blank, group in groupby(lines, lambda line: not line.strip()):
            if not blank:
                words, tags = zip(*(line.rstrip("\n").split("\t") for line in group))
                yield list(words), [class_of(tag) for tag in tags]


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


def spell(fields, words, chars):
    """Adds the characters of the words whose number is -1; a character that is not in the vocabulary is left out."""
    fields.update({"chars": [], "char_begin": [], "char_end": []})
    for word, number in zip(words, fields["word"]):
        fields["char_begin"].append(len(fields["chars"]))
        if number < 0:
            fields["chars"] += [0] + [chars[char] for char in word if char in chars] + [0]
        fields["char_end"].append(len(fields["chars"]))


def instance(words, tags, index, words_only):
    """The fields of one sentence. Rare words are spelt, or with `words_only` all the same to the tagger."""
    fields = {"word": [index["words"].get(word, 0 if words_only else -1) for word in words]}
    if not words_only:
        spell(fields, words, index["chars"])
    if tags is not None:
        fields["tag"] = [index["tags"][tag] for tag in tags]
    fields["text"] = words
    return fields


def main():
    """Reads the options, makes or reads the vocabulary and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="a file of sentences (.conll or lines), or - for the standard input")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary of the whole input first")
    options.add_argument("--rare", type=int, default=5, help="with --make-vocabulary: words this frequent or less are rare")
    options.add_argument("--plain", action="store_true", help="the input is words parted by blanks, without tags")
    options.add_argument("--words-only", action="store_true", help="do not spell: a word that is rare is number 0")
    options.add_argument("--skip", type=int, default=0, help="leave out the first sentences")
    options.add_argument("--limit", type=int, help="write at most so many sentences")
    chosen = options.parse_args()
    if chosen.make_vocabulary and chosen.plain:
        options.error("--make-vocabulary needs an input with tags")

    sentences = list(read_conll(chosen.input) if chosen.input.suffix == ".conll" else read_sentences(chosen.input, chosen.plain))
    if chosen.make_vocabulary:
        chosen.vocabulary.write_text(json.dumps(make_vocabulary(sentences, chosen.rare)) + "\n", encoding="utf-8")
    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    index = {kind: {name: number for number, name in enumerate(names)} for kind, names in vocabulary.items()}
    with open(chosen.output, "w", encoding="utf-8") as out:
        for words, tags in islice(sentences, chosen.skip, None if chosen.limit is None else chosen.skip + chosen.limit):
            out.write(json.dumps(instance(words, tags, index, chosen.words_only), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
