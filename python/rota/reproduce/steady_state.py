"""Legrand, Marchal, Robert 2005: what is printed, and the same planned, simulated and certified.

In Figure 12 the paper compares simulations of both sides, and does not say how its hosts are numbered.
Two readings
stand beside each other: hosts by logical index, as the paper says of MPICH's tree, both sides simulated;
and hosts in
random order, both sides at the pace of their busiest port, which is what both could reach at best.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from statistics import mean, median
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.platforms.shapes import Times, complete
from rota.platforms.tiers import tiers
from rota.reproduce.beside import Part, Row, Verdict
from rota.reproduce.steady_printed import (
    FIGURE_2_FLOWS,
    MESSAGE,
    TASK,
    figure_2_series,
    figure_3_matchings,
    figure_5_tree,
    figure_6_series,
    figure_7_plan,
    figure_9_series,
    figure_11_plan,
)
from rota.steady.binomial import binomial_tree, single_way_throughput
from rota.steady.blocking import looped_throughput
from rota.steady.certificate import certify
from rota.steady.period import short_period, unsplit_factor
from rota.steady.plan import Plan, as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.simulate import simulated
from rota.steady.trees import extracted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.platforms import Platform
    from rota.steady.series import Series

PAPER: Final = "Paper 5: Legrand, Marchal, Robert 2005, steady state"

PLATFORMS: Final = 200
NODES: Final = 30
DENSITIES: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Figure 12's axis: the part of the nodes that are hosts."""

RATIOS: Final = tuple(Fraction(10) ** power for power in range(-3, 5))
"""Figure 13: the time of a task over that of a message, for tasks of 0.1 to 10^6 Mflop."""

FIGURE_13_NODES: Final = 10

PERIODS: Final = (10, 100, 1000, 10000)
"""Proposition 3: fixed periods, in time units, of which Figure 2's optimum needs 12."""

_PRINTED_12: Final = (2.0, 3.5)
"""The paper: two to three times; its figure's marks go to 3.5."""
_PRINTED_13: Final = (3.0, 5.0)
"""The paper: about 4 times."""
_LITTLE: Final = Fraction(1, 100)


@dataclass(frozen=True)
class Comparison:
    """The many trees of a plan beside the one of MPICH, in operations in a time unit.

    `multi_tree`: the optimum; `simulated`: its plan carried out, each node at its own pace. `ports`: the
    single tree,
    its busiest port never resting; `loop`: the single tree, by blocking calls in a loop.
    """

    multi_tree: float
    simulated: float
    ports: float
    loop: float
    trees: int
    seconds: float
    """For planning and certifying."""

    @property
    def ratio(self) -> float:
        """How many times the throughput, both simulated."""
        return self.simulated / self.loop

    @property
    def ratio_of_ports(self) -> float:
        """The same at the pace of the busiest port on both sides."""
        return self.multi_tree / self.ports


@dataclass(frozen=True)
class Point12:
    """A platform of Figure 12: hosts by logical index, and in random order the ratio of ports alone."""

    density: float
    seed: int
    comparison: Comparison
    shuffled: float


@dataclass(frozen=True)
class Point13:
    """A point of Figure 13."""

    ratio: Fraction
    comparison: Comparison


def examples() -> list[Part]:
    """Plan what the paper draws, and certify what it prints."""
    return [
        _figures_2_to_4(),
        _figure_5(),
        _figures_6_and_7(),
        _figure_8(),
        _figures_9_to_11(),
        _proposition_3(),
    ]


def _figures_2_to_4() -> Part:
    platform, series = figure_2_series()
    plan = _certified(planned(platform, series))
    printed = planned(platform, series)
    printed.__dict__["matchings"] = figure_3_matchings()  # a cached property: certified in place of ours
    _certified(printed)
    rows = [
        _row("throughput", plan.throughput, Fraction(1, 2)),
        _row("period", plan.period, Fraction(12)),
        _row(
            "messages over links in a period (b)",
            _flows(plan),
            "as drawn",
            same=plan.in_period == FIGURE_2_FLOWS,
        ),
        _row(
            "matchings (Figure 3), which are certified",
            len(plan.matchings),
            len(printed.matchings),
            same=True,
        ),
        _row("period with no message cut (Figure 4)", plan.unsplit_period, Fraction(48)),
        _row("the same, of Figure 3's matchings", 12 * unsplit_factor(printed.matchings), 48),
    ]
    notes = ("Figure 1 draws the conservation law, and has no figures of its own.",)
    return Part("Figures 2 to 4", "series of scatters", ("", "here", "printed"), tuple(rows), notes=notes)


def _flows(plan: Plan) -> str:
    return " ".join(str(amount) for amount in plan.in_period.values())


