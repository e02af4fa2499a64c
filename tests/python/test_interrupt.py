"""Ctrl-C at any moment ends a command within a second, and leaves nothing that is half done.

ROTA_EXAMPLES=1000 interrupts so many commands, in place of 16, and holds them to that second and to what is
left in shared memory; beside other tests they have five.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rota.shared_memory import SHARED_MEMORY

EXAMPLES: Final = int(os.environ.get("ROTA_EXAMPLES", "16"))
IS_ALONE: Final = "ROTA_EXAMPLES" in os.environ
LONGEST_S: Final = 1.0 if IS_ALONE else 5.0

pytestmark = pytest.mark.usefixtures("listening")

# Each would go on for long; F is a folder of its own.
LONG: Final = (
    "verify circulant --ranks 2..200000",
    "verify all --ranks 2..200",
    "verify inter-group --senders 1..60 --receivers 1..60 --algorithm spread",
    "simulate bcast --ranks 1000000 --bytes 64MiB --plot F/times.svg --json F/times.json",
    "all-to-many --generate dense:n=2000 --json F/schedules.json",
    "all-to-many --generate skewed:n=3000,d=40 --output F/pattern.csv",
    "show circulant --collective allgather --ranks 4000 --rank 1 --json F/steps.json",
    "bench schedules --json F/schedules.json",
    "bench colouring --alone --samples 100",
    "reproduce all-to-many --plot F/figure.svg",
    "reproduce steady-state --plot F/figure.svg",
    "reproduce inter-group --json F/times.json",
    "platform generate tiers --nodes 900 --output F/platform.xml",
)

# These start MPI's jobs, whose launchers tidy up in time where nothing else runs: there they are interrupted.
JOBS: Final = (
    "check --mpi openmpi -n 3 --cases 100000",
    "check --mpi mpich -n 4 --cases 100000 --json F/checked.json",
    "check --mpi mpich -n 3 --programs 100000",
    "tune --mpi openmpi -n 3 --output F/openmpi.profile",
    "tune --mpi mpich -n 4 --output F/mpich.profile",
    "bench bcast --hosts 4 --rate 100mbit --mpi openmpi --json F/times.json",
    "bench never-slower --hosts 3 --rate 1gbit --mpi mpich --json F/cells.json",
)

# What comes before its first call is Python's own start, which Rota has no part in.
PROGRAM: Final = """
import os, sys, rota.__main__ as program
first, begun = program.end_when_interrupted, int(sys.argv.pop(1))
program.end_when_interrupted = lambda grace_s: (first(grace_s), os.write(begun, b"."))
program.main()
"""


def started(words: list[str], scratch: Path) -> subprocess.Popen[str]:
    """Start a command, with a folder for what is temporary; return when it has begun."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(writer), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[writer],
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    os.close(writer)
    with os.fdopen(reader, "rb") as begun:
        assert begun.read(1) == b"."
    return process


def interrupted(words: list[str], after_s: float, scratch: Path) -> tuple[int, str, float]:
    """Return a command's status, what it said, and how long it took to end after a signal."""
    with started(words, scratch) as process:
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        at_s = time.monotonic()
        try:
            _, errors = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return process.returncode, errors, time.monotonic() - at_s


def started_by(scratch: Path) -> list[int]:
    """Return the processes that have this folder for what is temporary."""
    told = f"TMPDIR={scratch}\0".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        # It may end meanwhile.
        with contextlib.suppress(OSError):
            if told in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


@settings(max_examples=EXAMPLES, deadline=None)
@given(words=st.sampled_from((*LONG, *(JOBS if IS_ALONE else ()))), after_s=st.floats(0, 2.5))
def test_ctrl_c(tmp_path_factory: pytest.TempPathFactory, words: str, after_s: float) -> None:
    """The process ends by the signal, says nothing, and every file that is there is whole."""
    before = set(Path(SHARED_MEMORY).iterdir())
    folder, scratch = tmp_path_factory.mktemp("interrupted"), tmp_path_factory.mktemp("temporary")
    placed = [word.replace("F/", f"{folder}/") for word in words.split()]
    status, errors, took_s = interrupted(placed, after_s, scratch)
    assert "Traceback" not in errors
    assert status in (0, -signal.SIGINT)
    assert took_s < LONGEST_S
    assert list(scratch.iterdir()) == []
    assert started_by(scratch) == []
    # Other tests have their own there.
    assert not IS_ALONE or set(Path(SHARED_MEMORY).iterdir()) <= before
    for file in folder.iterdir():
        assert f"F/{file.name}" in words
        assert_whole(file)


