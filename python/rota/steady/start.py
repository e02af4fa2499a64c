"""Ways to begin with: what one would do without a linear program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.steady.cheapest import cheapest_way
from rota.steady.paths import Length, least_path
from rota.steady.series import Kind, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rota.platforms import Link
    from rota.steady.cheapest import Way
    from rota.steady.network import Network
    from rota.steady.series import Place

_TRIES: Final = 16


def first_ways(network: Network) -> Iterator[Way]:
    """Yield the cheapest way where all ports cost the same, and for scatters one of few links.

    Raises RotaError where there is no way.
    """
    way = cheapest_way(network.series, network.float_tariff(network.equal_prices)).way
    if not way:
        raise RotaError(
            "no node that computes lies on a way from all hosts to the target: give one a task, or add links"
        )
    yield way
    if network.series.kind is Kind.SCATTER:
        yield _few_links(network)


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

    def new_links(link: Link) -> Length:
        return Length((link.source, link.target) not in used, link.cost)

    way: list[Transfer] = []
    for node, message in deliveries:
        path = least_path(network.platform, network.series.origins[message], node, new_links)
        used.update((link.source, link.target) for link in path)
        way += [Transfer(link.source, link.target, message) for link in path]
    return tuple(way)
