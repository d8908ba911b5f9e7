"""Prints sentences as `The/DET cat/NOUN`, the share of right tags, and what each expert did. See README.md."""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path


def best(rows):
    """For every row the place of its greatest number."""
    return [max(range(len(row)), key=row.__getitem__) for row in rows]


def tagged(word, tag, right, expert, color):
    """One word with its tag; a wrong one has a star. In colour, each expert has its own."""
    text = f"{word}/{tag}" + ("" if right else "*")
    return f"\033[{(32, 33, 35, 36)[expert % 4]}m{text}\033[0m" if color else text


def main():
    """Reads the options, then instances and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="the instances, with `text`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--limit", type=int, default=5, help="print at most so many sentences (the last lines count all)")
    options.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    chosen = options.parse_args()

    names = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))["tags"]
    color = chosen.color == "always" or chosen.color == "auto" and sys.stdout.isatty()
    right = known_words = 0
    work = {}  # of each expert: how often it gave which tag
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (instance, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            words, tags, experts = instance["text"], [names[tag] for tag in best(output["logits"])], output["expert"]
            if len(tags) != len(words):
                sys.exit(f"sentence {number + 1}: {len(words)} words, but {len(tags)} rows of logits")
            known = [names[tag] for tag in instance.get("tag", [])]
            rights = [tag == right_tag for tag, right_tag in zip(tags, known or tags)]
            if number < chosen.limit:
                print(" ".join(tagged(*each, color) for each in zip(words, tags, rights, experts)))
            right += sum(rights) if known else 0
            known_words += len(known)
            for tag, expert in zip(tags, experts):
                work.setdefault(expert, Counter())[tag] += 1
    total = sum(tags.total() for tags in work.values())
    for expert, tags in sorted(work.items()):
        share = f"{100 * tags.total() / total:.1f} % of the words"
        print(f"expert {expert}: {share}, {', '.join(f'{times} {tag}' for tag, times in tags.most_common(4))}")
    if known_words:
        print(f"{right} of {known_words} tags right ({100 * right / known_words:.1f} %); * marks the others")


if __name__ == "__main__":
    main()
