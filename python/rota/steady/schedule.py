"""A plan as a schedule in the project's sense: rounds that the verifier plays, from an empty platform to one.

Operations of a period lie side by side on a line, one unit each, those of a tree together; each message of
theirs is cut where a matching begins or ends in it, on any link. What lies between two cuts is a block. Where
messages are not cut (`Plan.unsplit`), a block is a message.

    operations     | 0, tree 1 | 1, tree 1 | 2, tree 2 |
    over a link    |  matching 0    |   1  |     1     |       cut: blocks 0, 1a, 1b, 2
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from rota import verify
from rota._core import periodic
from rota.errors import RotaError
from rota.steady.period import stages_of
from rota.steady.series import Computation, Kind, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rota import Schedule, Violation
    from rota.steady.plan import Plan
    from rota.steady.series import Activity, Message

MOST_BLOCKS: Final = 300_000
"""Larger schedules are not made: so many blocks on their way, in all periods together."""

_MOST_TIME: Final = 1 << 62


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


def schedule_of(plan: Plan, periods: int) -> Schedule:
    """Return the schedule in which operations begin in so many periods, and all are over at its end.

    Ranks are the platform's nodes in order. Raises RotaError where too many blocks are on their way.
    """
    if plan.operations * periods * len(plan.rates) > MOST_BLOCKS:
        raise RotaError("a schedule of too many messages: plan with a shorter period, with --period")
    spans = _spans(plan)
    shares = list(_shares(plan, spans))
    cuts = _cuts(plan, shares)
    if len(cuts) * periods * len(plan.rates) > MOST_BLOCKS:
        raise RotaError("a schedule of too many pieces: plan with a shorter period, with --period")
    widths = [after - before for before, after in pairwise(cuts)]
    rates = _rates(plan)
    numbers = _Numbers(plan, cuts, _unit(widths), _unit(rates.values()))
    lengths = [matching.length * numbers.width_unit * numbers.rate_unit for matching in plan.matchings]
    unit = _unit(lengths)
    if max(lengths) * unit >= _MOST_TIME:
        raise RotaError("a schedule with times of too many digits: plan with another period, with --period")
    return periodic(
        ranks=len(plan.platform.nodes),
        widths=[int(width * numbers.width_unit) for width in widths],
        periods=periods,
        origins=[(numbers.rank[node], numbers.slot[each]) for each, node in plan.series.origins.items()],
        deliveries=[
            (numbers.rank[node], numbers.slot[each], *numbers.contributions(each))
            for node, each in plan.series.deliveries
        ],
        times=[(*numbers.link(each), int(rate * numbers.rate_unit * unit)) for each, rate in rates.items()],
        matching_lengths=[int(length * unit) for length in lengths],
        transfers=[
            (share.matching, *numbers.link(share.transfer), *numbers.blocks(share.span)) for share in shares
        ],
        tasks=[
            (numbers.rank[each.node], numbers.slot[left], numbers.slot[right], *numbers.blocks(span))
            for each, its_spans in spans.items()
            if isinstance(each, Computation)
            for left, right in (each.task.operands,)
            for span in its_spans
        ],
    )


def violations_of(plan: Plan, periods: int) -> list[Violation]:
    """Return what the verifier finds wrong with the plan over so many periods: nothing, for a right one."""
    rank = {node.name: number for number, node in enumerate(plan.platform.nodes)}
    links = [(rank[link.source], rank[link.target]) for link in plan.platform.links]
    return verify(schedule_of(plan, periods), links)


class _Numbers:
    """Nodes, messages and blocks by number.

    A partial result has the number of its last operand, so that T_{k,l,m} makes what is numbered m of two
    messages of which the right one is.
    """

    def __init__(self, plan: Plan, cuts: list[Fraction], width_unit: int, rate_unit: int) -> None:
        self.width_unit, self.rate_unit = width_unit, rate_unit
        self.rank = {node.name: number for number, node in enumerate(plan.platform.nodes)}
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


def _rates(plan: Plan) -> dict[Transfer, Fraction]:
    """Return how long each message takes."""
    return {
        each: plan.platform.by_ends[each.source, each.target].cost * plan.series.sizes[each.message]
        for each in plan.rates
        if isinstance(each, Transfer)
    }


def _unit(values: Iterable[Fraction]) -> int:
    return lcm(*(value.denominator for value in values))


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
