"""A plan's period in numbers: what a schedule is made of, and what ranks carry out without the plan.

Operations of a period lie side by side on a line, one unit each, those of a tree together; each message of
theirs is cut where a matching begins or ends in it, on any link. What lies between two cuts is a block. Where
messages are not cut (`Plan.unsplit`), a block is a message.

    operations     | 0, tree 1 | 1, tree 1 | 2, tree 2 |
    over a link    |  matching 0    |   1  |     1     |       cut: blocks 0, 1a, 1b, 2
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from rota.errors import RotaError
from rota.steady.period import stages_of
from rota.steady.series import Computation, Kind, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rota.steady.plan import Plan
    from rota.steady.series import Activity, Message

MOST_BLOCKS: Final = 300_000
"""Larger timetables are not made: so many blocks on their way in a period."""


class PeriodicTransfer(NamedTuple):
    """In a matching of each period: blocks of a message that began `stage` periods ago, over a link.

    `time`: how long an operation's whole message takes.
    """

    matching: int
    source: int
    target: int
    message: int
    stage: int
    first: int
    blocks: int
    time: Fraction


class PeriodicTask(NamedTuple):
    """In each period: blocks of message `left` combined with those of message `right`, which they become."""

    rank: int
    left: int
    right: int
    stage: int
    first: int
    blocks: int


class Delivery(NamedTuple):
    """A rank gets a message, with the contributions first..last in it."""

    rank: int
    message: int
    first: int
    last: int


@dataclass(frozen=True)
class Timetable:
    """One period, by the numbers of ranks and messages.

    A partial result has the number of its last operand, so that T_{k,l,m} makes what is numbered m of two
    messages of which the right one is. `widths`: of the blocks, of which `unit` is an operation. `sizes`: of
    messages, in units; none where partial results that are used differ in size. `origins`: who has which
    message.
    """

    ranks: int
    operations: int
    unit: int
    widths: tuple[int, ...]
    sizes: tuple[Fraction, ...]
    origins: tuple[tuple[int, int], ...]
    deliveries: tuple[Delivery, ...]
    matchings: int
    transfers: tuple[PeriodicTransfer, ...]
    tasks: tuple[PeriodicTask, ...]

    @property
    def text(self) -> str:
        """What rota_series_open reads; rota/generators/steady/timetable.hpp says what the words mean.

        RotaError where partial results differ in size: an MPI operator takes equally many items of both its
        operands and makes as many, so that no stream over MPI carries that out.
        """
        if not self.sizes:
            raise RotaError(
                "partial results of different sizes: MPI operators combine as many items as they return, "
                "so this plan can be certified and simulated, but not streamed over MPI"
            )
        lines: list[tuple[object, ...]] = [
            ("rota timetable 1",),
            ("ranks", self.ranks),
            ("operations", self.operations),
            ("unit", self.unit),
            ("widths", *self.widths),
            *(("size", number, size.numerator, size.denominator) for number, size in enumerate(self.sizes)),
            *(("origin", *origin) for origin in self.origins),
            *(("delivery", *delivery) for delivery in self.deliveries),
            ("matchings", self.matchings),
            *(("transfer", *transfer[:-1]) for transfer in self.transfers),
            *(("task", *task) for task in self.tasks),
        ]
        return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def timetable_of(plan: Plan, nodes: Sequence[str] | None = None) -> Timetable:
    """Return the plan's period for ranks that are these nodes; all of the platform's, in its order, if none.

    Its `text` is what ``rota timetable`` writes, and C and C++ programs carry out. Cost: O(blocks on their
    way in a period).

    Raises RotaError for a period of too many blocks, and for nodes that are none, stand there twice, or lack
    one that has a part in the plan.
    """
    if plan.operations * len(plan.rates) > MOST_BLOCKS:
        raise RotaError("a period of too many messages: plan with a shorter one, with --period")
    spans = _spans(plan)
    shares = list(_shares(plan, spans))
    cuts = _cuts(plan, shares)
    if len(cuts) * len(plan.rates) > MOST_BLOCKS:
        raise RotaError("a period of too many pieces: plan with a shorter one, with --period")
    widths = [after - before for before, after in pairwise(cuts)]
    unit = lcm(*(width.denominator for width in widths))
    numbers = _Numbers(plan, _ranks(plan, nodes), cuts)
    return Timetable(
        ranks=len(numbers.rank),
        operations=plan.operations,
        unit=unit,
        widths=tuple(int(width * unit) for width in widths),
        sizes=_sizes(plan, numbers),
        origins=tuple((numbers.rank[node], numbers.slot[each]) for each, node in plan.series.origins.items()),
        deliveries=tuple(
            Delivery(numbers.rank[node], numbers.slot[each], *numbers.contributions(each))
            for node, each in plan.series.deliveries
        ),
        matchings=len(plan.matchings),
        transfers=tuple(
            PeriodicTransfer(
                share.matching,
                *numbers.link(share.transfer),
                *numbers.blocks(share.span),
                plan.network.time_of(share.transfer),
            )
            for share in shares
        ),
        tasks=tuple(
            PeriodicTask(
                numbers.rank[each.node], numbers.slot[left], numbers.slot[right], *numbers.blocks(span)
            )
            for each, its_spans in spans.items()
            if isinstance(each, Computation)
            for left, right in (each.task.operands,)
            for span in its_spans
        ),
    )


def _sizes(plan: Plan, numbers: _Numbers) -> tuple[Fraction, ...]:
    """Return the sizes of messages by number; none where a reduce's that are used are not all alike."""
    sizes = plan.series.sizes
    if plan.series.kind is Kind.REDUCE:
        moved = {each.message for each in plan.rates if isinstance(each, Transfer)}
        made = {each.task.result for each in plan.rates if isinstance(each, Computation)}
        used = {sizes[message] for message in {*moved, *made, *plan.series.origins}}
        return tuple(used) * len(plan.series.hosts) if len(used) == 1 else ()
    by_number = {numbers.slot[message]: size for message, size in sizes.items()}
    return tuple(by_number[number] for number in range(len(by_number)))


