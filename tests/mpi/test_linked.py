"""Rota as a C library, without preloading."""

from pathlib import Path

from mpi_jobs import C_FLAGS, FORCED, PROGRAMS, compile_program, mpicc, report_of, succeeded

from rota.launch import native_job
from rota.library import Abi, engine_path, include_dir


def test_linked(abi: Abi, tmp_path: Path, report: Path) -> None:
    """A program calls rota_bcast by name: right results, MPI's errors, and a report."""
    library = engine_path(abi)
    program = tmp_path / "linked"
    links = (f"-I{include_dir()}", PROGRAMS / "linked.c", library, f"-Wl,-rpath,{library.parent}")
    compile_program((mpicc(abi), *C_FLAGS, *links, "-o", program), tmp_path)
    outcome = succeeded(report_of(native_job([str(program)]), 5, FORCED, report))
    assert outcome.calls("circulant") == 10
