"""SimGrid as a witness: ports are ports, what waits for ever is found, and plans take what they say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota.cli import app
from rota.errors import RotaError
from rota.library import witness_path
from rota.platforms import Link, Node, Platform
from rota.platforms.paper import FIGURE9_HOSTS, figure2, figure6, figure9
from rota.platforms.tiers import tiers
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.binomial import binomial_tree, single_way_plan
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.plan import as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.series import Transfer
from rota.witness import Execute, Mark, Program, Receive, Send, Wait, played, script_of
from rota.witness.plan import witnessed

if TYPE_CHECKING:
    from pathlib import Path

ONE = Fraction(1)
THREE = Platform(
    (Node("a", Fraction(3)), Node("b"), Node("c")),
    (Link("a", "b", Fraction(2)), Link("a", "c", Fraction(1, 2)), Link("b", "c", ONE)),
)


@pytest.fixture(scope="module", autouse=True)
def _simgrid() -> None:
    try:
        witness_path()
    except RotaError as lacks:
        pytest.skip(str(lacks))


def test_ports_carry_one_message_at_a_time() -> None:
    """The sender's port is busy for 2 * 2 + 6/2; c's receiver takes b's message first, then a's."""
    sent = Program("a", (Send("b", Fraction(2)), Mark(0), Send("c", Fraction(6)), Mark(1)))
    got = Program("b", (Receive("a", "x", Fraction(2)),))
    forwarded = Program("b", (Wait("x", Fraction(2)), Send("c", Fraction(2))))
    both = Program("c", (Receive("b", "y", ONE), Mark(2), Receive("a", "y", ONE), Mark(3)))
    assert played(THREE, [sent, got, forwarded, both], ONE) == pytest.approx((4, 9, 6, 9))


def test_computing_goes_on_meanwhile() -> None:
    computing = Program(
        "a", (Execute(Fraction(2), "x", Fraction(2)), Mark(0), Execute(ONE, "x", ONE), Mark(1))
    )
    sending = Program("a", (Send("b", ONE), Mark(2), Wait("x", Fraction(3)), Mark(3)))
    got = Program("b", (Receive("a", "y", ONE),))
    assert played(THREE, [computing, sending, got], ONE) == pytest.approx((6, 9, 2, 9))


def test_what_cannot_be_played() -> None:
    for_ever = Program("a", (Wait("x", ONE), Mark(0)))
    with pytest.raises(RotaError, match="did not play the schedule to its end"):
        played(THREE, [for_ever], ONE)
    with pytest.raises(RotaError, match="no link from c to a"):
        script_of(THREE, [Program("c", (Send("a", ONE),))], ONE)
    with pytest.raises(RotaError, match="b only forwards"):
        script_of(THREE, [Program("b", (Execute(ONE, "x", ONE),))], ONE)


def test_the_papers_plans_take_what_they_say() -> None:
    platform, homogeneous = figure2(), figure6()
    scatter = series_of_scatters(platform, "Ps", ["P0", "P1"])
    reduce = series_of_reduces(homogeneous, ["P0", "P1", "P2"], "P0")
    broadcast = series_of_broadcasts(homogeneous, "P0", ["P1", "P2"])
    exchange = series_of_all_to_alls(homogeneous, ["P0", "P1", "P2"])
    for plan, throughput in (
        (planned(platform, scatter), Fraction(1, 2)),
        (planned(homogeneous, reduce), ONE),
        (planned(homogeneous, exchange), Fraction(1, 2)),
        (planned(homogeneous, broadcast), ONE),
    ):
        found = witnessed(plan)
        assert plan.throughput == throughput
        assert found.throughput == pytest.approx(float(throughput), rel=1e-9)
        assert all(time <= number * plan.period * (1 + 1e-9) for number, time in enumerate(found.times, 1)), (
            "no period takes longer than it should"
        )


def test_figure_9() -> None:
    platform = figure9().in_units(Fraction(10**7), Fraction(10**7))
    found = witnessed(planned(platform, series_of_reduces(platform, FIGURE9_HOSTS, "6")))
    assert found.throughput == pytest.approx(2 / 9, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_tiers_like_platforms(seed: int) -> None:
    platform = tiers(16, 4, seed).in_units(Fraction(10**7), Fraction(10**7))
    hosts = [node.name for node in platform.processors]
    for series in (
        series_of_scatters(platform, hosts[0], hosts[1:]),
        series_of_reduces(platform, hosts, hosts[0]),
    ):
        plan = planned(platform, series)
        assert witnessed(plan).throughput == pytest.approx(float(plan.throughput), rel=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_many_trees_and_the_binomial_one(seed: int) -> None:
    """Periods of 10^20 time units and more, and messages from whole ones down to parts of 10^-20."""
    platform = tiers(30, 6, seed).in_units(Fraction(10**7), Fraction(10**7))
    hosts = [node.name for node in platform.processors]
    series = series_of_reduces(platform, hosts, hosts[0])
    many = planned(platform, series)
    one = single_way_plan(platform, series, binomial_tree(platform, series))
    assert one.throughput < many.throughput
    for plan in (many, one):
        assert witnessed(plan).throughput == pytest.approx(float(plan.throughput), rel=1e-9)


def test_a_rounded_plan_is_at_least_as_fast_as_it_says() -> None:
    """Its ports have time left, and the actors look at no clock."""
    platform = tiers(16, 4, 1).in_units(Fraction(10**7), Fraction(10**7))
    hosts = [node.name for node in platform.processors]
    plan = planned(platform, series_of_scatters(platform, hosts[0], hosts[1:]), Fraction(20))
    found = witnessed(plan).throughput
    assert float(plan.throughput) * (1 - 1e-6) <= found <= float(plan.bound) * (1 + 1e-6)


def test_a_plan_that_promises_too_much_is_found_out() -> None:
    """The link from Ps to Pb takes a quarter longer than the plan thinks: its port is what limits."""
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    links = tuple(
        replace(link, cost=Fraction(5, 4)) if (link.source, link.target) == ("Ps", "Pb") else link
        for link in platform.links
    )
    slower = replace(plan, platform=replace(platform, links=links))
    busy = sum(
        slower.platform.link("Ps", each.target).cost * amount
        for each, amount in slower.in_period.items()
        if isinstance(each, Transfer) and each.source == "Ps"
    )
    assert busy > plan.period
    assert witnessed(slower).throughput == pytest.approx(float(plan.operations / busy), rel=1e-9)


def test_said_beside_the_plan(tmp_path: Path) -> None:
    """Predicted, simulated and SimGrid's throughput, in one column; a rounded plan's ports have time left."""
    platform = figure2()
    series = series_of_scatters(platform, "Ps", ["P0", "P1"])
    file = tmp_path / "plan.json"
    for plan, predicted, reached in (
        (planned(platform, series), 0.5, 0.5),
        (planned(platform, series, Fraction(5)), 0.4, 0.5),
    ):
        file.write_text(as_text(plan))
        output = CliRunner().invoke(app, ["simulate", str(file)], catch_exceptions=False).output
        assert said(output, "predicted: nodes in step with the periods") == predicted
        assert predicted <= said(output, "simulated: each node at its own pace") <= reached
        assert predicted <= said(output, "played by SimGrid for 26 periods") <= reached


def said(output: str, row: str) -> float:
    """Return the throughput in a row of what is printed."""
    return float(next(line for line in output.splitlines() if row in line).split(row)[1].split()[0])


def test_too_few_periods() -> None:
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    with pytest.raises(RotaError, match="3 periods: give 6 or more"):
        witnessed(plan, 3)
