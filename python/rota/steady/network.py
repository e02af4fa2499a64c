"""A platform and a series in numbers: rows of the linear programs, loads of ways, tariffs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rota.steady.cheapest import Tariff
from rota.steady.series import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from rota.platforms import Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Activity, Message, Series

_ROOM: Final = 64
"""Bits below an exact price in which transfers are counted: more than any way has."""


class Part(Enum):
    """What of a node is busy."""

    SEND = "send"
    RECEIVE = "receive"
    COMPUTE = "compute"


class Port(NamedTuple):
    """A row of the linear program: a node's port out, its port in, or its processor."""

    node: str
    part: Part


@dataclass(frozen=True)
class ExactTariff:
    """A tariff in integers: costs in units of 1 / `scale` above the lowest bits, which count transfers."""

    tariff: Tariff
    scale: int

    def value(self, cost: int) -> Fraction | None:
        """Return what a cost is, exactly; None if it stands for what cannot be reached."""
        return None if cost >= self.tariff.unreachable else Fraction(cost >> _ROOM, self.scale)


@dataclass(frozen=True)
class Network:
    """A platform measured in units, on which a series is carried out."""

    platform: Platform
    series: Series

    def busy(self, activity: Activity) -> Iterator[tuple[Port, Fraction]]:
        """Yield the ports that the activity occupies, and for how long."""
        if isinstance(activity, Transfer):
            cost = self.platform.by_ends[activity.source, activity.target].cost
            time = cost * self.series.sizes[activity.message]
            yield Port(activity.source, Part.SEND), time
            yield Port(activity.target, Part.RECEIVE), time
        else:
            yield Port(activity.node, Part.COMPUTE), self.platform.by_name[activity.node].task or Fraction(0)

    def load(self, amounts: Mapping[Activity, Fraction | int]) -> dict[Port, Fraction]:
        """Return for how long ports are busy with so much of each activity."""
        found: dict[Port, Fraction] = {}
        for activity, amount in amounts.items():
            for port, time in self.busy(activity):
                found[port] = found.get(port, Fraction(0)) + amount * time
        return found

    def load_of(self, way: Way) -> dict[Port, Fraction]:
        """Return for how long ports are busy with one operation carried out in this way."""
        return self.load(Counter(way))

    @property
    def equal_prices(self) -> dict[Port, float]:
        """1 for a time unit of any port: where nothing is known yet."""
        return {Port(node.name, part): 1.0 for node in self.platform.nodes for part in Part}

    def float_tariff(self, prices: Mapping[Port, float]) -> Tariff:
        """Return what things cost at these prices of a port's time, and a trifle more for each transfer."""
        trifle = 1e-9 * max(prices.values(), default=1.0)
        send, receive, compute = (self._vector(prices, part).astype(float) for part in Part)
        links = self._costs.astype(float) * (send[:, None] + receive[None, :] + trifle)
        return Tariff(
            self._names,
            np.where(self._linked, links, np.inf),
            self._processors,
            self._times.astype(float) * compute[list(self._processors)],
            {message: float(size) for message, size in self.series.sizes.items()},
            np.inf,
        )

    def exact_tariff(self, prices: Mapping[Port, Fraction]) -> ExactTariff:
        """Return the same in integers; of ways that cost the same, one with fewer transfers is cheaper."""
        in_prices = lcm(*(price.denominator for price in prices.values()))
        in_times = lcm(*(time.denominator for time in (*self._costs.flat, *self._times)))
        in_sizes = lcm(*(size.denominator for size in self.series.sizes.values()))
        send, receive, compute = (self._vector(prices, part) * in_prices for part in Part)
        links = _whole(self._costs * in_times * (send[:, None] + receive[None, :]))
        tasks = _whole(self._times * in_times * compute[list(self._processors)] * in_sizes)
        links, tasks = (links << _ROOM) + self._linked.astype(object), tasks << _ROOM
        sizes = {message: int(size * in_sizes) for message, size in self.series.sizes.items()}
        most = int(links.sum()) * sum(sizes.values()) + int(tasks.sum()) * len(sizes)
        unreachable = 1 << (most.bit_length() + 1)
        return ExactTariff(
            Tariff(
                self._names,
                np.where(self._linked, links, unreachable),
                self._processors,
                tasks,
                sizes,
                unreachable,
            ),
            in_prices * in_times * in_sizes,
        )

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(node.name for node in self.platform.nodes)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    @cached_property
    def _linked(self) -> npt.NDArray[np.bool_]:
        return np.array(self._costs > 0, dtype=bool)

    @cached_property
    def _costs(self) -> npt.NDArray[Any]:
        """The costs of links as Fractions, 0 where there is none."""
        costs = np.full((len(self._names),) * 2, Fraction(0), dtype=object)
        for link in self.platform.links:
            costs[self._index[link.source], self._index[link.target]] = link.cost
        return costs

    @cached_property
    def _processors(self) -> tuple[int, ...]:
        if not self.series.tasks:
            return ()
        return tuple(self._index[node.name] for node in self.platform.processors)

    @cached_property
    def _times(self) -> npt.NDArray[Any]:
        """The time of a task at each processor."""
        return np.array([self.platform.nodes[number].task for number in self._processors], dtype=object)

    def _vector(self, prices: Mapping[Port, Any], part: Part) -> npt.NDArray[Any]:
        return np.array([prices.get(Port(name, part), 0) for name in self._names], dtype=object)


def potentials_of(
    potentials: Mapping[Message, npt.NDArray[Any]], exact: ExactTariff
) -> dict[Message, dict[str, Fraction]]:
    """Return what a copy of each message costs at each node that it can reach."""
    names = exact.tariff.nodes
    found: dict[Message, dict[str, Fraction]] = {}
    for message, costs in potentials.items():
        values = ((name, exact.value(cost)) for name, cost in zip(names, costs, strict=True))
        found[message] = {name: value for name, value in values if value is not None}
    return found


def _whole(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.array([int(value) for value in values.flat], dtype=object).reshape(values.shape)
