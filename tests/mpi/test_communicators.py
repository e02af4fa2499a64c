"""Rota keeps to itself: its messages, its communicators and its memory are never seen by the program."""

import json
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import FORCED, SMALL_BLOCKS, run_native, run_with_rota, succeeded

from rota.library import Abi

NO_SUCH_FEATURE = 77


def test_sub_communicators(compiled: Compile, report: Path) -> None:
    """Parts of a communicator broadcast at the same time; duplicates and topologies are served alike."""
    outcome = succeeded(run_with_rota([compiled("subcommunicators")], 6, SMALL_BLOCKS, report))
    served = {line["ranks"] for line in outcome.broadcasts if line["schedule"] == "circulant"}
    assert served == {2, 3, 6}
    assert set(outcome.reasons()) == {"one rank"}


def test_messages_are_never_the_programs(compiled: Compile, report: Path) -> None:
    """Open receives from anyone with any tag get the program's messages and no other."""
    outcome = succeeded(run_with_rota([compiled("wildcards")], 5, SMALL_BLOCKS, report))
    assert outcome.calls("circulant") == 40


def test_attributes_and_error_handlers_stay(compiled: Compile, report: Path) -> None:
    """The program's attribute functions and error handler run when the program makes them run, only then."""
    outcome = succeeded(run_with_rota([compiled("attributes")], 3, SMALL_BLOCKS, report))
    assert outcome.calls("circulant") == 6


def test_inter_communicator(compiled: Compile, report: Path) -> None:
    """Rota serves within each of two groups, and between them what is large or asked for."""
    outcome = succeeded(run_with_rota([compiled("inter")], 5, SMALL_BLOCKS, report))
    assert {line["ranks"] for line in outcome.broadcasts if line["schedule"] == "circulant"} == {2, 3}
    assert outcome.calls("circulant") == 2
    between = [line for line in outcome.lines if line["collective"] == "inter_bcast"]
    assert {(line["ranks"], line["schedule"], line["reason"]) for line in between} == {
        (4, "native", "small"),
        (3, "native", "small"),
    }
    forced = {**SMALL_BLOCKS, "ROTA_ALGORITHM": "inter_bcast=circulant"}
    served = succeeded(run_with_rota([compiled("inter")], 5, forced, report))
    assert sum(line["calls"] for line in served.lines if line["schedule"] == "circulant") == 4


def test_threads(compiled: Compile, report: Path) -> None:
    """Several threads broadcast at once on different communicators."""
    outcome = run_with_rota([compiled("threads")], 4, SMALL_BLOCKS, report)
    if outcome.status == NO_SUCH_FEATURE:
        pytest.skip("this MPI library has no MPI_THREAD_MULTIPLE: use one that was built with it")
    succeeded(outcome)
    assert outcome.calls("circulant") + outcome.calls("native") == 4 * 60
    assert outcome.reasons() == {"no data": 4 * 2}


@pytest.mark.parametrize("abi", ["mpich", "mpi5"], indirect=True)  # Open MPI 5 has none
def test_sessions(compiled: Compile) -> None:
    """A program that never calls MPI_Init goes by the environment, in one session and in the next."""
    succeeded(run_with_rota([compiled("sessions")], 3, SMALL_BLOCKS))


def test_freed_communicators_leave_nothing(compiled: Compile, report: Path) -> None:
    """Communicators come and go by thousands: Rota's go with them, and so does its memory."""
    times = 3000
    outcome = succeeded(run_with_rota([compiled("churn"), str(times)], 3, FORCED, report))
    assert outcome.calls("circulant") == times
    # 1500 more of them: anything that is left of each shows.
    assert int(outcome.output.rpartition(":")[2]) < 256


def test_communicators_without_large_broadcasts_cost_nothing(
    abi: Abi, compiled: Compile, report: Path
) -> None:
    """Rota takes a communicator of its own only where it may serve a call."""
    count = 3000 if abi == "openmpi" else 2000  # MPICH itself ends at 2048
    outcome = succeeded(run_with_rota([compiled("many"), str(count)], 3, {}, report))
    assert outcome.reasons() == {"small": count, "one host": 1}


@pytest.mark.parametrize("abi", ["mpich"], indirect=True)  # Open MPI has too many to use them up
@pytest.mark.parametrize("spare", [0, 1])
def test_no_communicator_left(compiled: Compile, report: Path, spare: int) -> None:
    """Where MPI has no communicators to give, Rota serves all the same: it needs none."""
    outcome = succeeded(run_with_rota([compiled("exhausted"), str(spare)], 3, FORCED, report))
    assert outcome.calls("circulant") == 6


def test_spawned_processes(abi: Abi, compiled: Compile, report: Path) -> None:
    """Processes that a program starts while it runs broadcast with those that started them.

    Both jobs report, but under Open MPI, which preloads nothing into them.
    """
    program = [compiled("spawn")]
    succeeded(run_native(program, 2))
    outcome = succeeded(run_with_rota(program, 2, SMALL_BLOCKS, report))
    assert outcome.report is not None
    of_children = [json.loads(file.read_text()) for file in report.parent.glob("report.*.json")]
    assert len(of_children) == (0 if abi == "openmpi" else 1)
    for told in (outcome.report, *of_children):
        assert (told["ranks"], len(told["calls"])) == (2, 4)


def test_spawned_processes_without_rota(compiled: Compile) -> None:
    """Nobody asks them anything."""
    succeeded(run_with_rota([compiled("spawn"), "strangers"], 2, {}))
