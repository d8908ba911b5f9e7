"""Turns MNIST's files of images and labels into instances, one JSON object a line. See README.md."""

import argparse
import gzip
import json
import struct
from itertools import islice
from pathlib import Path


def read_idx(path, rank):
    """The sizes and the bytes of an IDX file of bytes with `rank` dimensions, gzipped where its name ends in .gz."""
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        data = file.read()
    magic, *sizes = struct.unpack_from(f">{1 + rank}I", data)
    if magic != 2048 + rank:
        raise SystemExit(f"{path}: not an IDX file of bytes with {rank} dimensions")
    return sizes, data[4 + 4 * rank:]


def named_number(text):
    """(name, number) of `name=number`."""
    name, number = text.split("=")
    return name, float(number)


def main():
    """Reads the options and the files, and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--images", type=Path, required=True, help="images-idx3-ubyte, may be gzipped (.gz)")
    options.add_argument("--labels", type=Path, help="labels-idx1-ubyte, may be gzipped (.gz)")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--skip", type=int, default=0, help="leave out the first digits")
    options.add_argument("--every", type=int, default=1, help="of the others, take the first of so many")
    options.add_argument("--limit", type=int, help="write at most so many digits")
    options.add_argument("--set", type=named_number, action="append", default=[], metavar="NAME=NUMBER", help="one more field of each instance")
    chosen = options.parse_args()

    (count, height, width), images = read_idx(chosen.images, 3)
    labels = None if chosen.labels is None else read_idx(chosen.labels, 1)[1]
    size = height * width
    with open(chosen.output, "w", encoding="utf-8") as out:
        for number in islice(range(chosen.skip, count, chosen.every), chosen.limit):
            image = images[number * size:(number + 1) * size]
            fields = {"pixel": [byte and round(byte / 255, 6) for byte in image]}  # 0 is shorter than 0.0
            if labels is not None:
                fields["label"] = labels[number]
            fields.update(chosen.set)
            out.write(json.dumps(fields, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
