"""Turns bAbI's task 15 into the network's instances, a question each, one JSON object a line. See README.md."""

import argparse
import json
from itertools import islice
from pathlib import Path

IS, FEARS, BACK = 0, 1, 2  # a fact's edge has the first or second type, and BACK more in the other direction
SINGULAR = {"mice": "mouse", "wolves": "wolf", "cats": "cat", "sheep": "sheep"}


def from_text(lines):
    """(facts, node asked about, answer) of each question of bAbI's own files; a fact is (node, type, node)."""
    facts = []
    for line in lines:
        number, text = line.rstrip("\n").split(" ", 1)
        if number == "1":
            facts = []
        if "\t" in text:  # What is gertrude afraid of?	wolf	2 1
            question, answer, _ = text.split("\t")
            yield list(facts), question.split()[2], answer
            continue
        words = text.rstrip(".").lower().split()
        if words[1] == "is":  # Gertrude is a mouse.
            facts.append((words[0], IS, words[-1]))
        else:  # Mice are afraid of wolves.
            facts.append((SINGULAR[words[0]], FEARS, SINGULAR[words[-1]]))


def from_graphs(lines):
    """The same of the files of numbers: `node type node`, then `? type node node`, and an empty line behind each graph."""
    facts = []
    for line in lines:
        part = line.split()
        if not part:
            facts = []
        elif part[0] == "?":
            yield list(facts), part[2], part[3]
        else:
            facts.append((part[0], int(part[1]) - 1, part[2]))


def early(facts, asked):
    """The facts up to the one from which on the question can be answered."""
    species = next(second for first, kind, second in facts if first == asked and kind == IS)
    needed = [number for number, fact in enumerate(facts) if fact[:2] in ((asked, IS), (species, FEARS))]
    return facts[:max(needed) + 1]


def instance(facts, asked, answer):
    """The fields; nodes are numbered as the facts name them."""
    names = list(dict.fromkeys(name for first, _, second in facts for name in (first, second)))
    place = {name: number for number, name in enumerate(names)}
    edges = [edge for first, kind, second in facts for edge in ((first, kind, second), (second, kind + BACK, first))]
    return {"annotation": [float(name == asked) for name in names], "src": [place[first] for first, _, _ in edges],
            "type": [kind for _, kind, _ in edges], "dst": [place[second] for _, _, second in edges],
            "right": place[answer], "name": names}


def main():
    """Reads the options and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    source = options.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", type=Path, help="sentences: qa15_basic-deduction_*.txt")
    source.add_argument("--graphs", type=Path, help="numbers: 15_graphs.txt")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--early", action="store_true", help="leave out the facts behind the last one that is needed: graphs of many sizes")
    options.add_argument("--skip", type=int, default=0, help="leave out the first questions")
    options.add_argument("--every", type=int, default=1, help="of the others, take the first of so many (four belong to a story)")
    options.add_argument("--limit", type=int, help="write at most so many questions")
    chosen = options.parse_args()

    with open(chosen.text or chosen.graphs, encoding="utf-8") as lines:
        questions = list(from_text(lines) if chosen.text else from_graphs(lines))
    with open(chosen.output, "w", encoding="utf-8") as out:
        for facts, asked, answer in islice(questions[chosen.skip::chosen.every], chosen.limit):
            given = instance(early(facts, asked) if chosen.early else facts, asked, answer)
            out.write(json.dumps(given, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
