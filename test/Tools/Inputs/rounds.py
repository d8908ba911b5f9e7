"""Writes what bench.py would after three rounds on an imagined computer. Each round is slower than the one before it by half:
ratios are of one round, however different the rounds are."""

import json
import sys

SLOWER = {1: 1.0, 2: 0.5, 3: 0.25}


def runs(workload, who, mode, speeds, threads=1):
    """Of all rounds; `speeds`: in the first, by batch."""
    return [{"round": at, "workload": workload, "who": who, "mode": mode, "batch": batch, "threads": threads, "instances_per_s": speed * slower}
            for at, slower in SLOWER.items() for batch, speed in speeds.items()]


found = runs("treelstm-128", "ours", "ours", {16: 8000, 64: 9000}) + runs("treelstm-128", "ours", "ours", {16: 15300, 64: 15200}, 2)
found += [{**run, "latency_us": {"mean": 200 / SLOWER[run["round"]]}} for run in runs("treelstm-128", "ours", "ours", {1: 4000})]
found += runs("treelstm-128", "torch", "one", {1: 1000})
found += runs("treelstm-128", "torch", "levels", {16: 3000, 64: 4500}) + runs("treelstm-128", "torch", "levels", {64: 6000}, 2)
found += runs("treelstm-128", "dynet", "one", {1: 800}) + runs("treelstm-128", "dynet", "agenda", {64: 4000})
found += runs("treelstm-128", "by hand", "by hand", {4: 9100, 16: 8100, 64: 10000})
# One run was disturbed: it is the median that counts.
found[1]["instances_per_s"] = 4500
# A workload whose rivals did not run.
found += runs("mlp-mnist", "ours", "ours", {64: 19459})

data = {
    "machine": {"processor": "An Imagined Processor", "cores": 2, "load": 0.1},
    "rivals": {"torch": "2.13.0", "dynet": "2.2"},
    "options": {"policy": "agenda"},
    "rounds": 3,
    "notes": ["a rival was ill"],
    "workloads": {"treelstm-128": {"instances": 1024, "flops": 6e6}, "mlp-mnist": {"instances": 2048, "flops": 3.7e6}},
    # Twice in a round: the better counts.
    "bounds": [{"round": at, "workload": workload, "threads": threads, "gflops": threads * gflops * slower, "instructions": "AVX2",
                "compiler": "a compiler"}
               for at, slower in SLOWER.items() for workload, gflops in (("treelstm-128", 90), ("mlp-mnist", 60)) for threads in (1, 2)],
    "runs": found,
    "compiles": [{"round": at, "workload": "treelstm-128", "seconds": 1.0 + at, "cpu_seconds": 0.5 + at, "mib": 200.0 + at} for at in SLOWER],
    "scheduler": [{"round": at, "policy": policy, "in_flight": 64, "ns_activation": ns + at, "batch": 200.0}
                  for at in SLOWER for policy, ns in (("none", 60), ("depth", 30), ("agenda", 20))],
}
json.dump(data, sys.stdout)
