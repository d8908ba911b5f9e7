"""Trains AMPNet's five models synchronously and asynchronously and says when each gets to the accuracy of synchronous training.

    AMPC=ampc python3 experiments.py --data DATA --work WORK --results results.jsonl --table table.md --curves .

DATA has the folders mnist, babi, sst and qm9 (list reduction needs none); WORK gets prepared data, programs and logs. A line of
the results is a run: one that is there is not repeated, so that what was interrupted goes on, and --no-runs only reports.
The tree-LSTM needs a Python with numpy and safetensors (the environment's PYTHON), --curves one with matplotlib.
"""

import argparse
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent


def right_class(instance, output):
    """Of a classifier: right ones, of how many."""
    return max(range(10), key=output["logits"].__getitem__) == instance["label"], 1


def right_answer(instance, output):
    """Of the network that deduces."""
    return output["answer"] == instance["right"], 1


def right_labels(instance, output):
    """Of a tree: over all nodes."""
    guesses = [max(range(len(row)), key=row.__getitem__) for row in output["logits"]]
    return sum(guess == label for guess, label in zip(guesses, instance["label"], strict=True)), len(guesses)


def distance(instance, output):
    """Of a molecule's dipole moment, in deviations."""
    return abs(output["pred"] - instance["y"]), 1


# batch: instances of a synchronous update. rows: of gradients that an instance gives a parameter, on average, and of those that get
# another number. sizes: training and held-out instances, epochs of synchronous training.
MODELS = {
    "mlp-mnist": {
        "measure": right_class, "batch": 32, "options": "--lr 1e-3", "rows": {"": 1},
        "sizes": {"full": (9000, 1000, 12), "quick": (1000, 400, 6)}},
    "list-reduction": {
        "measure": right_class, "batch": 100, "options": "--optimizer adamw --weight-decay 0.02 --lr 5e-3 --clip-norm 1",
        "rows": {"": 1.25, "emb": 5, "W_out": 1, "b_out": 1},
        "sizes": {"full": (100000, 10000, 20), "quick": (5000, 500, 12), "tiny": (200, 50, 2)}},
    "treelstm": {
        "measure": right_labels, "batch": 25, "options": "--lr 1e-3 --clip-norm 5", "rows": {"": 18, "emb": 19, "W_iou": 19, "W_out": 37, "b_out": 37},
        "sizes": {"full": (8544, 1101, 8), "quick": (800, 100, 5)}},
    "ggsnn-babi": {
        "measure": right_answer, "batch": 10, "options": "--lr 0.01", "rows": {"": 16, "A": 31, "a": 31, "w_out": 7.5, "b_out": 7.5},
        "sizes": {"full": (50, 200, 60), "quick": (50, 200, 10)}},
    "ggsnn-qm9": {
        "measure": distance, "less": True, "batch": 20, "options": "--lr 1e-3 --reduction sum",
        "rows": {"": 72, "A": 149, "a": 149, "emb": 18, "W_i": 18, "b_i": 18, "W_j": 18, "b_j": 18, "w_out": 1, "b_out": 1},
        "sizes": {"full": (5000, 500, 20), "quick": (200, 100, 6)}},
}
COLUMNS = ("mode", "keys", "frequency", "replicas", "seeds", "at the target", "epochs", "× sync", "seconds", "training, instances/s",
           "validation, instances/s", "processor ms/instance", "staleness, mean", "greatest")
SETTINGS = ("model", "size", "workers", "mode", "keys", "frequency", "replicas")


