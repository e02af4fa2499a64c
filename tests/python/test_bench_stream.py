"""What `rota bench stream` makes of the times that it is given: no lab and no MPI here."""

from fractions import Fraction

import pytest

from rota.bench.stream import StreamExperiment, StreamOutcome, platform_of, series_among
from rota.errors import RotaError
from rota.lab import LabSpec
from rota.steady.series import Kind

MBIT = 10**6


def experiment(kind: Kind, root: int = 0) -> StreamExperiment:
    spec = LabSpec((200 * MBIT, 100 * MBIT, 50 * MBIT))
    return StreamExperiment(spec, "openmpi", kind, root, 1_000_000, Fraction(1, 100))


def test_the_platform_is_the_lab() -> None:
    platform = platform_of(experiment(Kind.REDUCE).spec, 1_000_000)
    costs = {(link.source, link.target): link.cost for link in platform.links}
    assert len(costs) == 6
    assert costs["host0", "host1"] == costs["host1", "host0"] == Fraction(8, 100)
    assert costs["host0", "host2"] == costs["host2", "host1"] == Fraction(8, 50)


@pytest.mark.parametrize(("kind", "root", "least"), [(Kind.SCATTER, 2, "0.32"), (Kind.BROADCAST, 0, "0.16")])
def test_throughput_is_what_the_busiest_port_allows(kind: Kind, root: int, least: str) -> None:
    """Two messages out of the slowest host, or one into it."""
    plan = experiment(kind, root).plan
    assert 1 / plan.bound == Fraction(least)
    assert plan.throughput >= Fraction(99, 100) * plan.bound


def test_full_promised_and_from_start_to_end() -> None:
    """In step with the periods, streams do what they should."""
    wanted = experiment(Kind.SCATTER, 1)
    plan = wanted.plan
    periods = plan.depth + 4
    over = tuple(
        float((number + plan.depth) * plan.period)
        for number in range(periods)
        for _ in range(plan.operations)
    )
    found = StreamOutcome(wanted, 10, (over,), (5.0, 4.0, 50.0))
    assert found.full == pytest.approx(float(plan.throughput))
    assert found.from_start_to_end == pytest.approx(found.promised)
    assert found.in_a_loop == 2
    assert found.as_json()["predicted"] == str(plan.throughput)


def test_a_root_that_is_none() -> None:
    with pytest.raises(RotaError, match="--root 3 is no host: hosts are 0 to 2"):
        series_among(platform_of(experiment(Kind.REDUCE).spec, 1), Kind.REDUCE, 3)
