"""A plan as a schedule in the project's sense: rounds that the verifier plays, from an empty platform to one.

Every message is cut into as many blocks as there are periods in which no message is cut. So one schedule is
both of the paper's: with a block for a part of a message, that of the period in which messages are split;
with a block for a message, that of as many times the period, in which they are not.
"""

from __future__ import annotations

from collections import defaultdict
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from rota import verify
from rota._core import periodic
from rota.errors import RotaError
from rota.steady.period import stages_of, unsplit_factor
from rota.steady.series import Computation, Kind, Transfer

if TYPE_CHECKING:
    from fractions import Fraction

    from rota import Schedule, Violation
    from rota.steady.plan import Plan
    from rota.steady.series import Message

MOST_BLOCKS: Final = 300_000
"""Larger schedules are not made: so many blocks on their way, in all periods together."""


class _Run(NamedTuple):
    """Blocks of the operations of one tree, which began so many periods ago."""

    first: int
    blocks: int
    stage: int


def schedule_of(plan: Plan, periods: int) -> Schedule:
    """Return the schedule in which operations begin in so many periods, and all are over at its end.

    Ranks are the platform's nodes in order. Raises RotaError where too many blocks are on their way.
    """
    parts = unsplit_factor(plan.matchings)
    blocks = plan.operations * parts
    if blocks * periods * max(len(plan.rates), 1) > MOST_BLOCKS:
        raise RotaError("a schedule of too many messages: plan with a shorter period, with --period")
    rank = {node.name: number for number, node in enumerate(plan.platform.nodes)}
    slot = _slots(plan)
    runs = _runs(plan, parts)
    times = _times(plan, parts)
    unit = lcm(
        *(time.denominator for time in times.values()), *(each.length.denominator for each in plan.matchings)
    )
    return periodic(
        ranks=len(rank),
        blocks=blocks,
        periods=periods,
        origins=[(rank[node], slot[message]) for message, node in plan.series.origins.items()],
        deliveries=[
            (rank[node], slot[message], *_span(plan, message)) for node, message in plan.series.deliveries
        ],
        times=[
            (rank[each.source], rank[each.target], slot[each.message], int(time * unit))
            for each, time in times.items()
        ],
        matching_lengths=[int(matching.length * unit) for matching in plan.matchings],
        transfers=_transfers(plan, runs, parts, rank),
        tasks=[
            (rank[each.node], slot[left], slot[right], run.stage, run.first, run.blocks)
            for each, its_runs in runs.items()
            if isinstance(each, Computation)
            for left, right in (each.task.operands,)
            for run in its_runs
        ],
    )


def violations_of(plan: Plan, periods: int) -> list[Violation]:
    """Return what the verifier finds wrong with the plan over so many periods: nothing, for a right one."""
    rank = {node.name: number for number, node in enumerate(plan.platform.nodes)}
    links = [(rank[link.source], rank[link.target]) for link in plan.platform.links]
    return verify(schedule_of(plan, periods), links)


def _slots(plan: Plan) -> dict[Message, int]:
    """Return each message's number; a partial result has that of its last operand."""
    messages = plan.series.sizes
    if plan.series.kind is Kind.REDUCE:
        return {message: message[-1] for message in messages}
    return {message: number for number, message in enumerate(messages)}


def _span(plan: Plan, message: Message) -> tuple[int, int]:
    """Return the first and the last contribution to a message."""
    if plan.series.kind is Kind.REDUCE:
        return message[0], message[-1]
    number = list(plan.series.sizes).index(message)
    return number, number


def _times(plan: Plan, parts: int) -> dict[Transfer, Fraction]:
    """Return how long one block takes."""
    times = {}
    for each in plan.rates:
        if isinstance(each, Transfer):
            cost = plan.platform.by_ends[each.source, each.target].cost
            times[each] = cost * plan.series.sizes[each.message] / parts
    return times


def _runs(plan: Plan, parts: int) -> dict[Transfer | Computation, list[_Run]]:
    """Return the blocks of each activity in a period, tree by tree."""
    runs: dict[Transfer | Computation, list[_Run]] = defaultdict(list)
    first = 0
    for weighted in plan.ways:
        count = int(weighted.weight * plan.period) * parts
        for activity, stage in stages_of(weighted.way, plan.series.origins).items():
            runs[activity].append(_Run(first, count, stage))
        first += count
    return runs


def _transfers(
    plan: Plan, runs: dict[Transfer | Computation, list[_Run]], parts: int, rank: dict[str, int]
) -> list[tuple[int, int, int, int, int, int, int]]:
    """Return the blocks of each matching: those of each link's message follow one another, tree by tree."""
    slot = _slots(plan)
    left = {activity: its_runs[::-1] for activity, its_runs in runs.items()}
    found = []
    for number, matching in enumerate(plan.matchings):
        for transfer, amount in matching.pieces:
            wanted = int(amount * parts)
            while wanted > 0:
                run = left[transfer].pop()
                count = min(wanted, run.blocks)
                if count < run.blocks:
                    left[transfer].append(_Run(run.first + count, run.blocks - count, run.stage))
                ends = rank[transfer.source], rank[transfer.target]
                found.append((number, *ends, slot[transfer.message], run.stage, run.first, count))
                wanted -= count
    return found
