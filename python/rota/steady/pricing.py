"""Which way of an operation is the cheapest at given prices of ports: what the optimum asks for."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rota.errors import RotaError
from rota.steady.arborescence import Arborescence, Edge, cheapest_arborescence
from rota.steady.cheapest import cheapest_way
from rota.steady.network import Network, Part, Port, potentials_of
from rota.steady.series import Kind, Transfer
from rota.steady.start import first_ways

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.steady.cheapest import Way
    from rota.steady.series import Message


class Rough(NamedTuple):
    """A way that is the cheapest, but for rounding, and what it costs."""

    cost: float
    way: Way


class Cut(NamedTuple):
    """What a set of nodes without the source is paid by each broadcast, which must enter it."""

    nodes: tuple[str, ...]
    weight: Fraction


@dataclass(frozen=True)
class Exact:
    """A cheapest way, and why none costs less: what messages cost at nodes, or what sets are paid."""

    cost: Fraction
    way: Way
    potentials: Mapping[Message, Mapping[str, Fraction]] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()


class Pricing(Protocol):
    """Finds cheapest ways of the operations of one series."""

    def first(self) -> Iterable[Way]:
        """Return ways to begin with; RotaError if there is none."""

    def roughly(self, prices: Mapping[Port, float]) -> Rough:
        """Return the cheapest way in floating point."""

    def exactly(self, prices: Mapping[Port, Fraction]) -> Exact:
        """Return the cheapest way and the proof."""


def pricing_of(network: Network) -> Pricing:
    """Return what suits the series."""
    return _Arborescences(network) if network.series.kind is Kind.BROADCAST else _Paths(network)


@dataclass(frozen=True)
class _Paths:
    """Paths for messages, and tasks (rota.steady.cheapest)."""

    network: Network

    def first(self) -> Iterable[Way]:
        return first_ways(self.network)

    def roughly(self, prices: Mapping[Port, float]) -> Rough:
        found = cheapest_way(self.network.series, self.network.float_tariff(prices))
        return Rough(found.cost, found.way)

    def exactly(self, prices: Mapping[Port, Fraction]) -> Exact:
        exact = self.network.exact_tariff(prices)
        found = cheapest_way(self.network.series, exact.tariff)
        cost = exact.value(found.cost)
        if cost is None:
            raise RotaError("some message cannot get where it must: add links")
        return Exact(cost, found.way, potentials_of(found.potentials, exact))


@dataclass(frozen=True)
class _Arborescences:
    """One message to all nodes (rota.steady.arborescence)."""

    network: Network

    def first(self) -> Iterable[Way]:
        return (self.roughly(self.network.equal_prices).way,)

    def roughly(self, prices: Mapping[Port, float]) -> Rough:
        costs = self.network.float_tariff(prices).links
        found = self._cheapest(
            [
                float(costs[self._index[link.source], self._index[link.target]])
                for link in self.network.platform.links
            ]
        )
        return Rough(found.cost, self._way(found))

    def exactly(self, prices: Mapping[Port, Fraction]) -> Exact:
        zero = Fraction(0)
        costs = [
            link.cost
            * (
                prices.get(Port(link.source, Part.SEND), zero)
                + prices.get(Port(link.target, Part.RECEIVE), zero)
            )
            for link in self.network.platform.links
        ]
        unit = lcm(*(cost.denominator for cost in costs))
        found = self._cheapest([int(cost * unit) for cost in costs])
        names = [node.name for node in self.network.platform.nodes]
        cuts = tuple(
            Cut(tuple(names[number] for number in sorted(paid.nodes)), Fraction(paid.amount, unit))
            for paid in found.sets
        )
        return Exact(Fraction(found.cost, unit), self._way(found), cuts=cuts)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {node.name: number for number, node in enumerate(self.network.platform.nodes)}

    def _cheapest(self, costs: list[Any]) -> Arborescence:
        edges = [
            Edge(self._index[link.source], self._index[link.target], cost)
            for link, cost in zip(self.network.platform.links, costs, strict=True)
        ]
        found = cheapest_arborescence(len(self._index), self._index[self.network.series.root], edges)
        if found is None:
            raise RotaError("some node cannot be reached: add links")
        return found

    def _way(self, found: Arborescence) -> Way:
        """Return its links in an order in which the message passes them."""
        links = [self.network.platform.links[place] for place in found.links]
        targets: dict[str, list[str]] = {}
        for link in sorted(links, key=lambda link: (link.source, link.target)):
            targets.setdefault(link.source, []).append(link.target)
        way: list[Transfer] = []
        reached = deque([self.network.series.root])
        while reached:
            source = reached.popleft()
            for target in targets.get(source, ()):
                way.append(Transfer(source, target, ()))
                reached.append(target)
        return tuple(way)
