"""The same with mpi4py, which loads its MPI library late."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from mpi_jobs import PROGRAMS, SMALL_BLOCKS, report_of, run_job, succeeded

from rota.launch import preferred_job, with_rota
from rota.mpi_install import Family

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
@pytest.mark.parametrize(
    "ranks",
    [
        pytest.param(range(1, 10), id="1-9"),
        pytest.param((13, 16, 17), id="13-17", marks=pytest.mark.long),
    ],
)
def test_mpi4py(family: Family, report: Path, ranks: Sequence[int]) -> None:
    """Every root; bytes, derived types that differ between ranks, and pickled objects."""
    words = (",".join(map(str, ranks)), "1", "63", "64", "65", "128", "400")
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "broadcasts.py"), *words))
    native = succeeded(run_job(job, max(ranks)))
    served = succeeded(report_of(with_rota(job), max(ranks), SMALL_BLOCKS, report))
    assert served.output == native.output
    expected = {int(r): int(n) for r, n in re.findall(r"with data, (\d+) ranks: (\d+)", native.output)}
    assert list(expected) == list(ranks)
    for number, broadcasts in expected.items():
        lines = [line for line in served.broadcasts if line["ranks"] == number]
        schedule = "native" if number == 1 else "circulant"
        assert sum(line["calls"] for line in lines if line["schedule"] == schedule) == broadcasts


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_lists_of_ranks(family: Family, report: Path) -> None:
    """rota.between makes two groups of two lists of ranks; what they gather, a schedule serves."""
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "between.py")))
    forced = {"ROTA_ALGORITHM": "inter_allgather=spread"}
    outcome = succeeded(report_of(with_rota(job), 4, forced, report))
    assert any(line["schedule"] == "spread" and line["ranks"] == 4 for line in outcome.lines)