def _figure_5() -> Part:
    platform, series = figure_6_series()
    alone = single_way_throughput(platform, series, figure_5_tree())
    row = _row("a tree of the same platform; its throughput alone", alone, "", same=True)
    return Part("Figure 5", "a reduction tree in which P1 combines all", ("", "here", "printed"), (row,))


def _figures_6_and_7() -> Part:
    platform, series = figure_6_series()
    ours, printed = _certified(planned(platform, series)), _certified(figure_7_plan())
    rows = [
        _row("throughput", ours.throughput, printed.throughput),
        _row("the printed two trees, certified: throughput (the optimum)", printed.throughput, 1),
        _row("period of the printed trees", printed.period, 3),
        _row("period of ours", ours.period, "", same=True),
        _row("trees of ours", len(ours.ways), "", same=True),
    ]
    notes = (f"Ours is {_compared(ours, printed)}: a linear program has many solutions of the same worth.",)
    return Part(
        "Figures 6 and 7",
        "series of reduces, three processors",
        ("", "here", "printed"),
        tuple(rows),
        notes=notes,
    )


def _compared(ours: Plan, printed: Plan) -> str:
    return "the printed solution" if ours.rates == printed.rates else "another optimum"


def _figure_8() -> Part:
    printed = figure_7_plan()
    trees = extracted(printed.series, printed.rates)
    found = {(tree.weight, frozenset(tree.way)) for tree in trees}
    wanted = {(tree.weight, frozenset(tree.way)) for tree in printed.ways}
    row = _row(
        "trees out of Figure 6's flows, weights",
        _weights(trees),
        _weights(printed.ways),
        same=found == wanted,
    )
    return Part("Figure 8", "Extract_Trees", ("", "here", "printed"), (row,))


def _weights(trees: Sequence[Any]) -> str:
    return ", ".join(sorted(str(tree.weight) for tree in trees))


def _figures_9_to_11() -> Part:
    platform, series = figure_9_series()
    ours, printed = _certified(planned(platform, series).shortest), _certified(figure_11_plan())
    rows = [
        _row("throughput", ours.throughput, Fraction(2, 9)),
        _row(
            "the printed two trees, certified: throughput (the optimum)", printed.throughput, Fraction(2, 9)
        ),
        _row("flows and tasks of the printed trees (Figure 10)", len(printed.rates), "", same=True),
        _row("trees of ours", len(ours.ways), len(printed.ways), same=True),
    ]
    notes = (
        f"Ours is {_compared(ours, printed)}.",
        (
            "The text does not tell which link has which bandwidth: the platform is put together so that 2/9 "
            "is its "
            "optimum, and the printed trees keep all its ports within their time."
        ),
    )
    return Part(
        "Figures 9 to 11", "series of reduces, 14 nodes", ("", "here", "printed"), tuple(rows), notes=notes
    )


def _proposition_3() -> Part:
    platform, series = figure_2_series()
    best = planned(platform, series)
    rows = []
    for period in PERIODS:
        plan = _certified(planned(platform, series, Fraction(period)))
        lost, most = best.throughput - plan.throughput, plan.proved_loss
        rows.append(_row(f"lost of 1/2 in a period of {period}", lost, f"<= {most}", same=lost <= most))
    return Part(
        "Proposition 3", "fixed periods lose at most trees / period", ("", "here", "printed"), tuple(rows)
    )


def _row(what: str, here: object, printed: object, *, same: bool | None = None) -> Row:
    """Return a row of what there is, what is printed, and whether they agree."""
    agrees = here == printed if same is None else same
    verdict = Verdict.SAME if agrees else Verdict.DIFFERS
    data = {"what": what, "here": str(here), "printed": str(printed)}
    return Row((what, str(here), str(printed)), data, None if printed == "" else verdict)


def point_12(density: float, seed: int) -> Point12:
    """Plan and simulate a Tiers-like platform, its hosts by logical index; and in random order, plan it."""
    platform = tiers(NODES, round(density * NODES), seed).in_units(MESSAGE, TASK)
    hosts = [node.name for node in platform.processors]
    shuffled = Random(f"order {seed}").sample(hosts, len(hosts))  # noqa: S311 - no secrets here
    other = series_of_reduces(platform, shuffled, shuffled[0])
    best = _certified(planned(platform, other)).throughput
    ratio = best / single_way_throughput(platform, other, binomial_tree(platform, other))
    series = series_of_reduces(platform, hosts, hosts[0])
    return Point12(density, seed, _comparison(platform, series), float(ratio))


def point_13(ratio: Fraction) -> Point13:
    """Plan and simulate ten equal, linked nodes whose tasks take `ratio` times as long as messages."""
    platform = complete(FIGURE_13_NODES, Times(task=ratio))
    hosts = [node.name for node in platform.nodes]
    return Point13(ratio, _comparison(platform, series_of_reduces(platform, hosts, hosts[0])))


