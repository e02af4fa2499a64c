"""A plan, played by SimGrid: how many operations are over after how long, from an empty platform on.

In each period a tree's activities work on the operations that the activities before them had in the period
before, so that the platform fills in the first periods. An actor does its part of a period matching by
matching; before it first sends or combines some message in a period, it waits until as much of it is there
as is used in this and all periods before. No actor looks at a clock. If the plan is right, nobody ever waits
longer than the plan says: then a period takes at most its length, and in the long run not less.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.steady.period import Piece, inputs_of, result_of, stages_of
from rota.steady.series import Computation, Place
from rota.witness.script import Execute, Mark, Program, Receive, Send, Step, Wait
from rota.witness.simgrid import played

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rota.platforms import Platform
    from rota.steady.plan import Plan
    from rota.steady.series import Activity

_PERIOD_S: Final = 10**6
"""A period's length in SimGrid: its clock then resolves the hundred thousand millionth part of it."""

MOST_STEPS: Final = 500_000
"""Transfers and tasks; more would take SimGrid minutes."""


@dataclass(frozen=True)
class Witnessed:
    """What SimGrid found: when each period of the plan was over."""

    plan: Plan
    times: tuple[float, ...]

    @property
    def throughput(self) -> float:
        """Operations in a time unit, once the platform is full."""
        return self.plan.throughput_of(self.times)


def witnessed(plan: Plan, periods: int | None = None) -> Witnessed:
    """Let SimGrid play so many periods, by default twice as many as one operation takes, and 20 more.

    Raises RotaError if SimGrid is not there, if the plan lacks something that it uses, and for fewer periods
    than it takes to fill the platform twice.
    """
    parts = _Parts(plan)
    least = plan.periods_to_measure
    count = least + 20 if periods is None else periods
    if count < least:
        raise RotaError(
            f"{count} periods: give {least} or more, until the platform is full and as long again"
        )
    steps = count * (len(list(parts.pieces(parts.allowed(count)))) + len(parts.allowed(count)))
    if steps > MOST_STEPS:
        raise RotaError(f"{count} periods of the plan are {steps} steps: SimGrid plays at most {MOST_STEPS}")
    return Witnessed(plan, played(_platform(plan), list(_programs(parts, count)), plan.period / _PERIOD_S))


def _platform(plan: Plan) -> Platform:
    """Return the platform with a unit task at all nodes that compute some."""
    computing = {node.name for node in plan.series.processors(plan.platform)}
    nodes = (
        replace(node, task=Fraction(1)) if node.task is None and node.name in computing else node
        for node in plan.platform.nodes
    )
    return replace(plan.platform, nodes=tuple(nodes))


@dataclass(frozen=True)
class _Batch:
    """What a tree does in a period: so many operations, and from which period on each activity takes part."""

    operations: int
    begins: Mapping[Activity, int]
    """From 1 on."""


@dataclass(frozen=True)
class _Parts:
    """A plan's periods, by tree and by activity."""

    plan: Plan

    @cached_property
    def batches(self) -> tuple[_Batch, ...]:
        """Those of all trees."""
        return tuple(
            _Batch(
                int(each.weight * self.plan.period),
                {activity: 1 + stage for activity, stage in stages.items()},
            )
            for each in self.plan.ways
            for stages in (stages_of(each.way, self.plan.series.origins),)
        )

    def unit_tasks(self, computation: Computation) -> Fraction:
        """Return how many of SimGrid's unit tasks a task is; a node without a time has one of 1 there."""
        node = self.plan.platform.by_name[computation.node]
        return (self.plan.series.task_time(node, computation.task) or Fraction(0)) / (node.task or 1)

    def in_periods(self, amount: Fraction) -> Fraction:
        """Return messages as parts of a period's operations: these may be very many, counters are doubles."""
        return amount / self.plan.operations

    @cached_property
    def _uses(self) -> Mapping[Place, Sequence[tuple[int, int]]]:
        """Of each message at a node: operations in a period, and from which period on, of each tree."""
        found: dict[Place, list[tuple[int, int]]] = defaultdict(list)
        for batch in self.batches:
            first: dict[Place, int] = {}
            for activity, begin in batch.begins.items():
                for place in inputs_of(activity):
                    first[place] = min(begin, first.get(place, begin))
            for place, begin in first.items():
                found[place].append((batch.operations, begin))
        return found

    def used(self, place: Place, period: int) -> Fraction:
        """Return how much of a message a node uses up to the end of a period; 0 of what has no limit."""
        if self.plan.series.origins.get(place.message) == place.node:
            return Fraction(0)
        return Fraction(sum(count * max(0, period - first + 1) for count, first in self._uses[place]))

    def allowed(self, period: int) -> dict[Activity, Fraction]:
        """Return how much of each activity there is in a period."""
        found: dict[Activity, Fraction] = defaultdict(Fraction)
        for batch in self.batches:
            for activity, begin in batch.begins.items():
                if begin <= period:
                    found[activity] += batch.operations
        return found

    def pieces(self, allowed: Mapping[Activity, Fraction]) -> Iterator[Piece]:
        """Generate the transfers of a period in order, no more of each than is allowed."""
        left = dict(allowed)
        for piece in (piece for matching in self.plan.matchings for piece in matching.pieces):
            amount = min(piece.amount, left.get(piece.transfer, Fraction(0)))
            if amount > 0:
                left[piece.transfer] -= amount
                yield Piece(piece.transfer, amount)


def _programs(parts: _Parts, periods: int) -> Iterator[Program]:
    """Generate the actors: a sender, a receiver and a processor on each node."""
    sending, receiving, computing = (_Actors() for _ in range(3))
    sizes = parts.plan.series.sizes
    for period in range(1, periods + 1):
        allowed = parts.allowed(period)
        for piece in parts.pieces(allowed):
            source, target, message = piece.transfer
            sending.wait(parts, Place(source, message), period)
            sending.do(source, Send(target, piece.amount * sizes[message]))
            received = parts.in_periods(piece.amount)
            receiving.do(target, Receive(source, Place(target, message), received))
        for activity, amount in allowed.items():
            if isinstance(activity, Computation):
                for place in inputs_of(activity):
                    computing.wait(parts, place, period)
                work = amount * parts.unit_tasks(activity)
                computing.do(activity.node, Execute(work, result_of(activity), parts.in_periods(amount)))
        for actors in (sending, receiving, computing):
            actors.mark(period, [node.name for node in parts.plan.platform.nodes])
    for actors in (sending, receiving, computing):
        yield from actors.programs()


class _Actors:
    """One on each node, and what they do."""

    def __init__(self) -> None:
        self._steps: dict[str, list[Step]] = defaultdict(list)
        self._waited: dict[Place, int] = {}

    def do(self, node: str, step: Step) -> None:
        self._steps[node].append(step)

    def wait(self, parts: _Parts, place: Place, period: int) -> None:
        """Have the node wait for what it uses in this period, once in a period."""
        amount = parts.in_periods(parts.used(place, period))
        if amount and self._waited.get(place) != period:
            self._waited[place] = period
            self.do(place.node, Wait(place, amount))

    def mark(self, period: int, nodes: Sequence[str]) -> None:
        for node in nodes:
            self.do(node, Mark(period))

    def programs(self) -> Iterator[Program]:
        for node, steps in self._steps.items():
            yield Program(node, tuple(steps))
