"""Fixtures of the MPI tests: compiled programs, one build for each MPI."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mpi_jobs import C_FLAGS, PROGRAMS, compile_program, compiled_library, mpicc

from rota.library import ABIS, Abi

Compile = Callable[[str], Path]


# MPICH twice, by the names of its functions: for most tests once is enough, but at length.
EACH_ABI = [pytest.param(abi, marks=pytest.mark.long if abi == "mpi5" else ()) for abi in ABIS]

# Of what Rota does alike whatever MPI it runs under: one is enough, but at length.
ONE_ABI = pytest.mark.parametrize(
    "abi",
    [pytest.param(abi, marks=() if abi == "openmpi" else pytest.mark.long) for abi in ABIS],
    indirect=True,
)

# Of what takes long where MPI is slow to start, as Open MPI is.
QUICK_TO_START = pytest.mark.parametrize(
    "abi", [pytest.param("openmpi", marks=pytest.mark.long), "mpich"], indirect=True
)


@pytest.fixture(params=EACH_ABI, scope="session")
def abi(request: pytest.FixtureRequest) -> Abi:
    """Each MPI that Rota has a build for."""
    chosen: Abi = request.param
    return chosen


@pytest.fixture(scope="session")
def compiled(abi: Abi, tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Return what compiles a C program of `programs/`, once, with that MPI."""
    directory = tmp_path_factory.mktemp(abi)

    def compile_once(name: str) -> Path:
        program = directory / name
        if not program.exists():
            compile_program((mpicc(abi), *C_FLAGS, PROGRAMS / f"{name}.c", "-o", program), directory)
        return program

    return compile_once


@pytest.fixture(scope="module")
def many_processors(abi: Abi, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what shows a process a machine of many processors where it is preloaded."""
    return str(compiled_library(abi, "processors", tmp_path_factory.mktemp("processors")))


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Where the job of this test shall write Rota's report."""
    return tmp_path / "report.json"