def call(*command):
    """Runs a command; what it says is shown where it fails."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-2000:]}")


def prepare(name, size, data, work):
    """Makes the program and the instances in the folder `work`, but for those that are there."""
    folder = EXAMPLES / name
    training, held_out, _ = MODELS[name]["sizes"][size]
    done = work / "prepared"
    if done.exists():
        return
    if name != "list-reduction" and not data:
        sys.exit(f"{name} needs --data")
    work.mkdir(parents=True, exist_ok=True)
    script = [sys.executable, folder / "prepare.py"]
    train, dev = ["--output", work / "train.jsonl"], ["--output", work / "dev.jsonl"]
    if name == "list-reduction":
        call(*script, "--count", training, "--seed", 1, *train)
        call(*script, "--count", held_out, "--seed", 2, *dev)
    elif name == "mlp-mnist":
        script += ["--images", data / "mnist/train10k-images-idx3-ubyte.gz", "--labels", data / "mnist/train10k-labels-idx1-ubyte.gz"]
        call(*script, "--limit", training, *train)
        call(*script, "--skip", 9000, "--limit", held_out, *dev)
    elif name == "ggsnn-babi":
        script += ["--text", data / "babi/qa15_basic-deduction_train.txt"]
        call(*script, "--limit", training, *train)
        call(*script, "--skip", 800, "--limit", held_out, *dev)
    elif name == "treelstm":
        script += ["--bracketed", "--vocabulary", work / "vocab.json"]
        call(*script, "--input", data / "sst/train.txt", "--make-vocabulary", "--word-count", 2, "--limit", training, *train)
        call(*script, "--input", data / "sst/dev.txt", "--limit", held_out, *dev)
    else:
        graphs = data / "qm9/train.graphs.jsonl"
        call(*script, "--graphs", graphs, "--shuffle", "--limit", training, *train)
        call(*script, "--graphs", data / "qm9/valid.graphs.jsonl", "--standard", graphs, "--limit", held_out, *dev)
    call(os.environ.get("AMPC", "ampc"), "--train", folder / f"{name}.mlir", "-o", work / "program")
    done.touch()


def start_weights(work, seed):
    """Options for the tree-LSTM's weights at the start: its table has as many rows as there are words."""
    start = work / f"start.{seed}.safetensors"
    if not start.exists():
        words = len(json.loads((work / "vocab.json").read_text(encoding="utf-8"))["words"])
        call(os.environ.get("PYTHON", sys.executable), EXAMPLES / "seed_weights.py", "--model", EXAMPLES / "treelstm/treelstm.mlir",
             "--seed", seed, "--rows", f"emb={words}", "--output", start)
    return ["--weights", start]


def json_lines(path):
    """The objects of a JSON Lines file."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def frequency_option(rows, instances):
    """As many rows for each parameter as so many instances give it."""
    return ",".join((f"{name}=" if name else "") + str(max(round(count * instances), 1)) for name, count in rows.items())


def run(settings, seed, epochs, work):
    """Trains once and measures the weights after each epoch: the results' line."""
    model = MODELS[settings["model"]]
    metrics, checkpoints, outputs = work / "metrics.jsonl", work / "checkpoints", work / "outputs.jsonl"
    shutil.rmtree(checkpoints, ignore_errors=True)
    command = [work / "program", "train", "--quiet", "--data", work / "train.jsonl", "--dev", work / "dev.jsonl", "--seed", seed, "--epochs", epochs,
               "--workers", settings["workers"] * settings["replicas"], "--batch", model["batch"], *model["options"].split(), "--metrics", metrics,
               "--checkpoint", checkpoints, "--keep", epochs]
    if settings["model"] == "treelstm":
        command += start_weights(work, seed)
    if settings["mode"] == "async":
        command += ["--mode", "async", "--max-active-keys", settings["keys"], "--replicas", settings["replicas"],
                    "--min-update-frequency", frequency_option(model["rows"], settings["frequency"])]
    metrics.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = json_lines(metrics)
    told = [line for line in lines if line["kind"] == "epoch"]
    parameters = [line for line in lines if line["kind"] == "parameter"]
    accuracy = {}
    instances = json_lines(work / "dev.jsonl")
    for update in {line["update"] for line in told}:
        call(work / "program", "run", "--quiet", "--input", work / "dev.jsonl", "--output", outputs,
             "--weights", checkpoints / f"checkpoint-{update:012}.safetensors")
        measured = [model["measure"](*pair) for pair in zip(instances, json_lines(outputs), strict=True)]
        accuracy[update] = sum(value for value, _ in measured) / sum(count for _, count in measured)
    shutil.rmtree(checkpoints)
    weights = [line["instances"] for line in parameters]
    return {
        **settings, "seed": seed, "training": told[0]["instances"], "held_out": len(instances),
        "accuracy": [round(accuracy[line["update"]], 5) for line in told],
        "loss": [round(line["loss"], 5) for line in told], "dev_loss": [round(line["dev_loss"], 5) for line in told],
        "seconds": [round(line["seconds"], 5) for line in told],
        "instances_per_s": round(sum(line["instances"] for line in told) / sum(line["seconds"] for line in told), 1),
        "dev_instances_per_s": round(statistics.harmonic_mean([line["dev_instances_per_s"] for line in told]), 1),
        "processor_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3),
        "mean_staleness": round(statistics.fmean([line["mean_staleness"] for line in parameters], weights), 4) if parameters else 0,
        "greatest_staleness": max((line["greatest_staleness"] for line in parameters), default=0)}


