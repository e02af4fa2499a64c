"""Collectives that do not block, by schedules: behind programs that know nothing of Rota."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, Outcome, forced_between_groups, run_native, run_with_rota, succeeded

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
SERVED_BY_THREAD = {
    "started": {"iallreduce", "iallgather"},
    "persistent": {"allreduce_init", "alltoall_init"},
    "started_between": {"inter_iallreduce", "inter_iallgather", "inter_ibcast", "inter_ireduce"},
}
SETTINGS = {
    "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact",
    "ROTA_BLOCK_BYTES": "3000",
}
BETWEEN = {**forced_between_groups("circulant"), "ROTA_BLOCK_BYTES": "3000"}


def reasons_of(outcome: Outcome) -> dict[str, set[str]]:
    """Return for each call that returned at once why it was native; empty: a schedule served it."""
    reasons: dict[str, set[str]] = {}
    for line in outcome.lines:
        if line["call"].startswith("i") and line["ranks"] > 1:
            reasons.setdefault(line["call"], set()).add(line["reason"])
    return reasons


@pytest.mark.parametrize(
    ("hosts", "in_flight"),
    [
        (2, 1),
        (9, 3),
        pytest.param(2, 3, marks=pytest.mark.long),
        pytest.param(9, 1, marks=pytest.mark.long),
    ],
)
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


def test_before_a_call_for_which_ranks_find_out_the_network(
    abi: Abi, compiled: Compile, report: Path
) -> None:
    """A rank that waits for what was started needs those that wait for it in that call already."""
    settings = {"ROTA_HOSTS": "4", "ROTA_ALGORITHM": "bcast=circulant"}
    outcome = succeeded(run_with_rota([compiled("started_before")], 4, settings, report))
    assert reasons_of(outcome) == {"ibcast": {"no hook in MPI's progress" if abi == "mpi5" else ""}}


@pytest.mark.parametrize("program", ["started", "persistent", "started_between"])
def test_a_thread_carries_on(compiled: Compile, report: Path, program: str) -> None:
    """Where the MPI library has no hook too."""
    arguments = {"started": (5, 25), "persistent": (STARTS,), "started_between": (7,)}[program]
    settings = {
        **(BETWEEN if program == "started_between" else SETTINGS),
        "ROTA_HOSTS": "4",
        "ROTA_PROGRESS": "thread",
    }
    outcome = succeeded(run_with_rota((compiled(program), *arguments), 4, settings, report))
    assert outcome.errors == ""
    served = {line["call"] for line in outcome.lines if line["reason"] == ""}
    assert served >= SERVED_BY_THREAD[program]


def test_only_a_thread_carries_on_without_the_program(compiled: Compile, report: Path) -> None:
    """The program calls nothing of MPI's until what it has started is there."""
    settings = {**SETTINGS, "ROTA_HOSTS": "4"}
    program = (compiled("alone"), 60)
    succeeded(run_with_rota(program, 4, {**settings, "ROTA_PROGRESS": "thread"}, report))
    assert run_with_rota((compiled("alone"), 1), 4, settings, report).status != 0


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


@pytest.mark.parametrize("beside", ["exchange", "freed"])
def test_persistent_beside(compiled: Compile, report: Path, beside: str) -> None:
    """Started before or after a call that blocks, as each rank likes; and without its communicator."""
    program = (compiled("persistent_beside"), beside)
    outcome = succeeded(run_with_rota(program, 4, {**SETTINGS, "ROTA_HOSTS": "4"}, report))
    assert {call for call, _, _ in set_up(outcome)} == {"bcast"}


def test_setting_up_changes_no_values(compiled: Compile, report: Path) -> None:
    """Also of types of which Rota does not know whether MPI takes them: both libraries have such a one."""
    program = (compiled("persistent_beside"), "kept")
    outcome = succeeded(run_with_rota(program, 4, {**SETTINGS, "ROTA_HOSTS": "4"}, report))
    assert outcome.output == "kept\n"


def set_up(outcome: Outcome) -> set[tuple[str, str, int]]:
    """Return the calls that were set up: why each was native, and how often it is noted."""
    return {
        (line["call"].removesuffix("_init"), line["reason"], line["calls"])
        for line in outcome.lines
        if line["call"].endswith("_init")
    }


@pytest.mark.parametrize("in_flight", [1, 3])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_between_two_groups(abi: Abi, compiled: Compile, report: Path, ranks: int, in_flight: int) -> None:
    """Also where a root's fellows take no part, and where ranks must tell each other their shares."""
    settings = {**BETWEEN, "ROTA_HOSTS": str(ranks), "ROTA_ROUNDS_IN_FLIGHT": str(in_flight)}
    freed = () if abi == "mpi5" else ("free",)
    outcome = succeeded(run_with_rota((compiled("started_between"), 7, *freed), ranks, settings, report))
    reasons: dict[str, set[str]] = {}
    for line in outcome.lines:
        reasons.setdefault(line["call"], set()).add(line["reason"])
    assert reasons["ialltoallv"] == {"inter-communicator"}
    served = {"no hook in MPI's progress"} if abi == "mpi5" else {""}
    for call in ("ibcast", "ireduce", "iallreduce", "iallgather", "iallgatherv"):
        assert reasons[f"inter_{call}"] == served, call
    for call in ("bcast", "reduce", "allreduce", "allgather", "allgatherv"):
        assert reasons[f"inter_{call}_init"] == served, call


def test_that_program_is_right(compiled: Compile) -> None:
    succeeded(run_native((compiled("persistent"), STARTS), 4))
    succeeded(run_native((compiled("started_between"), 7), 4))
    succeeded(run_native((compiled("persistent_beside"), "exchange"), 4))


@pytest.mark.parametrize(("ranks", "hosts", "in_flight"), [(4, 9, 1), (5, 9, 3), (8, 2, 3)])
def test_random_irregular_exchanges(
    abi: Abi, compiled: Compile, report: Path, ranks: int, hosts: int, in_flight: int
) -> None:
    """At once and persistent; in this program Open MPI's own calls hang, so it is not run natively."""
    settings = {**SETTINGS, "ROTA_HOSTS": str(hosts), "ROTA_ROUNDS_IN_FLIGHT": str(in_flight)}
    program = (compiled("started_exchanges"), ranks, 10)
    outcome = succeeded(run_with_rota(program, ranks, settings, report))
    assert outcome.output == "10 programs\n"
    served = "no hook in MPI's progress" if abi == "mpi5" else ""
    assert served in reasons_of(outcome)["ialltoallv"]
