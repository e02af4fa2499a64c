"""Steady states: the paper's figures exactly, and random platforms beside an independent formulation."""

from __future__ import annotations

import json
import os
import random
from fractions import Fraction
from itertools import permutations
from math import ceil, floor, gcd

import numpy as np
import pytest
from scipy.optimize import linprog

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.binomial import binomial_tree, single_way_throughput
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.certify import certify
from rota.steady.claims import Refused, seal_of
from rota.steady.optimum import Weighted
from rota.steady.period import least_period, rates_of, short_period
from rota.steady.plan import Plan, as_text, plan_in, planned
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.schedule import schedule_of, violations_of
from rota.steady.series import Computation, Task, Transfer
from rota.steady.simulate import simulated
from rota.steady.trees import extracted

RANDOM_PLATFORMS = int(os.environ.get("ROTA_TEST_PLATFORMS", "45"))
"""300 take half a minute."""


def figure_2() -> Platform:
    costs = {
        ("Ps", "Pa"): "1",
        ("Ps", "Pb"): "1",
        ("Pa", "P0"): "2/3",
        ("Pb", "P0"): "4/3",
        ("Pb", "P1"): "4/3",
    }
    nodes = tuple(Node(name) for name in ("Ps", "Pa", "Pb", "P0", "P1"))
    return Platform(nodes, tuple(Link(a, b, Fraction(cost)) for (a, b), cost in costs.items()))


def figure_6() -> Platform:
    names = ("P0", "P1", "P2")
    nodes = tuple(Node(name, Fraction(1, 2) if name == "P0" else Fraction(1)) for name in names)
    return Platform(nodes, tuple(Link(a, b, Fraction(1)) for a, b in permutations(names, 2)))


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


def random_platform(chance: random.Random) -> tuple[Platform, list[str]]:
    """Return a strongly connected platform of 3 to 7 nodes, and 2 to 4 of them that are hosts."""
    names = [f"n{number}" for number in range(chance.randint(3, 7))]
    nodes = [Node(name, _time(chance) if chance.random() < 0.8 else None) for name in names[1:]]
    nodes.insert(0, Node("n0", _time(chance)))
    ring = set(zip(names, names[1:] + names[:1], strict=True))
    others = {pair for pair in permutations(names, 2) if chance.random() < 0.3}
    links = tuple(Link(a, b, _time(chance)) for a, b in sorted(ring | others))
    return Platform(tuple(nodes), links), chance.sample(names, chance.randint(2, min(4, len(names))))


def _time(chance: random.Random) -> Fraction:
    return Fraction(chance.randint(1, 12), chance.randint(1, 12))


def plan_of(seed: int) -> Plan:
    chance = random.Random(seed)  # noqa: S311
    platform, hosts = random_platform(chance)
    match seed % 3:
        case 0:
            sizes = [_time(chance) for _ in hosts[1:]]
            return planned(platform, series_of_scatters(platform, hosts[0], hosts[1:], sizes))
        case 1:
            pairs = list(permutations(range(len(hosts)), 2))
            sizes_of = {pair: _time(chance) for pair in chance.sample(pairs, chance.randint(1, len(pairs)))}
            return planned(platform, series_of_all_to_alls(platform, hosts, sizes_of))
        case _:
            target = chance.choice([node.name for node in platform.nodes])
            return planned(platform, series_of_reduces(platform, hosts, target))


