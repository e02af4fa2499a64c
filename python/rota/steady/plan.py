"""A plan: the optimal steady state of a series, its proof, its trees, the schedule of its period.

In the text, JSON, numbers are exact: integers or fractions, as strings. `rota.steady.certificate` checks it
without this file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any, Final

from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.certificate import certify
from rota.steady.claims import seal_of
from rota.steady.network import Network, Part, Port
from rota.steady.optimum import Optimum, Weighted, optimum
from rota.steady.period import (
    Matching,
    depth_of,
    least_period,
    matchings_of,
    rates_of,
    rounded_down,
    shortest_period,
    unsplit_factor,
)
from rota.steady.pricing import Cut
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.series import Computation, Kind, Transfer, reached

_LAID_OUT: Final = 2
"""How deep the text is in lines: what lies deeper is in one."""

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota.platforms import Platform
    from rota.steady.claims import Claims
    from rota.steady.series import Activity, Series


@dataclass(frozen=True, repr=False)
class Plan:
    """What is done in a period, again and again, and why nothing does more; `planned` makes it.

    `ways`: reduction trees, arborescences, or a path for each message, and how many operations in a time unit
    are carried out in each; `optimum.ways` are the same unless they were rounded down to the period.
    `period`: in time units. `is_fixed`: whether the period was asked for, and is not the paper's. Two plans
    are equal if they are of the same platform and series, and do the same for the same reason. (They hold
    mappings, and so have no hash.)

    What is asked for is worked out once. Source: Legrand, Marchal, Robert 2005, Sections 3.3, 4.3 and 4.6.
    """

    platform: Platform
    series: Series
    optimum: Optimum
    ways: tuple[Weighted, ...]
    period: Fraction
    is_fixed: bool

    def __repr__(self) -> str:
        return f"<Plan: {reached(self.series.kind, self.throughput, self.bound, self.period)}>"

    def _repr_svg_(self) -> str | None:
        from rota.notebook import plan_svg  # noqa: PLC0415 - loads matplotlib

        return plan_svg(self)

    @property
    def throughput(self) -> Fraction:
        """Operations in a time unit."""
        return sum((each.weight for each in self.ways), Fraction(0))

    @property
    def bound(self) -> Fraction:
        """No plan, periodic or not, has a higher throughput in the long run."""
        return self.optimum.throughput

    @property
    def operations(self) -> int:
        """Operations in a period."""
        return int(self.throughput * self.period)

    @property
    def proved_loss(self) -> Fraction:
        """The throughput is below the bound by no more than this."""
        return Fraction(len(self.optimum.ways)) / self.period if self.is_fixed else Fraction(0)

    @cached_property
    def network(self) -> Network:
        """The platform with the series, in numbers."""
        return Network(self.platform, self.series)

    @cached_property
    def rates(self) -> Mapping[Activity, Fraction]:
        """How much of each activity there is in a time unit: send(...), cons(...)."""
        return rates_of(self.ways)

    @cached_property
    def in_period(self) -> Mapping[Activity, Fraction]:
        """The same in a period: whole numbers."""
        return {activity: rate * self.period for activity, rate in self.rates.items()}

    @cached_property
    def matchings(self) -> tuple[Matching, ...]:
        """The transfers of a period, one matching after the other; no longer together than it is.

        RotaError where it is too long for a schedule.
        """
        return matchings_of(self.network, self.in_period)

    @cached_property
    def unsplit_period(self) -> Fraction:
        """The period in which no message is cut."""
        return self.period * unsplit_factor(self.matchings)

    @cached_property
    def unsplit(self) -> Plan:
        """The same in the period in which no message is cut."""
        return replace(self, period=self.unsplit_period, is_fixed=True)

    @cached_property
    def shortest(self) -> Plan:
        """The same in the least period of whole operations: messages are whole, but links' times need not be.

        It loses nothing, and is what one would carry out: `period` is the paper's, often far longer.
        """
        return replace(self, period=shortest_period(self.ways), is_fixed=True)

    @cached_property
    def depth(self) -> int:
        """How many periods an operation takes from the first of its transfers to its end."""
        return max(depth_of(each.way, self.series.origins) for each in self.ways)

    def operations_within(self, time: Fraction) -> int:
        """Return how many operations are over after so many time units, from an empty platform on.

        What arrives in one period is used in the next, so that the platform fills in the first periods.
        """
        return self.operations_after(floor(time / self.period))

    def operations_after(self, periods: int) -> int:
        """Return how many operations are over after so many periods, from an empty platform on."""
        return sum(
            int(each.weight * self.period) * max(0, periods + 1 - depth_of(each.way, self.series.origins))
            for each in self.ways
        )

    @property
    def periods_to_measure(self) -> int:
        """How many periods it takes to fill the platform, and as many more: see `throughput_of`."""
        return 2 * self.depth + 2

    def throughput_of(self, ends: Sequence[float]) -> float:
        """Return operations in a time unit where periods, from an empty platform on, ended at these times.

        Those of the second half: in the first one the platform fills. Needs `periods_to_measure` of them.
        """
        half = len(ends) // 2
        operations = self.operations_after(len(ends)) - self.operations_after(half)
        return operations / (ends[-1] - ends[half - 1])


def planned(platform: Platform, series: Series, period: Fraction | None = None) -> Plan:
    """Return the optimal plan, or the best one rounded down to a fixed period, on a platform in units.

    The optimal one has the paper's period, the least in which trees, messages and the times of links are
    whole; where times are seconds take its `shortest`. `period`: in time units. Raises RotaError where a
    message cannot get where it must, for a period too short for one operation, and for a platform that is not
    in units.

    Ten to thirty nodes take a fraction of a second, a hundred with twenty hosts some seconds: some tens of
    linear programs of three rows a node, for each a shortest path or a pass over all tasks, and one in
    rationals.

    Source: Legrand, Marchal, Robert 2005, Sections 3 and 4; 4.6 for fixed periods.
    """
    platform = platform.in_units(None)
    best = optimum(platform, series)
    if period is not None:
        return Plan(platform, series, best, rounded_down(best.ways, period), period, is_fixed=True)
    least = least_period(Network(platform, series), best.ways)
    return Plan(platform, series, best, best.ways, Fraction(least), is_fixed=False)


def as_text(plan: Plan, *, with_matchings: bool = True) -> str:
    """Return the plan as JSON with its certificate, sealed: what ``rota plan --json`` writes.

    The matchings are most of it, and the schedule of the period; without them that is not there to be
    checked. Raises RotaError where the period is too long for a schedule.
    """
    document: dict[str, Any] = {
        "throughput": str(plan.throughput),
        "bound": str(plan.bound),
        "period": str(plan.period),
        "fixed": plan.is_fixed,
        "operations_per_period": str(plan.operations),
        "series": _series(plan.series),
        "platform": _platform(plan.platform),
        "flows": [
            {"source": each.source, "target": each.target, "message": list(each.message), "rate": str(rate)}
            for each, rate in sorted(plan.rates.items(), key=_order)
            if isinstance(each, Transfer)
        ],
        "tasks": [
            {"node": each.node, "task": list(each.task), "rate": str(rate)}
            for each, rate in sorted(plan.rates.items(), key=_order)
            if isinstance(each, Computation)
        ],
        "trees": [_tree(plan, each) for each in plan.ways],
        "dual": _dual(plan.optimum),
        "matchings": [_matching(each) for each in plan.matchings] if with_matchings else None,
    }
    document["seal"] = seal_of(document)
    return _laid_out(document)


def _laid_out(document: dict[str, Any]) -> str:
    """Return the JSON text with a line for each item of a list."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    def laid_out(value: object, depth: int) -> str:
        inner = " " * depth
        if isinstance(value, list) and value and depth <= _LAID_OUT:
            return "[\n" + ",\n".join(f"{inner} {line(item)}" for item in value) + f"\n{inner}]"
        if isinstance(value, dict) and depth <= _LAID_OUT:
            items = (f"{inner} {line(key)}: {laid_out(item, depth + 1)}" for key, item in value.items())
            return "{\n" + ",\n".join(items) + f"\n{inner}" + "}"
        return line(value)

    return laid_out(document, 0) + "\n"


