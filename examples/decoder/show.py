"""Draws each request: a dot for a token of the prompt, the tokens that were generated, and how it ended. See README.md."""

import argparse
import json
import sys
from pathlib import Path

END = 0


def main():
    """Reads the options, then requests and outputs side by side."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--input", type=Path, required=True, help="the requests")
    options.add_argument("--output", type=Path, required=True, help="the program's outputs for them")
    options.add_argument("--limit", type=int, default=8, help="draw at most so many requests (the last line counts all)")
    options.add_argument("--width", type=int, default=120, help="of a line; more is cut")
    chosen = options.parse_args()

    requests = prompts = generated = ended = 0
    with open(chosen.input, encoding="utf-8") as inputs, open(chosen.output, encoding="utf-8") as outputs:
        for number, (request, output) in enumerate(zip(map(json.loads, inputs), map(json.loads, outputs))):
            if "error" in output:
                sys.exit(f"request {number + 1}: {output['error']}")
            token = output["token"]
            end = bool(token) and token[-1] == END
            if not end and len(token) != request["max_new"]:
                sys.exit(f"request {number + 1}: ended after {len(token)} of {request['max_new']} tokens")
            if number < chosen.limit:
                line = f"{'.' * len(request['prompt'])} {' '.join(map(str, token))}"
                print(line if len(line) <= chosen.width else line[:chosen.width - 3] + "...")
            requests += 1
            prompts += len(request["prompt"])
            generated += len(token)
            ended += end
    print(f"{requests} requests, {prompts} tokens of prompts, {generated} generated; {ended} ended at token {END}, the others at their limit")


if __name__ == "__main__":
    main()
