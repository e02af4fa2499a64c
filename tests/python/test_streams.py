"""Output to what is full, closed or knows few letters: one line, and no traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROTA: Final = (sys.executable, "-m", "rota")

# By print, by rich, by typer, by a stream of lines.
PRINTING: Final = (
    "lib --mpi mpich",
    "simulate bcast --ranks 5 --bytes 64",
    "--help",
    "show two_tree --ranks 9",
    "show circulant --ranks 500 --json -",
    "verify circulant --ranks 2..5",
)


def environment(**more: str) -> dict[str, str]:
    """Return this process's without what it says of streams."""
    streams = ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8")
    return {**{name: value for name, value in os.environ.items() if name not in streams}, **more}


def assert_one_line(errors: str, says: str) -> None:
    assert errors.startswith("rota: ")
    assert says in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", PRINTING)
def test_full(words: str, unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*ROTA, *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment(PYTHONUNBUFFERED=unbuffered),
        )
    assert ended.returncode == 2
    assert_one_line(ended.stderr, "cannot write to standard output: No space left on device")


@pytest.mark.parametrize("words", PRINTING)
def test_nobody_reads(words: str) -> None:
    """As others end: by SIGPIPE, without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [*ROTA, *words.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=environment(),
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (-signal.SIGPIPE, "")


@pytest.mark.parametrize("words", PRINTING[:2])
def test_closed(words: str, tmp_path: Path) -> None:
    """Not even a file that is opened meanwhile gets what was meant for standard output."""
    shell = f"exec {' '.join(ROTA)} {words} >&-"
    ended = subprocess.run(["sh", "-c", shell], stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 2
    assert_one_line(ended.stderr, "standard output is closed")


@pytest.mark.parametrize("where", ["/dev/full", "&-"])
def test_nothing_can_be_said(where: str) -> None:
    """The status says that something is wrong."""
    shell = f"exec {' '.join(ROTA)} frobnicate 2>{where}"
    ended = subprocess.run(["sh", "-c", shell], stdout=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")


@pytest.mark.parametrize("words", [*PRINTING[1:], "show hierarchical --ranks 6 --per-host 2"])
@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}]
)
def test_few_letters(words: str, locale: dict[str, str]) -> None:
    """What stands in columns stays there."""
    plain, full = (
        subprocess.run([*ROTA, *words.split()], capture_output=True, check=True, env=environment(**variables))
        for variables in (locale, {"PYTHONIOENCODING": "utf-8"})
    )
    assert plain.stdout.isascii()
    assert b"?" not in plain.stdout
    assert len(plain.stdout.splitlines()) >= len(full.stdout.decode().splitlines()) > 0
    if words.startswith("show"):
        assert [len(line) for line in plain.stdout.decode().splitlines()] == [
            len(line) for line in full.stdout.decode().splitlines()
        ]


def test_names_that_are_no_text() -> None:
    """A file's name may be any bytes."""
    ended = subprocess.run([*ROTA, "platform", "show", b"\xff.json"], capture_output=True, check=False)
    assert ended.returncode == 2
    assert_one_line(ended.stderr.decode(), "No such file")