def plan_in(text: str) -> Plan:
    """Return the plan in a text that `certify` accepts; it raises what that raises.

    It is the one that `as_text` was given, but where that was rounded down to a fixed period: there ways that
    the rounding left out, and so the `proved_loss` by them, are not in the text.
    """
    claims = certify(text)
    ways = tuple(Weighted(tree.weight / claims.period, tree.way) for tree in claims.trees)
    prices = {Port(node, Part(part)): price for (part, node), price in claims.prices.items()}
    cuts = tuple(Cut(each.nodes, each.weight) for each in claims.paid_sets)
    best = Optimum(claims.bound, ways, prices, claims.potentials, cuts)
    return Plan(claims.platform, _series_of(claims), best, ways, claims.period, claims.is_fixed)


def _order(item: tuple[Activity, Fraction]) -> tuple[str, ...]:
    """Order activities by nodes, then by numbers."""
    activity = item[0]
    if isinstance(activity, Transfer):
        return (activity.source, activity.target, *(f"{number:06}" for number in activity.message))
    return (activity.node, *(f"{number:06}" for number in activity.task))


def _series(series: Series) -> dict[str, Any]:
    head: dict[str, Any] = {"kind": series.kind.value, "hosts": list(series.hosts)}
    if series.root:
        head["root"] = series.root
    if series.kind is Kind.SCATTER:
        head["sizes"] = [str(size) for size in series.sizes.values()]
    if series.kind is Kind.REDUCE:
        head["sizes"] = [[*each, str(size)] for each, size in series.sizes.items() if size != 1]
        head["works"] = [[*task, str(work)] for task, work in series.works.items()]
        head["times"] = [[node, *task, str(time)] for (node, task), time in series.times.items()]
    if series.kind is Kind.ALL_TO_ALL:
        head["sizes"] = [[*pair, str(size)] for pair, size in series.sizes.items()]
    return head


