"""Trees out of flows: the paper's greedy, Figure 8.

Statement   Amounts of transfers and tasks that are conserved become weighted trees (for scatters and all-
            to-alls: a path for each message) that add up to them, each amount used up by one tree at least:
            no more trees than activities
Method      Follow what delivers an operation back to where its messages come from, always by something of
            which there is some left; take as many such trees as its scarcest activity allows; begin anew
Cost        O(activities^2)
Source      Legrand, Marchal, Robert 2005, Figure 8, Lemma 2 and Proposition 2

A plan has its trees from the beginning (rota.steady.optimum); this is for amounts of which nothing else is
known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.steady.optimum import Weighted
from rota.steady.period import inputs_of, result_of
from rota.steady.series import Place, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rota.steady.series import Activity, Series


def extracted(series: Series, amounts: Mapping[Activity, Fraction]) -> tuple[Weighted, ...]:
    """Return weighted trees that add up to the amounts, but for what goes round in circles.

    (What is computed at two nodes in different trees may be sent from each to the other.) Raises RotaError
    where the amounts do not deliver what they take.
    """
    left = {activity: Fraction(amount) for activity, amount in amounts.items() if amount}
    delivered = _gained(left).get(series.deliveries[0], Fraction(0))
    trees: list[Weighted] = []
    while sum((tree.weight for tree in trees), Fraction(0)) < delivered:
        way = tuple(each for place in series.deliveries for each in _tree(series, left, place))
        uses = Counter(way)
        weight = min(left[activity] / times for activity, times in uses.items())
        for activity, times in uses.items():
            left[activity] -= weight * times
            if not left[activity]:
                del left[activity]
        trees.append(Weighted(weight, way))
    for place, more in _gained(left).items():
        if more:
            raise RotaError(
                f"{more} of message {list(place.message)} at {place.node}: the flows are not conserved"
            )
    return tuple(trees)


def _gained(amounts: Mapping[Activity, Fraction]) -> dict[Place, Fraction]:
    """Return how much more of each message comes to a place than leaves it or is used there."""
    gained: dict[Place, Fraction] = defaultdict(Fraction)
    for activity, amount in amounts.items():
        gained[result_of(activity)] += amount
        for place in inputs_of(activity):
            gained[place] -= amount
    return gained


def _tree(series: Series, left: Mapping[Activity, Fraction], place: Place) -> Iterator[Activity]:
    """Yield what brings a message to a place, in order; shortest paths first, so that there are no cycles."""
    path: list[Activity] = []
    via = _producer(series, left, place)
    while via is not None:
        path.append(via)
        if not isinstance(via, Transfer):
            for operand in inputs_of(via):
                yield from _tree(series, left, operand)
            break
        via = _producer(series, left, Place(via.source, via.message))
    yield from reversed(path)


def _producer(series: Series, left: Mapping[Activity, Fraction], place: Place) -> Activity | None:
    """Return the last step of a shortest way to the place; None at the message's origin."""
    if series.origins.get(place.message) == place.node:
        return None
    front, seen = [place], {place}
    first: dict[Place, Activity] = {}
    for here in front:
        for activity in left:
            if result_of(activity) != here:
                continue
            chosen = first.get(here, activity)
            (source, *others) = inputs_of(activity)
            if others or series.origins.get(source.message) == source.node:
                return chosen
            if source not in seen:
                seen.add(source)
                first[source] = chosen
                front.append(source)
    raise RotaError(
        f"nothing brings message {list(place.message)} to {place.node}: the flows are not conserved"
    )
