"""A job that is ended before MPI_Finalize leaves what a rank has noted, and ends as it would without Rota."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import GIVING_WAY, LIMIT_S, SMALL_BLOCKS, Outcome, run_job, run_native, run_with_rota, succeeded

from rota.launch import native_job, with_environment, with_rota
from rota.launcher import launcher_environment, local_command

RANKS = 3
TABLE = {**SMALL_BLOCKS, "ROTA_REPORT": "1"}


def end_by(
    number: signal.Signals, program: list[object], settings: Mapping[str, str], *, to_rank_0: bool
) -> Outcome:
    """Run a program with Rota, and send a signal to its launcher, or to rank 0, once it is ready."""
    job = with_environment(with_rota(native_job([str(word) for word in program])), settings)
    process = subprocess.Popen(
        local_command(job, RANKS, os.cpu_count() or 1),
        env={**launcher_environment(), **GIVING_WAY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        ready, rank_0 = process.stdout.readline().split()
        assert ready == "ready"
        os.kill(int(rank_0) if to_rank_0 else process.pid, number)
        output, errors = process.communicate(timeout=LIMIT_S)
    return Outcome(process.returncode, output, errors)


def has_told(outcome: Outcome, ended_by: str) -> bool:
    """Is there the table, and no other, of a job that was ended so, with rank 0's ten broadcasts?"""
    heading, *rest = outcome.rota_errors() or [""]
    lines = [line.split() for line in rest if line.split()[1] == "bcast"]
    return f"ended by {ended_by};" in heading and [line[2:7] for line in lines] == [
        [str(RANKS), "3.906", "KiB", "10", "circulant"]
    ]


def errors_of(program: tuple[object, ...], file: Path) -> str:
    """Run a program with Rota, whose ranks write standard error to this file, past the launcher."""
    job = with_environment(with_rota(native_job([str(word) for word in program])), TABLE)
    past = ("sh", "-c", 'exec 2>>"$0" && exec "$@"', str(file))
    run_job(replace(job, program=(*past, *job.program)), RANKS)
    return file.read_text()


def assert_told(report: Path, ended_by: str) -> None:
    """The same in a file: some launchers pass nothing more on that ranks write."""
    told = json.loads(report.read_text())
    assert told["ended_by"] == ended_by
    (line,) = told["calls"]
    assert (line["call"], line["ranks"], line["calls"], line["blocks"]) == ("bcast", RANKS, 10, 63)


@pytest.mark.parametrize("how", ["wait", "locked"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_rank_0_that_is_ended_leaves_a_report(compiled: Compile, number: signal.Signals, how: str) -> None:
    """Whatever it was about; it ends by that signal. (MPICH's status has the bits of other ranks' too.)"""
    ended = end_by(number, [compiled("killed"), how], TABLE, to_rank_0=True)
    assert ended.status & number == number
    assert has_told(ended, number.name)


def test_a_job_that_is_ended_leaves_a_report(compiled: Compile, report: Path) -> None:
    """Also to the launcher, which ends its ranks."""
    settings = {**SMALL_BLOCKS, "ROTA_REPORT": str(report)}
    end_by(signal.SIGTERM, [compiled("killed"), "wait"], settings, to_rank_0=False)
    assert_told(report, "SIGTERM")


@pytest.mark.parametrize("how", [("abort", 0), ("within",)])
def test_a_job_that_rank_0_aborts_leaves_a_report(
    compiled: Compile, report: Path, how: tuple[object, ...]
) -> None:
    """Also where it does so in a signal handler."""
    program = (compiled("killed"), *how)
    ended = run_with_rota(program, RANKS, {**SMALL_BLOCKS, "ROTA_REPORT": str(report)})
    assert ended.status == run_native(program, RANKS).status
    assert_told(report, "MPI_Abort")


@pytest.mark.parametrize("rank", [1, 2])
def test_a_job_that_another_rank_aborts_leaves_a_report(
    compiled: Compile, report: Path, tmp_path: Path, rank: int
) -> None:
    """What that rank has noted; among tables there may be rank 0's too, if the launcher lets it say one."""
    program = (compiled("killed"), "abort", rank)
    ended = run_with_rota(program, RANKS, {**SMALL_BLOCKS, "ROTA_REPORT": str(report)})
    assert ended.status == run_native(program, RANKS).status
    told = json.loads(report.read_text())
    assert (told["ended_by"], told["noted_by"]) == ("MPI_Abort", rank)
    (line,) = told["calls"]
    assert (line["call"], line["ranks"], line["calls"], line["blocks"]) == ("bcast", RANKS, 10, 63)
    printed = errors_of(program, tmp_path / "errors")
    assert f"rota: ended by MPI_Abort; what rank {rank} had noted by then" in printed


def test_the_report_of_who_aborts_stays(compiled: Compile, report: Path) -> None:
    """Rank 0, ended by the launcher behind it, leaves it as it is; one of an earlier job it replaces."""
    settings = {**SMALL_BLOCKS, "ROTA_REPORT": str(report)}
    run_with_rota((compiled("killed"), "abort", 1, report), RANKS, settings)
    assert json.loads(report.read_text())["noted_by"] == 1
    end_by(signal.SIGTERM, [compiled("killed"), "wait"], settings, to_rank_0=True)
    assert json.loads(report.read_text())["noted_by"] == 0


def test_where_all_ranks_abort_one_of_them_reports(compiled: Compile, report: Path) -> None:
    """And those that are ended while they write leave nothing beside it."""
    run_with_rota((compiled("killed"), "abort", "all"), RANKS, {**SMALL_BLOCKS, "ROTA_REPORT": str(report)})
    assert json.loads(report.read_text())["ended_by"] == "MPI_Abort"
    assert list(report.parent.iterdir()) == [report]


def test_a_report_to_what_is_no_file(compiled: Compile) -> None:
    """A pipe and a device stay what they are."""
    printed = run_with_rota((compiled("killed"), "handles"), RANKS, {"ROTA_REPORT": "/dev/stdout"})
    assert succeeded(printed).output.count('"ended_by": "MPI_Finalize", "noted_by": null') == 1


@pytest.mark.parametrize("how", ["handled", "handles", "ignores", "child"])
def test_signals_that_are_none_of_rotas(compiled: Compile, report: Path, how: str) -> None:
    """The program's own handlers are called, what it ignores is ignored, a child ends without a word."""
    outcome = succeeded(run_with_rota((compiled("killed"), how), RANKS, SMALL_BLOCKS, report))
    assert outcome.rota_errors() == []
    assert outcome.report is not None
    assert outcome.report["ended_by"] == "MPI_Finalize"


def test_without_a_report_nobody_listens(compiled: Compile) -> None:
    ended = end_by(signal.SIGTERM, [compiled("killed"), "wait"], SMALL_BLOCKS, to_rank_0=True)
    assert ended.status != 0
    assert ended.rota_errors() == []
