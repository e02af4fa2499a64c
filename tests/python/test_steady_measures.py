"""Reduces whose partial results and tasks are not alike: random ones, and some worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from dense_programs import dense_optimum
from steady_plans import RANDOM_PLATFORMS, random_platform, random_time

from rota.platforms import Link, Node, Platform
from rota.steady.certificate import certify
from rota.steady.plan import Plan, as_text, plan_in, planned
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.schedule import violations_of
from rota.steady.series import Computation, Task
from rota.steady.simulate import simulated


def measures_of(chance: random.Random, platform: Platform, hosts: int) -> Measures:
    """Return sizes of some partial results, works of some tasks, and times of some at nodes of any kind."""
    results = [(k, m) for k in range(hosts) for m in range(k, hosts)]
    tasks = [Task(k, middle, m) for k, m in results for middle in range(k, m)]
    at_nodes = [Computation(node.name, task) for node in platform.nodes for task in tasks]
    return Measures(
        {each: random_time(chance) for each in chance.sample(results, chance.randint(0, len(results)))},
        {each: random_time(chance) for each in chance.sample(tasks, chance.randint(0, len(tasks)))},
        {
            each: random_time(chance)
            for each in chance.sample(at_nodes, chance.randint(0, len(at_nodes) // 2))
        },
    )


def measured_plan(seed: int) -> Plan:
    """Return a plan of reduces whose partial results and tasks are not alike."""
    chance = random.Random(f"measures {seed}")  # noqa: S311
    platform, hosts = random_platform(chance)
    target = chance.choice([node.name for node in platform.nodes])
    measures = measures_of(chance, platform, len(hosts))
    return planned(platform, series_of_reduces(platform, hosts, target, measures))


@pytest.mark.parametrize("seed", range(RANDOM_PLATFORMS))
def test_random_measures_beside_a_dense_program(seed: int) -> None:
    """size(v[k,m]) and w(P_i, T_{k,l,m}) of any kind: the paper's program, a variable for each of them."""
    plan = measured_plan(seed)
    assert float(plan.throughput) == pytest.approx(dense_optimum(plan), rel=1e-9)
    text = as_text(plan)
    assert certify(text).throughput == certify(text).bound == plan.throughput
    again = plan_in(text)
    assert (again.series, again.platform) == (plan.series, plan.platform)
    assert as_text(again).split('"dual"')[0] == text.split('"dual"')[0]


@pytest.mark.parametrize("seed", range(RANDOM_PLATFORMS // 3))
def test_random_measures_are_verified_and_simulated(seed: int) -> None:
    plan = measured_plan(seed)
    if plan.operations > 100:
        plan = planned(plan.platform, plan.series, 3 / min(each.weight for each in plan.ways))
    assert violations_of(plan, 3) == []
    found = simulated(plan, 100 * plan.period)
    assert found.promised <= found.operations <= found.most
    assert float(plan.throughput) <= found.throughput * (1 + 1e-9)


def test_sizes_and_times_decide() -> None:
    """Worked out by hand: where v1 goes to, and which of two nodes combines."""
    costs = {("a", "b"): 1, ("b", "a"): 1}
    platform = Platform(
        (Node("a", Fraction(1)), Node("b", Fraction(1))),
        tuple(Link(*ends, Fraction(cost)) for ends, cost in costs.items()),
    )

    def throughput(measures: Measures) -> Fraction:
        return planned(platform, series_of_reduces(platform, ["a", "b"], "a", measures)).throughput

    task = Task(0, 0, 1)
    assert throughput(Measures()) == 1  # b -> a carries v1 or v[0,1], whoever combines
    assert throughput(Measures({(1, 1): Fraction(2)}, {}, {})) == 1  # b combines, and sends what is shorter
    assert throughput(Measures({(1, 1): Fraction(2), (0, 1): Fraction(2)}, {}, {})) == Fraction(1, 2)
    # v[0,1] is a third as long: b -> a would do thrice as many, b's processor does one, a's a hundredth.
    shrunk = Measures({(0, 1): Fraction(1, 3)}, {}, {Computation("a", task): Fraction(100)})
    assert throughput(shrunk) == Fraction(101, 100)
    # Of no use is a's own time for a task that b computes in a tenth of it.
    assert throughput(Measures({}, {task: Fraction(1, 10)}, {})) == 1
    assert throughput(Measures({}, {task: Fraction(4)}, {})) == Fraction(1, 2)
    router = Platform((Node("a"), Node("b")), platform.links)
    own = Measures({}, {}, {Computation("b", task): Fraction(5)})
    assert planned(router, series_of_reduces(router, ["a", "b"], "a", own)).throughput == Fraction(1, 5)
