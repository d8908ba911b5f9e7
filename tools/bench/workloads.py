"""What is measured: the workloads of the peers, the goals, and the FLOP of an instance's products."""

import json
import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

SIZES = (1, 16, 64, 256)  # of a batch; in flight


@dataclass(frozen=True)
class Workload:
    """One model on its instances."""

    name: str  # of the files that the peers' prepare.py writes, too
    model: str  # below examples/
    script: str  # the peers are torch_<script>.py, dynet_<script>.py; also the name of its data for prepare.py
    by_hand: str  # the mode of torch's script that an expert wrote
    limit: int  # instances
    best: tuple  # the (peer, mode, batch) that are good rivals, for --quick: RESULTS.md of the peers
    share: dict  # goals, of the bound by the instructions that there are; "any"
    over_rival: float  # goals, ratios
    over_one: float
    over_latency: float
    extra: tuple = ()  # options of the peers' scripts
    dynet: bool = True
    training: tuple = None  # (share, over_rival, over_one) of training; None: its program does not train
    training_model: str = None  # where another one trains the same parameters
    instances: str = None  # the file of the peers that has its instances, if that is not called after it
    training_instances: str = None
    in_flight: int = 16  # while training, for each thread: it and the batch of an update are independent; more where weights leave the cache

    @property
    def files(self):
        """Names of the files of its instances and of its weights, as the peers' prepare.py has them."""
        return f"{self.instances or self.name}.jsonl", f"{self.name}.safetensors"

    @property
    def example(self):
        """The folder below examples/."""
        return self.model.split("/")[0]

    def for_job(self, job):
        """The workload with the goals of that job, or None if it does not do it."""
        if job == "forward":
            return self
        if self.training is None:
            return None
        share, over_rival, over_one = self.training
        best = tuple((peer, mode, size) for peer, mode in sorted({setting[:2] for setting in self.best}) for size in (64, 256))
        return replace(self, share=share, over_rival=over_rival, over_one=over_one, over_latency=None, best=best,
                       model=self.training_model or self.model, instances=self.training_instances or self.instances)

    def share_goal(self, instructions):
        """The least share of the bound to reach on a computer with `instructions`."""
        return self.share.get(instructions, self.share.get("any"))


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("treelstm-128", "treelstm/treelstm.mlir", "treelstm", "levels", 1024,
                 (("torch", "levels", 64), ("dynet", "agenda", 64)),
                 {"AVX-512": 0.78, "any": 0.65}, 2.2, 10, 7, ("--size", "128"),
                 training=({"AVX-512": 0.68, "any": 0.55}, 1.6, 18)),
        Workload("treelstm-512", "treelstm/treelstm-512.mlir", "treelstm", "levels", 256,
                 (("torch", "levels", 256), ("dynet", "agenda", 256)),
                 {"any": 0.80}, 1.25, 4.5, 2, ("--size", "512"), training=({"any": 0.70}, 1.2, 13), in_flight=64),
        Workload("tagger", "tagger/tagger.mlir", "tagger", "packed", 1024,
                 (("torch", "packed", 256), ("dynet", "agenda", 64)),
                 {"any": 0.60}, 1.8, 4, 3, training=({"any": 0.45}, 2, 3.5)),
        Workload("tagger-char", "tagger-char/tagger-char.mlir", "tagger", "packed", 1024,
                 (("torch", "packed", 256), ("dynet", "agenda", 64)),
                 {"any": 0.60}, 2, 5, 3, ("--char",), training=({"any": 0.45}, 2.3, 4.5)),
        Workload("parser", "parser/parser.mlir", "parser", "lockstep", 512,
                 (("torch", "lockstep", 256), ("dynet", "agenda", 256)),
                 {"any": 0.60}, 1.5, 5, 3, training=({"any": 0.45}, 1.8, 5.5),
                 training_model="parser/parser-train.mlir", training_instances="parser-train"),
        Workload("ggsnn-qm9", "ggsnn-qm9/ggsnn-qm9.mlir", "ggsnn", "graph", 1024,
                 (("torch", "graph", 16), ("torch", "graph", 64)),
                 {"any": 0.70}, 1.5, 3, 2, dynet=False, training=({"any": 0.60}, 1.2, 4.5)),
        Workload("mlp-mnist", "mlp-mnist/mlp-mnist.mlir", "mlp", "batch", 2048,
                 (("torch", "batch", 64), ("torch", "batch", 256)),
                 {"any": 0.85}, 1.05, 4, 2, dynet=False, training=({"any": 0.80}, 1.05, 35), in_flight=64),
        Workload("decoder", "decoder/decoder.mlir", "decoder", "padded", 64,
                 (("torch", "padded", 64),),
                 {"any": 0.65}, 1.3, 2.7, 2, dynet=False),
    )
}

