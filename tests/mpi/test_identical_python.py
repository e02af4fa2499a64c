"""The same with mpi4py, which loads its MPI library late."""

import sys
from pathlib import Path

import pytest
from mpi_jobs import PROGRAMS, SMALL_BLOCKS, report_of, run_job, succeeded

from rota.launch import preferred_job, with_rota
from rota.mpi_install import Family

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
@pytest.mark.parametrize("ranks", [*range(1, 10), 13, 16, 17])
def test_mpi4py(family: Family, report: Path, ranks: int) -> None:
    """Every root; bytes, derived types that differ between ranks, and pickled objects."""
    sizes = ("1", "63", "64", "65", "128", "400")
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "broadcasts.py"), *sizes))
    native = succeeded(run_job(job, ranks))
    served = succeeded(report_of(with_rota(job), ranks, SMALL_BLOCKS, report))
    assert served.output == native.output
    broadcasts = int(native.output.rpartition("with data: ")[2])
    assert served.calls("native" if ranks == 1 else "circulant") == broadcasts


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_lists_of_ranks(family: Family, report: Path) -> None:
    """rota.between makes two groups of two lists of ranks; what they gather, a schedule serves."""
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "between.py")))
    forced = {"ROTA_ALGORITHM": "inter_allgather=spread"}
    outcome = succeeded(report_of(with_rota(job), 4, forced, report))
    assert any(line["schedule"] == "spread" and line["ranks"] == 4 for line in outcome.lines)
