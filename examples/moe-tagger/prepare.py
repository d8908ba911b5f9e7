"""Turns the sentences of CoNLL-U files into the tagger's instances, one JSON object a line. See README.md."""

import argparse
import gzip
import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path


def read_sentences(path):
    """Yields (words, tags) of every sentence of a .conllu or .conllu.gz file."""
    words, tags = [], []
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
        for line in lines:
            column = line.rstrip("\n").split("\t")
            if column[0].isdigit():  # else a comment, a multiword token (3-4), an empty node (8.1) or the end of a sentence
                words.append(column[1])
                tags.append(column[3])
            elif not column[0] and words:
                yield words, tags
                words, tags = [], []
    if words:
        yield words, tags


def endings(word):
    """Classes that a word belongs to by its ending and its first letter, the narrowest first: `A-ris`, `A-is`, `A-s` and `A-` for Paris."""
    case = "A" if word[0].isupper() else "a"
    letters = re.sub(r"\d", "0", word.lower())
    return [f"{case}-{letters[max(len(letters) - size, 0):]}" for size in (3, 2, 1, 0)]


def make_vocabulary(sentences, word_count, ending_count):
    """Frequent words (in small letters) and endings, most frequent first, and all tags."""
    words = Counter(word.lower() for words, _ in sentences for word in words)
    classes = Counter(name for words, _ in sentences for word in words for name in set(endings(word)))
    tags = Counter(tag for _, tags in sentences for tag in tags)
    return {"words": ["<unk>"] + [word for word, times in words.most_common() if times >= word_count],
            "endings": ["<unk>"] + [name for name, times in classes.most_common() if times >= ending_count],
            "tags": [tag for tag, _ in tags.most_common()]}


def instance(words, tags, index):
    """The fields of one sentence."""
    return {"word": [index["words"].get(word.lower(), 0) for word in words],
            "ending": [next((index["endings"][name] for name in endings(word) if name in index["endings"]), 0) for word in words],
            "tag": [index["tags"][tag] for tag in tags],
            "text": words}


def main():
    """Reads the options, makes or reads the vocabulary and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="CoNLL-U, may be gzipped (.gz)")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="vocab.json; read, unless --make-vocabulary is given")
    options.add_argument("--make-vocabulary", action="store_true", help="write the vocabulary of the whole input first")
    options.add_argument("--word-count", type=int, default=12, help="with --make-vocabulary: how often a word must occur")
    options.add_argument("--ending-count", type=int, default=30, help="with --make-vocabulary: how often an ending must")
    options.add_argument("--skip", type=int, default=0, help="leave out the first sentences")
    options.add_argument("--every", type=int, default=1, help="of the others, take the first of so many")
    options.add_argument("--limit", type=int, help="write at most so many sentences")
    chosen = options.parse_args()

    sentences = list(read_sentences(chosen.input))
    if chosen.make_vocabulary:
        vocabulary = make_vocabulary(sentences, chosen.word_count, chosen.ending_count)
        chosen.vocabulary.write_text(json.dumps(vocabulary) + "\n", encoding="utf-8")
    vocabulary = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))
    index = {kind: {name: number for number, name in enumerate(names)} for kind, names in vocabulary.items()}
    with open(chosen.output, "w", encoding="utf-8") as out:
        for words, tags in islice(sentences[chosen.skip::chosen.every], chosen.limit):
            out.write(json.dumps(instance(words, tags, index), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
