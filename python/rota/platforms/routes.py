"""From routes over shared channels to links between one-ported nodes.

A route of SimGrid is a list of links that its messages cross all at once, at the rate of the slowest; links
may be in many routes, which then share their rate. A platform of this project has no shared links, but nodes
that send and receive one message at a time. What a channel (a link, or one direction of it) becomes:

- *Guarded*: all its routes begin or end at one and the same node. That node's ports see to it that one
  message crosses it at a time, so it needs nothing of its own. (The two directions of a shared link are then
  as good as two links: platforms here are full-duplex.)
- *Ample*: the ports of the nodes that send over it, or of those that receive, cannot fill it. Nor does it.
- *A trunk*, otherwise: two routers `L.in` and `L.out` and a link between them that costs what L costs. Each
  of them has ports too, so that exactly what L could carry goes through, whoever sends.

A route without trunks is one link, as slow as its slowest channel. One with trunks goes through them in
order. Where a trunk is faster than what leads to it, a router in between, `a>L`, keeps the slow link from
holding up the trunk's port; and so behind it:

    a --slow--> a>L --L--> L.in --L--> L.out --L--> L>b --slow--> b

From one trunk to the next it costs what the faster one costs: less than either port can take, so that their
own links decide.

Rates that the shared links and the ports of hosts allow together are possible here: in front of each port,
an arc costs at most what the route costs, or what the trunk costs whose port it is. And no channel carries
more than it can: what crosses a guarded one takes its cost at the guard's port, what crosses a trunk takes
its cost between `in` and `out`. Messages are forwarded whole at routers, and may change from one route to
another where both use a trunk.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from rota.platforms.platform import Link, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True, eq=False)
class Channel:
    """A link of SimGrid, or one direction of a split one; each is itself alone."""

    name: str
    cost: Fraction
    """Seconds per byte."""
    is_shared: bool = True
    """Whether its messages share its rate, rather than have it each."""


@dataclass(frozen=True)
class Route:
    """From one node to another over these channels."""

    source: str
    target: str
    channels: tuple[Channel, ...]


@dataclass(frozen=True)
class Graph:
    """The routers that trunks made, and all links."""

    routers: tuple[Node, ...]
    links: tuple[Link, ...]


def graph_of(routes: Sequence[Route], taken: Iterable[str]) -> Graph:
    """Return the links that the routes are, and the routers they need, named unlike those `taken`.

    At most one route from a node to another, each with at least one channel. Takes time and memory in
    proportion to the channels of all routes.
    """
    guards = _guards(routes)
    trunks = _trunks(routes, guards)
    making = _Making(set(taken))
    for route in routes:
        making.add(route, guards, trunks)
    return Graph(tuple(making.routers.values()), tuple(making.links.values()))


def _guards(routes: Iterable[Route]) -> dict[Channel, frozenset[str]]:
    """Return, for each channel, the nodes at which all its routes begin or end."""
    guards: dict[Channel, frozenset[str]] = {}
    for route in routes:
        ends = frozenset((route.source, route.target))
        for channel in route.channels:
            guards[channel] = guards.get(channel, ends) & ends
    return guards


def _trunks(routes: Sequence[Route], guards: dict[Channel, frozenset[str]]) -> frozenset[Channel]:
    unguarded = {channel for channel, nodes in guards.items() if channel.is_shared and not nodes}
    if not unguarded:
        return frozenset()
    by_senders = _most_through(routes, guards, unguarded, lambda route: route.source)
    by_receivers = _most_through(routes, guards, unguarded, lambda route: route.target)
    return frozenset(
        channel
        for channel in unguarded
        if all(
            most is None or most > 1 / channel.cost for most in (by_senders[channel], by_receivers[channel])
        )
    )


def _most_through(
    routes: Iterable[Route],
    guards: dict[Channel, frozenset[str]],
    channels: set[Channel],
    end: Callable[[Route], str],
) -> dict[Channel, Fraction | None]:
    """Return the most bytes per second that the ports at one end of the routes bring; None: without limit."""
    fastest: dict[Channel, dict[str, Fraction | None]] = defaultdict(dict)
    for route in routes:
        guarded = [channel.cost for channel in route.channels if end(route) in guards[channel]]
        cost = max(guarded, default=None)
        for channel in channels.intersection(route.channels):
            before = fastest[channel].get(end(route), cost)
            fastest[channel][end(route)] = None if cost is None or before is None else min(cost, before)
    return {channel: _total_rate(costs.values()) for channel, costs in fastest.items()}


def _total_rate(costs: Iterable[Fraction | None]) -> Fraction | None:
    total = Fraction(0)
    for cost in costs:
        if cost is None:
            return None
        total += 1 / cost
    return total


class _Making:
    """Routers and links as routes are added."""

    def __init__(self, taken: set[str]) -> None:
        self.routers: dict[tuple[object, ...], Node] = {}
        self.links: dict[tuple[str, str], Link] = {}
        self._taken = taken

    def add(self, route: Route, guards: dict[Channel, frozenset[str]], trunks: frozenset[Channel]) -> None:
        """Add what a route needs."""
        middle = [channel for channel in dict.fromkeys(route.channels) if channel in trunks]
        others = [channel for channel in route.channels if channel not in trunks]
        if not middle:
            self._link(route.source, route.target, max(channel.cost for channel in others))
            return
        # What only the target guards is crossed in front of the target's port, wherever it is in the route.
        after = [channel.cost for channel in others if guards[channel] == {route.target}]
        before = [channel.cost for channel in others if guards[channel] != {route.target}]
        self._enter(route.source, middle[0], max(before, default=Fraction(0)))
        for trunk, following in pairwise(middle):
            self._link(self._end(trunk, "out"), self._end(following, "in"), min(trunk.cost, following.cost))
        self._leave(middle[-1], route.target, max(after, default=Fraction(0)))

    def _enter(self, source: str, trunk: Channel, cost: Fraction) -> None:
        entrance = self._end(trunk, "in")
        if cost > trunk.cost:
            between = self._router((source, trunk, cost.as_integer_ratio()), f"{source}>{trunk.name}")
            self._link(source, between, cost)
            source = between
        self._link(source, entrance, trunk.cost)

    def _leave(self, trunk: Channel, target: str, cost: Fraction) -> None:
        exit_ = self._end(trunk, "out")
        if cost > trunk.cost:
            between = self._router((trunk, target, cost.as_integer_ratio()), f"{trunk.name}>{target}")
            self._link(between, target, cost)
            target = between
        self._link(exit_, target, trunk.cost)

    def _end(self, trunk: Channel, end: str) -> str:
        entrance = self._router((trunk, "in"), f"{trunk.name}.in")
        exit_ = self._router((trunk, "out"), f"{trunk.name}.out")
        self._link(entrance, exit_, trunk.cost)
        return entrance if end == "in" else exit_

    def _router(self, key: tuple[object, ...], name: str) -> str:
        if key not in self.routers:
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self.routers[key] = Node(name)
        return self.routers[key].name

    def _link(self, source: str, target: str, cost: Fraction) -> None:
        if (source, target) not in self.links:
            self.links[source, target] = Link(source, target, cost)
