"""Turns sentences of `word|TAG` tokens (the form of wikigold.txt) into the tagger's instances, one JSON object a line. See README.md.

Serves tagger, too, whose instances have no characters (--words-only), and reads .conll files with the tags of WNUT 2017, and .conllu files, of which
it takes the parts of speech. To train on, sentences can be given several times with changes (--copies).
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from itertools import groupby
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


def read_conllu(path):
    """The same of a CoNLL-U file, with universal parts of speech as tags."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
        for blank, group in groupby(lines, lambda line: not line.strip()):
            if not blank:
                rows = [row for row in (line.split("\t") for line in group) if row[0].isdigit()]  # else a comment, 3-4 or 8.1
                yield [row[1] for row in rows], [row[3] for row in rows]


def entities(tags):
    """The maximal runs of one tag other than O, as a list of (begin, end, tag)."""
    found, begin = [], 0
    for tag, run in groupby(tags):
        end = begin + len(list(run))
        if tag != "O":
            found.append((begin, end, tag))
        begin = end
    return found


def exchange(words, tags, mentions, share):
    """The sentence with a share of its entities replaced by others of the same tag."""
    for begin, end, tag in reversed(entities(tags)):
        if random.random() < share:
            other = random.choice(mentions[tag])
            words, tags = words[:begin] + other + words[end:], tags[:begin] + [tag] * len(other) + tags[end:]
    return words, tags


def changed_copies(sentences, copies, share):
    """All sentences `copies` times, with entities exchanged."""
    mentions = {}
    for words, tags in sentences:
        for begin, end, tag in entities(tags):
            mentions.setdefault(tag, []).append(words[begin:end])
    return [exchange(words, tags, mentions, share) for _ in range(copies) for words, tags in sentences]


def make_vocabulary(sentences, taken, rare):
    """Words of the sentences that are taken and occur more than `rare` times in all, all tags and all characters, in the order of first appearance."""
    count = Counter(word for words, _ in sentences for word in words)
    known = {word for words, _ in taken for word in words}
    words, tags, chars = {"<unk>": 0}, {}, {"<boundary>": 0}
    for sentence, sentence_tags in sentences:
        for word, tag in zip(sentence, sentence_tags):
            if count[word] > rare and word in known:
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


def instance(words, tags, index, words_only, share):
    """The fields of one sentence. Rare words, and a share of the others, are spelt, or with `words_only` all the same to the tagger."""
    rare = 0 if words_only else -1
    fields = {"word": [index["words"].get(word, rare) if random.random() >= share else rare for word in words]}
    if not words_only:
        spell(fields, words, index["chars"])
    if tags is not None:
        fields["tag"] = [index["tags"][tag] for tag in tags]
    fields["text"] = words
    return fields


def main():
    """Reads the options, makes or reads the vocabulary and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="a file of sentences (.conll, .conllu or lines), or - for the standard input")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary first: words of the sentences that are taken, counted in the whole input")
    options.add_argument("--rare", type=int, default=5, help="with --make-vocabulary: words this frequent or less are rare")
    options.add_argument("--plain", action="store_true", help="the input is words parted by blanks, without tags")
    options.add_argument("--words-only", action="store_true", help="do not spell: a word that is rare is number 0")
    options.add_argument("--skip", type=int, default=0, help="leave out the first sentences")
    options.add_argument("--limit", type=int, help="write at most so many sentences")
    options.add_argument("--copies", type=int, default=1, help="to train on: write all of them so often")
    options.add_argument("--exchange", type=float, default=0.0, metavar="SHARE", help="... with a share of the entities replaced by others of the same tag")
    options.add_argument("--spell", type=float, default=0.0, metavar="SHARE", help="... and a share of the words that are not rare treated as if they were")
    chosen = options.parse_args()
    if chosen.make_vocabulary and chosen.plain:
        options.error("--make-vocabulary needs an input with tags")

    if ".conllu" in chosen.input.suffixes:
        sentences = list(read_conllu(chosen.input))
    else:
        sentences = list(read_conll(chosen.input) if chosen.input.suffix == ".conll" else read_sentences(chosen.input, chosen.plain))
    taken = sentences[chosen.skip:None if chosen.limit is None else chosen.skip + chosen.limit]
    if chosen.make_vocabulary:
        chosen.vocabulary.write_text(json.dumps(make_vocabulary(sentences, taken, chosen.rare)) + "\n", encoding="utf-8")
    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    index = {kind: {name: number for number, name in enumerate(names)} for kind, names in vocabulary.items()}
    random.seed(1)
    if chosen.copies > 1 or chosen.exchange:
        taken = changed_copies(taken, chosen.copies, chosen.exchange)
    with open(chosen.output, "w", encoding="utf-8") as out:
        for words, tags in taken:
            out.write(json.dumps(instance(words, tags, index, chosen.words_only, chosen.spell), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
