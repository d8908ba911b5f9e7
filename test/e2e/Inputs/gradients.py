"""Compares the gradients of compiled models with differences of the interpreter's loss in f64.

    gradients.py FOLDER TEST.mlir ... [--ampc ampc] [--jobs 2] [--tolerance 2e-4]

Takes the models of tests that run `ampc --check-gradients` (test/Gradients): each RUN line names a model, its instances, and a seed.
One update by plain gradient descent with a rate of 1 leaves the gradient as the difference of the weights. It is compared along two
random directions for each parameter, which sees every element. Each model is run under several settings. Exit status 1 if any differs.
Models with dropout are left out: their training has a loss of its own.
"""

import argparse
import concurrent.futures
import itertools
import json
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

SETTINGS = ((), ("--policy", "none", "--max-batch", "1"), ("--policy", "depth", "--max-in-flight", "2"), ("--workers", "2", "--max-batch", "3"))
STEP = 1e-3


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(part) for part in command)}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


def read_weights(path):
    """Names to lists of numbers, and the header."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    values = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        width, letter = {"F32": (4, "f"), "F64": (8, "d")}[entry["dtype"]]
        values[name] = list(struct.unpack(f"<{(end - begin) // width}{letter}", data[begin:end]))
    return values, header


def write_wide(path, values, header):
    """As f64."""
    wide, at = {}, 0
    for name, numbers in values.items():
        wide[name] = {"dtype": "F64", "shape": header[name]["shape"], "data_offsets": [at, at + 8 * len(numbers)]}
        at += 8 * len(numbers)
    text = json.dumps(wide).encode()
    body = b"".join(struct.pack(f"<{len(numbers)}d", *numbers) for numbers in values.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def parts(path):
    """What split-file makes of it."""
    pieces = re.split(r"^//--- (\S+)\n", path.read_text(), flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def cases(path):
    """(model, instances, seed) of each RUN line."""
    for line in re.findall(r"^// RUN: ampc --check-gradients (.*?) \|", path.read_text(), re.M):
        model, instances = (Path(each).name for each in re.findall(r"%t/(\S+)", line)[:2])
        seed = re.search(r"--seed (\d+)", line)
        yield model, instances, seed.group(1) if seed else "1"


class Case:
    def __init__(self, folder, ampc, source, model, instances, seed):
        self.name, self.ampc, self.seed = f"{source.stem}/{model}", ampc, seed
        self.folder = folder / source.stem / Path(model).stem
        self.folder.mkdir(parents=True, exist_ok=True)
        texts = parts(source)
        self.model, self.instances = self.folder / "model.mlir", self.folder / "in.jsonl"
        self.model.write_text(texts[model])
        lines = [line for line in texts[instances].splitlines() if line.startswith("{")]
        self.instances.write_text("\n".join(lines) + "\n")
        self.count = len(lines)

    def loss(self, weights, header):
        path = self.folder / "at.safetensors"
        write_wide(path, weights, header)
        lines = run(self.ampc, "--interpret", "--train", self.folder / "wide.mlir", "--input", self.instances, "--weights", path)
        return sum(json.loads(line)["loss"] for line in lines.splitlines())

    def slopes(self, weights, header, smooth=False):
        """(parameter, direction, slope); with `smooth` without those along which the loss jumps or bends."""
        generator = random.Random(1)
        for name, numbers in weights.items():
            for _ in range(2):
                direction = [generator.choice((-1, 1)) * generator.uniform(0.5, 1) for _ in numbers]
                slopes = []
                for step in (STEP, STEP / 10) if smooth else (STEP,):
                    ends = [self.loss({**weights, name: [w + side * step * d for w, d in zip(numbers, direction)]}, header) for side in (-1, 1)]
                    slopes.append((ends[1] - ends[0]) / (2 * step))
                if max(slopes) - min(slopes) <= 1e-4 * max(1e-3, *map(abs, slopes)):
                    yield name, direction, slopes[0]

    def gradient(self, weights, setting):
        after = self.folder / "after.safetensors"
        run(self.folder / "model", "train", "-q", "--data", self.instances, "--weights", self.folder / "before.safetensors", "--updates", "1",
            "--batch", self.count, "--optimizer", "sgd", "--lr", "1", "--reduction", "sum", "--save-weights", after, *setting)
        moved, _ = read_weights(after)
        return {name: [a - b for a, b in zip(weights[name], moved[name])] for name in weights}

    def check(self, tolerance, smooth=False, level=0):
        """What differs. Not optimised it compiles in a third of the time; what optimising does is compared for the examples."""
        run(self.ampc, "--train", f"-O{level}", self.model, "-o", self.folder / "model")
        run(self.folder / "model", "train", "-q", "--data", self.instances, "--updates", "0", "--seed", self.seed, "--save-weights",
            self.folder / "before.safetensors")
        weights, header = read_weights(self.folder / "before.safetensors")
        (self.folder / "wide.mlir").write_text(run("amp-opt", "-amp-widen-floats", self.model))
        slopes = list(self.slopes(weights, header, smooth))
        loss = abs(self.loss(weights, header))
        wrong = []
        for setting in SETTINGS:
            gradients = self.gradient(weights, setting)
            greatest = max(abs(g) for numbers in gradients.values() for g in numbers)
            for name, direction, slope in slopes:
                ours = sum(g * d for g, d in zip(gradients[name], direction))
                # Of what adds up to little, the parts count; a weight of 1 holds differences of 1e-7.
                scale = max(abs(slope), sum(abs(g) for g in gradients[name]), 0.01 * greatest, 0.01 * loss, 1e-3)
                if not abs(ours - slope) <= tolerance * scale:
                    wrong.append(f"{self.name} {' '.join(setting)}: {name}: {ours:.7g} along {[round(d, 3) for d in direction[:6]]}, but differences say {slope:.7g}")
        return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("tests", type=Path, nargs="+")
    options.add_argument("--ampc", default="ampc")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--tolerance", type=float, default=2e-4)
    chosen = options.parse_args()
    all_cases = [Case(chosen.folder, chosen.ampc, test, *case) for test in chosen.tests if "amp.dropout" not in test.read_text()
                 for case in cases(test)]

    def check(case):
        try:
            return case.check(chosen.tolerance)
        except RuntimeError as error:
            return [f"{case.name}: {error}"]

    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        wrong = list(itertools.chain.from_iterable(pool.map(check, all_cases)))
    for each in wrong:
        print(each)
    print(f"{len(all_cases)} models, {len(SETTINGS)} settings each: {len(wrong)} differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
