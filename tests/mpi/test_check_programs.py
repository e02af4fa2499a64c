"""Random programs end with Rota as they do natively, or ``rota check --programs`` would notice."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import QUICK_TO_START
from mpi_jobs import C_FLAGS, compile_program, compiled_library, mpicc, run_native, succeeded

from rota.check.programs import Check, Outcome, run
from rota.check.streams import Bench, Numbers, seen_with_rota, text_of
from rota.library import Abi

pytestmark = pytest.mark.usefixtures("short_slices")

ROTA = Path(sys.executable).parent / "rota"
PER_TEST = int(os.environ.get("ROTA_TEST_PROGRAMS", "100"))
LIMIT_S = 600

Ended = subprocess.CompletedProcess[str]


def rota_check(*words: str) -> Ended:
    return subprocess.run(
        [ROTA, "check", *words], capture_output=True, text=True, check=False, timeout=LIMIT_S
    )


@pytest.mark.parametrize("ranks", [3, *(pytest.param(ranks, marks=pytest.mark.long) for ranks in (2, 4, 5))])
def test_alike(abi: Abi, ranks: int, tmp_path: Path) -> None:
    """Random programs come to the same, whoever serves their collectives."""
    told = tmp_path / "told.json"
    asked = ("--mpi", abi, "-n", str(ranks), "--programs", str(PER_TEST), "--seed", str(ranks))
    ended = rota_check(*asked, "--json", str(told))
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert f"{PER_TEST} programs" in ended.stdout
    facts = json.loads(told.read_text())
    assert (facts["mpi"], facts["ranks"], facts["seed"], facts["programs"]) == (abi, ranks, ranks, PER_TEST)
    assert "programs" in facts["compared"]
    skipped = {number for numbers in facts["skipped"].values() for number in numbers}
    assert facts["tried"] == PER_TEST == facts["equal"] + len(skipped)
    assert facts["native_faults"] <= len(skipped)
    assert (facts["differences"], facts["program"]) == ([], None)


@pytest.mark.parametrize("abi", ["openmpi"], indirect=True)
def test_threads_behind_a_session(abi: Abi) -> None:
    """No communicator is of a session that has ended, so none is made for it beside other threads."""
    ended = rota_check("--mpi", abi, "-n", "2", "--programs", "400", "--seed", "604")
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert "once but not again" not in ended.stdout


def found_with(library: Path, abi: Abi, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Try programs with another library preloaded in place of Rota."""
    monkeypatch.setattr("rota.launch.preload_for", lambda _: library)
    variables = {"ROTA_HOSTS": "3", "ROTA_ADAPT": "all"}
    return run(Check(Bench(abi, 3, 10), seed=1, programs=500, variables=variables), bool, bool)


@QUICK_TO_START
def test_found_and_made_small(abi: Abi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong broadcast is found; what is left of the program is that broadcast, also in C."""
    library = compiled_library(abi, "wrong_bcast", tmp_path)
    outcome = found_with(library, abi, monkeypatch)
    assert outcome.difference is not None
    assert outcome.difference.fault.startswith("with Rota other results than natively on rank ")
    words = shlex.split(outcome.difference.command)
    assert words[:-1] == f"ROTA_ADAPT=all rota check --mpi {abi} -n 3 --hosts 3 --program".split()
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


@pytest.mark.parametrize("abi", ["openmpi"], indirect=True)
def test_a_fault_of_the_native_library_is_told_by_another(abi: Abi) -> None:
    """Of Open MPI 5.0.11's exchanges in place, with counts of 0: another sees what Rota does."""
    program = "ialltoallv other=4 count=342 pattern=2 in_place=1"
    ended = rota_check("--mpi", abi, "-n", "6", "--algorithm", "alltoall=ac", "--program", program)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert "natively, other results than with Rota and natively with mpich" in ended.stdout


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_goes_on_behind(abi: Abi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that ends the job is named, however it does so, and those behind it run."""
    library = compiled_library(abi, "ending", tmp_path)
    source = tmp_path / "programs"
    source.write_text("bcast\nscan\nbcast\nexscan\nbcast\n")
    monkeypatch.setattr("rota.launch.preload_for", lambda _: library)
    numbers = Numbers(str(source), 0, 5, is_multiple=False)
    seen = seen_with_rota(Bench(abi, 2, 6), numbers, {})
    faults = [seen[number].fault or "" for number in range(5)]
    assert [bool(fault) for fault in faults] == [False, True, False, True, False]
    assert faults[1].startswith("the job ended with status ")
    assert faults[3] == "hangs: no end after 6 s"


# Every form of wait, test and start, and a message that arrives; types and arrays that the call alone keeps.
FORMS = "; ".join(
    (
        "exchange request=2 count=3; wait request=2 way=3",
        "iallgatherv shape=2 request=0; ialltoallw request=1 large=1; exchange request=2 count=3",
        "scan_init request=3 count=9; exchange_init request=4; start request=3 span=1 way=1 own=1",
        *(f"poke span=4 way={way}; wait span=4 way={way} own=1; start request=3 span=1" for way in range(5)),
        *(
            f"ibcast request=0 own=1 count=9; ireduce request=1 own=1; wait span=4 way={way}"
            for way in range(8)
        ),
        "release request=3",
    )
)

# Open MPI 5.0.11 crashes here on its own.
FREED_MEANWHILE = "dup made=1; iallreduce comm=1 request=5 count=9; free comm=1 way=1; wait request=5"


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_started_in_c(abi: Abi, tmp_path: Path) -> None:
    """Calls that return at once and persistent ones come out as C that says nothing of errors."""
    source = tmp_path / "programs"
    source.write_text(f"{FORMS}; {FREED_MEANWHILE}\n" if abi == "mpich" else f"{FORMS}\n")
    in_c = tmp_path / "program.c"
    in_c.write_text(text_of(Bench(abi, 3, 10), Numbers(str(source), 0, 1, is_multiple=False), "c"))
    compile_program((mpicc(abi), *C_FLAGS, in_c, "-o", tmp_path / "program"), tmp_path)
    said = succeeded(run_native([tmp_path / "program"], 3)).output
    assert "error class" not in said
    assert "3 numbers from" in said


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_started_in_orders_of_their_own(abi: Abi) -> None:
    """Persistent calls may be started in another order on each rank."""
    set_up = "alltoall_init request=7 count=9; scan_init count=9; bcast_init request=1"
    program = f"{set_up}; start request=7 span=4 own=1"
    for data in range(4):
        ended = rota_check(
            "--mpi", abi, "-n", "3", "--program", f"{program} data={data}", "--block-bytes", "64"
        )
        assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"


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