def _series_of(claims: Claims) -> Series:
    platform, hosts = claims.platform, claims.hosts
    match claims.kind:
        case Kind.SCATTER:
            return series_of_scatters(platform, claims.root, hosts, list(claims.sizes.values()))
        case Kind.ALL_TO_ALL:
            return series_of_all_to_alls(
                platform, hosts, {(k, m): size for (k, m), size in claims.sizes.items()}
            )
        case Kind.REDUCE:
            measures = Measures(claims.sizes, claims.works, claims.times)
            return series_of_reduces(platform, hosts, claims.root, measures)
        case Kind.BROADCAST:
            return series_of_broadcasts(platform, claims.root, hosts)


def _platform(platform: Platform) -> dict[str, Any]:
    return {
        "directed": True,
        "name": platform.name,
        "nodes": [
            {"id": node.name} | ({} if node.task is None else {"task": str(node.task)})
            for node in platform.nodes
        ],
        "links": [
            {"source": link.source, "target": link.target, "cost": str(link.cost)} for link in platform.links
        ],
    }


def _tree(plan: Plan, weighted: Weighted) -> dict[str, Any]:
    transfers = (each for each in weighted.way if isinstance(each, Transfer))
    tasks = (each for each in weighted.way if isinstance(each, Computation))
    return {
        "weight": str(weighted.weight * plan.period),
        "transfers": [[each.source, each.target, list(each.message)] for each in transfers],
        "tasks": [[each.node, list(each.task)] for each in tasks],
    }


def _dual(best: Optimum) -> dict[str, Any]:
    prices: dict[str, Any] = {
        part.value: {port.node: str(price) for port, price in best.prices.items() if port.part is part}
        for part in Part
    }
    potentials = [
        [list(message), {node: str(value) for node, value in values.items()}]
        for message, values in best.potentials.items()
    ]
    if best.cuts:
        cuts = [{"nodes": list(cut.nodes), "weight": str(cut.weight)} for cut in best.cuts]
        return prices | {"cuts": cuts}
    return prices | {"potentials": potentials}


def _matching(matching: Matching) -> dict[str, Any]:
    return {
        "length": str(matching.length),
        "transfers": [
            [transfer.source, transfer.target, list(transfer.message), str(amount)]
            for transfer, amount in matching.pieces
        ],
    }