def all_settings(name, chosen):
    """Synchronous training; each number of keys; then, for the number that is fixed, each frequency and number of replicas."""
    common = {"model": name, "size": chosen.size, "workers": chosen.workers}
    batch = MODELS[name]["batch"]
    frequencies = [max(round(batch * factor), 1) for factor in chosen.frequencies]
    grid = [(keys, batch, 1) for keys in chosen.keys]
    grid += [(chosen.fixed_keys, frequency, replicas) for replicas in chosen.replicas for frequency in frequencies]
    yield {**common, "mode": "sync", "keys": 0, "frequency": batch, "replicas": 1}
    for keys, frequency, replicas in dict.fromkeys(grid):
        yield {**common, "mode": "async", "keys": keys, "frequency": frequency, "replicas": replicas}


def better(name, value, target):
    """Whether a model is at the target."""
    return value <= target if MODELS[name].get("less") else value >= target


def arrival(line, target):
    """Epochs and seconds of a run up to the target, or None."""
    for epoch, value in enumerate(line["accuracy"], 1):
        if better(line["model"], value, target):
            return epoch, sum(line["seconds"][:epoch])
    return None


def groups(results):
    """Lines of the results by their settings, and the target of each model and size: what the worst synchronous run got to."""
    by_settings, targets = {}, {}
    for line in results:
        by_settings.setdefault(tuple(line[name] for name in SETTINGS), []).append(line)
    for line in (line for line in results if line["mode"] == "sync"):
        worst, best = (max, min) if MODELS[line["model"]].get("less") else (min, max)
        place = line["model"], line["size"], line["workers"]
        targets[place] = worst(best(line["accuracy"]), targets.get(place, best(line["accuracy"])))

    def order(settings):
        name, size, workers, mode, keys, frequency, replicas = settings
        return list(MODELS).index(name), size, workers, mode == "async", replicas, keys, frequency

    return {settings: by_settings[settings] for settings in sorted(by_settings, key=order)}, targets


def spread(values, digits):
    """The mean, and the least and greatest in brackets."""
    mean, least, most = (f"{value:,.{digits}f}" for value in (statistics.fmean(values), min(values), max(values)))
    return mean if least == most else f"{mean} ({least}-{most})"


