"""On a program's own calls the MPI library's collectives and schedules compete, where the user lets them."""

from pathlib import Path
from typing import Any

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import Outcome, behind_stand_in, report_of, run_with_rota, succeeded

from rota.library import Abi

RANKS = 3
CALLS = 64
SIZE = 4_000_000
ALONE = {"ROTA_HOSTS": str(RANKS), "ROTA_BLOCK_BYTES": "60000"}
# Messages of so few bytes take much longer than any MPI library.
HOPELESS = {**ALONE, "ROTA_BLOCK_BYTES": "500"}


def outcome_of(compiled: Compile, report: Path, collective: str, **settings: str) -> Outcome:
    program = [compiled("competing"), collective, SIZE]
    return succeeded(run_with_rota(program, RANKS, {**ALONE, **settings}, report))


def cells_of(outcome: Outcome) -> list[dict[str, Any]]:
    """Return the cells of large calls; there may be others, of what compares the results."""
    assert outcome.report is not None
    return [cell for cell in outcome.report["cells"] if 4 * cell["size_class_bytes"] > SIZE]


def test_a_schedule_that_loses(compiled: Compile, report: Path) -> None:
    """It is tried once, for that cost more than its budget for long."""
    outcome = outcome_of(compiled, report, "bcast", **HOPELESS)
    (cell,) = cells_of(outcome)
    assert cell["schedule_calls"] == 1
    assert cell["native_calls"] == 1  # and then no more were agreed on: there was nothing to be tried
    assert (cell["communicators"], cell["on_schedule"]) == (1, 0)
    # All of it but what a native call takes, and what ranks did before.
    assert cell["trials_cost_seconds"] > cell["schedule_seconds"] / 2
    assert outcome.calls("circulant") == 1
    assert outcome.reasons() == {"in turn with a schedule": CALLS - 1}


def test_a_schedule_that_wins(abi: Abi, compiled: Compile, report: Path, tmp_path: Path) -> None:
    """It gets the place of a slow native collective, which is tried again within the same budget."""
    if abi == "mpi5":
        pytest.skip("one name of MPICH is enough")
    job = behind_stand_in(abi, [compiled("competing"), "bcast", SIZE], tmp_path)
    outcome = succeeded(report_of(job, RANKS, {**ALONE, "FAULTS_SLOW": "Bcast"}, report))
    (cell,) = cells_of(outcome)
    assert (cell["communicators"], cell["on_schedule"]) == (1, 1)
    # Nearly all, where nobody takes processors away from its first trial.
    assert outcome.calls("circulant") > CALLS / 2
    assert cell["native_seconds"] > 2 * cell["native_calls"]


@pytest.mark.parametrize("collective", ["bcast", "alltoall", "inter_bcast", "ints"])
def test_who_competes(compiled: Compile, report: Path, collective: str) -> None:
    """What is moved, and what is combined with the same bits in whatever order."""
    (cell,) = cells_of(outcome_of(compiled, report, collective))
    assert cell["collective"] == ("allreduce" if collective == "ints" else collective)
    # As far as ranks have agreed.
    assert cell["schedule_calls"] > 0
    assert cell["native_calls"] > 0
    assert cell["native_calls"] + cell["schedule_calls"] <= CALLS


@ONE_ABI
def test_sums_of_doubles_do_not(compiled: Compile, report: Path) -> None:
    """Their bits must not change from run to run, unless the user says so."""
    assert cells_of(outcome_of(compiled, report, "doubles")) == []
    report.unlink()
    (cell,) = cells_of(outcome_of(compiled, report, "doubles", ROTA_ADAPT="all"))
    assert cell["collective"] == "allreduce"


@ONE_ABI
@pytest.mark.parametrize("settings", [{"ROTA_ADAPT": "off"}, {"ROTA_ALGORITHM": "bcast=circulant"}])
def test_not_where_the_user_has_decided(compiled: Compile, report: Path, settings: dict[str, str]) -> None:
    outcome = outcome_of(compiled, report, "bcast", **settings)
    assert cells_of(outcome) == []
    assert outcome.calls("circulant") == CALLS


def test_the_table_says_what_was_tried(compiled: Compile) -> None:
    settings = {**HOPELESS, "ROTA_REPORT": "1"}
    job = run_with_rota([compiled("competing"), "bcast", SIZE], RANKS, settings)
    (line,) = (line for line in succeeded(job).rota_errors() if "trials cost" in line)
    assert line.startswith("rota: bcast ")
    assert "by schedule 1 of " in line
    assert "natively 1 of " in line
    assert line.endswith("now by schedule on 0 of 1 communicators")


@pytest.mark.parametrize("hosts", [3, 7])
def test_irregular_exchanges(compiled: Compile, report: Path, hosts: int) -> None:
    """What is rehearsed before its first trial goes together, though ranks have other messages."""
    patterns = 20
    program = [compiled("uneven"), patterns]
    outcome = succeeded(run_with_rota(program, 7, {"ROTA_HOSTS": str(hosts)}, report))
    assert outcome.report is not None
    cells = outcome.report["cells"]
    assert sum(cell["communicators"] for cell in cells) > patterns / 2
    assert sum(cell["schedule_calls"] for cell in cells) > patterns / 2
