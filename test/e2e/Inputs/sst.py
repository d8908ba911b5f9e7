"""Trees of the Stanford Sentiment Treebank as instances: sst.py dev.txt LIMIT > trees.jsonl.

Fields as in ../shared/peers/README.md; words are numbered in order of first appearance.
"""

import itertools
import json
import re
import sys


def tree(line, index):
    word, left, right, stack = [], [], [], []
    for token in re.findall(r"[()]|[^ ()]+", line):
        if token == "(":
            stack.append([])
        elif token == ")":
            parts = stack.pop()[1:]  # behind the label
            leaf = len(parts) == 1
            word.append(index.setdefault(parts[0], len(index)) if leaf else -1)
            left.append(-1 if leaf else parts[0])
            right.append(-1 if leaf else parts[1])
            if stack:
                stack[-1].append(len(word) - 1)
        else:
            stack[-1].append(token)
    return {"word": word, "left": left, "right": right}


index = {"<unk>": 0}
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in itertools.islice(lines, int(sys.argv[2])):
        print(json.dumps(tree(line.rstrip("\n"), index)))
