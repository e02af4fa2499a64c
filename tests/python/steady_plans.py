"""Platforms that tests of steady states plan for, drawn and random ones, and plans of these."""

from __future__ import annotations

import os
import random
from fractions import Fraction
from itertools import permutations

from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.plan import Plan, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters

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


def random_platform(chance: random.Random) -> tuple[Platform, list[str]]:
    """Return a strongly connected platform of 3 to 7 nodes, and 2 to 4 of them that are hosts."""
    names = [f"n{number}" for number in range(chance.randint(3, 7))]
    nodes = [Node(name, random_time(chance) if chance.random() < 0.8 else None) for name in names[1:]]
    nodes.insert(0, Node("n0", random_time(chance)))
    ring = set(zip(names, names[1:] + names[:1], strict=True))
    others = {pair for pair in permutations(names, 2) if chance.random() < 0.3}
    links = tuple(Link(a, b, random_time(chance)) for a, b in sorted(ring | others))
    return Platform(tuple(nodes), links), chance.sample(names, chance.randint(2, min(4, len(names))))


def random_time(chance: random.Random) -> Fraction:
    return Fraction(chance.randint(1, 12), chance.randint(1, 12))


def plan_of(seed: int) -> Plan:
    chance = random.Random(seed)  # noqa: S311
    platform, hosts = random_platform(chance)
    match seed % 3:
        case 0:
            sizes = [random_time(chance) for _ in hosts[1:]]
            return planned(platform, series_of_scatters(platform, hosts[0], hosts[1:], sizes))
        case 1:
            pairs = list(permutations(range(len(hosts)), 2))
            sizes_of = {
                pair: random_time(chance) for pair in chance.sample(pairs, chance.randint(1, len(pairs)))
            }
            return planned(platform, series_of_all_to_alls(platform, hosts, sizes_of))
        case _:
            target = chance.choice([node.name for node in platform.nodes])
            return planned(platform, series_of_reduces(platform, hosts, target))