def _ranks(plan: Plan, nodes: Sequence[str] | None) -> dict[str, int]:
    """Return each node's rank."""
    names = [node.name for node in plan.platform.nodes] if nodes is None else list(nodes)
    for place, name in enumerate(names):
        plan.platform.node(name)
        if name in names[:place]:
            raise RotaError(f"{name} is named twice; name each node once")
    at_work = (
        node
        for each in plan.rates
        for node in ((each.source, each.target) if isinstance(each, Transfer) else (each.node,))
    )
    for node in (*at_work, *plan.series.origins.values(), *(place.node for place in plan.series.deliveries)):
        if node not in names:
            raise RotaError(f"{node} has a part in the plan, and no rank: name it among the nodes")
    return {name: rank for rank, name in enumerate(names)}


class _Span(NamedTuple):
    """Operations, or parts of them, of one tree, which began so many periods ago."""

    begin: Fraction
    end: Fraction
    stage: int


class _Share(NamedTuple):
    """What a matching carries of a message."""

    matching: int
    transfer: Transfer
    span: _Span


class _Numbers:
    """Nodes, messages and blocks by number."""

    def __init__(self, plan: Plan, ranks: Mapping[str, int], cuts: list[Fraction]) -> None:
        self.rank = ranks
        is_reduce = plan.series.kind is Kind.REDUCE
        self.slot = {
            message: message[-1] if is_reduce else number for number, message in enumerate(plan.series.sizes)
        }
        self._is_reduce = is_reduce
        self._block = {cut: number for number, cut in enumerate(cuts)}

    def contributions(self, message: Message) -> tuple[int, int]:
        """Return the first and the last contribution to a message."""
        return (message[0], message[-1]) if self._is_reduce else (self.slot[message], self.slot[message])

    def link(self, transfer: Transfer) -> tuple[int, int, int]:
        """Return from where, to where, and which message."""
        return self.rank[transfer.source], self.rank[transfer.target], self.slot[transfer.message]

    def blocks(self, span: _Span) -> tuple[int, int, int]:
        """Return the stage, the first block and the number of blocks."""
        first = self._block[span.begin]
        return span.stage, first, self._block[span.end] - first


def _spans(plan: Plan) -> dict[Activity, list[_Span]]:
    """Return the operations of each activity in a period, tree by tree."""
    spans: dict[Activity, list[_Span]] = defaultdict(list)
    begin = Fraction(0)
    for weighted in plan.ways:
        end = begin + weighted.weight * plan.period
        for activity, stage in stages_of(weighted.way, plan.series.origins).items():
            spans[activity].append(_Span(begin, end, stage))
        begin = end
    return spans


def _shares(plan: Plan, spans: dict[Activity, list[_Span]]) -> Iterator[_Share]:
    """Yield what each matching carries: of each link's message one part after the other, tree by tree."""
    left = {activity: its_spans[::-1] for activity, its_spans in spans.items()}
    for number, matching in enumerate(plan.matchings):
        for transfer, amount in matching.pieces:
            wanted = amount
            while wanted > 0:
                span = left[transfer].pop()
                end = min(span.end, span.begin + wanted)
                if end < span.end:
                    left[transfer].append(_Span(end, span.end, span.stage))
                yield _Share(number, transfer, _Span(span.begin, end, span.stage))
                wanted -= end - span.begin


def _cuts(plan: Plan, shares: Iterable[_Share]) -> list[Fraction]:
    """Return where blocks begin and end: with operations, and where matchings do in them."""
    cuts = {Fraction(number) for number in range(plan.operations + 1)}
    for share in shares:
        cuts |= {share.span.begin, share.span.end}
    return sorted(cuts)
