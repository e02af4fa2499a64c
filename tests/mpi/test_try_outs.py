"""Programs whose large calls all return at once: what these gain is tried out, with nobody's data."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import Outcome, behind_stand_in, report_of, run_with_rota, succeeded

from rota.library import Abi

RANKS = 3
SIZE = 400_000
ALONE = {"ROTA_HOSTS": str(RANKS)}
# Messages of so few bytes take much longer than any MPI library.
HOPELESS = {**ALONE, "ROTA_BLOCK_BYTES": "200"}
FIRST_DUE = 50
"""Calls at once; the first call that blocks after that is made when so many have been."""

LIKE_IT = {
    "ibcast": "bcast",
    "iallgather": "allgather",
    "iscan": "scan",
    "ireduce": "reduce",
    "ialltoall": "alltoall",
    "ireduce_scatter": "reduce_scatter_block",
}
"""Calls at once, and those like them that block; but not the allreduce, by which ranks agree."""


def calls_of(outcome: Outcome, call: str, *, by_schedule: bool) -> int:
    lines = [line for line in outcome.lines if line["call"] == call]
    return sum(line["calls"] for line in lines if (line["schedule"] != "native") == by_schedule)


def reasons_of(outcome: Outcome, call: str) -> dict[str, int]:
    lines = [line for line in outcome.lines if line["call"] == call and line["schedule"] == "native"]
    return {line["reason"]: line["calls"] for line in lines}


def called(name: str) -> str:
    return "ireduce_scatter_block" if name == "ireduce_scatter" else name


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("ibcast", "ireduce_scatter") else pytest.param(name, marks=pytest.mark.long)
        for name in LIKE_IT
    ],
)
def test_a_slow_library_is_found_out(
    abi: Abi, compiled: Compile, report: Path, tmp_path: Path, name: str
) -> None:
    """From the first try-out on, after fifty calls, they go by a schedule."""
    if abi == "mpi5":
        pytest.skip("one name of MPICH is enough")
    if abi == "mpich" and name == "iallgather":
        pytest.skip("MPICH's allgathers leave nothing to gain, so none is tried")
    calls = 120
    like_it = LIKE_IT[name]
    size = 3 * SIZE if name == "ireduce_scatter" else SIZE
    job = behind_stand_in(abi, [compiled("at_once"), name, size, calls], tmp_path)
    slow = {**ALONE, "FAULTS_SLOW": like_it.capitalize()}
    outcome = succeeded(report_of(job, RANKS, slow, report))
    assert calls_of(outcome, called(name), by_schedule=False) == FIRST_DUE
    assert calls_of(outcome, called(name), by_schedule=True) == calls - FIRST_DUE
    assert calls_of(outcome, f"{like_it} try-out", by_schedule=True) == 1
    # Of a mebibyte or more there is no native one before that.
    assert calls_of(outcome, f"{like_it} try-out", by_schedule=False) == (1 if size > 2**20 else 2)


def test_what_does_not_gain_is_hardly_tried(abi: Abi, compiled: Compile, report: Path) -> None:
    """One pair, of the 9 try-outs that there might be in so many calls: then it is known to be hopeless.

    Of a mebibyte the schedule's comes first; of less it waits for its time, which is as calls take it.
    """
    calls = 900
    program = [compiled("at_once"), "ibcast", 1 << 20, calls]
    outcome = succeeded(run_with_rota(program, RANKS, HOPELESS, report))
    if abi == "mpi5":
        assert reasons_of(outcome, "ibcast") == {"no hook in MPI's progress": calls}
        assert calls_of(outcome, "bcast try-out", by_schedule=False) == 0
        return
    assert calls_of(outcome, "ibcast", by_schedule=True) == 0
    assert calls_of(outcome, "bcast try-out", by_schedule=True) == 1
    assert calls_of(outcome, "bcast try-out", by_schedule=False) == 1


def test_links_are_found_out_for_sums(abi: Abi, compiled: Compile, report: Path) -> None:
    """Whose bits may show the order: they do not compete, and go by the links' pace."""
    if abi == "mpi5":
        pytest.skip("no calls at once by schedules there")
    calls = 120
    program = [compiled("at_once"), "isum", 6 * SIZE, calls]
    outcome = succeeded(run_with_rota(program, RANKS, ALONE, report))
    reasons = reasons_of(outcome, "iallreduce")
    assert reasons["links' pace is not known yet"] == FIRST_DUE
    by_pace = reasons.get("fast links: sums keep their order", 0)
    assert by_pace + calls_of(outcome, "iallreduce", by_schedule=True) == calls - FIRST_DUE


def test_few_calls_are_left_alone(compiled: Compile, report: Path) -> None:
    """No call of Rota's own is made for less than fifty."""
    program = [compiled("at_once"), "ibcast", SIZE, FIRST_DUE - 1]
    outcome = succeeded(run_with_rota(program, RANKS, ALONE, report))
    assert not [line for line in outcome.lines if "try-out" in line["call"]]
