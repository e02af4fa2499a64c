"""Links that routes share: rates that they allow are possible on the platform that they become."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.optimize import linprog  # type: ignore[import-untyped]

from rota.platforms.routes import Channel, Route, graph_of

if TYPE_CHECKING:
    from rota.platforms import Link


@pytest.mark.parametrize("seed", range(25))
def test_rates_of_shared_links_are_possible(seed: int) -> None:
    random = np.random.default_rng(seed)
    hosts = [f"h{number}" for number in range(4)]
    channels = [
        Channel(f"c{number}", Fraction(1, int(random.integers(1, 6))), is_shared=bool(random.random() < 0.85))
        for number in range(5)
    ]
    routes = [
        Route(one, other, tuple(channels[place] for place in random.permutation(5)[: random.integers(1, 4)]))
        for one in hosts
        for other in hosts
        if one != other and random.random() < 0.6
    ]
    if not routes:
        return
    graph = graph_of(routes, hosts)
    on_platform = _greatest_rate_on_platform(hosts, routes, graph.links)
    shared = _greatest_rate_shared(hosts, routes)
    assert on_platform >= shared * (1 - 1e-9)


def test_rates_of_shared_links_are_not_exceeded() -> None:
    """Between two pairs of hosts, over one trunk, there is no other way: the greatest rates are equal."""
    for trunk in (Fraction(1, 3), Fraction(1), Fraction(2, 3), Fraction(1, 2), Fraction(5, 3)):
        ends = {name: Channel(f"l{name}", Fraction(1)) for name in "abcd"}
        shared = Channel("t", trunk)
        routes = [Route(one, other, (ends[one], shared, ends[other])) for one, other in ("ac", "bd")]
        links = graph_of(routes, "abcd").links
        rates = _greatest_rate_on_platform("abcd", routes, links), _greatest_rate_shared("abcd", routes)
        assert math.isclose(*rates, rel_tol=1e-9)
        assert math.isclose(rates[0], min(1.0, float(1 / trunk) / 2))


def _greatest_rate_shared(hosts: Any, routes: list[Route]) -> float:
    """Return the rate at which all routes carry at once, where channels share theirs and hosts have ports."""
    shared = {channel for route in routes for channel in route.channels if channel.is_shared}
    limits = [float(channel.cost) * sum(channel in route.channels for route in routes) for channel in shared]
    for host in hosts:
        for end in ("source", "target"):
            own = [route for route in routes if getattr(route, end) == host]
            limits.append(sum(float(max(channel.cost for channel in route.channels)) for route in own))
    return 1 / max(limits)


def _greatest_rate_on_platform(hosts: Any, routes: list[Route], links: tuple[Link, ...]) -> float:
    """Return the greatest rate of flows between the ends of all routes at once, by linear programming."""
    nodes = sorted({*hosts, *(end for link in links for end in (link.source, link.target))})
    width = len(routes) * len(links) + 1
    equal, ports = [], []
    for number, route in enumerate(routes):
        for node in nodes:
            if node == route.target:
                continue
            row = np.zeros(width)
            for place, link in enumerate(links):
                row[number * len(links) + place] = (link.source == node) - (link.target == node)
            row[-1] = -(node == route.source)
            equal.append(row)
    for node in nodes:
        for end in ("source", "target"):
            costs_there = [float(link.cost) * (getattr(link, end) == node) for link in links]
            ports.append(np.append(np.tile(costs_there, len(routes)), 0))
    goal = np.zeros(width)
    goal[-1] = -1
    found = linprog(
        goal, A_ub=np.array(ports), b_ub=np.ones(len(ports)), A_eq=np.array(equal), b_eq=np.zeros(len(equal))
    )
    assert found.success
    return -float(found.fun)
