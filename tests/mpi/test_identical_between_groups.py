"""Calls on inter-communicators by schedules: every rank's memory as without Rota."""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import Outcome, forced_between_groups, run_native, run_with_rota, succeeded

CASES = 30
RANKS_OF_TWO_WAYS = 10


def served(outcome: Outcome, collective: str) -> int:
    """Return how many calls schedules served."""
    lines = (line for line in outcome.lines if line["collective"] == collective)
    return sum(line["calls"] for line in lines if line["schedule"] != "native")


@pytest.mark.parametrize(
    ("ranks", "first", "algorithm"),
    [(5, 3, "spread"), (6, 1, "circulant"), (4, 3, "join"), (7, 2, "join"), (5, 2, "ring"), (2, 1, "spread")],
)
def test_random_calls(compiled: Compile, report: Path, ranks: int, first: int, algorithm: str) -> None:
    """Allgathers one way and both ways, roots on either side, operators that commute and that do not."""
    outcome = compared(compiled, report, (ranks, first), forced_between_groups(algorithm))
    for collective in ("inter_allgather", "inter_bcast", "inter_reduce", "inter_allreduce"):
        assert served(outcome, collective) > 0


@pytest.mark.parametrize(
    ("ranks", "first", "hosts", "lanes"),
    [(5, 3, 2, 1), (6, 3, 2, 1), (7, 2, 3, 1), (8, 4, 3, 1), (6, 1, 3, 1), (8, 3, 2, 2), (7, 4, 2, 3)],
)
def test_on_shared_hosts(
    compiled: Compile, report: Path, ranks: int, first: int, hosts: int, lanes: int
) -> None:
    """Those of one root, and allgathers, over the hosts' links and within each host."""
    collectives = ("inter_allgather", "inter_bcast", "inter_reduce")
    settings = {
        "ROTA_ALGORITHM": ",".join(f"{each}=hierarchical" for each in collectives),
        "ROTA_BLOCK_BYTES": "512",
        "ROTA_HOSTS": str(hosts),
        "ROTA_LANES": str(lanes),
    }
    outcome = compared(compiled, report, (ranks, first), settings)
    for collective in collectives:
        assert served(outcome, collective) > 0


@pytest.mark.parametrize(
    "settings",
    [{}, {"ROTA_ADAPT": "off"}, *({"ROTA_ALGORITHM": f"inter_allgather={a}"} for a in ("join", "ring"))],
)
def test_as_much_one_way_and_both_ways(compiled: Compile, report: Path, settings: dict[str, str]) -> None:
    """A schedule that is the best one way may not solve the other, also where all sums of bytes are alike."""
    alone = {"ROTA_HOSTS": str(RANKS_OF_TWO_WAYS)}
    outcome = succeeded(run_with_rota([compiled("two_ways")], RANKS_OF_TWO_WAYS, alone | settings, report))
    assert served(outcome, "inter_allgather") > 0


def test_a_grid_that_is_smaller_than_what_it_is_made_from(compiled: Compile, report: Path) -> None:
    """Its group, as MPICH 5.0.2 tells it, has more ranks than the grid."""
    forced = {**forced_between_groups("circulant"), "ROTA_HOSTS": "5"}
    outcome = succeeded(run_with_rota([compiled("grid_between")], 5, forced, report))
    assert served(outcome, "inter_bcast") == served(outcome, "inter_allreduce") == 4


def compared(compiled: Compile, report: Path, sizes: tuple[int, int], settings: dict[str, str]) -> Outcome:
    """Run so many ranks, so many of them in the first group, with Rota and without; return the former."""
    ranks, first = sizes
    program = [compiled("between"), str(first), str(ranks), str(CASES)]
    with_rota = succeeded(run_with_rota(program, ranks, settings, report))
    native = succeeded(run_native(program, ranks))
    assert with_rota.output == native.output
    assert len(native.output.splitlines()) == CASES
    return with_rota