def _comparison(platform: Platform, series: Series) -> Comparison:
    start_s = time.perf_counter()
    plan = _certified(planned(platform, series))
    seconds = time.perf_counter() - start_s
    ports = single_way_throughput(platform, series, binomial_tree(platform, series))
    loop = looped_throughput(platform, series)
    return Comparison(float(plan.throughput), _carried_out(plan), float(ports), loop, len(plan.ways), seconds)


def _carried_out(plan: Plan) -> float:
    """Return the plan's simulated throughput; of one that loses a hundredth, where its period is too long."""
    try:
        return simulated(plan.shortest, plan.shortest.period).throughput
    except RotaError:
        period = short_period(plan.ways, _LITTLE)
        return simulated(planned(plan.platform, plan.series, period), period).throughput


def _certified(plan: Plan) -> Plan:
    certify(as_text(plan))
    return plan


def part_12(points: Sequence[Point12]) -> Part:
    """Return Figure 12 from its points."""
    rows = []
    for density in sorted({point.density for point in points}):
        here = [point for point in points if point.density == density]
        ratios = [point.comparison.ratio for point in here]
        ports = [point.comparison.ratio_of_ports for point in here]
        shuffled = [point.shuffled for point in here]
        trees = median(point.comparison.trees for point in here)
        is_so = _PRINTED_12[0] <= mean(ratios) <= _PRINTED_12[1]
        values = (mean(ratios), min(ratios), max(ratios), mean(ports), mean(shuffled))
        cells = (f"{density:.1f}", str(len(here)), *(f"{value:.2f}" for value in values), f"{trees:g}")
        keys = ("simulated", "simulated_least", "simulated_most", "ports", "ports_shuffled")
        data = {
            "density": density,
            "platforms": len(here),
            **dict(zip(keys, values, strict=True)),
            "trees": trees,
        }
        rows.append(Row(cells, data, Verdict.HOLDS if is_so else Verdict.DIFFERS))
    seconds = median(point.comparison.seconds for point in points)
    return Part(
        "Figure 12",
        f"multi-tree over single tree, {len(points)} platforms of {NODES} nodes, 10 MB, 10 Mflop",
        ("density", "platforms", "simulated", "least", "most", "ports", "shuffled", "trees"),
        tuple(rows),
        "two to three times, more where more nodes are hosts; the drawing's axis goes to 4",
        (
            (
                "A row holds where the mean lies between 2 and 3.5: the text's two to three, and half a time "
                "more, for platforms are other ones."
            ),
            (
                "simulated: hosts by logical index, without a shuffle; the plan carried out by each node at "
                "its own pace, "
                "over MPICH's tree by blocking calls in a loop: receive, combine, send; a message crosses "
                "its path at the rate "
                "of the slowest link, with one port of each node on it. Means, and the least and most."
            ),
            (
                "ports: the same hosts and tree, both sides at the pace of their busiest port, as if calls "
                "overlapped. "
                "shuffled: the same, of hosts in random order."
            ),
            (
                "Tiers' own platforms are not printed: these are generated alike, with Figure 9's ranges of "
                "rates."
            ),
            f"All planned and certified, in {seconds:.2f} s (median).",
        ),
    )


def part_13(points: Sequence[Point13]) -> Part:
    """Return Figure 13 from its points."""
    rows = []
    for point in points:
        found = point.comparison
        is_so = _PRINTED_13[0] <= found.ratio <= _PRINTED_13[1]
        values = (found.simulated, found.loop, found.ports, found.ratio, found.ratio_of_ports)
        keys = ("multi_tree", "single_tree", "single_tree_ports", "ratio", "ratio_ports")
        rows.append(
            Row(
                (f"{float(point.ratio):g}", *(f"{value:.4g}" for value in values)),
                {"ratio_of_times": str(point.ratio), **dict(zip(keys, values, strict=True))},
                Verdict.HOLDS if is_so else Verdict.DIFFERS,
            )
        )
    return Part(
        "Figure 13",
        f"{FIGURE_13_NODES} equal nodes, all linked; operations in the time of a message",
        ("task / message", "multi-tree", "single, loop", "single, ports", "ratio, loop", "ratio, ports"),
        tuple(rows),
        "both get slower as tasks get longer; the multi-tree is about 4 times as fast throughout",
        (
            "loop: MPICH's tree by blocking calls; ports: at the pace of its busiest port or processor.",
            (
                "Where a task takes about as long as a message, a rank that blocks does one while the other "
                "waits: "
                "there the ratio to the loop is larger."
            ),
        ),
    )
