"""Measures our programs and their rivals on the same instances, interleaved, and prints ratios. See the README.

A round runs everybody once in every setting; ratios are taken within a round. Goals that are missed are marked, and change
nothing about the exit status.
"""

import argparse
import itertools
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import native
import peers
from common import ROOT, Failed, say
from measures import BY_HAND, OURS, RUNTIME, threads_text
from ours import EXAMPLES, Programs, prepared_files, sample_files
from report import report, summary_json
from workloads import SIZES, TRAINING_FLOPS, WORKLOADS, mean_flops, parameter_shapes

BY_HAND_WORKLOAD = "treelstm-128"


def options():
    """Those of the command line."""
    parser = argparse.ArgumentParser(prog="tools/dev.sh bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", action="append", choices=[*WORKLOADS, RUNTIME], help="only this; may be repeated; runtime: its own cost")
    parser.add_argument("--rounds", type=int, help="3 if not given, 1 with --quick")
    parser.add_argument("--quick", action="store_true", help="of the rivals only the settings in which they are known to be best, and one at a time")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), choices=SIZES, help="batch, or in flight for each thread")
    parser.add_argument("--repeats", type=int, default=3, help="timed passes of each run, the best of which counts")
    parser.add_argument("--limit", type=int, help="at most so many instances; for trying things out")
    parser.add_argument("--policy", default="agenda", help="of our programs")
    parser.add_argument("--job", choices=("forward", "train"), default="forward", help="train: updates of a batch")
    parser.add_argument("--no-peers", action="store_true", help="only ours, the bound and the tree-LSTM written by hand")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder")
    parser.add_argument("--output", type=Path, help="JSON of everything; <build>/bench/bench.json if not given")
    chosen = parser.parse_args()
    chosen.rounds = chosen.rounds or (1 if chosen.quick else 3)
    chosen.output = chosen.output or chosen.build / "bench/bench.json"
    return chosen


