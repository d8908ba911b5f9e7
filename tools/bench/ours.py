"""Our programs: compiled by the tree's ampc, run on the peers' instances or, where those are not there, on the examples' samples."""

import json
import random
import struct
import sys
from itertools import cycle, islice

from common import ROOT, run, run_json, run_measured
from workloads import parameter_shapes

EXAMPLES = ROOT / "examples"


class Programs:
    """Compiles and runs; `build` is the build folder, `folder` is where programs go."""

    def __init__(self, build, folder, options):
        self.build, self.folder, self.options = build, folder, options

    def compile(self, workload):
        """What that takes."""
        train = ["--train"] if self.options.job == "train" else []
        return run_measured([self.build / "bin/ampc", *train, EXAMPLES / workload.model, "-o", self.folder / workload.name])

    def measure(self, workload, files, batch, threads):
        """The report of the program's command bench; `batch`: in flight, for each thread (with one also its latency), or of an update."""
        inputs, weights = files
        command = [self.folder / workload.name, "bench", "--json", "--quiet", "--input", inputs, "--limit", workload.limit]
        command += ["--weights", weights] if weights else []
        command += ["--policy", self.options.policy, "--repeats", self.options.repeats]
        if self.options.job == "train":
            in_flight = max(1, min(batch // threads, workload.in_flight)) * threads
            return run_json([*command, "--train", "--batch", batch, "--workers", threads, "--max-in-flight", in_flight])
        command += ["--workers", threads, "--max-in-flight", batch * threads]
        return run_json([*command, "--latency"] if batch * threads == 1 else command)

    def measure_scheduler(self):
        """[{"policy", "in_flight", "ns_activation", "batch"}] of the tree-LSTM's shape with empty cells."""
        command = [self.build / "bin/amprt-scheduler-bench", "--benchmark_filter=^treeShape/", "--benchmark_format=json"]
        benchmarks = json.loads(run(command))["benchmarks"]
        return [{"policy": benchmark["label"], "in_flight": int(benchmark["name"].split("inFlight:")[1].split("/")[0]),
                 "ns_activation": benchmark["ns_activation"], "batch": benchmark["batch"]} for benchmark in benchmarks]


def prepared_files(work, workload):
    """(instances, weights) that the peers' prepare.py wrote."""
    instances, weights = workload.files
    return work / instances, work / weights


def sample_files(folder, workload):
    """(instances, weights or None) from the example: its sample over and over; its weights, or those of the seed."""
    example = EXAMPLES / workload.example
    sample = (example / "sample.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    inputs, weights = folder / f"{workload.name}.jsonl", folder / f"{workload.name}.safetensors"
    inputs.write_text("".join(islice(cycle(sample), workload.limit)), encoding="utf-8")
    model = EXAMPLES / workload.model
    trained, packed = model.with_suffix(".safetensors"), model.with_suffix(".f16.safetensors")
    if trained.exists():
        return inputs, trained
    if packed.exists():
        run([sys.executable, example / "unpack.py", packed, weights])
        return inputs, weights
    # The seed gives all but tables with an open number of rows: of words, here.
    tables = {name: shape[1] for name, shape in parameter_shapes(model).items() if shape[0] == 0}
    if not tables:
        return inputs, None
    rows = 1 + max(max(json.loads(line)["word"]) for line in sample)
    write_tables(weights, {name: (rows, columns) for name, columns in tables.items()})
    return inputs, weights


def write_tables(path, shapes):
    """Writes random float32 tables as safetensors."""
    generator, header, values = random.Random(1), {}, []
    for name, (rows, columns) in shapes.items():
        start = 4 * len(values)
        values += [generator.uniform(-0.1, 0.1) for _ in range(rows * columns)]
        header[name] = {"dtype": "F32", "shape": [rows, columns], "data_offsets": [start, 4 * len(values)]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(values)}f", *values))
