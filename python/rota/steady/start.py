"""Ways to begin with: what one would do without a linear program."""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.steady.cheapest import cheapest_way
from rota.steady.network import Network, Part, Port
from rota.steady.series import Kind, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rota.platforms import Link, Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Place

_TRIES: Final = 16


def first_ways(network: Network) -> Iterator[Way]:
    """Yield the cheapest way where all ports cost the same, and one of few links where nothing is computed.

    Raises RotaError where there is no way.
    """
    way = cheapest_way(network.series, network.float_tariff(_alike(network))).way
    if not way:
        raise RotaError(
            "no node that computes lies on a way from all hosts to the target: give one a task, or add links"
        )
    yield way
    if network.series.kind is Kind.SCATTER:
        yield _few_links(network)


def _alike(network: Network) -> dict[Port, float]:
    return {Port(node.name, part): 1.0 for node in network.platform.nodes for part in Part}


def _few_links(network: Network) -> Way:
    """Return a way in which messages share links as far as a simple search finds.

    Target by target, each over as few links as possible that none before it uses; the best of some tries,
    each of which begins with another target. (For Steiner trees: Takahashi, Matsuyama 1980.)
    """
    deliveries = network.series.deliveries
    tries = (
        _sharing(network, [first, *(each for each in deliveries if each != first)])
        for first in deliveries[:_TRIES]
    )
    return min(tries, key=lambda way: len({(each.source, each.target) for each in way}))


def _sharing(network: Network, deliveries: Sequence[Place]) -> tuple[Transfer, ...]:
    used: set[tuple[str, str]] = set()
    way: list[Transfer] = []
    for node, message in deliveries:
        path = _path(network.platform, network.series.origins[message], node, used)
        used.update((link.source, link.target) for link in path)
        way += [Transfer(link.source, link.target, message) for link in path]
    return tuple(way)


def _path(platform: Platform, source: str, target: str, used: set[tuple[str, str]]) -> list[Link]:
    """Return the path with the fewest links that are not used yet; of several the one that takes least."""
    before: dict[str, str] = {}
    front = [(0, Fraction(0), source, source)]
    while target not in before:
        links, time, node, previous = heapq.heappop(front)
        if node in before:
            continue
        before[node] = previous
        for link in platform.out_links(node):
            if link.target not in before:
                new = (node, link.target) not in used
                heapq.heappush(front, (links + new, time + link.cost, link.target, node))
    path: list[Link] = []
    while target != source:
        path.append(platform.link(before[target], target))
        target = before[target]
    return path[::-1]
