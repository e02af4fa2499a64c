"""What returns at once comes farther by a test, where MPI's engine calls Rota before it asks its networks."""

import re
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import run_with_rota, succeeded

from rota.library import Abi

pytestmark = pytest.mark.parametrize("abi", ["mpich"], indirect=True)

RANKS = 4
FORCED = {"ROTA_HOSTS": str(RANKS), "ROTA_ALGORITHM": "bcast=circulant", "ROTA_BLOCK_BYTES": "4096"}
LIBRARY = "libmpi.so.12"


def taken_tests(compiled: Compile, meeting: Path, *library: str) -> int:
    """Return the tests until the last rank's call is over, the same number on all ranks."""
    outcome = succeeded(run_with_rota([compiled("asked"), str(meeting), *library], RANKS, FORCED))
    taken = re.findall(r"^tests (\d+) wrong 0$", outcome.output, re.MULTILINE)
    assert len(taken) == RANKS
    assert len(set(taken)) == 1
    return int(taken[0])


def test_by_fewer_tests_than_the_librarys_own_take(abi: Abi, compiled: Compile, tmp_path: Path) -> None:
    assert abi == "mpich"
    once = taken_tests(compiled, tmp_path / "once", LIBRARY)
    twice = taken_tests(compiled, tmp_path / "twice")
    assert twice < 0.75 * once, (twice, once)
