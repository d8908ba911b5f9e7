"""The parameters that a model's programs start from without a weights file: those of its amp.param lines, from a seed.

    python3 seed_weights.py --model decoder/decoder.mlir --output decoder.safetensors
    python3 seed_weights.py --model tagger/tagger.mlir --rows emb=1184 --output start.safetensors

Needs numpy, and safetensors to write. The generator is that of runtime/src/core/Initialise.h.
"""

import argparse
import re
from pathlib import Path

import numpy as np

GOLDEN = 0x9E3779B97F4A7C15
PARAM = re.compile(r"amp\.param @(\w+)\s*: tensor<([\dx?]+)xf32>\s*init\((\w+)(?:, ([^)]*))?\)")


def mix(z):
    """The finaliser of splitmix64, on arrays."""
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)


def uniform(name, count, seed):
    """`count` numbers in [0, 1), in double precision."""
    start = 0xCBF29CE484222325
    for byte in name.encode():
        start = (start ^ byte) * 0x100000001B3 % 2**64
    start ^= int(mix(np.array([(seed + GOLDEN) % 2**64], np.uint64))[0])
    places = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN) + np.uint64(start)
    return (mix(places) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def initial(name, shape, kind, numbers, seed):
    """One parameter, in single precision."""
    count = int(np.prod(shape))
    if kind == "normal":
        u = uniform(name, count + count % 2, seed)
        radius, angle = np.sqrt(-2 * np.log(1 - u[::2])), 2 * np.pi * u[1::2]
        values = numbers[0] * np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()[:count]
        return values.astype(np.float32).reshape(shape)
    if kind in ("uniform", "glorot"):
        rows = shape[-2] if len(shape) > 1 else 1
        low, high = numbers or (-np.sqrt(6 / (rows + shape[-1])), np.sqrt(6 / (rows + shape[-1])))
        values = (low + (high - low) * uniform(name, count, seed)).astype(np.float32)
        below = np.nextafter(np.float32(high), np.float32(low))
        return np.where(values < np.float32(high), values, below).reshape(shape)
    return np.full(shape, numbers[0] if numbers else 0.0, np.float32)


def seed_weights(model, seed=1, rows=None):
    """All parameters of the file `model` by name. `rows` says how many those with an open number get; others of these are left out."""
    weights = {}
    for name, shape, kind, numbers in PARAM.findall(Path(model).read_text(encoding="utf-8")):
        if "?" in shape and name not in (rows or {}):
            continue
        sizes = [int(size) for size in shape.replace("?", str((rows or {}).get(name))).split("x")]
        weights[name] = initial(name, sizes, kind, [float(number) for number in numbers.split(",") if number], seed)
    return weights


def named_count(text):
    """(name, count) of `name=count`."""
    name, count = text.split("=")
    return name, int(count)


def main():
    """Reads the options and writes the weights."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", type=Path, required=True)
    options.add_argument("--output", type=Path, required=True, help="safetensors")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rows", type=named_count, action="append", default=[], metavar="NAME=COUNT", help="rows of a parameter that has an open number of them")
    chosen = options.parse_args()
    from safetensors.numpy import save_file
    save_file(seed_weights(chosen.model, chosen.seed, dict(chosen.rows)), chosen.output)


if __name__ == "__main__":
    main()
