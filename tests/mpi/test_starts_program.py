"""The program that measures calls that return at once, and what the report says was overlapped."""

import json
from pathlib import Path

import pytest
from mpi_jobs import ALL_FORCED, Outcome, report_of, succeeded

from rota.bench.starts import Starts, StartsExperiment
from rota.library import Abi

COLLECTIVES = ("bcast", "allreduce", "allgather", "reduce_scatter_block", "alltoall")
WAYS = ("blocking", "waited", "tested", "computed_tested", "alone", "computed_alone")
FORCED = {"ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact", "ROTA_HOSTS": "4"}


def run(experiment: StartsExperiment, ranks: int, report: Path) -> tuple[Outcome, list[Starts]]:
    outcome = succeeded(report_of(experiment.job(), ranks, FORCED, report))
    lines = [json.loads(line) for line in outcome.output.splitlines()]
    return outcome, [Starts(line.pop("collective"), line) for line in lines]


@pytest.mark.parametrize("ranks", [1, 4, 5])
def test_overlap_is_measured(abi: Abi, ranks: int, report: Path) -> None:
    outcome, measured = run(StartsExperiment(abi, "overlap", 40_000, 3), ranks, report)
    assert tuple(each.collective for each in measured) == COLLECTIVES
    for each in measured:
        assert set(each.seconds) == {f"{library}_{way}" for library in ("native", "rota") for way in WAYS}
        assert all(len(seconds) == 3 and min(seconds) >= 0 for seconds in each.seconds.values())
        assert each.hidden("rota", "tested") <= 1
    if ranks == 1 or abi == "mpi5":  # which has no hook
        return
    shares = {line["call"]: line["overlapped"] for line in outcome.lines if line["schedule"] != "native"}
    for name in COLLECTIVES:
        assert 0 < shares[f"i{name}"] <= 1
        assert shares[name] is None


@pytest.mark.parametrize("ranks", [1, 4])
def test_persistent_is_measured(abi: Abi, ranks: int, report: Path) -> None:
    outcome, (measured,) = run(StartsExperiment(abi, "persistent", 20_000, 10), ranks, report)
    assert set(measured.seconds) == {
        f"{library}_{way}" for library in ("native", "rota") for way in ("blocking", "started")
    }
    assert all(len(seconds) == 10 for seconds in measured.seconds.values())
    if ranks > 1 and abi != "mpi5":
        (line,) = (line for line in outcome.lines if line["call"] == "allreduce_init")
        assert (line["schedule"], line["calls"]) == ("circulant", 11)


def test_what_is_hidden() -> None:
    """Of 2 s of communication, 3 s of computation that end in 3.5 s have hidden three quarters."""
    took = Starts("bcast", {"rota_waited": [2.0], "rota_tested": [3.5], "rota_computed_tested": [3.0]})
    assert took.hidden("rota", "tested") == 0.75
