"""Prints what `model run --stats file.json` wrote: how well the instances were batched."""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        stats = json.load(file)
    activations, batches = stats["cell_activations"], stats["batches"]
    print(
        f"batching ({stats['policy']}, {stats['max_in_flight']} instances in flight): "
        f"{activations:,} cell activations in {batches:,} batches, "
        f"{activations / max(batches, 1):.1f} in each"
    )
    rows = [("cell", "where", "activations", "batches", "mean", "time")]
    total = sum(cell["seconds"] or 0 for cell in stats["cells"])
    for cell in stats["cells"]:
        share = f"{100 * cell['seconds'] / total:.0f} %" if total else "-"
        mean = f"{cell['mean_batch']:.1f}" if cell["mean_batch"] is not None else "-"
        rows.append(
            (cell["name"], cell.get("where", ""), f"{cell['activations']:,}", f"{cell['batches']:,}", mean, share)
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [text.ljust(width) if i < 2 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells).rstrip())


if __name__ == "__main__":
    main()
