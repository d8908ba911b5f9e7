"""The rivals, PyTorch and DyNet: their virtual environment, their data, and the commands that run them."""

import os
import shutil
import sys
from pathlib import Path

from common import ROOT, Failed, run, run_json, say
from workloads import SIZES

INSTALL_LIMIT = 3600  # seconds: with all that it needs, torch is 3 GB
DYNET_MODES = ("agenda", "depth")


def folder():
    """Where their scripts lie, or None."""
    path = Path(os.environ.get("AMP_PEERS", ROOT.parent / "shared/peers"))
    return path.resolve() if (path / "prepare.py").exists() else None


class Environment:
    """A virtual environment with what their scripts need; what is missing is installed, once."""

    def __init__(self, path):
        self.path, self.python = path, path / "bin/python"

    def make(self):
        """The environment, empty."""
        say(f"making a virtual environment in {self.path}")
        try:
            run([sys.executable, "-m", "venv", self.path])
        except Failed as failed:
            # A half-made one would be taken for one.
            shutil.rmtree(self.path, ignore_errors=True)
            raise Failed(f"{failed} (on Debian it needs the package python3-venv)") from None

    def version(self, package):
        """Of an installed package, or None."""
        try:
            return run([self.python, "-c", f"import importlib.metadata as m; print(m.version({package!r}))"]).strip()
        except Failed:
            return None

    def install(self, package, options=()):
        """The version of the package, installed if it is not there; `Failed` where it cannot be had."""
        if version := self.version(package):
            return version
        if not self.python.exists():
            self.make()
        say(f"installing {package} in {self.path}")
        run([self.python, "-m", "pip", "install", "--quiet", *options, package], INSTALL_LIMIT)
        return self.version(package)

    def install_rivals(self, note):
        """{"torch": version, "dynet": version}; one that cannot be had is left out, and `note` is told why."""
        index = os.environ.get("AMP_TORCH_INDEX")
        found = {}
        for peer, package, options in (("torch", "torch", ("--index-url", index) if index else ()), ("dynet", "dynet38", ())):
            try:
                found[peer] = self.install(package, options)
            except Failed as failed:
                note(f"without {peer}: {failed}")
        return found


def prepare_data(scripts, environment, work, workloads):
    """Writes the instances and weights that are missing in the folder `work`."""
    missing = [w for w in workloads if not all((work / file).exists() for file in w.files)]
    if not missing:
        return
    names = sorted({workload.script for workload in missing})
    say(f"preparing data in {work}: {', '.join(names)}")
    for package in ("numpy", "safetensors"):
        environment.install(package)
    # Whole files only, also where it is interrupted.
    new = work / "new"
    shutil.rmtree(new, ignore_errors=True)
    data = Path(os.environ.get("AMP_DATA", scripts.parent / "data"))
    run([environment.python, scripts / "prepare.py", "--out", new, "--data", data, "--only", *names], INSTALL_LIMIT)
    for file in new.iterdir():
        file.replace(work / file.name)
    new.rmdir()


def settings(workload, rivals, threads, quick, sizes):
    """What to run: [(peer, mode, batch, threads)]. DyNet has one thread."""
    found = []
    for count in threads:
        if "torch" in rivals:
            found.append(("torch", "one", 1, count))
            found += [("torch", workload.by_hand, size, count) for size in SIZES]
        if "dynet" in rivals and workload.dynet and count == 1:
            found.append(("dynet", "one", 1, 1))
            found += [("dynet", mode, size, 1) for mode in DYNET_MODES for size in SIZES]
    found = [setting for setting in found if setting[2] <= workload.limit]
    if quick:  # whatever the sizes of ours: a ratio is of the best of both
        return [setting for setting in found if setting[:3] in workload.best or setting[1] == "one" and setting[3] == 1]
    return [setting for setting in found if setting[2] in sizes]


class Rivals:
    """Runs their scripts."""

    def __init__(self, scripts, environment, work, options):
        self.scripts, self.environment, self.work, self.options = scripts, environment, work, options

    def measure(self, workload, peer, mode, batch, threads):
        """Their report."""
        command = [self.environment.python, self.scripts / f"{peer}_{workload.script}.py", "--work", self.work, *workload.extra]
        command += ["--mode", mode, "--job", self.options.job, "--batch", batch, "--threads", threads]
        return run_json([*command, "--limit", workload.limit, "--repeats", self.options.repeats])
