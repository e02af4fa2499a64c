"""Rota as a C library, without preloading."""

import re
from pathlib import Path

import pytest
from mpi_jobs import C_FLAGS, FORCED, PROGRAMS, Outcome, compile_program, mpicc, report_of, run_job, succeeded

import rota
from rota.launch import native_job
from rota.library import Abi, engine_path, include_dir
from rota.platforms.paper import figure2
from rota.steady.plan import planned
from rota.steady.scatter import series_of_scatters
from rota.steady.timetable import timetable_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def linked(abi: Abi, source: Path, directory: Path) -> list[str]:
    """Return the command of a program, compiled and linked with Rota."""
    library = engine_path(abi)
    program = directory / source.stem
    links = (f"-I{include_dir()}", source, library, f"-Wl,-rpath,{library.parent}")
    compile_program((mpicc(abi), *C_FLAGS, *links, "-o", program), directory)
    return [str(program)]


def exchanges(outcome: Outcome) -> dict[str, list[tuple[int, int]]]:
    """Return by schedule how many all-to-many calls each line has, and how many schedules they made."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in outcome.lines:
        if line["collective"] == "alltoall":
            found.setdefault(line["schedule"], []).append((line["calls"], line["schedules_made"]))
    return found


def test_linked(abi: Abi, tmp_path: Path, report: Path) -> None:
    """A program calls rota_bcast by name: right results, MPI's errors, and a report."""
    job = native_job(linked(abi, PROGRAMS / "linked.c", tmp_path))
    outcome = succeeded(report_of(job, 5, FORCED, report))
    assert outcome.calls("circulant") == 10


def test_version(abi: Abi, tmp_path: Path) -> None:
    """The same as the command's, at any time."""
    told = succeeded(run_job(native_job(linked(abi, PROGRAMS / "version.c", tmp_path)), 2))
    assert told.output == f"{rota.__version__}\n"


@pytest.mark.parametrize("ranks", [1, 5])
def test_plans(abi: Abi, tmp_path: Path, report: Path, ranks: int) -> None:
    """Plans keep what they were made from, report errors to handlers, and find a pattern that is known."""
    job = native_job(linked(abi, PROGRAMS / "plans.c", tmp_path))
    planned = exchanges(succeeded(report_of(job, ranks, {"ROTA_ALGORITHM": "alltoall=weighted"}, report)))
    if ranks == 1:
        assert planned == {"native": [(7, 0)]}
        return
    calls, made = (sum(numbers) for numbers in zip(*planned.pop("weighted"), strict=True))
    assert (calls, made, planned) == (7, 2, {})
    native = exchanges(succeeded(report_of(job, ranks, {"ROTA_OFF": "alltoall"}, report)))
    assert native == {"native": [(7, 0)]}


def test_plan_that_competes(abi: Abi, tmp_path: Path, report: Path) -> None:
    """It is made where it is the MPI library's turn, and there when the schedule's comes."""
    job = native_job([*linked(abi, PROGRAMS / "long_plan.c", tmp_path), "40", "400000"])
    outcome = succeeded(report_of(job, 3, {"ROTA_HOSTS": "3"}, report))
    assert sum(line["calls"] for line in outcome.lines) == 40


def test_example_of_a_plan(abi: Abi, tmp_path: Path, report: Path) -> None:
    """There and back a hundred times: a schedule each."""
    job = native_job(linked(abi, EXAMPLES / "planned_exchange.c", tmp_path))
    outcome = succeeded(report_of(job, 6, {"ROTA_ALGORITHM": "alltoall=exact"}, report))
    assert outcome.output == "6 ranks, 100 steps there and back: 0 wrong values\n"
    assert exchanges(outcome) == {"exact": [(200, 2)]}


def test_example_of_a_stream(abi: Abi, tmp_path: Path) -> None:
    """Figure 2 of paper 5 over five ranks; a timetable that is none is refused in MPI's own way."""
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    timetable = tmp_path / "plan.timetable"
    timetable.write_text(timetable_of(plan).text)
    program = linked(abi, EXAMPLES / "stream.c", tmp_path)
    streamed = succeeded(run_job(native_job((*program, str(timetable), "40")), 5))
    assert re.fullmatch(r"40 operations in \d+\.\d\d s, 0 wrong numbers\n", streamed.output)
    timetable.write_text("no timetable")
    refused = run_job(native_job((*program, str(timetable), "40")), 5)
    assert refused.status != 0
    assert (
        "rota: timetable, line 1: a timetable begins with 'rota timetable 1'"
        in refused.errors + refused.output
    )


def test_lists_of_ranks(abi: Abi, tmp_path: Path, report: Path) -> None:
    """rota_between makes two groups of two lists; wrong lists are refused, other ranks take no part."""
    forced = {"ROTA_ALGORITHM": "inter_allgather=spread"}
    outcome = succeeded(report_of(native_job(linked(abi, PROGRAMS / "lists.c", tmp_path)), 6, forced, report))
    served = [line for line in outcome.lines if line["collective"] == "inter_allgather"]
    assert [(line["ranks"], line["calls"], line["schedule"]) for line in served] == [(5, 1, "spread")]
