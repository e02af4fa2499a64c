"""Collectives that do not block, by schedules: behind programs that know nothing of Rota."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, Outcome, run_native, run_with_rota, succeeded

from rota.library import Abi

CALLS = {
    "ibcast",
    "ireduce",
    "iallreduce",
    "iallgather",
    "iallgatherv",
    "ireduce_scatter_block",
    "iscan",
    "iexscan",
    "ialltoall",
}
PERSISTENT = {"bcast", "allreduce", "reduce", "scan", "allgather", "reduce_scatter_block", "alltoall"}
STARTS = 12
SETTINGS = {
    "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact",
    "ROTA_BLOCK_BYTES": "3000",
}


def reasons_of(outcome: Outcome) -> dict[str, set[str]]:
    """Return for each call that returned at once why it was native; empty: a schedule served it."""
    reasons: dict[str, set[str]] = {}
    for line in outcome.lines:
        if line["call"].startswith("i") and line["ranks"] > 1:
            reasons.setdefault(line["call"], set()).add(line["reason"])
    return reasons


@pytest.mark.parametrize("in_flight", [1, 3])
@pytest.mark.parametrize("hosts", [2, 9])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_random_programs(
    abi: Abi, compiled: Compile, report: Path, ranks: int, hosts: int, in_flight: int
) -> None:
    """Up to eight outstanding at once; for the MPI-5 ABI all are passed on."""
    settings = {**SETTINGS, "ROTA_HOSTS": str(hosts), "ROTA_ROUNDS_IN_FLIGHT": str(in_flight)}
    program = (compiled("started"), 10 * ranks + hosts, 25)
    outcome = succeeded(run_with_rota(program, ranks, settings, report))
    assert outcome.output == "25 programs\n"
    served = set() if abi == "mpi5" else {""}
    assert reasons_of(outcome) == {call: served or {"no hook in MPI's progress"} for call in CALLS}


def test_the_program_is_right(compiled: Compile) -> None:
    assert succeeded(run_native((compiled("started"), 1, 25), 4)).output == "25 programs\n"


def test_by_default_only_what_has_gained_is_served(compiled: Compile, report: Path) -> None:
    """Nobody has seen yet what schedules gain in such short calls."""
    outcome = succeeded(run_with_rota((compiled("started"), 1, 25), 4, {"ROTA_HOSTS": "4"}, report))
    assert not any("" in reasons for reasons in reasons_of(outcome).values())


@pytest.mark.parametrize("ranks", [1, 2, 5, 8])
def test_set_up_once_and_started_often(abi: Abi, compiled: Compile, report: Path, ranks: int) -> None:
    """Each start is a call of its own, on the data of then."""
    settings = {**SETTINGS, "ROTA_HOSTS": str(ranks)}
    outcome = succeeded(run_with_rota((compiled("persistent"), STARTS), ranks, settings, report))
    if abi == "mpi5" or ranks == 1:  # each is noted when it is set up
        why = "one rank" if ranks == 1 else "no hook in MPI's progress"
        assert set_up(outcome) == {(call, why, 1) for call in PERSISTENT}
    else:
        assert set_up(outcome) == {(call, "", STARTS) for call in PERSISTENT}


def set_up(outcome: Outcome) -> set[tuple[str, str, int]]:
    """Return the calls that were set up: why each was native, and how often it is noted."""
    return {
        (line["call"].removesuffix("_init"), line["reason"], line["calls"])
        for line in outcome.lines
        if line["call"].endswith("_init")
    }


def test_that_program_is_right(compiled: Compile) -> None:
    succeeded(run_native((compiled("persistent"), STARTS), 4))
