"""Steady states: the paper's figures exactly, and random platforms beside an independent formulation."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from dense_programs import dense_broadcast, dense_optimum
from steady_plans import RANDOM_PLATFORMS, figure_2, figure_6, plan_of, random_platform

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.binomial import binomial_tree, single_way_throughput
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.certificate import certify
from rota.steady.claims import Refused
from rota.steady.optimum import Weighted
from rota.steady.plan import Plan, as_text, plan_in, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters


def test_figure_2() -> None:
    platform = figure_2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    assert (plan.throughput, plan.bound, plan.period) == (Fraction(1, 2), Fraction(1, 2), 12)
    assert plan.unsplit_period == 48
    assert sum(matching.length for matching in plan.matchings) == 12
    in_period = {(each.source, each.target, each.message): n for each, n in plan.in_period.items()}
    assert in_period == {  # Figure 2(b)
        ("Ps", "Pa", (0,)): 3,
        ("Ps", "Pb", (0,)): 3,
        ("Ps", "Pb", (1,)): 6,
        ("Pa", "P0", (0,)): 3,
        ("Pb", "P0", (0,)): 3,
        ("Pb", "P1", (1,)): 6,
    }


@pytest.mark.parametrize("seed", range(6))
def test_figure_2_whatever_the_order_of_its_parts(seed: int) -> None:
    platform = figure_2()
    chance = random.Random(seed)  # noqa: S311
    shuffled = Platform(
        tuple(chance.sample(platform.nodes, len(platform.nodes))),
        tuple(chance.sample(platform.links, len(platform.links))),
    )
    targets = chance.sample(["P0", "P1"], 2)
    plan = planned(shuffled, series_of_scatters(shuffled, "Ps", targets))
    assert (plan.throughput, plan.period, plan.unsplit_period) == (Fraction(1, 2), 12, 48)


def test_figure_6() -> None:
    platform = figure_6()
    plan = planned(platform, series_of_reduces(platform, ["P0", "P1", "P2"], "P0"))
    assert plan.throughput == plan.bound == 1
    assert plan.operations == plan.period
    certify(as_text(plan))


@pytest.mark.parametrize("seed", range(RANDOM_PLATFORMS))
def test_random_platform_beside_a_dense_program(seed: int) -> None:
    plan = plan_of(seed)
    assert float(plan.throughput) == pytest.approx(dense_optimum(plan), rel=1e-9)
    text = as_text(plan)
    certified = certify(text)
    assert (certified.throughput, certified.bound, certified.period) == (
        plan.throughput,
        plan.bound,
        plan.period,
    )
    assert plan_in(text) == plan
    assert as_text(plan_in(text)) == text


@pytest.mark.parametrize("seed", range(RANDOM_PLATFORMS // 3))
def test_random_broadcast_beside_a_dense_program(seed: int) -> None:
    chance = random.Random(1000 + seed)  # noqa: S311
    platform, _ = random_platform(chance)
    source, *others = chance.sample([node.name for node in platform.nodes], len(platform.nodes))
    plan = planned(platform, series_of_broadcasts(platform, source, others))
    assert float(plan.throughput) == pytest.approx(dense_broadcast(plan), rel=1e-9)
    text = as_text(plan)
    assert certify(text).throughput == plan.bound
    assert plan_in(text) == plan
    assert as_text(plan_in(text)) == text
    document = json.loads(text)
    document["dual"]["cuts"][0]["weight"] += "1"
    with pytest.raises(Refused):
        certify(json.dumps(document), sealed=False)


def test_the_binomial_tree_is_no_better() -> None:
    for seed in range(2, 40, 3):
        chance = random.Random(seed)  # noqa: S311
        platform, hosts = random_platform(chance)
        platform = Platform(
            tuple(Node(node.name, node.task or Fraction(1)) for node in platform.nodes), platform.links
        )
        series = series_of_reduces(platform, hosts, hosts[0])
        way = binomial_tree(platform, series)
        alone = single_way_throughput(platform, series, way)
        plan = planned(platform, series)
        assert 0 < alone <= plan.throughput
        single = Plan(platform, series, plan.optimum, (Weighted(alone, way),), 1 / alone, is_fixed=True)
        assert certify(as_text(single)).throughput == alone


def test_faults_are_one_line() -> None:
    platform = figure_2()
    with pytest.raises(RotaError, match="no node Px"):
        series_of_scatters(platform, "Px", ["P0"])
    with pytest.raises(RotaError, match="named twice"):
        series_of_scatters(platform, "Ps", ["P0", "P0"])
    with pytest.raises(RotaError, match="among its targets"):
        series_of_scatters(platform, "Ps", ["Ps"])
    with pytest.raises(RotaError, match="no path from P0 to Ps"):
        series_of_scatters(platform, "P0", ["Ps"])
    with pytest.raises(RotaError, match="above 0"):
        series_of_scatters(platform, "Ps", ["P0"], [0])
    with pytest.raises(RotaError, match="at least two"):
        series_of_all_to_alls(platform, ["Ps"])
    with pytest.raises(RotaError, match="no node computes"):
        series_of_reduces(platform, ["Pa", "Pb"], "P0")
    alone = Platform((Node("a"), Node("b"), Node("c"), Node("d", Fraction(1))), figure_2_like())
    with pytest.raises(RotaError, match="no node that computes"):
        planned(alone, series_of_reduces(alone, ["a", "b"], "c"))


def figure_2_like() -> tuple[Link, ...]:
    return (Link("a", "c", Fraction(1)), Link("b", "c", Fraction(1)), Link("c", "d", Fraction(1)))
