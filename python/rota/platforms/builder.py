"""Platforms out of what files say, with the place of every fault."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms.numbers import exact, shortened
from rota.platforms.platform import MAX_LINKS, MAX_NODES, Link, Node, Platform, Units, units_called
from rota.platforms.quantities import bandwidth_bytes_per_s, speed_flops_per_s

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put the place in front of every RotaError from inside that does not begin with it already."""
    try:
        yield
    except RotaError as fault:
        if str(fault).startswith(f"{place}: "):
            raise
        raise RotaError(f"{place}: {fault}") from fault


@dataclass
class Builder:
    """Takes nodes and links one by one, from attributes that are texts.

    A link has either `cost` or `bandwidth`, a node `task` or `speed` or neither, and a platform is measured
    in one of the two ways throughout.
    """

    name: str = ""
    _nodes: dict[str, Node] = field(default_factory=dict)
    _links: dict[tuple[str, str], Link] = field(default_factory=dict)
    _measured_in: Units | None = None
    _why: str = ""
    """What settled how the platform is measured."""

    def measure_in(self, text: str) -> None:
        """Settle how the platform is measured: "units" or "physical"."""
        self._settle(units_called(text), f"measured in {text}")

    def add_node(self, name: str, attributes: Mapping[str, str]) -> None:
        """Add a node; one that has neither task nor speed only forwards."""
        if len(self._nodes) >= MAX_NODES:
            raise RotaError(f"more than {MAX_NODES} nodes: give fewer")
        found = self._value(attributes, "task", "speed")
        if name in self._nodes:
            raise RotaError(f"node {shortened(name)} is there twice: give each node a name of its own")
        self._nodes[name] = Node(name, found)

    def add_link(self, source: str, target: str, attributes: Mapping[str, str], *, both_ways: bool) -> None:
        """Add a link between two nodes that are there, or one each way."""
        found = self._value(attributes, "cost", "bandwidth")
        if found is None:
            raise RotaError(
                f"link {shortened(source)} -> {shortened(target)} has no cost: "
                "give the time of a unit message, or a bandwidth"
            )
        ways = ((source, target), (target, source)) if both_ways else ((source, target),)
        for way in ways:
            self._add_way(*way, found)

    def platform(self) -> Platform:
        """Return the platform."""
        return Platform(
            tuple(self._nodes.values()),
            tuple(self._links.values()),
            self._measured_in or Units.UNITS,
            self.name,
        )

    def _add_way(self, source: str, target: str, cost: Fraction) -> None:
        for end in (source, target):
            if end not in self._nodes:
                raise RotaError(f"there is no node {shortened(end)!r}: name one that there is")
        if len(self._links) >= MAX_LINKS:
            raise RotaError(f"more than {MAX_LINKS} links: give fewer")
        if (source, target) in self._links:
            raise RotaError(f"a second link {shortened(source)} -> {shortened(target)}: give the faster one")
        self._links[source, target] = Link(source, target, cost)

    def _value(self, attributes: Mapping[str, str], time: str, rate: str) -> Fraction | None:
        """Return the time of a unit that the attributes give, if they give one."""
        if time in attributes and rate in attributes:
            raise RotaError(f"{time} and {rate}: give one of them")
        if time in attributes:
            with at(time):
                found = exact(attributes[time])
            self._settle(Units.UNITS, time)
            return found
        if rate not in attributes:
            return None
        per_s = (bandwidth_bytes_per_s if rate == "bandwidth" else speed_flops_per_s)(attributes[rate])
        self._settle(Units.PHYSICAL, rate)
        return 1 / per_s

    def _settle(self, measured_in: Units, why: str) -> None:
        if self._measured_in is None:
            self._measured_in, self._why = measured_in, why
        elif self._measured_in is not measured_in:
            raise RotaError(
                f"{why} here, {self._why} before: give cost and task, or bandwidth and speed, not both"
            )
