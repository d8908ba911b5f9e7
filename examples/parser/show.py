"""Draws dependency trees, and counts right heads and labels. See README.md.

A word stands left of the words that depend on it, the earlier ones above it and the later ones below. Where the right tree is known, a word
with another head has the right one behind it, and a wrong label the right one: `in case (head: live)`, `home obj (obl)`.
"""

import argparse
import json
import sys
from pathlib import Path


def subtree(word, dependents):
    """Lines (drawing, word) of `word` and all below it, in the order of the sentence; and the number of the line of `word`."""
    lines = []
    left, right = [d for d in dependents[word] if d < word], [d for d in dependents[word] if d > word]
    for number, child in enumerate(left):
        block, at = subtree(child, dependents)
        for place, (drawing, below) in enumerate(block):
            mark = ("╭─" if number == 0 else "├─") if place == at else "  " if number == 0 and place < at else "│ "
            lines.append((mark + drawing, below))
    mine = len(lines)
    lines.append(("", word))
    for number, child in enumerate(right):
        last = number == len(right) - 1
        block, at = subtree(child, dependents)
        for place, (drawing, below) in enumerate(block):
            mark = ("╰─" if last else "├─") if place == at else "  " if last and place > at else "│ "
            lines.append((mark + drawing, below))
    return lines, mine


def draw(sentence, output, labels):
    """The lines of one sentence."""
    text, heads = sentence["text"], output["head"]
    dependents = [[] for _ in range(len(text) + 1)]
    for word, head in enumerate(heads):
        dependents[head].append(word)
    lines, root = subtree(len(text), dependents)
    del lines[root]
    for drawing, word in lines:
        said = labels[output["label"][word]]
        if "head" in sentence and sentence["head"][word] != heads[word]:
            said += f" (head: {[*text, 'root'][sentence['head'][word]]})"
        elif "label" in sentence and sentence["label"][word] != output["label"][word]:
            said += f" ({labels[sentence['label'][word]]})"
        yield f"{drawing[2:]}{text[word]} {said}"


def main():
    """Reads the options, then sentences and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="the sentences, with `text`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--limit", type=int, default=3, help="draw at most so many sentences (the last line counts all)")
    chosen = options.parse_args()

    labels = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))["labels"]
    heads = both = total = 0
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (sentence, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            if "error" in output or len(output["head"]) != len(sentence["text"]):
                sys.exit(f"sentence {number + 1}: {output.get('error', 'another number of words')}")
            if number < chosen.limit:
                print("\n".join(draw(sentence, output, labels)), end="\n\n")
            for word, head in enumerate(output["head"]):
                right = head == sentence.get("head", output["head"])[word]
                heads += right
                both += right and output["label"][word] == sentence.get("label", output["label"])[word]
                total += "head" in sentence
    if total:
        print(f"{heads} of {total} heads right ({100 * heads / total:.1f} %), {both} with the right label ({100 * both / total:.1f} %)")


if __name__ == "__main__":
    main()
