"""Plans from Python, with mpi4py: with the preload library, where a report comes from, and without."""

import sys
from pathlib import Path

import pytest
from mpi_jobs import PROGRAMS, report_of, run_job, succeeded

from rota.launch import preferred_job, with_environment, with_rota
from rota.mpi_install import Family

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")

SETTINGS = {"ROTA_ALGORITHM": "alltoall=exact"}


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_plans(family: Family, report: Path) -> None:
    """A hundred runs and one in place, and one of a few bytes: three schedules."""
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "plans.py")))
    assert succeeded(run_job(with_environment(job, SETTINGS), 5)).output == "wrong: []\n"
    preloaded = succeeded(report_of(with_rota(job), 5, SETTINGS, report))
    assert preloaded.output == "wrong: []\n"
    exchanges = [line for line in preloaded.lines if line["collective"] == "alltoall"]
    assert [(line["calls"], line["schedules_made"]) for line in exchanges] == [(101, 2), (1, 1)]
