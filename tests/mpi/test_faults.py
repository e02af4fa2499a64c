"""MPI calls that Rota makes fail, one after the other, on one rank.

A stand-in for the MPI library, preloaded behind Rota, gets Rota's calls and nobody else's (`faults.c`). What
fails raises an error, as MPI does. Then the program gets the error from its own call, and ends the job, as
most programs would; or Rota does without, and the results are right. But no job hangs, crashes or computes
wrong results.
"""

import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import (
    ALL_FORCED,
    Outcome,
    behind_stand_in,
    forced_between_groups,
    report_of,
    succeeded,
)

from rota.launch import Job, with_environment
from rota.library import Abi

pytestmark = pytest.mark.usefixtures("short_slices")

RANKS: Final = 3
SETTINGS: Final = {
    "ROTA_ALGORITHM": ",".join(
        (
            ALL_FORCED["ROTA_ALGORITHM"],
            "alltoall=exact",
            forced_between_groups("spread")["ROTA_ALGORITHM"],
        )
    ),
    "ROTA_BLOCK_BYTES": "512",
}
EVERYTHING: Final = {
    "bcast",
    "reduce",
    "allreduce",
    "allgather",
    "reduce_scatter",
    "scan",
    "exscan",
    "alltoall",
    "inter_bcast",
    "inter_allgather",
}

# The start and the end of MPI itself; what a program calls only once there is an error; what returns no code.
NEVER_FAIL: Final = {"Init", "Init_thread", "Finalize", "Abort", "Comm_call_errhandler", "Wtime"}

# How often depends on when messages arrive.
ASKED_AGAIN: Final = {"Test", "Wait", "Iprobe"}

# What a rank calls only while it waits in vain: in another job it may find at once what it waits for.
MAY_NEVER_COME: Final = {"Iprobe"}

# A hang should not take long to be seen.
LIMIT_S: Final = 45

# The program has ended the job; or MPI, by the handler that it has before the program sets another; or Rota.
ABORTED: Final = re.compile(
    r"^faulty: rank \d: .*: error of class|Fatal error in |MPI_ERRORS_ARE_FATAL"
    r"|^rota: MPI cannot gather the report",
    re.MULTILINE,
)
# A rank's end that is no MPI_Abort's. Launchers end the other ranks by signals 9 and 15.
CRASHED: Final = re.compile(r"signal (?!9\b|15\b)\d+|Segmentation fault|terminate called|: wrong at ")


@dataclass(frozen=True)
class Fault:
    """A call that fails: the first of that function is number 1."""

    function: str
    call: int
    rank: int

    @property
    def environment(self) -> dict[str, str]:
        """How the stand-in is told."""
        return {
            "FAULTS_FUNCTION": self.function,
            "FAULTS_CALL": str(self.call),
            "FAULTS_RANK": str(self.rank),
        }


@dataclass(frozen=True)
class Stage:
    """The program, and the stand-in before its MPI library."""

    job: Job
    directory: Path

    def outcome(self, name: str, environment: Mapping[str, str]) -> Outcome:
        """Run it, with a report; what its ranks say stands in a folder of this name."""
        folder = self.directory / name
        folder.mkdir()
        job = with_environment(self.job, {**environment, "FAULTS_FOLDER": str(folder)})
        outcome = report_of(job, RANKS, SETTINGS, folder / "report.json")
        said = "".join((folder / str(rank)).read_text() for rank in range(RANKS))
        return replace(outcome, errors=said + outcome.errors)

    def clean(self) -> Outcome:
        """Run it without a fault."""
        return succeeded(self.outcome("clean", {}))


def calls_in(clean: Outcome) -> dict[tuple[int, str], int]:
    """How often Rota calls each function on each rank."""
    found = re.findall(r"^faults: rank (\d+): PMPI_(\w+) (\d+)$", clean.errors, re.MULTILINE)
    return {(int(rank), function): int(calls) for rank, function, calls in found}


