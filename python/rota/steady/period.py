"""The period of a plan: its operations by tree, and matchings that carry its messages.

In a matching a node sends to one other at most and receives from one at most, so that matchings one after
the other, each with its length, are a schedule in which no port is used twice at once. They need not be
whole messages long: a message may be cut, and go on in a later matching.

Source: Legrand, Marchal, Robert 2005, Sections 3.3, 4.3 and 4.6; the matchings:
rota/matchings/weighted_matchings.hpp.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

from rota._core import weighted_matchings
from rota.errors import RotaError
from rota.steady.series import Computation, Place, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rota.steady.cheapest import Way
    from rota.steady.network import Network
    from rota.steady.optimum import Weighted
    from rota.steady.series import Activity, Message


class Piece(NamedTuple):
    """So many copies of a message, perhaps not a whole number, over one link."""

    transfer: Transfer
    amount: Fraction


@dataclass(frozen=True)
class Matching:
    """Transfers that share no port, for so many time units."""

    length: Fraction
    pieces: tuple[Piece, ...]


def rates_of(ways: Iterable[Weighted]) -> dict[Activity, Fraction]:
    """Return how much of each activity there is in a time unit."""
    rates: dict[Activity, Fraction] = defaultdict(Fraction)
    for weighted in ways:
        for activity in weighted.way:
            rates[activity] += weighted.weight
    return dict(rates)


def least_period(network: Network, ways: Sequence[Weighted]) -> int:
    """Return the paper's period: the least in which trees, messages, and the times of links are whole.

    (What processors take need not be: tasks are computed in any order.) It depends on what the unit of time
    is; where that is the second, links' times are whole after millions of years.
    """
    times = _link_times(network, rates_of(ways)).values()
    return lcm(*(number.denominator for number in (*times, *(each.weight for each in ways))))


def shortest_period(ways: Iterable[Weighted]) -> Fraction:
    """Return the least period in which trees, and so messages, are whole, whatever the unit of time is."""
    weights = [each.weight for each in ways]
    denominator = lcm(*(weight.denominator for weight in weights))
    return Fraction(denominator, gcd(*(int(weight * denominator) for weight in weights)))


def _link_times(network: Network, amounts: Mapping[Activity, Fraction]) -> dict[tuple[str, str], Fraction]:
    times: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for activity, amount in amounts.items():
        if isinstance(activity, Transfer):
            times[activity.source, activity.target] += amount * network.time_of(activity)
    return times


def rounded_down(ways: Iterable[Weighted], period: Fraction) -> tuple[Weighted, ...]:
    """Return the ways with as many whole operations a period as they had, or one fewer (Section 4.6).

    Throughput is lost by less than the number of ways over the period. Raises RotaError if nothing is left.
    """
    ways = tuple(ways)
    rounded = [(each, floor(each.weight * period)) for each in ways]
    kept = tuple(
        type(each)(Fraction(operations) / period, each.way) for each, operations in rounded if operations
    )
    if not kept:
        shortest = _rounded_up(1 / max(each.weight for each in ways))
        raise RotaError(f"--period {period} is too short for one operation: give {shortest} or more")
    return kept


def short_period(ways: Iterable[Weighted], loss: Fraction) -> Fraction:
    """Return the shortest period that loses no more than this share of the throughput when it is fixed.

    What `rounded_down` keeps grows only where one of the ways has a whole number of operations.
    """
    weights = [each.weight for each in ways]
    wanted = (1 - loss) * sum(weights)
    least = [(1 / weight, 1 / weight) for weight in weights]
    heapify(least)
    while True:
        period, step = heappop(least)
        if sum(floor(weight * period) for weight in weights) >= wanted * period:
            return period
        heappush(least, (period + step, step))


def _rounded_up(value: Fraction) -> str:
    return str(ceil(value)) if value >= 1 else str(value)


def matchings_of(network: Network, amounts: Mapping[Activity, Fraction]) -> tuple[Matching, ...]:
    """Return matchings that carry these transfers; together they last as long as the busiest port.

    On each link, messages follow one another in the order of their names. At most as many matchings as links
    and twice as many nodes. Raises RotaError where times would have more than 2048 bits.
    """
    times = _link_times(network, amounts)
    if not times:
        return ()
    links = list(times)
    unit = lcm(*(time.denominator for time in times.values()))
    number = {node.name: place for place, node in enumerate(network.platform.nodes)}
    edges = [
        (number[source], number[target], format(int(times[source, target] * unit), "x"))
        for source, target in links
    ]
    try:
        found = weighted_matchings(len(number), edges)
    except OverflowError as fault:
        raise RotaError("the period is too long for a schedule: give a shorter one with --period") from fault
    queues = _queues(amounts)
    return tuple(
        Matching(
            Fraction(int(length, 16), unit),
            tuple(
                piece
                for edge, part in parts
                for piece in _taken(network, queues[links[edge]], Fraction(int(part, 16), unit))
            ),
        )
        for length, parts in found
    )


def _queues(amounts: Mapping[Activity, Fraction]) -> dict[tuple[str, str], list[Piece]]:
    queues: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    for transfer in sorted((each for each in amounts if isinstance(each, Transfer)), reverse=True):
        queues[transfer.source, transfer.target].append(Piece(transfer, amounts[transfer]))
    return queues


def _taken(network: Network, queue: list[Piece], time: Fraction) -> Iterable[Piece]:
    """Take off the queue's end what a link sends in so much time."""
    while time > 0:
        transfer, amount = queue.pop()
        each = network.time_of(transfer)
        sent = min(amount, time / each)
        if sent < amount:
            queue.append(Piece(transfer, amount - sent))
        yield Piece(transfer, sent)
        time -= sent * each


def unsplit_factor(matchings: Iterable[Matching]) -> int:
    """Return in how many periods together no message is cut: all matchings carry whole ones then."""
    return lcm(*(piece.amount.denominator for matching in matchings for piece in matching.pieces))


def stages_of(way: Way, origins: Mapping[Message, str]) -> dict[Activity, int]:
    """Return in which period after an operation's first each activity takes place.

    What arrives or is computed in one period is sent on or used in the next.
    """
    ready = {Place(node, message): 0 for message, node in origins.items()}
    stages: dict[Activity, int] = {}
    waiting = list(dict.fromkeys(way))
    while waiting:
        later = []
        for activity in waiting:
            inputs = inputs_of(activity)
            if all(place in ready for place in inputs):
                stages[activity] = max(ready[place] for place in inputs)
                ready.setdefault(result_of(activity), stages[activity] + 1)
            else:
                later.append(activity)
        waiting = later
    return stages


def depth_of(way: Way, origins: Mapping[Message, str]) -> int:
    """Return how many periods an operation takes."""
    return 1 + max(stages_of(way, origins).values())


def inputs_of(activity: Activity) -> tuple[Place, ...]:
    """Return what must be where before the activity."""
    if isinstance(activity, Computation):
        return tuple(Place(activity.node, operand) for operand in activity.task.operands)
    return (Place(activity.source, activity.message),)


def result_of(activity: Activity) -> Place:
    """Return what is where after it."""
    if isinstance(activity, Computation):
        return Place(activity.node, activity.task.result)
    return Place(activity.target, activity.message)
