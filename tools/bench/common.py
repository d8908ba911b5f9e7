"""What the parts of the benchmark share: commands, and where things lie."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT = 300  # seconds; a run that takes longer is given up


class Failed(Exception):
    """A command that did not do what it should; the message says which and why."""


def say(text):
    """Progress, at once also where the output is a file."""
    print(text, flush=True)


def run(command, time_limit=TIME_LIMIT):
    """What the command writes to its standard output; `Failed` where it fails."""
    command = [str(word) for word in command]
    # Folders of others stay as they are.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=time_limit, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{shortened(command)}: more than {time_limit} s") from None
    except OSError as error:
        raise Failed(f"{shortened(command)}: {error.strerror}") from None
    if done.returncode != 0:
        # Of Python's errors the last line says it all, of a command line's the one before it.
        said = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()[-2:]
        raise Failed(f"{shortened(command)}: {'; '.join(line.strip() for line in said)}")
    return done.stdout


def run_json(command, time_limit=TIME_LIMIT):
    """The JSON object in the last line of the command's output."""
    output = run(command, time_limit)
    try:
        return json.loads(output.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        raise Failed(f"{shortened(command)}: its output is not JSON") from None


def run_measured(command):
    """{"seconds", "cpu_seconds", "mib"} of a command, with the programs that it starts; "mib" is the most that one of them had."""
    command = [str(word) for word in command]
    # Not through a pipe, which nobody reads while wait4 waits.
    with tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors) as process:
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise Failed(f"{shortened(command)}: {errors.read().decode(errors='replace').strip()}")
    return {"seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime, "mib": usage.ru_maxrss / 1024}


def shortened(command):
    """The program of a command, and what it does where that is a script."""
    words = [Path(str(word)).name for word in command[:2]]
    return " ".join(words[:1] if words[1:] and words[1].startswith("-") else words)
