"""Prints tagged sentences, their entities marked as in `[Killing Joke ORG]`, and the share of right tags. See README.md."""

import argparse
import json
import sys
from itertools import groupby
from pathlib import Path


def best(rows):
    """For every row the place of its greatest number."""
    return [max(range(len(row)), key=row.__getitem__) for row in rows]


def entities(tags):
    """The maximal runs of one tag other than O, as a set of (begin, end, tag)."""
    found, begin = set(), 0
    for tag, run in groupby(tags):
        end = begin + len(list(run))
        if tag != "O":
            found.add((begin, end, tag))
        begin = end
    return found


def paint(text, tag, color):
    """`text` in the colour of an entity's tag, if `color`."""
    codes = {"PER": 32, "LOC": 36, "ORG": 33, "MISC": 35}
    return f"\033[{codes.get(tag, 34)}m{text}\033[0m" if color else text


def sentence_line(words, tags, known, color):
    """One sentence; where the right tags are `known`, a word with a wrong one has a star."""
    marked = [word + ("*" if known and known[at] != tags[at] else "") for at, word in enumerate(words)]
    parts, begin = [], 0
    for tag, run in groupby(tags):
        end = begin + len(list(run))
        text, name = " ".join(marked[begin:end]), tag.removeprefix("I-")
        parts.append(text if tag == "O" else paint(f"[{text} {name}]", name, color))
        begin = end
    return " ".join(parts)


def main():
    """Reads the options, then instances and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="the instances, with `text`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--limit", type=int, default=5, help="print at most so many sentences (the last line counts all)")
    options.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    chosen = options.parse_args()

    names = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))["tags"]
    color = chosen.color == "always" or chosen.color == "auto" and sys.stdout.isatty()
    right = total = found = wanted = both = 0
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (instance, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            tags = [names[tag] for tag in best(output["logits"])]
            known = [names[tag] for tag in instance.get("tag", [])]
            if len(tags) != len(instance["text"]):
                sys.exit(f"sentence {number + 1}: {len(instance['text'])} words, but {len(tags)} rows of logits")
            if number < chosen.limit:
                print(sentence_line(instance["text"], tags, known, color))
            right += sum(a == b for a, b in zip(tags, known))
            total += len(known)
            ours, theirs = entities(tags), entities(known)
            found, wanted, both = found + len(ours), wanted + len(theirs), both + len(ours & theirs)
    if total:
        print(f"{right} of {total} tags right ({100 * right / total:.1f} %); * marks the others")
    if wanted and "O" in names:
        print(f"entities: precision {100 * both / max(found, 1):.1f} %, recall {100 * both / wanted:.1f} %, F1 {200 * both / (found + wanted):.1f} %")


if __name__ == "__main__":
    main()
