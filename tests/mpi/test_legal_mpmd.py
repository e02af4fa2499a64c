"""Jobs of several programs: those that have Rota and those that have not work together as natively."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import FORCED, Outcome, run_command, succeeded

from rota.launch import native_job
from rota.library import Abi, preload_path

ALL_FORCED: Final = {"ROTA_ALGORITHM": f"{FORCED['ROTA_ALGORITHM']},allreduce=circulant"}


def run_programs(abi: Abi, program: Path, have_rota: Sequence[bool], settings: Mapping[str, str]) -> Outcome:
    """Run a job of several programs, two ranks each."""
    job = native_job([str(program)])
    crowded = ("--map-by", ":OVERSUBSCRIBE") if job.install.family == "openmpi" else ()
    # Open MPI's launcher gives what is exported for the first program to all: they are told themselves.
    rota = (
        "env",
        f"LD_PRELOAD={preload_path(abi)}",
        *(f"{name}={value}" for name, value in settings.items()),
    )
    words: list[str] = [str(job.install.launcher)]
    for number, has_rota in enumerate(have_rota):
        words += [":"] if number > 0 else []
        words += ["-n", "2", *crowded, *(rota if has_rota else ()), *job.program]
    return run_command(words, os.environ)


@pytest.mark.parametrize(
    "abi", ["openmpi"], indirect=True
)  # MPICH's launcher tells no rank of other programs
@pytest.mark.parametrize("have_rota", [(False, False), (True, False), (False, True), (True, False, True)])
def test_some_programs_have_rota(abi: Abi, compiled: Compile, have_rota: Sequence[bool]) -> None:
    """Where some ranks have no Rota, the others must not wait for them: all calls are the MPI library's."""
    succeeded(run_programs(abi, compiled("watched"), have_rota, ALL_FORCED))


def test_all_programs_have_rota(abi: Abi, compiled: Compile, report: Path) -> None:
    """Where every program has it, and the user says so, a job of several is served as any other."""
    settings = {**ALL_FORCED, "ROTA_MPMD": "1", "ROTA_REPORT": str(report)}
    succeeded(run_programs(abi, compiled("watched"), (True, True), settings))
    assert "circulant" in report.read_text()


@pytest.mark.parametrize("abi", ["openmpi"], indirect=True)
def test_neither_yes_nor_no(abi: Abi, compiled: Compile) -> None:
    """It ends the job as any fault in a variable does, told by ranks that have Rota."""
    outcome = run_programs(abi, compiled("watched"), (True, False), {"ROTA_MPMD": "yes"})
    assert outcome.status == 2
    assert set(outcome.rota_errors()) == {"rota: ROTA_MPMD: 'yes' is none of its values; valid: 0 or 1"}