# Goals of every workload, and of the runtime.
TWO_WORKERS = {"forward": 1.8, "train": 1.7}  # times one
TRAINING_FLOPS = 3  # times those of the forward pass: the gradients of both factors of each product
PROTOTYPE = 0.95  # of the tree-LSTM that was written by hand, at these in flight:
PROTOTYPE_SIZES = {"forward": (1, 16, 64), "train": (16, 64, 256)}
COMPILE_SECONDS = 2.0
COMPILE_MIB = 1024.0
NS_ACTIVATION = 25.0


def parameter_shapes(model):
    """The sizes of the parameters of a .mlir file by name; 0 where open."""
    found = re.findall(r"amp\.param @(\w+)\s*: tensor<([\dx?]+)xf32>", Path(model).read_text(encoding="utf-8"))
    return {name: [0 if size == "?" else int(size) for size in sizes.split("x")] for name, sizes in found}


def lstm_flops(inputs, hidden):
    """Of one step of one direction."""
    return 2 * (inputs + hidden) * 4 * hidden


def treelstm_flops(instance, shapes):
    """`shapes`, here and below: those of the parameters."""
    h, outputs = shapes["W_out"]
    nodes = len(instance["left"])
    leaves = sum(left < 0 for left in instance["left"])
    return leaves * 2 * h * 3 * h + (nodes - leaves) * 2 * (2 * h * 3 * h + 2 * h * h) + nodes * 2 * h * outputs


def tagger_flops(instance, shapes):
    """A word's character model is counted by its characters, its boundaries among them."""
    hidden, tags = shapes["W_tag"]
    words = 2 * lstm_flops(128, 50) + 2 * 100 * hidden + 2 * hidden * tags
    return len(instance["word"]) * words + 2 * len(instance.get("chars", [])) * lstm_flops(20, 64)


def parser_flops(instance, shapes):
    """The first layer of the scores is a product for each word and place (W_1's rows are four vectors'), not for each action."""
    n = len(instance["word"])
    encoder = 2 * (lstm_flops(125, 125) + lstm_flops(250, 125))
    hidden, actions = shapes["W_2"]
    return n * encoder + (n + 2) * 2 * 250 * 4 * hidden + 2 * n * 2 * hidden * actions


def ggsnn_flops(instance, _):
    """Four steps; a message is one product for each source and type, however many edges take it."""
    atoms, d = len(instance["atom"]), 100
    messages = len(set(zip(instance["src"], instance["type"])))
    return 4 * (messages * 2 * d * d + atoms * 2 * 2 * d * 3 * d) + atoms * 2 * 2 * d * 2 * d + 2 * d


def mlp_flops(_, shapes):
    """Always the same."""
    return sum(2 * rows * columns for rows, columns in (shapes[f"W{layer}"] for layer in (1, 2, 3, 4)))


def decoder_flops(instance, shapes):
    """The products of attention are among them; every request is counted as if it ran to its `max_new`."""
    d, vocabulary = shapes["W_out"]
    new = instance["max_new"]
    length = len(instance["prompt"]) + new - 1
    layer = 2 * (d * 3 * d + d * d + 2 * d * 4 * d)
    return length * 2 * layer + 2 * 2 * d * length * (length + 1) + new * 2 * d * vocabulary


FLOPS = {"treelstm": treelstm_flops, "tagger": tagger_flops, "parser": parser_flops, "ggsnn": ggsnn_flops, "mlp": mlp_flops, "decoder": decoder_flops}


def mean_flops(workload, instances, shapes):
    """The FLOP of the matrix products of a forward pass, a mean over the first instances of a file: what summarise.py of the peers counts."""
    with open(instances, encoding="utf-8") as lines:
        flops = [FLOPS[workload.script](json.loads(line), shapes) for line in islice(lines, workload.limit)]
    return sum(flops) / len(flops)
