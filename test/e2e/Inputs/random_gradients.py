"""Compares the gradients of random programs with differences, in the interpreter and in f64; compiled models' with the interpreter's.

    random_gradients.py FOLDER [--count 40] [--first 1] [--instances 4] [--compile 0] [--jobs 2] [--ampc ampc]

The programs are those of random_program.py without ops that have no derivative, and with a loss on what they return. Where the loss
jumps or bends between the points of the differences, smaller steps decide. The first `--compile` programs are compiled as well, and
their gradients compared as gradients.py does. What fails is kept in FOLDER. Exit status 1 then.
"""

import argparse
import concurrent.futures
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gradients
from random_program import random_instances, random_program

WITHOUT = ("narrow", "generated")


def with_loss(text):
    """The entry becomes a function that the new one calls."""
    signature = re.search(r"func\.func @entry\((.*)\) -> \((.*)\) \{\n", text)
    fields = re.findall(r"(%\w+): (.*?) \{amp\.name = \"\w+\"\}", signature.group(1))
    kinds = re.findall(r"(\S+) \{amp\.name = \"\w+\"\}", signature.group(2))
    inner = f"func.func private @inner({', '.join(f'{name}: {kind}' for name, kind in fields)}) -> ({', '.join(kinds)}) {{\n"
    entry = f"""func.func @entry({signature.group(1)}) -> (f32 {{amp.name = "loss", amp.loss}}) {{
  %target = arith.constant dense<[0.1, -0.2, 0.3, -0.4]> : tensor<4xf32>
  %r:3 = call @inner({', '.join(name for name, _ in fields)}) : ({', '.join(kind for _, kind in fields)}) -> ({', '.join(kinds)})
  %pool = amp.pool mean %r#2 : tensor<?x4xf32>
  %l0 = amp.loss squared_error %r#0, %target : tensor<4xf32>, tensor<4xf32> -> f32
  %l1 = amp.loss squared_error %pool, %target : tensor<4xf32>, tensor<4xf32> -> f32
  %l2 = arith.addf %l0, %l1 : f32
  return %l2 : f32
}}
"""
    return text.replace(signature.group(0), inner) + entry