class Bench:
    """One call: what there is to run, and what came out."""

    def __init__(self, chosen):
        self.options = chosen
        self.folder = (chosen.build / "bench").resolve()
        names = chosen.workload or [*WORKLOADS, RUNTIME]
        self.with_runtime = RUNTIME in names
        self.workloads = [workload.for_job(chosen.job) for name, workload in WORKLOADS.items() if name in names]
        self.workloads = [workload for workload in self.workloads if workload]
        self.with_runtime &= chosen.job == "forward"
        if chosen.limit:
            self.workloads = [replace(workload, limit=min(workload.limit, chosen.limit)) for workload in self.workloads]
        self.programs = Programs(chosen.build.resolve(), self.folder / "programs", chosen)
        self.programs.folder.mkdir(parents=True, exist_ok=True)
        self.data = {"machine": machine(), "rivals": {}, "options": {name: str(value) for name, value in vars(chosen).items()}, "rounds": 0,
                     "notes": [], "workloads": {}, "bounds": [], "runs": [], "compiles": [], "scheduler": []}
        self.rivals = self.bound = self.by_hand = None
        self.files = {}

    def note(self, text):
        """What a reader of the figures must know."""
        if text not in self.data["notes"]:
            say(f"note: {text}")
            self.data["notes"].append(text)

    def attempt(self, action, *arguments):
        """What it gives; None where it fails, which is noted."""
        try:
            return action(*arguments)
        except Failed as failed:
            self.note(str(failed))
            return None

    def prepare(self):
        """The rivals, the data, the bound and the tree-LSTM written by hand."""
        scripts = peers.folder()
        work = Path(os.environ.get("AMP_BENCH_WORK", self.folder / "work")).resolve()
        work.mkdir(parents=True, exist_ok=True)
        if scripts is None:
            self.note("no scripts of peers (AMP_PEERS; ../shared/peers beside the project): only ours, on the examples' samples")
        elif self.attempt(self.prepare_peers, scripts, work) is None:
            scripts = None
            self.note("no data of the peers: only ours, on the examples' samples")
        for workload in self.workloads:
            if scripts is None:
                samples = self.folder / "samples"
                samples.mkdir(exist_ok=True)
                self.files[workload.name] = sample_files(samples, workload)
            else:
                self.files[workload.name] = prepared_files(work, workload)
            with open(self.files[workload.name][0], encoding="utf-8") as lines:
                count = sum(1 for _ in itertools.islice(lines, workload.limit))
            flops = mean_flops(workload, self.files[workload.name][0], parameter_shapes(EXAMPLES / workload.model))
            flops *= TRAINING_FLOPS if self.options.job == "train" else 1
            self.data["workloads"][workload.name] = {"instances": count, "flops": flops, "source": "samples" if scripts is None else "peers"}
        self.bound = self.attempt(native.build_bound, self.folder)
        source = Path(os.environ.get("AMP_BY_HAND", ROOT.parent / "shared/design/prototype/treelstm.cc"))
        if self.options.job == "train":
            source = source.with_name("treelstm_train.cc")
        if source.exists() and BY_HAND_WORKLOAD in self.files:
            self.by_hand = self.attempt(native.BY_HAND_OF[self.options.job], source, self.folder)

    def prepare_peers(self, scripts, work):
        """Installs and prepares what is missing; true."""
        environment = peers.Environment(Path(os.environ.get("AMP_BENCH_VENV", self.folder / "venv")).absolute())
        peers.prepare_data(scripts, environment, work, self.workloads)
        if not self.options.no_peers:
            self.data["rivals"] = environment.install_rivals(self.note)
            self.rivals = peers.Rivals(scripts, environment, work, self.options)
        return True

    def settings(self, workload):
        """All runs of a round, [(who, mode, batch, threads)]: the same size next to each other, so that a disturbance meets all alike."""
        sizes = [size for size in self.options.sizes if size <= workload.limit]
        found = [(OURS, OURS, size, threads) for size in sizes for threads in self.options.threads]
        if self.rivals:
            found += peers.settings(workload, self.data["rivals"], self.options.threads, self.options.quick, sizes)
        return sorted(found, key=lambda setting: (setting[2], setting[3]))

    def run_one(self, workload, setting):
        """The report of one run."""
        who, mode, batch, threads = setting
        try:
            if who == OURS:
                return self.programs.measure(workload, self.files[workload.name], batch, threads)
            return self.rivals.measure(workload, who, mode, batch, threads)
        except Failed as failed:
            raise Failed(f"{workload.name}, {who} {mode}, batch {batch}, {threads_text(threads)}: {failed}") from None

    def run_workload(self, number, workload):
        """A workload's part of a round."""
        start = time.monotonic()
        at = {"round": number, "workload": workload.name}
        compiled = self.attempt(self.programs.compile, workload)
        if compiled:
            self.data["compiles"].append({**at, **compiled})
        for threads in self.options.threads if self.bound else ():
            if bound := self.attempt(native.measure_bound, self.bound, threads):
                self.data["bounds"].append({**at, **bound})
        # Every other round the other way round: what drifts, drifts for all.
        settings = self.settings(workload)[:: 1 if number % 2 else -1]
        for setting in settings if compiled else ():
            if got := self.attempt(self.run_one, workload, setting):
                self.data["runs"].append({**at, **dict(zip(("who", "mode", "batch", "threads"), setting)), "job": self.options.job, **only_new(got)})
        if self.by_hand and workload.name == BY_HAND_WORKLOAD:
            inputs, weights = self.files[workload.name]
            for got in self.attempt(self.by_hand.measure, inputs, weights, workload.limit, self.folder) or ():
                if got["threads"] in self.options.threads and got["batch"] in self.options.sizes:
                    self.data["runs"].append({**at, "who": BY_HAND, "mode": BY_HAND, "job": self.options.job, **got})
        say(f"round {number} of {self.options.rounds}: {workload.name}, {time.monotonic() - start:.0f} s")
        self.write()

    def run_round(self, number):
        """Everybody once."""
        for workload in self.workloads:
            self.run_workload(number, workload)
        if self.with_runtime:
            self.data["scheduler"] += [{"round": number, **got} for got in self.attempt(self.programs.measure_scheduler) or ()]
        self.data["rounds"] = number
        self.write()

    def write(self):
        """After each workload, so that little is lost."""
        self.options.output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**self.data, "summary": summary_json(self.data)}, indent=1)
        self.options.output.write_text(text + "\n", encoding="utf-8")


def only_new(got):
    """What a report says beyond the setting; how cells were batched is long."""
    return {key: value for key, value in got.items() if key not in ("workload", "mode", "batch", "threads", "job", "cells", "histogram")}


def machine():
    """What it is, and how busy."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            processor = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = "an unknown processor"
    return {"processor": processor, "cores": len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 2)}


def main():
    """Prepares, runs, reports."""
    bench = Bench(options())
    bench.prepare()
    try:
        for number in range(1, bench.options.rounds + 1):
            bench.run_round(number)
    except KeyboardInterrupt:
        say("stopped: the rounds so far")
        bench.write()
    say("\n" + report(bench.data))
    say(f"\neverything is in {bench.options.output}")


if __name__ == "__main__":
    main()
