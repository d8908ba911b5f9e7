"""Prints each question with its facts and the network's answer, and the share of right answers. See README.md."""

import argparse
import json
import sys
from pathlib import Path

WORDS = ("is a", "fears")


def main():
    """Reads the options, then questions and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="the questions, with `name`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--limit", type=int, default=5, help="print at most so many questions (the last line counts all)")
    chosen = options.parse_args()

    right = total = 0
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (question, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            if "error" in output:
                sys.exit(f"question {number + 1}: {output['error']}")
            name, answer = question["name"], output["answer"]
            if number < chosen.limit:
                facts = [f"{name[first]} {WORDS[kind]} {name[second]}"
                         for first, kind, second in zip(question["src"], question["type"], question["dst"]) if kind < len(WORDS)]
                asked, sure = name[question["annotation"].index(1)], 100 * output["probability"][answer]
                mistake = "" if question.get("right", answer) == answer else f", but right is {name[question['right']]}"
                print(f"{', '.join(facts)}. What does {asked} fear? {name[answer]} ({sure:.0f} %){mistake}")
            right += question.get("right") == answer
            total += "right" in question
    if total:
        print(f"{right} of {total} answers right ({100 * right / total:.1f} %)")


if __name__ == "__main__":
    main()
