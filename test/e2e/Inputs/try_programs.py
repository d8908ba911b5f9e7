"""Compiles random programs and compares each with the interpreter, under several settings of the run.

    try_programs.py FOLDER [--count 200] [--first 1] [--long] [--many] [--placed 2] [--jobs 2] [--ampc ampc] [--seconds 120]

The results must be those of the interpreter, and the same to the last bit in all runs; an instance must not stall, nor leave memory
behind. Some of the settings, `--placed` of them, have cells that belong to workers, at random. Where a program fails it is cut down,
printed with its instances, and kept in FOLDER. Exit status 1 then. `--long` tries 5,000; `--many` 10,000 small ones in less than an hour
(nearly all of the time is the compiler's, so most of them are not optimised nor checked after each pass, and more are compiled
together). How far it is, is said on stderr now and then. On a busy machine a larger `--seconds` keeps what is slow from counting as endless.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from agree import same
from random_program import random_instances, random_program
from shrink import Shrinker

# Policy, workers, in flight, greatest batch, and whether cells belong to workers.
SETTINGS = tuple(itertools.product(("none", "depth", "agenda"), (1, 2), (1, 7, 64), (1, 3, 1024), (False,)))
PLACED = tuple(itertools.product(("none", "depth", "agenda"), (2, 4), (1, 3, 16), (1, 3, 1024), (True,)))


class Failure(Exception):
    """What went wrong: a kind, which stays the same while the program is cut down, and details."""

    def __init__(self, kind, details=""):
        super().__init__(kind)
        self.kind, self.details = kind, details


def general(message):
    """A message without what differs from program to program."""
    return re.sub(r"\S*:\d+:\d+: |%?'[^']*\d[^']*'|\d+", "#", message)


def run(command, allowed, kind, seconds):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"{kind}: no end") from None
    if done.returncode not in allowed:
        message = re.search(r"error: (.*)", done.stderr)
        short = general(message.group(1)) if message else f"status {done.returncode}"
        if "internal error" in short:
            short = "crash in " + ", ".join(re.findall(r"\bamp::(?:\w+::)*\w+", done.stderr)[:3])
        raise Failure(f"{kind}: {short}", done.stderr[-3000:])
    return done.stdout


class Tester:
    """Tries one program in a folder of its own."""

    def __init__(self, folder, ampc, settings, seconds, compiling):
        self.folder, self.ampc, self.settings, self.seconds, self.compiling = folder, ampc, settings, seconds, compiling
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, command, allowed, kind):
        return run(command, allowed, kind, self.seconds)

    def interpret(self, model):
        lines = self.run([self.ampc, "--interpret", model, "--input", self.folder / "in.jsonl", "--output", "-"], (0, 1), "interpreter")
        return [json.loads(line) for line in lines.splitlines()]

    def expected(self, model):
        """An op that fails may be removed where nobody needs its result, so there the graph decides."""
        results = self.interpret(model)
        if any("error" in result for result in results):
            graph = self.folder / "graph.mlir"
            self.run([self.ampc, "--compile-to=graph", model, "-o", graph], (0,), "to a graph")
            for number, (ours, theirs) in enumerate(zip(self.interpret(graph), results), 1):
                if "error" not in theirs and not same(ours, theirs, 1e-5):
                    raise Failure("the graph's results differ", f"line {number}:\n  {ours}\n  {theirs}")
                results[number - 1] = ours
        return results

    def execute(self, setting, instances, more=()):
        policy, workers, in_flight, batch, is_placed = setting
        if is_placed:
            more = (*more, *self.placement(workers))
        command = [self.folder / "model", "run", "--quiet", "--input", instances, "--policy", policy, "--workers", workers,
                   "--max-in-flight", max(in_flight, workers), "--max-batch", batch, *more]
        return self.run(command, (0, 1), "run").splitlines()

    def placement(self, workers):
        """Cells on workers at random, as the work of most is so little that they would all stay at home."""
        path = self.folder / f"{workers}.json"
        if not path.exists():
            info = json.loads(self.run([self.folder / "model", "info", "--json"], (0,), "info"))
            chance = random.Random(len(info["cells"]) + workers)
            cells = {cell["name"]: chance.choice((*range(workers), "home")) for cell in info["cells"]}
            path.write_text(json.dumps({"format": "amprt-placement", "version": 1, "model": info["name"], "cells": cells}))
        return "--placement", "model", "--placement-file", path

    def compare(self, setting, lines, expected, first):
        if len(lines) != len(expected):
            raise Failure("lines are missing", f"{setting}: {len(lines)} of {len(expected)}")
        for number, (line, theirs) in enumerate(zip(lines, expected)):
            ours = json.loads(line)
            details = f"{setting}, line {number + 1}:\n  {ours}\n  {theirs}"
            if "stalled" in ours.get("error", "") and "missing" not in theirs.get("error", ""):
                raise Failure("an instance stalls", details)
            if not same(ours, theirs, 1e-5):
                error = ours.get("error") or theirs.get("error")
                raise Failure("results differ" + (f": {general(error)}" if error else ""), details)
            if line != first[number] and "error" not in ours:
                raise Failure("results depend on the setting", f"{details}\n  {first[number]}")

    def check_memory(self, instances, more=()):
        """Ten times the instances must not need more memory: nothing of one is left when it ends."""
        path, peaks = self.folder / "many.jsonl", []
        text = "".join(json.dumps(instance) + "\n" for instance in instances)
        for lines in (300, 3000):
            path.write_text(text * (lines // len(instances) + 1))
            process = subprocess.Popen([self.folder / "model", "run", "--quiet", "--input", path, "--output", "/dev/null", "--max-in-flight", "16", *more],
                                       stderr=subprocess.DEVNULL)
            peaks.append(os.wait4(process.pid, 0)[2].ru_maxrss)
        if peaks[1] > peaks[0] + 4096:
            raise Failure("memory grows", f"{peaks[0]} KiB for 300 instances, {peaks[1]} KiB for 3,000")

    def attempt(self, program, instances, kind):
        """Tries everything, or what is needed to see a failure of this kind again."""
        model = self.folder / "model.mlir"
        model.write_text(program.text())
        (self.folder / "in.jsonl").write_text("".join(json.dumps(instance) + "\n" for instance in instances))
        self.run([self.ampc, *self.compiling, model, "-o", self.folder / "model"], (0,), "compiler")
        for old in self.folder.glob("?.json"):  # Of the program before it was cut down.
            old.unlink()
        if kind.startswith("compiler"):
            return
        expected = self.expected(model)
        first = None
        for setting in self.settings:
            lines = self.execute(setting, self.folder / "in.jsonl")
            first = first or lines
            self.compare(setting, lines, expected, first)
        if not kind or kind.startswith("memory"):
            self.check_memory(instances)
            if any(is_placed for *_, is_placed in self.settings):
                self.check_memory(instances, ("--workers", "2", *self.placement(2)))

    def failure(self, program, instances, kind=""):
        try:
            self.attempt(program, instances, kind)
            return None
        except Failure as failure:
            return failure


kinds = set()  # Of failures that have been seen: of each kind one is cut down.


def how_to_compile(seed, chosen):
    """Options: what is not optimised compiles in a third of the time, and checks after each pass take a quarter of that."""
    if chosen.many:
        return ("-O3",) if seed % 64 == 0 else ("-O0", "--verify-each=false")
    return ("-O0",) if seed % 2 and not chosen.long else ("-O3",)


def try_seed(seed, cases, chosen):
    """A report, or None if all is well."""
    settings = random.Random(seed).sample(SETTINGS, chosen.settings) + random.Random(seed).sample(PLACED, chosen.placed)
    compiling = how_to_compile(seed, chosen)
    tester = Tester(chosen.folder / str(seed), chosen.ampc, settings, chosen.seconds, compiling)
    program, instances = random_program(seed, cases, chosen.without, chosen.many), random_instances(seed, cases)
    failure = tester.failure(program, instances)
    if failure is None:
        shutil.rmtree(tester.folder)
        return None
    if failure.kind in kinds:
        return f"seed {seed}, {cases} cases, as above: {failure.kind}\n"
    kinds.add(failure.kind)
    (tester.folder / "whole.mlir").write_text(program.text())
    size = program.size()
    small = Tester(tester.folder / "small", chosen.ampc, settings, chosen.seconds, compiling)

    def fails(candidate, some):
        other = small.failure(candidate, some, failure.kind) if some else None
        return other is not None and other.kind == failure.kind

    shrinker = Shrinker(fails, chosen.shrink_seconds)
    program, instances = shrinker.shrink(program, instances)
    last = small.failure(program, instances, failure.kind) or failure
    lines = "\n".join(json.dumps(instance) for instance in instances)
    return (f"seed {seed}, {cases} cases: {last.kind}\n{last.details}\nIt is in {small.folder}, cut from {size} ops to {program.size()} "
            f"in {shrinker.tries} tries:\n{program.text()}{lines}\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--count", type=int, default=200, help="programs")
    options.add_argument("--first", type=int, default=1, help="seed")
    options.add_argument("--long", action="store_true", help="5,000 programs, more settings")
    options.add_argument("--many", action="store_true", help="10,000 small programs, 16 together")
    options.add_argument("--cases", type=int, default=5, help="programs that are compiled together")
    options.add_argument("--settings", type=int, default=4, help="of a run, for each program")
    options.add_argument("--placed", type=int, default=2, help="settings, beside those, with cells that belong to workers")
    options.add_argument("--without", nargs="*", default=(), help="kinds of ops: methods of random_program.py and random_leaves.py")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seconds", type=float, default=120, help="after which a command counts as endless")
    options.add_argument("--shrink-seconds", type=float, default=120)
    options.add_argument("--ampc", default="ampc")
    chosen = options.parse_args()
    if chosen.long:
        chosen.count, chosen.settings, chosen.placed = 5000, 8, 8
    if chosen.many:
        chosen.count, chosen.settings, chosen.placed, chosen.cases = 10000, 2, 4, 16
    # Some alone: there the entry is the program itself.
    sizes, alone = [], 16 if chosen.many else 4
    while sum(sizes) < chosen.count:
        sizes.append(1 if len(sizes) % alone == alone - 1 else min(chosen.cases, chosen.count - sum(sizes)))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        jobs = [pool.submit(try_seed, chosen.first + number, cases, chosen) for number, cases in enumerate(sizes)]
        for done, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            report = job.result()
            if done % 50 == 0:
                print(f"{done} of {len(jobs)} compilations", file=sys.stderr, flush=True)
            if report is not None:
                failed += 1
                print(report, flush=True)
    print(f"{sum(sizes)} programs in {len(sizes)} compilations, {chosen.settings} + {chosen.placed} settings each: {failed} of these failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
