"""A plan carried out from an empty platform on, one-ported, each node at its own pace: what is done by when.

Every node takes part in the matchings in their order, period after period. It goes on to the next one when
its messages of this one are through; a message starts when both its nodes have come to its matching; and a
node's processor is busy with the tasks of a period from the node's first matching of it on: the node does not
begin the next period before they are done. No clock is shared. What the plan does by the end of a period is
done by then or before, and what is late in one period is late in the next.

Cost: O(periods (matchings + transfers of a period)).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.steady.network import Part
from rota.steady.series import Transfer

if TYPE_CHECKING:
    from rota.steady.plan import Plan

MOST_STEPS: Final = 5_000_000
_MOST_TIME: Final = 10**300
"""Floating point has hardly longer times."""

_ROUNDING: Final = 1e-12
"""By so much of itself a sum of floating-point times may be too long."""


@dataclass(frozen=True)
class Simulated:
    """What came of so many time units, as `simulated` returns it."""

    time: Fraction
    operations: int
    """That are over."""
    promised: int
    """That are over if all nodes keep step with the periods."""
    most: Fraction
    """TP K: no schedule has done more, Lemma 1."""
    throughput: float
    """Operations in a time unit, once the platform is full."""


@dataclass(frozen=True)
class _Round:
    """A matching: its messages, from which node to which, and how long each takes."""

    transfers: tuple[tuple[str, str, float], ...]


def simulated(plan: Plan, time: Fraction) -> Simulated:
    """Carry the plan out for so many time units; in floating point, but for what is promised.

    Each node goes at its own pace through the matchings, period after period, from an empty platform on.
    Cost: O(periods (matchings + transfers of a period)).

    Raises RotaError where these are less than one period, more steps than a few million, or 10^300 and more.
    """
    periods = floor(time / plan.period)
    if periods < 1:
        raise RotaError(
            f"{time} time units are less than the plan's period of {plan.period}: give more with --units, "
            "or plan with a shorter --period"
        )
    if time >= _MOST_TIME:
        raise RotaError(
            "more time units than can be simulated: give fewer with --units, or plan with a shorter --period"
        )
    rounds = _rounds(plan)
    # No schedule ends more periods in this time (Lemma 1), and so many are simulated in any case.
    most_periods = floor(plan.bound * time / plan.operations) + plan.periods_to_measure
    if most_periods * sum(len(each.transfers) + 1 for each in rounds) > MOST_STEPS:
        raise RotaError(f"{periods} periods are more than can be simulated: give fewer with --units")
    until = float(time) * (1 + _ROUNDING)
    ends = _period_ends(plan, rounds, until)
    done = sum(1 for end in ends if end <= until)
    return Simulated(
        time,
        plan.operations_after(done),
        plan.operations_within(time),
        plan.bound * time,
        plan.throughput_of(ends),
    )


def _rounds(plan: Plan) -> list[_Round]:
    rounds = []
    for matching in plan.matchings:
        times: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for transfer, amount in matching.pieces:
            times[transfer.source, transfer.target] += amount * plan.network.time_of(transfer)
        rounds.append(_Round(tuple((*ends, float(taken)) for ends, taken in times.items())))
    return rounds


def _period_ends(plan: Plan, rounds: list[_Round], until: float) -> list[float]:
    """Return when all nodes are through with each period, up to `until` and for `periods_to_measure`."""
    load = plan.network.load(plan.in_period)
    tasks = {port.node: float(busy) for port, busy in load.items() if port.part is Part.COMPUTE}
    names = {end for each in plan.rates if isinstance(each, Transfer) for end in (each.source, each.target)}
    reached = dict.fromkeys(names | tasks.keys(), 0.0)
    ends: list[float] = []
    while len(ends) < plan.periods_to_measure or ends[-1] <= until:
        computed = {node: reached[node] + busy for node, busy in tasks.items()}
        for each in rounds:
            # A matching: no node sends twice or receives twice, but it may do both at once.
            after = dict(reached)
            for source, target, taken in each.transfers:
                end = max(reached[source], reached[target]) + taken
                after[source], after[target] = max(after[source], end), max(after[target], end)
            reached = after
        for node, end in computed.items():
            reached[node] = max(reached[node], end)
        ends.append(max(reached.values()))
    return ends
