"""Puts dropout into a model, to train it: before each amp.linear whose input is one of the values that are named, and before each
amp.yield of such a value alone. See the train.sh of the examples.

    python3 add_dropout.py --rate 0.5 tagger/tagger.mlir 'row[t]' 'hfb[t]' > tagger-dropout.mlir

In brackets stands the key (an index) by which activations differ. Parameters are the same, so weights fit the model without dropout.
"""

import argparse
import re
from pathlib import Path

PLACE = re.compile(r"(\w+)(?:\[(\w+)\])?$")


def with_dropout(text, name, key, rate):
    """The model `text` with dropout on the value %`name`."""
    by, of = (f"[%{key}]", ", index") if key else ("", "")
    use = re.compile(rf"^( *)(?:%(\w+) = amp\.linear %{name}, .*? : |amp\.yield %{name} : )(tensor<[^>]*>)", re.MULTILINE)

    def dropped(match):
        kept = f"%{name}_to_{match[2] or 'yield'}"
        return f"{match[1]}{kept} = amp.dropout %{name}{by} rate {rate} : {match[3]}{of}\n" + match[0].replace(f"%{name}", kept, 1)

    text, count = use.subn(dropped, text)
    if count == 0:
        raise SystemExit(f"no amp.linear and no amp.yield of %{name}")
    return text


def main():
    """Reads the options and prints the model."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", type=Path)
    options.add_argument("value", nargs="+", help="name or name[key]")
    options.add_argument("--rate", type=float, required=True)
    chosen = options.parse_args()
    text = chosen.model.read_text(encoding="utf-8")
    for value in chosen.value:
        text = with_dropout(text, *PLACE.match(value).groups(), chosen.rate)
    print(text, end="")


if __name__ == "__main__":
    main()
