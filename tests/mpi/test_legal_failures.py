"""A program that outlives a process of its own, by Open MPI's fault tolerance, does so with Rota."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, Outcome, run_command

from rota.launch import native_job
from rota.library import Abi, preload_path

RANKS = 5  # with fewer, every rank soon hears of the failed one itself
SURVIVED = ["7 broadcasts among 4 in the end, 1 failures"] * (RANKS - 1)


def run_tolerantly(program: Path, said: Path, settings: Mapping[str, str]) -> Outcome:
    job = native_job([str(program), str(said)])
    words = (str(job.install.launcher), "--with-ft", "ulfm", "--map-by", ":OVERSUBSCRIBE", "-n", str(RANKS))
    return run_command(
        (*words, "env", *(f"{name}={value}" for name, value in settings.items()), *job.program), os.environ
    )


@pytest.mark.parametrize("abi", ["openmpi"], indirect=True)  # MPICH 5.0.2's MPIX_Comm_agree ends the job
def test_a_process_is_killed(abi: Abi, compiled: Compile, report: Path, tmp_path: Path) -> None:
    """Who waits for a rank that has given up would wait for ever: no call is Rota's, and Rota says so."""
    natively, with_rota = tmp_path / "natively", tmp_path / "with_rota"
    native = run_tolerantly(compiled("failing"), natively, {})
    if "unrecognized option" in native.errors.lower():
        pytest.skip("this Open MPI's launcher has no --with-ft")
    assert natively.read_text().splitlines() == SURVIVED
    rota = {**ALL_FORCED, "ROTA_REPORT": str(report), "LD_PRELOAD": str(preload_path(abi))}
    outcome = run_tolerantly(compiled("failing"), with_rota, rota)
    assert with_rota.read_text().splitlines() == SURVIVED
    assert "rota: all calls are the MPI library's own: MPI's fault tolerance is on" in outcome.errors
    assert not report.exists()
