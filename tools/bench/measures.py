"""From what the rounds gave to the figures that the goals are of: ratios of runs of the same round."""

from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

import workloads
from workloads import WORKLOADS

OURS, BY_HAND = "ours", "by hand"  # who; BY_HAND is the tree-LSTM
FORMATS = {"%": "{:.0f} %", "x": "{:.2f}", "s": "{:.2f} s", "MiB": "{:,.0f} MiB", "ns": "{:.1f} ns"}
RUNTIME = "runtime"  # what has its measures, beside the workloads


class Setting(NamedTuple):
    """What a run was of; `batch` is what is in flight for each thread where it is ours. As text: of a rival."""

    who: str
    mode: str
    batch: int
    threads: int

    def __str__(self):
        parts = [f"{self.who} {self.mode}"]
        parts += [str(self.batch)] if self.mode != "one" else []
        parts += [threads_text(self.threads)] if self.threads != 1 else []
        return ", ".join(parts)


@dataclass
class Measure:
    """A figure of every round, and its goal."""

    key: str
    text: str
    values: list
    goal: float = None
    unit: str = "x"
    at_most: bool = False  # the goal is an upper bound

    @property
    def median(self):
        """Over the rounds."""
        return median(self.values)

    @property
    def reached(self):
        """Whether the median reaches the goal; None without a goal."""
        if self.goal is None:
            return None
        return self.median <= self.goal if self.at_most else self.median >= self.goal

    def show(self, value):
        """A value with its unit."""
        return FORMATS[self.unit].format(100 * value if self.unit == "%" else value)

    def verdict(self):
        """ok, MISS or nothing."""
        return {None: "", True: "ok", False: "MISS"}[self.reached]


class Results:
    """Reads what bench.py wrote."""

    def __init__(self, data):
        self.data = data
        self.names = list(data["workloads"])
        self.job = data["options"].get("job", "forward")
        self.workloads = {name: WORKLOADS[name].for_job(self.job) for name in self.names}
        self.instructions = next((bound["instructions"] for bound in data["bounds"]), None)

    def bounds(self, threads=1):
        """{round: GFLOP/s}: the best of the round, because other load can only make it less."""
        found = {}
        for bound in self.data["bounds"]:
            if bound["threads"] == threads:
                found[bound["round"]] = max(bound["gflops"], found.get(bound["round"], 0))
        return found

    def speeds(self, workload):
        """{setting: {round: instances/s}}."""
        found = {}
        for run in self.data["runs"]:
            if run["workload"] == workload:
                setting = Setting(run["who"], run["mode"], run["batch"], run["threads"])
                found.setdefault(setting, {})[run["round"]] = run["instances_per_s"]
        return found

    def latencies(self, workload):
        """{round: seconds of one instance, from giving it to having its results} of ours."""
        return {run["round"]: 1e-6 * run["latency_us"]["mean"]
                for run in self.data["runs"] if run["workload"] == workload and "latency_us" in run}

    def bound_speeds(self, workload, threads):
        """{round: instances/s} if a model were its products alone: as many times the bound of one thread."""
        flops = self.data["workloads"][workload]["flops"]
        return {at: threads * 1e9 * gflops / flops for at, gflops in self.bounds().items()}

    def compiles(self, workload, what):
        """Values of every round."""
        return [run[what] for run in self.data["compiles"] if run["workload"] == workload]


def ratios(these, those):
    """Of the rounds that both have."""
    return [these[at] / those[at] for at in sorted(these.keys() & those.keys())]


def best(speeds, wanted):
    """The setting with the best median among those that are `wanted`, or None."""
    return max(filter(wanted, speeds), key=lambda setting: median(speeds[setting].values()), default=None)


def threads_text(count):
    """`count` in words."""
    return "1 thread" if count == 1 else f"{count} threads"


def is_rival(setting, threads):
    """What a rival does with fewer threads it can do on as many cores, too."""
    return setting.who not in (OURS, BY_HAND) and setting.threads <= threads