def served_in(clean: Outcome, key: str) -> set[str]:
    return {line[key] for line in clean.lines if line["schedule"] != "native"}


def staged(abi: Abi, program: Path, directory: Path) -> Stage:
    """Return both, compiled. The third library of the three is MPICH once more."""
    if abi == "mpi5":
        pytest.skip("one name of MPICH is enough")
    return Stage(behind_stand_in(abi, [program], directory), directory)


def plan(calls: Mapping[tuple[int, str], int]) -> Iterator[Fault]:
    """Yield of each function the first, the second, the middle and the last call, on rank 0 and 1 in turn.

    Where their number depends on when messages arrive, the last is another one in each job.
    """
    for rank, function in sorted(calls):
        if rank > 1 or function in NEVER_FAIL:
            continue
        most = calls[rank, function]
        last = set() if function in ASKED_AGAIN else {most}
        chosen = sorted({1, min(2, most), (most + 1) // 2} | last)
        yield from (Fault(function, call, rank) for call in chosen[rank::2] or chosen)


def complaint(fault: Fault, outcome: Outcome) -> str | None:
    """Say what is wrong with how a job has ended, if anything is. A launcher's status may be any rank's."""
    has_failed = f"faults: rank {fault.rank}: PMPI_{fault.function} fails" in outcome.errors
    has_come = has_failed or (fault.function in MAY_NEVER_COME and outcome.status == 0)
    is_clean = outcome.status == 0 or ABORTED.search(outcome.errors) is not None
    if has_come and is_clean and CRASHED.search(outcome.errors) is None:
        return None
    return f"{fault}: status {outcome.status}\n{outcome.output[-500:]}{outcome.errors[:1500]}"


@pytest.mark.long
def test_every_function_fails(
    abi: Abi, compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job ends in time, with right results or by an error that was raised; nobody waits for ever."""
    stage = staged(abi, compiled("faulty"), tmp_path)
    clean = stage.clean()
    assert served_in(clean, "collective") == EVERYTHING
    faults = list(plan(calls_in(clean)))
    monkeypatch.setattr("mpi_jobs.LIMIT_S", LIMIT_S)
    assert len(faults) > 60

    def complaint_of(numbered: tuple[int, Fault]) -> str | None:
        number, fault = numbered
        try:
            outcome = stage.outcome(str(number), fault.environment)
        except pytest.fail.Exception as hangs:
            return f"{fault}: {hangs}"
        return complaint(fault, outcome)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        complaints = [found for found in pool.map(complaint_of, enumerate(faults)) if found is not None]
    assert not complaints, "\n".join([f"{len(complaints)} of {len(faults)}:", *complaints])


def outcome_of_last_receive(
    abi: Abi, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Outcome:
    """Run a program in which rank 1 cannot receive a message of the broadcast that is started last."""
    monkeypatch.setattr("mpi_jobs.LIMIT_S", LIMIT_S)
    stage = staged(abi, program, tmp_path)
    clean = stage.clean()
    assert "ibcast" in served_in(clean, "call")
    last = Fault("Irecv", calls_in(clean)[1, "Irecv"], rank=1)
    outcome = stage.outcome("last", last.environment)
    assert "faults: rank 1: PMPI_Irecv fails" in outcome.errors
    return outcome


def test_a_handler_may_start_more(
    abi: Abi, compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The handler is called by MPI's progress."""
    outcome = outcome_of_last_receive(abi, compiled("handled_at_once"), tmp_path, monkeypatch)
    assert "handled_at_once: another one is started" in outcome.errors
    assert CRASHED.search(outcome.errors) is None


def test_who_waits_is_told(
    abi: Abi, compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where errors are returned."""
    outcome = outcome_of_last_receive(abi, compiled("told_at_wait"), tmp_path, monkeypatch)
    assert "told_at_wait: the broadcast has failed" in outcome.errors
