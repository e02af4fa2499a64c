"""The cheapest way of carrying out an operation once, where the time of ports and processors has a price.

Statement   Returns, of all ways that the series allows, one of the least cost, and what a copy of every
            message costs at every node at least: the potentials of the linear program's dual
Method      Shortest paths between all nodes; then message by message, operands before results: where it
            comes from, or the cheapest of its tasks at each processor, and from there the shortest path
Cost        O(n^3 + messages n^2 + tasks n) additions and comparisons, done by NumPy: of floats, or of
            Python's integers
Needs       links with a price above 0: then paths have no cycles
Source      the subproblem of Dantzig, Wolfe 1960 for the linear programs of paper 5; Floyd 1962

                 price 1      v0 at a, v1 at b, target c; a task costs 2 at b and at c
             a ---------> b
             |            |       v1  at b 0, at c 1         v0  at a 0, at b 1, at c 2 (over b)
             +---> c <----+       v01 at b 1 + 0 + 2 = 3, at c min(2 + 1 + 2, 3 + 1) = 4: computed at b
               3       1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rota.steady.series import Computation, Message, Place, Task, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from rota.steady.series import Activity, Series

_NOWHERE: Final = -1


@dataclass(frozen=True)
class Tariff:
    """What things cost; all floats, or all integers.

    `links[i, j]`: to send a unit from node i to node j, `unreachable` where there is no link; `tasks`: to
    compute each task at each of `processors`, `unreachable` where it cannot be computed.
    """

    nodes: tuple[str, ...]
    links: npt.NDArray[Any]
    processors: tuple[int, ...]
    tasks: Mapping[Task, npt.NDArray[Any]]
    sizes: Mapping[Message, Any]
    unreachable: Any
    """Infinity, or an integer larger than anything that can be reached costs."""


Way = tuple["Activity", ...]
"""Everything that is done for one operation, each activity after those that it needs."""


@dataclass(frozen=True)
class Cheapest:
    """The cheapest way, what it costs, and what a copy of each message costs at each node."""

    cost: Any
    way: Way
    potentials: Mapping[Message, npt.NDArray[Any]]


@dataclass(frozen=True)
class _Paths:
    length: npt.NDArray[Any]
    next_hop: npt.NDArray[np.int64]

    def between(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        while start != end:
            after = int(self.next_hop[start, end])
            yield start, after
            start = after


@dataclass(frozen=True)
class _Derivation:
    """How a message gets to each node: from where, and at each processor by which task."""

    origin: npt.NDArray[np.int64]
    tasks: tuple[Task, ...]
    chosen: npt.NDArray[np.int64] | None


def cheapest_way(series: Series, tariff: Tariff) -> Cheapest:
    """Return the cheapest way of one operation of the series."""
    paths = _shortest_paths(tariff)
    index = {name: number for number, name in enumerate(tariff.nodes)}
    by_result: dict[Message, list[Task]] = {}
    for task in series.tasks:
        by_result.setdefault(task.result, []).append(task)
    potentials: dict[Message, npt.NDArray[Any]] = {}
    derivations: dict[Message, _Derivation] = {}
    for message, size in tariff.sizes.items():
        lengths = paths.length * size
        if message in series.origins:
            start = index[series.origins[message]]
            potentials[message] = lengths[start]
            derivations[message] = _Derivation(np.full(len(tariff.nodes), start), (), None)
        else:
            tasks = tuple(by_result[message])
            potentials[message], derivations[message] = _computed(tasks, tariff, lengths, potentials)
    cost = sum(potentials[message][index[node]] for node, message in series.deliveries)
    if cost >= tariff.unreachable:
        return Cheapest(cost, (), potentials)
    way = _Recovery(tariff, paths, derivations, index).way(series.deliveries)
    return Cheapest(cost, way, potentials)


def _shortest_paths(tariff: Tariff) -> _Paths:
    nodes = len(tariff.nodes)
    length = tariff.links.copy()
    next_hop = np.where(length < tariff.unreachable, np.arange(nodes)[None, :], _NOWHERE)
    np.fill_diagonal(length, 0)
    for via in range(nodes):
        other = length[:, via, None] + length[None, via, :]
        shorter = (other < length).astype(bool)
        length = np.where(shorter, other, length)
        next_hop = np.where(shorter, next_hop[:, via, None], next_hop)
    return _Paths(np.minimum(length, tariff.unreachable), next_hop)


def _computed(
    tasks: tuple[Task, ...],
    tariff: Tariff,
    lengths: npt.NDArray[Any],
    potentials: Mapping[Message, npt.NDArray[Any]],
) -> tuple[npt.NDArray[Any], _Derivation]:
    at = np.array(tariff.processors)
    options = np.array(
        [
            potentials[left][at] + potentials[right][at] + tariff.tasks[task]
            for task in tasks
            for left, right in (task.operands,)
        ]
    )
    made = options.min(axis=0)
    sums = made[:, None] + lengths[at, :]
    best = np.argmin(sums, axis=0)
    potential = np.minimum(sums[best, np.arange(len(tariff.nodes))], tariff.unreachable)
    return potential, _Derivation(at[best], tasks, np.argmin(options, axis=0))


class _Recovery:
    """The way itself, from the choices that made it the cheapest."""

    def __init__(
        self,
        tariff: Tariff,
        paths: _Paths,
        derivations: Mapping[Message, _Derivation],
        index: Mapping[str, int],
    ) -> None:
        self._tariff, self._paths, self._derivations, self._index = tariff, paths, derivations, index
        self._slot = {node: slot for slot, node in enumerate(tariff.processors)}

    def way(self, deliveries: tuple[Place, ...]) -> Way:
        return tuple(
            each for place in deliveries for each in self._of(place.message, self._index[place.node])
        )

    def _of(self, message: Message, node: int) -> Iterator[Activity]:
        """Yield what brings a copy of the message to the node."""
        derivation = self._derivations[message]
        start = int(derivation.origin[node])
        if derivation.chosen is not None:
            task = derivation.tasks[int(derivation.chosen[self._slot[start]])]
            for operand in task.operands:
                yield from self._of(operand, start)
            yield Computation(self._tariff.nodes[start], task)
        for source, target in self._paths.between(start, node):
            yield Transfer(self._tariff.nodes[source], self._tariff.nodes[target], message)
