"""Compiles random programs and compares each with the interpreter, under every policy.

    try_programs.py FIRST_SEED LAST_SEED FOLDER [--ampc ampc]

Prints the seeds that fail and keeps their files; exit status 1 then.
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def attempt(seed, folder, ampc):
    """What went wrong, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    model, program, instances, oracle = (str(folder / name) for name in ("model.mlir", "model", "in.jsonl", "oracle.jsonl"))
    steps = (
        ([sys.executable, HERE / "random_program.py", str(seed), model, instances], (0,)),
        ([ampc, model, "-o", program], (0,)),
        ([ampc, "--interpret", model, "--input", instances, "--output", oracle], (0, 1)),  # an instance may fail
        ([sys.executable, HERE / "agree.py", program, instances, oracle], (0,)),
    )
    for command, allowed in steps:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in allowed:
            return f"{' '.join(map(str, command))}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("first", type=int)
    options.add_argument("last", type=int)
    options.add_argument("folder", type=Path)
    options.add_argument("--ampc", default="ampc")
    chosen = options.parse_args()
    failed = 0
    for seed in range(chosen.first, chosen.last + 1):
        problem = attempt(seed, chosen.folder / str(seed), chosen.ampc)
        if problem is not None:
            failed += 1
            print(f"seed {seed}: {problem}", flush=True)
    print(f"{chosen.last - chosen.first + 1 - failed} programs agree, {failed} do not")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
