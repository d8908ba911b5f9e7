"""Prints labelled trees as in `(S (NP The cat) (VP sleeps))`, and the share of right labels. See README.md.

A node with its parent's label is drawn into the parent, and a function word (PP) stands bare. Where the right labels are known, a wrong
one always shows, with the right one behind it: `(NP/S ...)`.
"""

import argparse
import json
import sys
from pathlib import Path


def best(rows):
    """For every row the place of its greatest number."""
    return [max(range(len(row)), key=row.__getitem__) for row in rows]


def bracketed(tree, names, known, color, node, above=None):
    """The subtree of `node` below a node labelled `above`, as text. `names` and `known` are the labels of all nodes."""
    if tree["left"][node] < 0:
        inside = tree["text"][node]
    else:
        inside = " ".join(bracketed(tree, names, known, color, tree[side][node], names[node]) for side in ("left", "right"))
    if known[node] != names[node]:
        label = f"{names[node]}/{known[node]}"
        return f"(\033[31m{label}\033[0m {inside})" if color else f"({label} {inside})"
    if names[node] == above or tree["left"][node] < 0 and names[node] == "PP":
        return inside
    return f"(\033[36m{names[node]}\033[0m {inside})" if color else f"({names[node]} {inside})"


def main():
    """Reads the options, then trees and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--input", type=Path, required=True, help="the trees, with `text`")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--vocabulary", type=Path, required=True)
    options.add_argument("--limit", type=int, default=5, help="print at most so many trees (the last line counts all)")
    options.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    chosen = options.parse_args()

    names = json.loads(chosen.vocabulary.read_text(encoding="utf-8"))["labels"]
    color = chosen.color == "always" or chosen.color == "auto" and sys.stdout.isatty()
    right = total = roots = trees = 0
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (tree, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            labels = best(output["logits"])
            if len(labels) != len(tree["text"]):
                sys.exit(f"tree {number + 1}: {len(tree['text'])} nodes, but {len(labels)} rows of logits")
            known = tree.get("label", labels)
            if number < chosen.limit:
                print(bracketed(tree, [names[label] for label in labels], [names[label] for label in known], color, len(labels) - 1))
            if "label" in tree:
                right += sum(a == b for a, b in zip(labels, known))
                roots += labels[-1] == known[-1]
                total += len(known)
                trees += 1
    if total:
        print(f"{right} of {total} labels right ({100 * right / total:.1f} %), {roots} of {trees} at roots")


if __name__ == "__main__":
    main()
