"""A mistake in a broadcast is the same error with Rota as without, and what comes after it still works."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import SMALL_BLOCKS, run_native, run_with_rota, succeeded

from rota.library import Abi

MISTAKES = (
    "negative_count",
    "negative_root",
    "large_root",
    "null_type",
    "uncommitted_dense",
    "uncommitted_strided",
    "null_comm",
    "in_place",
    "null_buffer",
)
# The MPI libraries do not see these mistakes themselves and crash: Open MPI the first, MPICH the second.
CRASHES_ANYWAY = {("openmpi", "null_buffer"), ("mpich", "in_place"), ("mpi5", "in_place")}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_same_error(abi: Abi, compiled: Compile, report: Path, mistake: str) -> None:
    """The class of the error is that of the MPI library; the next broadcast is served as ever."""
    if (abi, mistake) in CRASHES_ANYWAY:
        pytest.skip("crashes without Rota too: needs an MPI library that checks this argument")
    program = [compiled("errors"), mistake]
    native = succeeded(run_native(program, 3))
    assert "class 0" not in native.output
    with_rota = succeeded(run_with_rota(program, 3, SMALL_BLOCKS, report))
    assert with_rota.output == native.output
    assert with_rota.calls("circulant") == 1
