"""Streams over MPI by plans on random platforms, from Python, beside what each operation should give."""

import random
import sys
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from mpi_jobs import PROGRAMS, run_job, succeeded

from rota.errors import RotaError
from rota.launch import preferred_job
from rota.mpi_install import Family
from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.plan import Plan, as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.timetable import timetable_of

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")

MOST_BLOCKS = 60


def platform_of(ranks: int, chance: random.Random) -> Platform:
    """Return a strongly connected platform in which not all nodes compute."""
    names = [f"n{number}" for number in range(ranks)]
    ring = set(zip(names, names[1:] + names[:1], strict=True)) if ranks > 1 else set()
    others = {pair for pair in permutations(names, 2) if chance.random() < 0.4}
    nodes = tuple(Node(name, Fraction(1, 2) if chance.random() < 0.7 else None) for name in names[1:])
    links = tuple(
        Link(a, b, Fraction(chance.randint(1, 6), chance.randint(1, 3))) for a, b in sorted(ring | others)
    )
    return Platform((Node("n0", Fraction(1, 3)), *nodes), links)


def plans_of(ranks: int, seed: int) -> dict[str, Plan]:
    """Return a plan of each kind whose timetable is short."""
    chance = random.Random(seed)  # noqa: S311
    platform = platform_of(ranks, chance)
    hosts = chance.sample([node.name for node in platform.nodes], max(2, ranks - 1))
    others = [node.name for node in platform.nodes if node.name != hosts[0]]
    sizes = [Fraction(chance.choice(("1", "2", "1/2", "2/3"))) for _ in hosts[1:]]
    series = {
        "scatter": series_of_scatters(platform, hosts[0], hosts[1:], sizes),
        "all-to-all": series_of_all_to_alls(platform, hosts),
        "reduce": series_of_reduces(platform, hosts, chance.choice(platform.nodes).name),
        "broadcast": series_of_broadcasts(platform, hosts[0], others),
    }
    return {kind: short(platform, each) for kind, each in series.items()}


def short(platform: Platform, series: object) -> Plan:
    """Return the plan, or one of a fixed period of a few operations."""
    best = planned(platform, series)
    for plan in (
        best,
        *(planned(platform, series, factor / min(each.weight for each in best.ways)) for factor in (2, 1)),
    ):
        try:
            if len(timetable_of(plan).widths) <= MOST_BLOCKS:
                return plan
        except RotaError:
            continue
    return planned(platform, series, 1 / max(each.weight for each in best.ways))


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
@pytest.mark.parametrize("ranks", [2, 4, pytest.param(7, marks=pytest.mark.long)])
def test_streams(family: Family, ranks: int, tmp_path: Path) -> None:
    """Twice each, with a last period that is not full."""
    arguments = []
    for kind, plan in plans_of(ranks, ranks).items():
        file = tmp_path / f"{kind}.json"
        file.write_text(as_text(plan))
        arguments += [str(file), str(2 * plan.operations + 1)]
    job = preferred_job(family, (sys.executable, str(PROGRAMS / "series.py"), *arguments))
    output = succeeded(run_job(job, ranks)).output
    names = ", ".join(f"n{number}" for number in range(ranks))
    said = (
        "no plan: write one with rota plan ... --json",
        f"there is no node nobody: choose from {names}",
    )
    assert output == f"wrong: []\nsaid: {' / '.join(said)}\n"