def measure_speeds(results, name, threads, mine):
    """Of our best setting with so many threads; one thread has the goals."""
    workload, speeds = results.workloads[name], results.speeds(name)
    size = f"{mine.batch} in flight" if results.job == "forward" else f"{mine.batch} an update"
    text, key = f"{threads_text(threads)}, {size}", "" if threads == 1 else f"_{threads}"
    found = [Measure(f"share{key}", f"share of the bound ({text})", ratios(speeds[mine], results.bound_speeds(name, threads)),
                     workload.share_goal(results.instructions), "%")]
    one = best(speeds, lambda s: is_rival(s, threads) and s.mode == "one")
    for what, title, rival, goal in (("rival", "the best rival", best(speeds, lambda s: is_rival(s, threads)), workload.over_rival),
                                     ("one", "one at a time", one, workload.over_one)):
        if rival:
            found.append(Measure(f"{what}{key}", f"times {title} ({text}; {rival})", ratios(speeds[mine], speeds[rival]), goal))
    return found if threads == 1 else [replace(measure, goal=None) for measure in found]


def measure_latency(results, name):
    """One instance alone, against the best of those that have no batch."""
    speeds = results.speeds(name)
    rival = best(speeds, lambda s: is_rival(s, 1) and s.mode == "one")
    if rival is None:
        return []
    theirs = {at: 1 / speed for at, speed in speeds[rival].items()}
    return [Measure("latency", f"latency of one instance, {rival} over ours", ratios(theirs, results.latencies(name)), results.workloads[name].over_latency)]


def measure_by_hand(results, name):
    """Where the tree-LSTM written by hand ran, in the same settings."""
    speeds, found = results.speeds(name), []
    for setting in sorted(speeds):
        mine = setting._replace(who=OURS, mode=OURS)
        if setting.who == BY_HAND and mine in speeds and setting.batch in workloads.PROTOTYPE_SIZES[results.job]:
            size = "in flight" if results.job == "forward" else "an update"
            text = f"times what is written by hand ({threads_text(setting.threads)}, {setting.batch} {size})"
            found.append(Measure(f"by_hand_{setting.threads}_{setting.batch}", text, ratios(speeds[mine], speeds[setting]), workloads.PROTOTYPE))
    return found


def measure_compiler(results, name):
    """What compiling took."""
    return [Measure("compile_seconds", "compile time", results.compiles(name, "seconds"), workloads.COMPILE_SECONDS, "s", at_most=True),
            Measure("compile_cpu", "compile time of processors", results.compiles(name, "cpu_seconds"), None, "s"),
            Measure("compile_mib", "memory of the compiler", results.compiles(name, "mib"), workloads.COMPILE_MIB, "MiB", at_most=True)]


def measure_workload(results, name):
    """All figures of a workload that there are."""
    speeds, found = results.speeds(name), []
    fastest = {count: best(speeds, lambda s, count=count: s.who == OURS and s.threads == count)
               for count in sorted({setting.threads for setting in speeds if setting.who == OURS})}
    for threads, mine in fastest.items():
        found += measure_speeds(results, name, threads, mine)
    if 1 in fastest and 2 in fastest:
        found.append(Measure("workers", "2 threads over one", ratios(speeds[fastest[2]], speeds[fastest[1]]), workloads.TWO_WORKERS[results.job]))
    found += measure_latency(results, name) + measure_by_hand(results, name) + measure_compiler(results, name)
    return [measure for measure in found if measure.values]


def measure_scheduler(results):
    """Nanoseconds of the runtime for each activation, [Measure] by policy and number in flight. The default policy has the goal."""
    found = {}
    for run in results.data["scheduler"]:
        found.setdefault((run["policy"], run["in_flight"]), []).append(run["ns_activation"])
    return [Measure(f"ns_{policy}_{size}", f"{policy}, {size} in flight", values,
                    workloads.NS_ACTIVATION if policy == "agenda" else None, "ns", at_most=True)
            for (policy, size), values in found.items()]


def measure_all(results):
    """{workload: [Measure]}, and the runtime's."""
    found = {name: measure_workload(results, name) for name in results.names}
    if results.data["scheduler"]:
        found[RUNTIME] = measure_scheduler(results)
    return found