DROPPING = """
import signal, time
import rota.cli
from rota.__main__ import main

class Dropping:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def drop(words):
    Dropping()
    time.sleep(20)

rota.cli.status_of = drop
main()
"""
"""Python drops what is raised where an object ends, as where an import's lock does."""


def test_a_dropped_interrupt() -> None:
    begun_s = time.monotonic()
    process = subprocess.run([sys.executable, "-c", DROPPING], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (-signal.SIGINT, "")
    assert time.monotonic() - begun_s < LONGEST_S + 2


def assert_whole(file: Path) -> None:
    """Read it to its end."""
    content = file.read_text()
    match file.suffix:
        case ".json":
            json.loads(content)
        case ".csv":
            assert len(content.splitlines()) == len(content.splitlines()[0].split(","))
        case ".svg":
            assert content.endswith("</svg>\n")
        case ".xml":
            assert content.endswith("</platform>\n")
        case ".profile":
            assert content.startswith("rota-profile 1\n")


LOCKED = """
import rota.cli
from rota.__main__ import main

def lock(words):
    try:
        raise KeyboardInterrupt
    finally:
        raise RuntimeError("release unlocked lock")

rota.cli.status_of = lock
main()
"""


def test_an_interrupt_within_a_lock() -> None:
    process = subprocess.run([sys.executable, "-c", LOCKED], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (-signal.SIGINT, "")


def test_an_interrupt_while_the_core_is_loaded_is_raised_behind_it() -> None:
    """It would be lost within, and the command go on."""
    script = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "  def find_spec(self, name, path, target=None):\n"
        "    if name == 'rota._core': os.kill(os.getpid(), signal.SIGINT); print('loading')\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "try: import rota\n"
        "except KeyboardInterrupt: print('interrupted', 'rota._core' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "loading\ninterrupted True\n"


def test_python_in_time_is_python_alone() -> None:
    """What Python can tidy up in time, it does: the signal itself comes later."""
    script = (
        "from rota._core import end_when_interrupted; import os, signal, time; end_when_interrupted(5)\n"
        "try:\n  os.kill(os.getpid(), signal.SIGINT); time.sleep(9)\n"
        "except KeyboardInterrupt: print('tidied up')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "tidied up\n"


def test_python_too_late() -> None:
    """Where Python does not come to it, the signal ends the process."""
    script = (
        "from rota._core import end_when_interrupted; import os, signal, time; end_when_interrupted(0.1)\n"
        "try: os.kill(os.getpid(), signal.SIGINT)\n"
        "except KeyboardInterrupt: time.sleep(9)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ended.returncode == -signal.SIGINT


def test_ignored_stays_ignored() -> None:
    """As under nohup, and in the background of scripts."""
    script = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from rota._core import end_when_interrupted; end_when_interrupted(0.1)\n"
        "os.kill(os.getpid(), signal.SIGINT); print('still here')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "still here\n"


def test_a_file_that_is_not_completed_is_not_there(tmp_path: Path) -> None:
    """What was there before stays."""
    from rota.files import write_whole  # noqa: PLC0415 - beside its test

    def parts() -> object:
        yield "half"
        raise KeyboardInterrupt

    for before in (None, "as before"):
        file = tmp_path / "file"
        if before:
            file.write_text(before)
        with pytest.raises(KeyboardInterrupt):
            write_whole(file, parts())  # type: ignore[arg-type]
        assert [each.read_text() for each in tmp_path.iterdir()] == ([before] if before else [])
