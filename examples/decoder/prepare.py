"""Makes requests, one JSON object a line, with the lengths (and the arrival times) of a trace of a language model's service. See README.md."""

import argparse
import csv
import json
import random
from datetime import datetime
from itertools import islice
from pathlib import Path

TOKENS = 4096
LONGEST = 64


def clip(length):
    """A length that the model's positions suffice for."""
    return min(max(length, 1), LONGEST)


def prompt(length, generator):
    """Random tokens: no text comes with the trace."""
    return [generator.randrange(1, TOKENS) for _ in range(length)]


def seconds(stamp):
    """A time of the trace; its fractions have seven digits, one more than Python reads."""
    return datetime.fromisoformat(stamp[:26]).timestamp()


def main():
    """Reads the options and writes the requests, and the times at which they came."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--trace", type=Path, required=True, help="CSV with TIMESTAMP, ContextTokens and GeneratedTokens")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--arrivals", type=Path, help="for --arrivals of a program: seconds from the first request on, a line for each")
    options.add_argument("--context", type=int, default=32, help="a prompt has one token for so many of the trace's")
    options.add_argument("--generated", type=int, default=8, help="and max_new is one for so many")
    options.add_argument("--limit", type=int, help="write at most so many requests")
    options.add_argument("--ends", type=int, nargs="*", default=[], metavar="SEED",
                         help="then requests for 64 tokens with 8 random tokens from these seeds: some that end early")
    chosen = options.parse_args()

    generator = random.Random(1)
    with open(chosen.trace, encoding="utf-8", newline="") as lines:
        rows = list(islice(csv.DictReader(lines), chosen.limit))
    requests = [{"prompt": prompt(clip(int(row["ContextTokens"]) // chosen.context), generator),
                 "max_new": clip(int(row["GeneratedTokens"]) // chosen.generated)} for row in rows]
    requests += [{"prompt": prompt(8, random.Random(seed)), "max_new": LONGEST} for seed in chosen.ends]
    with open(chosen.output, "w", encoding="utf-8") as out:
        for request in requests:
            out.write(json.dumps(request, separators=(",", ":")) + "\n")
    if chosen.arrivals is not None:
        times = [seconds(row["TIMESTAMP"]) for row in rows]
        times += times[-1:] * len(chosen.ends)
        chosen.arrivals.write_text("".join(f"{time - times[0]:.6f}\n" for time in times), encoding="utf-8")


if __name__ == "__main__":
    main()
