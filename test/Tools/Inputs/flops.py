"""Compares the benchmark's count of FLOP with summarise.py of the peers, on samples of the examples."""

import json
import sys
from pathlib import Path
from types import ModuleType

root, peers = Path(sys.argv[1]), Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path += [str(root / "tools/bench"), str(peers)]
# summarise.py reads weights with it; the shapes here come from the models.
sys.modules["safetensors"] = ModuleType("safetensors")
sys.modules["safetensors"].safe_open = None

from summarise import product_flops  # noqa: E402
from workloads import FLOPS, WORKLOADS, parameter_shapes  # noqa: E402

for workload in WORKLOADS.values():
    shapes = parameter_shapes(root / "examples" / workload.model)
    instances = [json.loads(line) for line in open(root / "examples" / workload.example / "sample.jsonl", encoding="utf-8")]
    for number, instance in enumerate(instances):
        ours = FLOPS[workload.script](instance, shapes)
        theirs = product_flops(workload.name, instance, shapes.get)
        assert ours == theirs, f"{workload.name}, instance {number}: {ours}, not {theirs}"
    print(f"{workload.name}: {len(instances)} instances agree")
