"""Derived types that cannot be taken apart like others."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import SMALL_BLOCKS, run_native, run_with_rota, succeeded

from rota.library import Abi

KINDS = ("f90_real", "f90_dup", "large_contiguous", "large_vector", "dup_of_large")


@pytest.mark.parametrize("kind", KINDS)
def test_special_type(compiled: Compile, abi: Abi, report: Path, kind: str) -> None:
    """Fortran's types by precision, and types that were made by the calls for large counts.

    Half of the calls return at once: where MPI's progress has no hook, those are native.
    """
    program = [compiled("special_types"), kind]
    if run_native(program, 3).status == 77:
        pytest.skip("this MPI library has no calls for large counts: use one with MPI 4 or newer")
    with_rota = succeeded(run_with_rota(program, 3, SMALL_BLOCKS, report))
    assert with_rota.calls("circulant") == (10 if abi == "mpi5" else 20)
