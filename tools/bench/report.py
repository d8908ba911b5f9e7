"""The tables of what bench.py measured. By itself: `report.py FILE.json` prints those of a file that it wrote."""

import json
import sys
from statistics import median

from measures import BY_HAND, OURS, RUNTIME, Results, measure_all, ratios, threads_text

# The summary's columns: a measure's key, a title.
COLUMNS = (("share", "of bound"), ("rival", "x rival"), ("one", "x one"), ("workers", "2 / 1"), ("latency", "latency"),
           ("compile_seconds", "compile"), ("compile_mib", "memory"))


def table(rows, left=1):
    """Aligned columns, the first `left` of them to the left; the first row is the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if i < left else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join("  " + line for line in lines)


def goal_cells(measure):
    """[goal, verdict]."""
    if measure.goal is None:
        return ["", ""]
    return [f"{'<=' if measure.at_most else '>='} {measure.show(measure.goal)}", measure.verdict()]


def measure_table(measures):
    """Least, median and largest of each."""
    rows = [["", "min", "median", "max", "goal", ""]]
    rows += [[m.text, *map(m.show, (min(m.values), m.median, max(m.values))), *goal_cells(m)] for m in measures]
    return table(rows)


def speed_table(results, name):
    """Instances/s of everybody in every setting, medians."""
    lines = {}
    for setting, rounds in results.speeds(name).items():
        lines.setdefault((setting.who, setting.mode, setting.threads), {})[setting.batch] = rounds
    sizes = sorted({size for line in lines.values() for size in line})
    rows = [["instances/s", *map(str, sizes)]]

    def add(title, line, show):
        rows.append([title, *(show(line[size]) if size in line else "-" for size in sizes)])

    # Ours first, then what is nearest to it.
    order = {OURS: 0, BY_HAND: 1, "torch": 2}
    for who, mode, threads in sorted(lines, key=lambda line: (order.get(line[0], 3), line[1] != "one", line)):
        line = lines[who, mode, threads]
        add(f"{who if who == mode else f'{who} {mode}'}, {threads_text(threads)}", line, lambda rounds: f"{median(rounds.values()):,.0f}")
        if who == OURS and (bounds := results.bound_speeds(name, threads)):
            add("  of the bound", line, lambda rounds, bounds=bounds: f"{100 * median(ratios(rounds, bounds)):.0f} %")
    return table(rows)


def workload_text(results, name, measures):
    """A workload's tables."""
    about = results.data["workloads"][name]
    title = f"== {name}: {about['instances']:,} instances, {about['flops'] / 1e6:.2f} MFLOP of products each"
    if bounds := results.bound_speeds(name, 1):
        title += f"; the bound of a thread is {median(bounds.values()):,.0f}/s"
    parts = [title]
    if results.speeds(name):
        parts.append(speed_table(results, name))
    if measures:
        parts.append(measure_table(measures))
    return "\n\n".join(parts)


def summary_text(found):
    """A line a workload, of medians; a miss is marked, and listed with its goal."""
    rows = [["workload", *(title for _, title in COLUMNS)]]
    for name, measures in found.items():
        by_key = {measure.key: measure for measure in measures}
        if name != RUNTIME:
            rows.append([name, *(f"{by_key[key].show(by_key[key].median)}{'*' if by_key[key].reached is False else ''}" if key in by_key else "-"
                                 for key, _ in COLUMNS)])
    with_goal = [(name, measure) for name, measures in found.items() for measure in measures if measure.goal is not None]
    missed = [(name, measure) for name, measure in with_goal if not measure.reached]
    shown = {key for key, _ in COLUMNS}
    others = [["", "median", "goal", ""]]
    others += [[f"{name}: {m.text}", m.show(m.median), *goal_cells(m)] for name, m in with_goal if m.key not in shown]
    verdicts = [f"{len(with_goal) - len(missed)} of {len(with_goal)} goals reached"]
    verdicts += [f"MISS {name}: {m.text}: {m.show(m.median)}, goal {goal_cells(m)[0]}" for name, m in missed]
    parts = ["== summary: medians; * is a miss", table(rows), table(others) if len(others) > 1 else "", "\n".join(verdicts)]
    return "\n\n".join(part for part in parts if part)


def head_text(results):
    """Where, with what, how often."""
    data = results.data
    lines = [f"{data['machine']['processor']}, {data['machine']['cores']} cores, load {data['machine']['load']}"]
    for threads in sorted({bound["threads"] for bound in data["bounds"]}):
        values = list(results.bounds(threads).values())
        lines.append(f"the product kernel, {threads_text(threads)}, 64 rows: {min(values):.1f} / {median(values):.1f} / {max(values):.1f} GFLOP/s "
                     f"(min / median / max of the rounds), {results.instructions}, compiled by {data['bounds'][0]['compiler']}")
    lines.append(f"rounds: {data['rounds']}; rivals: {', '.join(f'{peer} {version}' for peer, version in data['rivals'].items()) or 'none'}; "
                 f"our policy: {data['options']['policy']}; batch is what is in flight for each thread, where it is ours")
    lines += [f"note: {note}" for note in data["notes"]]
    return "\n".join(lines)


def report(data):
    """All of it, as text."""
    results = Results(data)
    found = measure_all(results)
    parts = [head_text(results)]
    parts += [workload_text(results, name, found[name]) for name in results.names]
    if RUNTIME in found:
        parts.append("== the runtime's own cost: nanoseconds for each activation of a cell, empty cells on the tree-LSTM's shape\n\n"
                     + measure_table(found[RUNTIME]))
    parts.append(summary_text(found))
    return "\n\n".join(parts)


def summary_json(data):
    """{workload: {measure: its spread, goal and verdict}}."""
    return {name: {m.key: {"text": m.text, "unit": m.unit, "min": min(m.values), "median": m.median, "max": max(m.values), "values": m.values,
                           "goal": m.goal, "reached": m.reached} for m in measures}
            for name, measures in measure_all(Results(data)).items()}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(report(json.load(file)))