def measures_of(chance: random.Random, platform: Platform, hosts: int) -> Measures:
    """Return sizes of some partial results, works of some tasks, and times of some at nodes of any kind."""
    results = [(k, m) for k in range(hosts) for m in range(k, hosts)]
    tasks = [Task(k, middle, m) for k, m in results for middle in range(k, m)]
    at_nodes = [Computation(node.name, task) for node in platform.nodes for task in tasks]
    return Measures(
        {each: _time(chance) for each in chance.sample(results, chance.randint(0, len(results)))},
        {each: _time(chance) for each in chance.sample(tasks, chance.randint(0, len(tasks)))},
        {each: _time(chance) for each in chance.sample(at_nodes, chance.randint(0, len(at_nodes) // 2))},
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
    assert as_text(plan_in(text)).split('"dual"')[0] == text.split('"dual"')[0]


def dense_optimum(plan: Plan) -> float:
    """Maximise TP over send(i, j, m), cons(i, k, l, m) and TP, as the paper writes it, in floats."""
    platform, series = plan.platform, plan.series
    sends = [(link, message) for link in platform.links for message in series.sizes]
    conses = [
        (node, task, time)
        for node in platform.nodes
        for task in series.tasks
        for time in (series.task_time(node, task),)
        if time is not None
    ]
    width = len(sends) + len(conses) + 1
    ports: dict[tuple[str, str], np.ndarray] = {}
    balance = {(node.name, message): np.zeros(width) for node in platform.nodes for message in series.sizes}
    for place, (link, message) in enumerate(sends):
        time = float(link.cost * series.sizes[message])
        ports.setdefault(("out", link.source), np.zeros(width))[place] += time
        ports.setdefault(("in", link.target), np.zeros(width))[place] += time
        balance[link.source, message][place] -= 1
        balance[link.target, message][place] += 1
    for place, (node, (k, middle, m), time) in enumerate(conses, len(sends)):
        ports.setdefault(("compute", node.name), np.zeros(width))[place] += float(time)
        balance[node.name, (k, middle)][place] -= 1
        balance[node.name, (middle + 1, m)][place] -= 1
        balance[node.name, (k, m)][place] += 1
    for node, message in series.deliveries:
        balance[node, message][-1] -= 1
    rows = [row for (node, message), row in balance.items() if series.origins.get(message) != node]
    objective = np.zeros(width)
    objective[-1] = -1
    found = linprog(
        objective, np.array(list(ports.values())), np.ones(len(ports)), np.array(rows), np.zeros(len(rows))
    )
    assert found.status == 0
    return float(-found.fun)


def numbers_in(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the paths of all exact numbers in a plan."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in numbers_in(item, (*path, key))]
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in numbers_in(item, (*path, key))]
    is_number = isinstance(value, str) and value.replace("/", "").isdigit()
    return [path] if is_number else []


@pytest.mark.parametrize("seed", range(6))
def test_a_plan_changed_by_one_unit_is_refused(seed: int) -> None:
    document = json.loads(as_text(plan_of(seed)))
    paths = [path for path in numbers_in(document) if path != ("seal",)]
    assert len(paths) > 20
    for path in paths:
        for change in (1, -1):
            changed = json.loads(json.dumps(document))
            holder = changed
            for key in path[:-1]:
                holder = holder[key]
            value = Fraction(holder[path[-1]])
            unit = Fraction(change, value.denominator)
            if value + unit < 0:
                continue
            holder[path[-1]] = str(value + unit)
            with pytest.raises(Refused):
                certify(json.dumps(changed))
            # Mathematics alone sees it too, but for what takes no part in the optimum, or is proved again.
            if path[0] not in ("platform", "series"):
                with pytest.raises(Refused):
                    certify(json.dumps(changed), sealed=False)


def test_a_plan_with_a_flow_less_is_refused() -> None:
    document = json.loads(as_text(plan_of(2)))
    document["flows"].pop()
    document["seal"] = seal_of(document)
    with pytest.raises(Refused, match=r"stay at|do not add up|would"):
        certify(json.dumps(document))


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"throughput": "1"}', "{" * 100_000, '{"throughput": 1e999}']
)
def test_what_is_no_plan(text: str) -> None:
    with pytest.raises(RotaError, match="no plan"):
        certify(text)


@pytest.mark.parametrize("seed", range(12))
def test_fixed_period(seed: int) -> None:
    plan = plan_of(seed)
    for period in (plan.period * 2, plan.shortest.period):
        whole = planned(plan.platform, plan.series, period)
        assert whole.throughput == plan.throughput
        assert certify(as_text(whole)).throughput == plan.bound
    shortest = 1 / max(each.weight for each in plan.ways)
    for times in (1, 3, 10):
        fixed = planned(plan.platform, plan.series, shortest * times)
        assert 0 < fixed.throughput <= plan.throughput
        assert plan.throughput - fixed.throughput <= fixed.proved_loss
        certified = certify(as_text(fixed))
        assert (certified.throughput, certified.bound) == (fixed.throughput, plan.throughput)
    with pytest.raises(RotaError, match="too short"):
        planned(plan.platform, plan.series, shortest / 2)


@pytest.mark.parametrize("seed", range(12))
def test_operations_within(seed: int) -> None:
    """They come near TP K, and never exceed it: Lemma 1."""
    plan = plan_of(seed)
    assert plan.operations_within(plan.period * (plan.depth - 1) / 2) <= plan.operations * plan.depth
    for periods in (1, 10, 1000):
        time = periods * plan.period + plan.period / 3
        done = plan.operations_within(time)
        assert plan.throughput * (time - plan.depth * plan.period) <= done <= plan.throughput * time


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


@pytest.mark.parametrize("seed", range(RANDOM_PLATFORMS // 3))
def test_random_broadcast_beside_a_dense_program(seed: int) -> None:
    chance = random.Random(1000 + seed)  # noqa: S311
    platform, _ = random_platform(chance)
    source, *others = chance.sample([node.name for node in platform.nodes], len(platform.nodes))
    plan = planned(platform, series_of_broadcasts(platform, source, others))
    assert float(plan.throughput) == pytest.approx(dense_broadcast(plan), rel=1e-9)
    text = as_text(plan)
    assert certify(text).throughput == plan.bound
    assert plan_in(text).throughput == plan.throughput
    document = json.loads(text)
    document["dual"]["cuts"][0]["weight"] += "1"
    with pytest.raises(Refused):
        certify(json.dumps(document), sealed=False)


def dense_broadcast(plan: Plan) -> float:
    """Maximise TP over n(i, j), a flow to each target below n, and TP, in floats."""
    platform, targets = plan.platform, plan.series.hosts
    links = len(platform.links)
    width = links * (len(targets) + 1) + 1
    ports: dict[tuple[str, str], np.ndarray] = {}
    below, balance = [], []
    for place, link in enumerate(platform.links):
        ports.setdefault(("out", link.source), np.zeros(width))[place] = float(link.cost)
        ports.setdefault(("in", link.target), np.zeros(width))[place] = float(link.cost)
        for number in range(1, len(targets) + 1):
            row = np.zeros(width)
            row[place], row[number * links + place] = -1, 1
            below.append(row)
    for number, target in enumerate(targets, 1):
        for node in platform.nodes:
            row = np.zeros(width)
            for place, link in enumerate(platform.links):
                row[number * links + place] = (link.target == node.name) - (link.source == node.name)
            row[-1] = -1 if node.name == target else 0
            if node.name != plan.series.root:
                balance.append(row)
    objective = np.zeros(width)
    objective[-1] = -1
    limits = np.concatenate([np.ones(len(ports)), np.zeros(len(below))])
    upper = np.array([*ports.values(), *below])
    found = linprog(objective, upper, limits, np.array(balance), np.zeros(len(balance)))
    assert found.status == 0
    return float(-found.fun)


@pytest.mark.parametrize("seed", range(9))
def test_short_period(seed: int) -> None:
    """No shorter one, of all in which a way has whole operations, loses as little."""
    ways = plan_of(seed).ways
    loss, best = Fraction(1, 20), sum(each.weight for each in ways)
    period = short_period(ways, loss)

    def kept(length: Fraction) -> Fraction:
        return sum((floor(each.weight * length) for each in ways), Fraction(0)) / length

    assert kept(period) >= (1 - loss) * best
    shorter = {
        Fraction(count) / each.weight for each in ways for count in range(1, ceil(each.weight * period))
    }
    assert all(kept(length) < (1 - loss) * best for length in shorter)


def test_schedules_are_verified() -> None:
    """Over several periods, from an empty platform to one; those of long periods for a fixed, short one."""
    played = unsplit = 0
    for seed in range(24):
        plan = plan_of(seed)
        if plan.unsplit_period * plan.throughput > 1000:
            plan = planned(plan.platform, plan.series, 3 / min(each.weight for each in plan.ways))
        try:
            found = schedule_of(plan, 3)
        except RotaError:
            continue
        assert found.rounds == (2 + plan.depth) * len(plan.matchings)
        assert violations_of(plan, 3) == []
        assert violations_of(plan, 1) == []
        assert (
            plan.unsplit.matchings[0].length * plan.period == plan.matchings[0].length * plan.unsplit_period
        )
        if plan.unsplit.operations < 500:
            whole = schedule_of(plan.unsplit, 2)
            assert whole.problem.blocks == 2 * plan.unsplit.operations
            assert violations_of(plan.unsplit, 2) == []
            unsplit += 1
        played += 1
    assert min(played, unsplit) > 12


@pytest.mark.parametrize("seed", range(24))
def test_no_period_of_whole_operations_is_shorter(seed: int) -> None:
    plan = plan_of(seed)
    operations = [each.weight * plan.shortest.period for each in plan.ways]
    assert all(count.denominator == 1 for count in operations)
    assert gcd(*(count.numerator for count in operations)) == 1
    assert (plan.period / plan.shortest.period).denominator == 1
    assert certify(as_text(plan.shortest)).throughput == plan.throughput


@pytest.mark.parametrize("seed", range(9))
def test_simulated(seed: int) -> None:
    """Nodes at their own pace are no later than in step, and never beyond the bound."""
    plan = plan_of(seed)
    for periods in (1, 20, 200):
        found = simulated(plan, periods * plan.period)
        assert found.promised <= found.operations <= found.most
        assert found.throughput == pytest.approx(float(plan.throughput))
    assert found.operations / found.most > 0.9


@pytest.mark.parametrize("seed", range(9))
def test_a_rounded_plan_is_simulated_beyond_what_it_promises(seed: int) -> None:
    """Its ports have time left, which nodes at their own pace do not wait for."""
    plan = plan_of(seed)
    rounded = planned(plan.platform, plan.series, 3 / max(each.weight for each in plan.ways))
    found = simulated(rounded, 100 * rounded.period)
    assert found.promised <= found.operations <= found.most
    slack = 1 + 1e-9
    assert float(rounded.throughput) <= found.throughput * slack <= float(plan.throughput) * slack**2
    assert found.operations >= (100 - rounded.depth) * found.throughput * float(rounded.period) * 0.99


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


@pytest.mark.parametrize("seed", range(24))
def test_extracted_trees_add_up(seed: int) -> None:
    """Figure 8: from the amounts alone, trees that are right, and that use them up exactly."""
    plan = plan_of(seed)
    trees = extracted(plan.series, plan.rates)
    used = rates_of(trees)
    assert all(amount <= plan.rates[activity] for activity, amount in used.items())
    circling = {
        each: plan.rates[each] - used.get(each, 0)
        for each in plan.rates
        if plan.rates[each] != used.get(each)
    }
    assert all(isinstance(each, Transfer) for each in circling)
    assert sum(tree.weight for tree in trees) == plan.throughput
    assert len(trees) <= len(plan.rates)
    if circling:
        return
    period = Fraction(least_period(plan.network, trees))
    certify(as_text(Plan(plan.platform, plan.series, plan.optimum, trees, period, is_fixed=False)))
    if len(plan.rates) == 1:
        return  # whatever its amount is
    some = next(iter(plan.rates))
    with pytest.raises(RotaError, match="not conserved"):
        extracted(plan.series, {**plan.rates, some: plan.rates[some] * 2})
