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
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from rota.platforms import Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Activity, Message, Series, Task

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


class _Times(NamedTuple):
    """What a task takes at each processor, 0 where it is not possible."""

    times: npt.NDArray[Any]
    possible: npt.NDArray[np.bool_]


class _TaskTimes(NamedTuple):
    """Times of tasks by kind, and which kind each is of."""

    kinds: tuple[_Times, ...]
    kind_of: Mapping[Task, int]


def _times_of(times: Sequence[Fraction | None]) -> _Times:
    return _Times(
        np.array([time or Fraction(0) for time in times], dtype=object),
        np.array([time is not None for time in times], dtype=bool),
    )


@dataclass(frozen=True)
class Network:
    """A platform measured in units, on which a series is carried out."""

    platform: Platform
    series: Series

    def busy(self, activity: Activity) -> Iterator[tuple[Port, Fraction]]:
        """Yield the ports that the activity occupies, and for how long."""
        if isinstance(activity, Transfer):
            time = self.time_of(activity)
            yield Port(activity.source, Part.SEND), time
            yield Port(activity.target, Part.RECEIVE), time
        else:
            time = self.series.task_time(self.platform.by_name[activity.node], activity.task) or Fraction(0)
            yield Port(activity.node, Part.COMPUTE), time

    def time_of(self, transfer: Transfer) -> Fraction:
        """Return how long the transfer takes."""
        link = self.platform.by_ends[transfer.source, transfer.target]
        return link.cost * self.series.sizes[transfer.message]

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
        tasks = [
            np.where(times.possible, times.times.astype(float) * compute[list(self._processors)], np.inf)
            for times in self._times.kinds
        ]
        return Tariff(
            self._names,
            np.where(self._linked, links, np.inf),
            self._processors,
            {task: tasks[kind] for task, kind in self._times.kind_of.items()},
            {message: float(size) for message, size in self.series.sizes.items()},
            np.inf,
        )

    def exact_tariff(self, prices: Mapping[Port, Fraction]) -> ExactTariff:
        """Return the same in integers; of ways that cost the same, one with fewer transfers is cheaper."""
        in_prices = lcm(*(price.denominator for price in prices.values()))
        kinds = self._times.kinds
        in_times = lcm(
            *(
                time.denominator
                for times in (self._costs, *(kind.times for kind in kinds))
                for time in times.flat
            )
        )
        in_sizes = lcm(*(size.denominator for size in self.series.sizes.values()))
        send, receive, compute = (self._vector(prices, part) * in_prices for part in Part)
        links = _whole(self._costs * in_times * (send[:, None] + receive[None, :]))
        links = (links << _ROOM) + self._linked.astype(object)
        in_compute = compute[list(self._processors)] * in_times * in_sizes
        tasks = [_whole(kind.times * in_compute) << _ROOM for kind in kinds]
        sizes = {message: int(size * in_sizes) for message, size in self.series.sizes.items()}
        most = int(links.sum()) * sum(sizes.values()) + sum(int(each.sum()) for each in tasks) * len(sizes)
        unreachable = 1 << (most.bit_length() + 1)
        costs = [np.where(kind.possible, each, unreachable) for kind, each in zip(kinds, tasks, strict=True)]
        return ExactTariff(
            Tariff(
                self._names,
                np.where(self._linked, links, unreachable),
                self._processors,
                {task: costs[kind] for task, kind in self._times.kind_of.items()},
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
        return tuple(self._index[node.name] for node in self.series.processors(self.platform))

    @cached_property
    def _times(self) -> _TaskTimes:
        """What tasks take: there are few kinds of them, but where each has times of its own."""
        nodes = self.series.processors(self.platform)
        own = {computation.task for computation in self.series.times}
        kinds: list[_Times] = []
        by_work: dict[Fraction | int, int] = {}
        kind_of: dict[Task, int] = {}
        for task in self.series.tasks:
            work = self.series.works.get(task, 1)
            kind_of[task] = len(kinds) if task in own else by_work.setdefault(work, len(kinds))
            if kind_of[task] == len(kinds):
                kinds.append(_times_of([self.series.task_time(node, task) for node in nodes]))
        return _TaskTimes(tuple(kinds), kind_of)

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
