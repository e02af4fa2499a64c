"""The environment variables that steer Rota, and the faults in them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import FORCED, SMALL_BLOCKS, Outcome, report_of, run_command, run_with_rota, succeeded
from rota._core import faults_in_environment

from rota.launch import Job, native_job, preferred_job, with_environment, with_rota
from rota.launcher import mpi_launcher
from rota.library import ABIS, Abi, bench_path, preload_path

FAULTS = (
    ({"ROTA_ALGORITHM": "bcast=circle"}, "ROTA_ALGORITHM", ("circulant", "native", "hierarchical")),
    ({"ROTA_ALGORITHM": "cast=circulant"}, "ROTA_ALGORITHM", ("bcast",)),
    ({"ROTA_ALGORITHM": "circulant"}, "ROTA_ALGORITHM", ("bcast", "circulant", "native")),
    ({"ROTA_OFF": "cast"}, "ROTA_OFF", ("bcast",)),
    ({"ROTA_BLOCK_BYTES": "0"}, "ROTA_BLOCK_BYTES", ("1 to 1073741824",)),
    ({"ROTA_BLOCK_BYTES": "-5"}, "ROTA_BLOCK_BYTES", ("1 to 1073741824",)),
    ({"ROTA_BLOCK_BYTES": "64q"}, "ROTA_BLOCK_BYTES", ("is no size", "64KiB", "1 to 1073741824")),
    ({"ROTA_BLOCK_BYTES": "0.5"}, "ROTA_BLOCK_BYTES", ("is no size", "1 to 1073741824")),
    ({"ROTA_BLOCK_BYTES": "2GiB"}, "ROTA_BLOCK_BYTES", ("is too large", "1 to 1073741824")),
    ({"ROTA_TRACE_MEMORY": "512KiB"}, "ROTA_TRACE_MEMORY", ("is too small", "MiB", "1 to 1024")),
    ({"ROTA_TRACE_MEMORY": "1025"}, "ROTA_TRACE_MEMORY", ("is too large", "1 to 1024")),
    ({"ROTA_TRACE_MEMORY": "much"}, "ROTA_TRACE_MEMORY", ("is no size", "64MiB", "1 to 1024")),
    ({"ROTA_BLOCK_BYTES": "paper:F=0"}, "ROTA_BLOCK_BYTES", ("paper:F=70,G=40",)),
    ({"ROTA_BLOCK_BYTES": "1073741825"}, "ROTA_BLOCK_BYTES", ("1 to 1073741824",)),
    ({"ROTA_ADAPT": "on"}, "ROTA_ADAPT", ("off, moved, all",)),
    ({"ROTA_ROUNDS_IN_FLIGHT": "0"}, "ROTA_ROUNDS_IN_FLIGHT", ("1 to 64",)),
    ({"ROTA_ROUNDS_IN_FLIGHT": "65"}, "ROTA_ROUNDS_IN_FLIGHT", ("1 to 64",)),
    ({"ROTA_HOSTS": "0"}, "ROTA_HOSTS", ("hosts from 1 on",)),
    ({"ROTA_HOSTS": "two"}, "ROTA_HOSTS", ("hosts from 1 on",)),
    ({"ROTA_LANES": "0"}, "ROTA_LANES", ("links from 1 to 64",)),
    ({"ROTA_LANES": "65"}, "ROTA_LANES", ("links from 1 to 64",)),
    ({"ROTA_SHARED_MEMORY": "1"}, "ROTA_SHARED_MEMORY", ("on, off",)),
    ({"ROTA_LOG": "all"}, "ROTA_LOG", ("off, info, debug, info:all, debug:all",)),
    ({"ROTA_LINK_RATE": "fast"}, "ROTA_LINK_RATE", ("is no rate", "bits per second", "10gbit")),
    ({"ROTA_LINK_RATE": "10Gb/s"}, "ROTA_LINK_RATE", ("is no rate", "10gbit or 25MB/s")),
    ({"ROTA_LINK_RATE": "0"}, "ROTA_LINK_RATE", ("is too small",)),
    ({"ROTA_LINK_RATE": "1e20"}, "ROTA_LINK_RATE", ("is too large",)),
    ({"ROTA_MPMD": "yes"}, "ROTA_MPMD", ("'yes'", "0 or 1")),
    ({"ROTA_TRACE": "-"}, "ROTA_TRACE", ("'-' is no file's name", "FILE, as ./-")),
    ({"ROTA_TRACE": "1"}, "ROTA_TRACE", ("'1' is no file's name", "FILE, as ./1")),
    ({"ROTA_LEARN": "1"}, "ROTA_LEARN", ("'1' is no file's name", "as ./1")),
)


def assert_one_line(outcome: Outcome, *words: str) -> None:
    """The job failed, and Rota said why in one line."""
    assert outcome.status != 0
    (line,) = outcome.rota_errors()
    assert [word for word in words if word not in line] == []


@pytest.mark.parametrize(("settings", "variable", "valid"), FAULTS, ids=[str(fault[0]) for fault in FAULTS])
def test_fault(
    settings: dict[str, str], variable: str, valid: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names the variable and its valid values: what a job reads, read here."""
    ((name, value),) = settings.items()
    monkeypatch.setenv(name, value)
    (said,) = faults_in_environment()
    assert "\n" not in said
    assert [word for word in (variable, value.split("=")[0], *valid) if word not in said] == []