def table(results):
    """The results as Markdown, a table for each model and size that has a synchronous run."""
    text, heading, base = [], None, {}
    by_settings, targets = groups(results)
    for settings, lines in by_settings.items():
        name, size, workers, mode, keys, frequency, replicas = settings
        target = targets.get((name, size, workers))
        if target is None:
            continue
        if heading != (name, size, workers):
            heading, base = (name, size, workers), {}
            said = f"mean error {target:.3f}" if MODELS[name].get("less") else f"{100 * target:.1f} %"
            each = "one worker" if workers == 1 else f"{workers} workers"
            text += ["", f"**{name}**: target {said} held out "
                     f"({lines[0]['training']:,} instances, {lines[0]['held_out']:,} held out; {each} for each replica)", "",
                     f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
        found = {line["seed"]: arrival(line, target) for line in lines}
        base = found if mode == "sync" else base
        reached = list(filter(None, found.values()))
        paired = [(place[0], base[seed][0]) for seed, place in found.items() if place and base.get(seed)]
        cost = [1000 * line["processor_seconds"] / (line["training"] * len(line["accuracy"])) for line in lines]
        text.append("| " + " | ".join([
            mode, str(keys or "-"), str(frequency), str(replicas), str(len(lines)), f"{len(reached)} of {len(lines)}",
            spread([epoch for epoch, _ in reached], 1) if reached else f"> {len(lines[0]['accuracy'])}",
            f"{sum(epoch for epoch, _ in paired) / sum(epoch for _, epoch in paired):.2f}" if paired else "-", spread([seconds for _, seconds in reached], 2) if reached else "-",
            spread([line["instances_per_s"] for line in lines], 0), spread([line["dev_instances_per_s"] for line in lines], 0), spread(cost, 3),
            f"{statistics.fmean([line['mean_staleness'] for line in lines]):.2f}", str(max(line["greatest_staleness"] for line in lines))]) + " |")
    return "\n".join(text[1:]) + "\n"


def draw(results, folder):
    """A PNG for each model and size: what is held out against epochs and against seconds, means over the seeds."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    by_settings, targets = groups(results)
    for name, size, workers in dict.fromkeys(settings[:3] for settings in by_settings):
        figure, sides = pyplot.subplots(1, 2, figsize=(10, 4), dpi=100, sharey=True)
        for settings, lines in by_settings.items():
            if settings[:3] != (name, size, workers):
                continue
            mode, keys, frequency, replicas = settings[3:]
            label, style = "sync", {"color": "black", "linewidth": 2}
            if mode == "async":
                label = f"{keys} keys, frequency {frequency}" + (f", {replicas} replicas" if replicas > 1 else "")
                style = {"linewidth": 1, "linestyle": "--" if replicas > 1 else "-"}
            values = [statistics.fmean(column) for column in zip(*(line["accuracy"] for line in lines))]
            seconds = [statistics.fmean(column) for column in zip(*(line["seconds"] for line in lines))]
            sides[0].plot(range(1, len(values) + 1), values, label=label, **style)
            sides[1].plot([sum(seconds[:k + 1]) for k in range(len(seconds))], values, **style)
        for side, axis in zip(sides, ("epochs", "seconds of training")):
            side.set_xlabel(axis)
            side.grid(alpha=0.25)
            if (name, size, workers) in targets:
                side.axhline(targets[name, size, workers], color="gray", linewidth=0.8, linestyle=":")
        sides[1].set_xscale("log")
        sides[0].set_ylabel("mean error, held out" if MODELS[name].get("less") else "share that is right, held out")
        sides[0].legend(frameon=False, fontsize=7)
        figure.suptitle(name)
        figure.tight_layout()
        figure.savefig(folder / f"{name}.{size}.png", metadata={"Software": None})
        pyplot.close(figure)


def main():
    """Reads the options, makes the runs that are missing, and reports all that are there."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="folder of the data sets")
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--results", type=Path, required=True, help="JSON Lines, added to")
    options.add_argument("--table", type=Path, help="Markdown")
    options.add_argument("--curves", type=Path, help="folder for PNGs")
    options.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    options.add_argument("--size", choices=("full", "quick", "tiny"), default="full", help="tiny is there for list reduction only")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--workers", type=int, default=1, help="threads, of each replica")
    options.add_argument("--keys", type=int, nargs="+", default=[1, 4, 16, 64], help="values of --max-active-keys, one replica")
    options.add_argument("--fixed-keys", type=int, default=16, help="the value for frequencies and replicas")
    options.add_argument("--frequencies", type=float, nargs="*", default=[0.25, 1, 4],
                         help="--min-update-frequency, in times what a synchronous batch gives")
    options.add_argument("--replicas", type=int, nargs="+", default=[1, 2])
    options.add_argument("--longer", type=float, default=1.3, help="asynchronous epochs at most, in times the synchronous ones")
    options.add_argument("--no-runs", action="store_true", help="only report")
    chosen = options.parse_args()

    results = json_lines(chosen.results) if chosen.results.exists() else []
    done = {(*(line[name] for name in SETTINGS), line["seed"]) for line in results}
    for name in [] if chosen.no_runs else chosen.models:
        if chosen.size not in MODELS[name]["sizes"]:
            sys.exit(f"{name} has no size {chosen.size}")
        work = chosen.work.resolve() / f"{name}.{chosen.size}"
        prepare(name, chosen.size, chosen.data, work)
        for seed in chosen.seeds:
            for settings in all_settings(name, chosen):
                if (*settings.values(), seed) in done:
                    continue
                epochs = MODELS[name]["sizes"][chosen.size][2]
                line = run(settings, seed, math.ceil(epochs * chosen.longer) if settings["mode"] == "async" else epochs, work)
                with open(chosen.results, "a", encoding="utf-8") as out:
                    out.write(json.dumps(line, separators=(",", ":")) + "\n")
                results.append(line)
                said = " ".join(f"{key} {settings[key]}" for key in ("keys", "frequency", "replicas"))
                print(f"{name} {settings['mode']} {said} seed {seed}: "
                      f"{line['accuracy'][-1]:.4f} after {len(line['accuracy'])} epochs, {sum(line['seconds']):.1f} s", flush=True)
    if chosen.table:
        chosen.table.write_text(table(results), encoding="utf-8")
    if chosen.curves:
        draw(results, chosen.curves)


if __name__ == "__main__":
    main()
