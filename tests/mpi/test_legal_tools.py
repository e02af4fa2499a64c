"""Tools that stand between a program and MPI, as profilers do, see its calls with Rota as without."""

from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import (
    C_FLAGS,
    PROGRAMS,
    compile_program,
    compiled_library,
    mpicc,
    report_of,
    run_job,
    succeeded,
)

from rota.launch import Job, native_job, with_environment, with_rota
from rota.library import Abi, preload_path

RANKS = 3
COUNTED = "tool: init 3 finalize 3 bcast 30 allreduce 27 messages 6 communicators 0\n"
FORCED: Final = {"ROTA_ALGORITHM": "bcast=circulant,allreduce=circulant"}


@pytest.fixture
def tool(abi: Abi, tmp_path: Path) -> Path:
    """The tool as a shared library."""
    return compiled_library(abi, "tool", tmp_path)


def linked_with(abi: Abi, tool: Path, directory: Path) -> Job:
    """Return the job of the watched program, which the tool is part of."""
    program = directory / "watched"
    sources = (PROGRAMS / "watched.c", tool, f"-Wl,-rpath,{tool.parent}")
    compile_program((mpicc(abi), *C_FLAGS, *sources, "-o", program), directory)
    return native_job([str(program)])


def preloading(job: Job, *libraries: Path) -> Job:
    """Return the job with these libraries preloaded, and no others."""
    return with_environment(job, {"LD_PRELOAD": ":".join(str(library) for library in libraries)})


def check(native: Job, job: Job, report: Path) -> None:
    """Does the tool count the same with Rota as without, and Rota serve, or see, every call?"""
    assert succeeded(run_job(native, RANKS)).output == COUNTED
    for settings, schedule in ((FORCED, "circulant"), ({}, "native")):
        outcome = succeeded(report_of(job, RANKS, settings, report))
        assert outcome.output == COUNTED
        assert outcome.calls(schedule) == 10
        assert sum(line["calls"] for line in outcome.lines if line["collective"] == "allreduce") == 9
        report.unlink()


@pytest.mark.parametrize("how", ["object", "library"])
def test_linked_tool(abi: Abi, tool: Path, tmp_path: Path, report: Path, how: str) -> None:
    """The tool is part of the program, or a library that this is linked with."""
    job = linked_with(abi, PROGRAMS / "tool.c" if how == "object" else tool, tmp_path)
    check(job, with_rota(job, {}), report)


@pytest.mark.parametrize("order", ["tool first", "rota first"])
def test_preloaded_tool(abi: Abi, compiled: Compile, tool: Path, report: Path, order: str) -> None:
    """The tool is preloaded as Rota is, before it or behind it."""
    job = native_job([str(compiled("watched"))])
    both = (tool, preload_path(abi)) if order == "tool first" else (preload_path(abi), tool)
    check(preloading(job, tool), preloading(job, *both), report)