def run(command, allowed=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    if done.returncode not in allowed:
        raise RuntimeError(f"{' '.join(str(part) for part in command)}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done


class Attempt:
    def __init__(self, folder, ampc, seed):
        self.folder, self.ampc, self.seed = folder / str(seed), ampc, seed
        self.folder.mkdir(parents=True, exist_ok=True)
        self.model = self.folder / "model.mlir"
        self.model.write_text(with_loss(random_program(seed, 1, WITHOUT).text()))

    def losses(self, weights, header, instances):
        gradients.write_wide(self.folder / "at.safetensors", weights, header)
        lines = run([self.ampc, "--interpret", "--train", self.folder / "wide.mlir", "--input", instances, "--weights", self.folder / "at.safetensors"], (0, 1)).stdout
        return [json.loads(line).get("loss") for line in lines.splitlines()]

    def is_rough(self, name, element, ours, instances):
        """Whether smaller steps agree with `ours`: then the loss jumps or bends nearby."""
        weights, header = self.weights
        slopes = []
        for step in (1e-3, 1e-4, 1e-5, 1e-6):
            ends = []
            for side in (-1, 1):
                moved = list(weights[name])
                moved[element] += side * step
                ends.append(sum(self.losses({**weights, name: moved}, header, instances)))
            slopes.append((ends[1] - ends[0]) / (2 * step))
        return any(abs(slope - ours) <= 1e-4 * max(abs(slope), abs(ours), 1e-4) for slope in slopes), slopes

    def check(self, count, compiled):
        """What is wrong."""
        wide = run(["amp-opt", "-amp-widen-floats", self.model]).stdout
        (self.folder / "wide.mlir").write_text(wide)
        every = random_instances(self.seed, 1)
        if not random_program(self.seed, 1, WITHOUT).wrapped:
            every = [{name: value for name, value in instance.items() if name not in ("case", "repeat")} for instance in every]
        path = self.folder / "all.jsonl"
        path.write_text("".join(json.dumps(instance) + "\n" for instance in every))
        lines = run([self.ampc, "--interpret", "--train", self.folder / "wide.mlir", "--input", path], (0, 1)).stdout
        whole = [instance for instance, line in zip(every, lines.splitlines()) if "loss" in json.loads(line)][:count]
        self.weights = self.initial_weights()
        wrong = []
        for number, instance in enumerate(whole):
            path = self.folder / f"{number}.jsonl"
            path.write_text(json.dumps(instance) + "\n")
            done = run([self.ampc, "--check-gradients", self.model, "--input", path, "--samples", "0"], (0, 1))
            failures = re.findall(r"^(\w+): .* at element (\d+): (\S+), but", done.stdout, re.M)
            if re.search("not differentiated|gradients do not go", done.stderr):  # limits that are stated (SPEC)
                return None
            if done.returncode and not failures:
                wrong.append(done.stdout + done.stderr)
            for name, element, ours in failures:
                rough, slopes = self.is_rough(name, int(element), float(ours), path)
                if not rough:
                    wrong.append(f"{path}: @{name} element {element}: {ours}, but differences say {slopes}\n")
        if compiled and whole and self.weights[0]:
            wrong += self.check_compiled(whole)
        return wrong

    def check_compiled(self, instances):
        case = gradients.Case.__new__(gradients.Case)
        case.name, case.ampc, case.seed, case.folder, case.model = str(self.seed), self.ampc, "1", self.folder / "compiled", self.model
        case.folder.mkdir(exist_ok=True)
        case.instances, case.count = case.folder / "in.jsonl", len(instances)
        case.instances.write_text("".join(json.dumps(instance) + "\n" for instance in instances))
        try:
            return [each + "\n" for each in case.check(1e-3, smooth=True, level=0)]
        except RuntimeError as error:
            if "compiled models train parameters of f32 only" in str(error):
                return []
            raise

    def initial_weights(self):
        """Those that --check-gradients takes from the seed, by way of a program that has only them."""
        text = "\n".join(re.findall(r"^amp\.param .*", self.model.read_text(), re.M))
        if not text:
            return {}, {}
        names = re.findall(r"@(\w+) : (\S+) init", text)
        gets = "\n".join(f"  %{name} = amp.get @{name} : {kind}" for name, kind in names)
        results = ", ".join(f'{kind} {{amp.name = "{name}"}}' for name, kind in names)
        (self.folder / "params.mlir").write_text(f"{text}\nfunc.func @params() -> ({results}) {{\n{gets}\n  return "
                                                 f"{', '.join('%' + name for name, _ in names)} : {', '.join(kind for _, kind in names)}\n}}\n")
        (self.folder / "none.jsonl").write_text("{}\n")
        values = json.loads(run([self.ampc, "--interpret", self.folder / "params.mlir", "--input", self.folder / "none.jsonl"]).stdout)

        def flat(value):
            return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]

        return ({name: flat(values[name]) for name, _ in names},
                {name: {"shape": [int(size) for size in re.findall(r"(\d+)x", kind)]} for name, kind in names})


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--count", type=int, default=40)
    options.add_argument("--first", type=int, default=1)
    options.add_argument("--instances", type=int, default=4)
    options.add_argument("--compile", type=int, default=0)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--ampc", default="ampc")
    chosen = options.parse_args()

    def attempt(seed):
        tried = Attempt(chosen.folder, chosen.ampc, seed)
        try:
            wrong = tried.check(chosen.instances, seed < chosen.first + chosen.compile)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            wrong = [str(error)]
        if not wrong:
            shutil.rmtree(tried.folder)
            return "" if wrong == [] else None
        return f"seed {seed}: {len(wrong)} failures, in {tried.folder}\n" + "".join(wrong)[:3000]

    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        reports = list(pool.map(attempt, range(chosen.first, chosen.first + chosen.count)))
    failures = [report for report in reports if report]
    print("\n".join(failures))
    print(f"{chosen.count} programs: {len(failures)} failed, {reports.count(None)} are not differentiated")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
