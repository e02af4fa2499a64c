"""Legrand, Marchal, Robert 2005: Figures 2, 6, 9, 12 and 13, as printed and as planned and certified here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Final

from rota.platforms.paper import FIGURE9_HOSTS, figure2, figure6, figure9
from rota.platforms.shapes import Times, complete
from rota.platforms.tiers import tiers
from rota.steady.binomial import binomial_tree, single_way_throughput
from rota.steady.certify import certify
from rota.steady.plan import Plan, as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters

if TYPE_CHECKING:
    from rota.platforms import Platform
    from rota.steady.series import Series

PLATFORMS: Final = 200
NODES: Final = 30
DENSITIES: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Figure 12's axis: the part of the nodes that are hosts."""

RATIOS: Final = tuple(Fraction(10) ** power for power in range(-3, 5))
"""Figure 13: the time of a task over that of a message, for tasks of 0.1 to 10^6 Mflop."""

FIGURE_13_NODES: Final = 10

_MESSAGE: Final = Fraction(10 * 10**6)
_TASK: Final = Fraction(10 * 10**6)


@dataclass(frozen=True)
class Figure:
    """A platform that the paper draws: what is printed of it, and the plan."""

    name: str
    printed: str
    plan: Plan


@dataclass(frozen=True)
class Comparison:
    """The many trees of a plan beside the one of MPICH."""

    multi_tree: Fraction
    single_tree: Fraction
    trees: int
    seconds: float
    """For planning and certifying."""

    @property
    def ratio(self) -> float:
        """How many times the throughput."""
        return float(self.multi_tree / self.single_tree)


@dataclass(frozen=True)
class Point12:
    """A platform of Figure 12."""

    density: float
    seed: int
    comparison: Comparison


@dataclass(frozen=True)
class Point13:
    """A point of Figure 13."""

    ratio: Fraction
    comparison: Comparison


def figures() -> list[Figure]:
    """Plan the platforms that are drawn in Figures 2, 6 and 9."""
    figure_2, figure_6, figure_9 = figure2(), figure6(), figure9().in_units(_MESSAGE, _TASK)
    return [
        Figure(
            "Figures 2 to 4: scatter",
            "1/2, period 12, 48 unsplit",
            _certified(planned(figure_2, series_of_scatters(figure_2, "Ps", ("P0", "P1")))),
        ),
        Figure(
            "Figures 6 and 7: reduce",
            "1, period 3, 2 trees",
            _certified(planned(figure_6, series_of_reduces(figure_6, ("P0", "P1", "P2"), "P0"))),
        ),
        Figure(
            "Figures 9 to 11: reduce",
            "2/9, 2 trees",
            _certified(planned(figure_9, series_of_reduces(figure_9, FIGURE9_HOSTS, "6")).shortest),
        ),
    ]


def point_12(density: float, seed: int) -> Point12:
    """Plan a Tiers-like platform, its hosts in random order, and compare."""
    platform = tiers(NODES, round(density * NODES), seed).in_units(_MESSAGE, _TASK)
    hosts = [node.name for node in platform.processors]
    Random(f"order {seed}").shuffle(hosts)  # noqa: S311 - no secrets here
    return Point12(density, seed, _compared(platform, series_of_reduces(platform, hosts, hosts[0])))


def point_13(ratio: Fraction) -> Point13:
    """Plan ten equal nodes, all linked with all, whose tasks take `ratio` times as long as messages."""
    platform = complete(FIGURE_13_NODES, Times(task=ratio))
    hosts = [node.name for node in platform.nodes]
    return Point13(ratio, _compared(platform, series_of_reduces(platform, hosts, hosts[0])))


def _compared(platform: Platform, series: Series) -> Comparison:
    start_s = time.perf_counter()
    plan = _certified(planned(platform, series))
    seconds = time.perf_counter() - start_s
    single = single_way_throughput(platform, series, binomial_tree(platform, series))
    return Comparison(plan.throughput, single, len(plan.ways), seconds)


def _certified(plan: Plan) -> Plan:
    certify(as_text(plan))
    return plan
