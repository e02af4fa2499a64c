"""Random programs end with Rota as they do natively, or ``rota check --programs`` would notice."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from mpi_jobs import C_FLAGS, PROGRAMS, compile_program, mpicc, run_native, succeeded

from rota.check.programs import Check, Outcome, run
from rota.check.streams import Bench, Numbers, seen_with_rota
from rota.library import Abi

ROTA = Path(sys.executable).parent / "rota"
PER_TEST = int(os.environ.get("ROTA_TEST_PROGRAMS", "100"))
LIMIT_S = 600

Ended = subprocess.CompletedProcess[str]


def rota_check(*words: str) -> Ended:
    return subprocess.run(
        [ROTA, "check", *words], capture_output=True, text=True, check=False, timeout=LIMIT_S
    )


@pytest.mark.parametrize("ranks", [3, *(pytest.param(ranks, marks=pytest.mark.long) for ranks in (2, 4, 5))])
def test_alike(abi: Abi, ranks: int) -> None:
    """Random programs come to the same, whoever serves their collectives."""
    ended = rota_check("--mpi", abi, "-n", str(ranks), "--programs", str(PER_TEST), "--seed", str(ranks))
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert f"{PER_TEST} programs" in ended.stdout


def found_with(library: Path, abi: Abi, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Try programs with another library preloaded in place of Rota."""
    monkeypatch.setattr("rota.launch.preload_path", lambda _: library)
    return run(Check(Bench(abi, 3, 10), seed=1, programs=500, variables={}), bool, bool)


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_found_and_made_small(abi: Abi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong broadcast is found; what is left of the program is that broadcast, also in C."""
    library = tmp_path / "libwrong.so"
    command = (mpicc(abi), *C_FLAGS, "-shared", "-fPIC", PROGRAMS / "wrong_bcast.c", "-o", library)
    compile_program(command, tmp_path)
    outcome = found_with(library, abi, monkeypatch)
    assert outcome.difference is not None
    assert outcome.difference.fault.startswith("with Rota other results than natively on rank ")
    words = shlex.split(outcome.difference.command)
    assert words[:-1] == ["rota", "check", "--mpi", abi, "-n", "3", "--program"]
    assert words[-1].startswith("bcast")
    assert ";" not in words[-1]
    in_c = tmp_path / "program.c"
    in_c.write_text(outcome.difference.in_c)
    compile_program((mpicc(abi), *C_FLAGS, in_c, "-o", tmp_path / "program"), tmp_path)
    native = succeeded(run_native([tmp_path / "program"], 3)).output
    monkeypatch.setenv("LD_PRELOAD", str(library))
    wrong = succeeded(run_native([tmp_path / "program"], 3)).output
    assert native
    assert sorted(native.splitlines()) != sorted(wrong.splitlines())


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_goes_on_behind(abi: Abi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that ends the job is named, however it does so, and those behind it run."""
    library = tmp_path / "libending.so"
    command = (mpicc(abi), *C_FLAGS, "-shared", "-fPIC", PROGRAMS / "ending.c", "-o", library)
    compile_program(command, tmp_path)
    source = tmp_path / "programs"
    source.write_text("bcast\nscan\nbcast\nexscan\nbcast\n")
    monkeypatch.setattr("rota.launch.preload_path", lambda _: library)
    numbers = Numbers(str(source), 0, 5, is_multiple=False)
    seen = seen_with_rota(Bench(abi, 2, 3), numbers, {})
    faults = [seen[number].fault or "" for number in range(5)]
    assert [bool(fault) for fault in faults] == [False, True, False, True, False]
    assert faults[1].startswith("the job ended with status ")
    assert faults[3] == "hangs: no end after 3 s"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("bcats", "'bcats' is no step; valid: dup "),
        ("bcast count=x", "'count=x': 'x' is no whole number"),
        ("bcast size=3", "'size=3' is no part of a step; valid, "),
        ("bcast comm=99", "'comm=99' is no slot"),
        ("bcast | bcast", "a program with threads begins with 'multiple |'"),
    ],
)
def test_bad_program(program: str, says: str) -> None:
    """What is no program is refused in one line."""
    ended = rota_check("--mpi", "openmpi", "-n", "2", "--program", program)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"rota: {says}")
    assert len(ended.stderr.splitlines()) == 1


def test_exclude_each_other() -> None:
    ended = rota_check("--mpi", "openmpi", "-n", "2", "--programs", "5", "--case", "bcast")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1)
