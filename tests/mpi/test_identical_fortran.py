"""The same in Fortran, in all three ways that a Fortran program may use MPI."""

from pathlib import Path

import pytest
from mpi_jobs import (
    PROGRAMS,
    SMALL_BLOCKS,
    compile_program,
    debian_compiler,
    run_native,
    run_with_rota,
    succeeded,
)

from rota.mpi_install import Family

PACKAGES: dict[Family, str] = {"openmpi": "libopenmpi-dev", "mpich": "libmpich-dev"}
FLAVOURS = ("MPIF_H", "USE_MPI", "USE_MPI_F08")
RANKS = (*range(1, 10), 13, 16, 17)
COUNTS = ("1", "15", "16", "17", "48", "200")  # ints; 16 make a block


@pytest.fixture(
    scope="module",
    params=[(family, flavour) for family in PACKAGES for flavour in FLAVOURS],
    ids="-".join,
)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program in each flavour for each MPI."""
    family, flavour = request.param
    compiler = debian_compiler(family, "mpifort", PACKAGES[family])
    directory = tmp_path_factory.mktemp("fortran")
    compiled = directory / "broadcasts"
    compile_program(
        (compiler, f"-D{flavour}", "-O1", "-g", PROGRAMS / "broadcasts.F90", "-o", compiled), directory
    )
    return compiled


@pytest.mark.parametrize("ranks", RANKS)
def test_fortran(program: Path, report: Path, ranks: int) -> None:
    """Every root; ints in a row, strided, at absolute addresses and as a section of an array."""
    command = [program, *COUNTS]
    native = succeeded(run_native(command, ranks))
    with_rota = succeeded(run_with_rota(command, ranks, SMALL_BLOCKS, report))
    assert with_rota.output == native.output
    broadcasts = int(native.output.rpartition("with data: ")[2])
    assert with_rota.calls("native" if ranks == 1 else "circulant") == broadcasts
