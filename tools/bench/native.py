"""The two C++ programs that are compiled for this processor: the product kernel of the bound, and the tree-LSTM written by hand."""

import re
import shutil
from itertools import islice
from pathlib import Path

from common import ROOT, Failed, run, run_json, say
from workloads import PROTOTYPE_SIZES

FLAGS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=fast", "-mprefer-vector-width=512", "-pthread")
BY_HAND_TRAINING = re.compile(r"batch +(\d+): +(\d+) trees/s")
BY_HAND = re.compile(r"(\d+) worker\(s\), +(\d+) in flight: +(\d+) trees/s")


def clang():
    """The newest clang++ there is, or None."""
    names = [name for version in (22, 21, 20, 19) for name in (f"clang++-{version}", f"/usr/lib/llvm-{version}/bin/clang++")]
    return next(filter(None, map(shutil.which, [*names, "clang++"])), None)


def build_bound(folder):
    """The program that measures the bound, compiled; `Failed` where there is no compiler."""
    compiler = clang()
    if compiler is None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise Failed("neither clang++ nor g++: the bound is not measured")
        say("no clang++: the bound is compiled by g++, whose kernel may be slow; shares of the bound are then too good")
    program = folder / "packed-product"
    run([compiler, *FLAGS, ROOT / "tools/bench/PackedProduct.cpp", "-o", program])
    return program


def measure_bound(program, threads):
    """{"gflops", "instructions", ...} of so many threads together."""
    return run_json([program, threads])


class ByHand:
    """The tree-LSTM written by hand that lies beside the project. It does all its settings in one run."""

    def __init__(self, source, folder):
        compiler = clang()
        if compiler is None:
            raise Failed("no clang++, which the tree-LSTM written by hand needs")
        self.program = folder / "treelstm-by-hand"
        run([compiler, *FLAGS, source, "-o", self.program])

    def measure(self, inputs, weights, limit, folder):
        """[{"threads", "batch", "instances_per_s"}]; what is in flight it counts for each thread, as we do. Best of five."""
        first = folder / "treelstm-by-hand.jsonl"
        with open(inputs, encoding="utf-8") as lines:
            first.write_text("".join(islice(lines, limit)), encoding="utf-8")
        output = run([self.program, "bench", "--input", first, "--weights", weights])
        return [{"threads": int(threads), "batch": int(batch), "instances_per_s": float(speed)} for threads, batch, speed in BY_HAND.findall(output)]


class ByHandTraining(ByHand):
    """The one that trains, with one thread; a batch a run."""

    def measure(self, inputs, weights, limit, folder):
        """As that of the other one; `batch` is that of an update."""
        first = folder / "treelstm-by-hand.jsonl"
        with open(inputs, encoding="utf-8") as lines:
            first.write_text("".join(islice(lines, limit)), encoding="utf-8")
        found = []
        for batch in PROTOTYPE_SIZES["train"]:
            output = run([self.program, "--input", first, "--weights", weights, "--batch", batch])
            found += [{"threads": 1, "batch": int(size), "instances_per_s": float(speed)} for size, speed in BY_HAND_TRAINING.findall(output)]
        return found


BY_HAND_OF = {"forward": ByHand, "train": ByHandTraining}
