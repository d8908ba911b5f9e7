"""Draws the learning curve of `model train --metrics run.jsonl` as a PNG. Needs matplotlib.

    python3 tools/plot-metrics.py run.jsonl --output curve.png --title treelstm
"""

import argparse
import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402


def smoothed(values, window):
    """The mean of each value and of those up to `window` before it."""
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    return [(sums[k + 1] - sums[max(k + 1 - window, 0)]) / min(k + 1, window) for k in range(len(values))]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("metrics", type=Path)
    options.add_argument("--output", type=Path, required=True)
    options.add_argument("--title", default="")
    options.add_argument("--linear", action="store_true", help="a linear axis of the loss, not a logarithmic one")
    chosen = options.parse_args()

    with open(chosen.metrics, encoding="utf-8") as lines:
        metrics = [json.loads(line) for line in lines]
    updates = [line for line in metrics if line["kind"] == "updates"]
    epochs = [line for line in metrics if line["kind"] == "epoch"]
    figure, axes = pyplot.subplots(figsize=(6, 3.2), dpi=100)
    window = max(len(updates) // 60, 1)
    axes.plot([line["update"] for line in updates], smoothed([line["loss"] for line in updates], window),
              color="#4477aa", linewidth=1.2, label="training")
    judged = [line for line in epochs if line.get("dev_loss") is not None]
    if judged:
        axes.plot([line["update"] for line in judged], [line["dev_loss"] for line in judged],
                  color="#cc3311", linewidth=1.2, marker="o", markersize=3, label="held out, after each epoch")
    if not chosen.linear:
        axes.set_yscale("log")
        axes.yaxis.set_minor_locator(ticker.LogLocator(subs=(2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
    axes.set_xlabel("updates")
    axes.set_ylabel("loss, mean over instances")
    axes.set_title(chosen.title)
    axes.grid(which="both", alpha=0.25)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(chosen.output, metadata={"Software": None})


if __name__ == "__main__":
    main()