def test_all_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each variable, of those that would be read too."""
    faults = [FAULTS[number][0] for number in (0, 3, 8, -1)]
    for name, value in (each for fault in faults for each in fault.items()):
        monkeypatch.setenv(name, value)
    names = [name for fault in faults for name in fault]
    assert sorted(said.split(":")[0] for said in faults_in_environment()) == sorted(names)


@pytest.mark.parametrize("name", ["ROTA_REPORT", "ROTA_TRACE", "ROTA_LEARN"])
def test_no_file(name: str, compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """0 is none, wherever a file may be named."""
    monkeypatch.chdir(tmp_path)
    assert succeeded(run_with_rota([compiled("lines")], 3, {name: "0"})).rota_errors() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [0, 4])
@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_a_fault_ends_the_job(compiled: Compile, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank 0 says it once, as far as it is not too long a line; no rank runs on."""
    settings = FAULTS[number][0]
    outcome = run_with_rota([compiled("lines")], 3, settings)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert outcome.status != 0
    assert outcome.rota_errors() == ["rota: " + faults_in_environment()[0][:255]]
    assert outcome.output == ""


def test_off(compiled: Compile, report: Path) -> None:
    """ROTA_OFF wins over everything else, and the report says so."""
    outcome = succeeded(run_with_rota([compiled("lines")], 4, {**FORCED, "ROTA_OFF": "bcast"}, report))
    assert outcome.reasons() == {"switched off": 9}
    assert outcome.calls("circulant") == 0


@pytest.mark.parametrize("name", ["alltoall", "alltoallv", "alltoallw"])
def test_calls_have_the_settings_of_what_serves_them(compiled: Compile, report: Path, name: str) -> None:
    """Exchanges of all kinds are one collective, whichever of its calls' names is given."""
    outcome = succeeded(run_with_rota([compiled("every_exchange")], 4, {"ROTA_OFF": name}, report))
    reasons = {line["reason"] for line in outcome.lines if line["collective"] == "alltoall"}
    assert reasons - {"inter-communicator"} == {"switched off"}


def test_native_by_name(compiled: Compile, report: Path) -> None:
    outcome = succeeded(run_with_rota([compiled("lines")], 4, {"ROTA_ALGORITHM": "bcast=native"}, report))
    assert outcome.reasons() == {"switched off": 9}


@pytest.mark.parametrize(
    ("collective", "reported", "blocks"),
    [("bcast", "bcast", 13), ("reduce", "reduce", 13), ("allgatherv/irregular", "allgather", 22)],
)
def test_blocks_by_the_rules_of_paper_1(
    abi: Abi, report: Path, collective: str, reported: str, blocks: int
) -> None:
    """For m = 262144 MPI_INTs, p = 5, q = 3: sqrt(m q) / 70 = 12.7 and sqrt(m q) / 40 = 22.2.

    The program ends with a fault where data are wrong.
    """
    settings = {"ROTA_ALGORITHM": f"{reported}=circulant", "ROTA_BLOCK_BYTES": "paper", "ROTA_ADAPT": "off"}
    job = preferred_job(abi, [str(bench_path(abi)), collective, "1048576:1"])
    outcome = succeeded(report_of(job, 5, settings, report))
    found = [line for line in outcome.lines if line["schedule"] == "circulant"]
    assert {line["collective"] for line in found} >= {reported}
    assert {line["blocks"] for line in found if line["collective"] == reported} == {blocks}


def command_of_two(first: Job, first_ranks: int, others: Job, other_ranks: int) -> tuple[str, ...]:
    """Return the command that starts both jobs as one."""
    crowded = ("--map-by", ":OVERSUBSCRIBE") if first.install.family == "openmpi" else ()
    command = (
        *mpi_launcher(first.install, first_ranks, crowded).command(first),
        ":",
        *mpi_launcher(others.install, other_ranks, ()).command(others)[1:],
    )
    # MPICH's -genv is for all programs of the job, -env for one.
    return tuple("-env" if word == "-genv" else word for word in command)


def test_environments_that_differ(compiled: Compile, report: Path) -> None:
    """Only rank 0 has the settings of calls: all ranks go by them."""
    job = with_environment(with_rota(native_job([str(compiled("lines"))])), {"ROTA_MPMD": "1"})
    first = with_environment(job, {**SMALL_BLOCKS, "ROTA_REPORT": str(report)})
    others = with_environment(job, {"ROTA_OFF": "bcast", "ROTA_BLOCK_BYTES": "7"})
    succeeded(run_command(command_of_two(first, 1, others, 3)))
    lines = [line for line in json.loads(report.read_text())["calls"] if line["collective"] == "bcast"]
    assert {(line["schedule"], line["reason"]) for line in lines} == {
        ("circulant", ""),
        ("native", "no data"),
    }
    assert max(line["blocks"] for line in lines) == 32  # of 64 bytes


def test_wrong_library(abi: Abi, compiled: Compile) -> None:
    """The library for another MPI says which one to take, and the program does not start."""
    program = str(compiled("lines"))
    for other in ABIS:
        if other == abi:
            continue
        job = with_environment(native_job([program]), {"LD_PRELOAD": str(preload_path(other))})
        outcome = report_of(job, 1, {}, None)
        assert_one_line(outcome, f"is for {other}", f"rota lib --mpi {abi}")


@pytest.mark.parametrize("library", ABIS)
@pytest.mark.parametrize(
    "command",
    [("/bin/true",), ("/bin/sh", "-c", "echo $((6 * 7)) | cat"), (sys.executable, "-c", "print(6 * 7)")],
    ids=lambda command: Path(command[0]).name,
)
def test_programs_without_mpi(library: Abi, command: tuple[str, ...]) -> None:
    """Everything that runs under LD_PRELOAD gets the library: what has no MPI does not notice."""
    environment = {**os.environ, "LD_PRELOAD": str(preload_path(library))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == ("" if command == ("/bin/true",) else "42\n")
    assert done.stderr == ""
