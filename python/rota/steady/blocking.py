"""MPICH's reduce called again and again, as its ranks' blocking calls carry it out: what paper 5 simulates.

Each rank goes through its part of the binomial tree operation by operation: it receives from a child,
combines, receives from the next one, and at last sends to its parent. A message begins when both its
ranks have come to
it, and each waits for its end. It crosses all links of its path at once, at the rate of the slowest, as in
SimGrid; meanwhile it has a port of each node on the path, which send and receive one message at a time.

    rank 0   | recv 1 | combine | recv 2 ...... | combine |   the next operation begins where this one
    rank 2   | recv 3 | combine | send 0 ...... |             ends, and no earlier

Cost: O(operations x links on the tree's paths), and a heap.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from rota.steady.binomial import binomial_tree
from rota.steady.network import Network
from rota.steady.series import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota.platforms import Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Series

_OPERATIONS: Final = 60
"""The first half fills the platform, and is not counted."""


class _Message(NamedTuple):
    """From one rank to another over some links, for so long; the receiver then combines."""

    links: tuple[tuple[str, str], ...]
    time: float
    combining: float

    @property
    def sender(self) -> str:
        return self.links[0][0]

    @property
    def receiver(self) -> str:
        return self.links[-1][1]


def looped_throughput(platform: Platform, series: Series, operations: int = _OPERATIONS) -> float:
    """Return operations in a time unit where ranks call MPICH's reduce in a loop, once the platform is full.

    Raises RotaError as `binomial_tree` does.
    """
    loop = _Loop(list(_messages(Network(platform, series), binomial_tree(platform, series))), operations)
    ends = loop.ends_at(series.root)
    half = operations // 2
    return (operations - half) / (ends[-1] - ends[half - 1])


def _messages(network: Network, way: Way) -> Iterator[_Message]:
    """Yield the tree's messages: its paths, each before what is combined at its end."""
    path: list[Transfer] = []
    for activity in way:
        if isinstance(activity, Transfer):
            path.append(activity)
            continue
        ((_, combining),) = network.busy(activity)
        slowest = max(network.time_of(transfer) for transfer in path)
        links = tuple((transfer.source, transfer.target) for transfer in path)
        yield _Message(links, float(slowest), float(combining))
        path = []


class _Loop:
    """Ranks, each somewhere in its loop."""

    def __init__(self, messages: list[_Message], operations: int) -> None:
        self._messages, self._operations = messages, operations
        self._parts: dict[str, list[int]] = defaultdict(list)
        for number, message in enumerate(messages):
            self._parts[message.sender].append(number)
            self._parts[message.receiver].append(number)
        self._done = dict.fromkeys(self._parts, 0)
        self._ready = dict.fromkeys(self._parts, 0.0)
        self._under_way: set[int] = set()
        self._events: list[tuple[float, int, bool, int]] = []
        self._order = count()

    def ends_at(self, rank: str) -> list[float]:
        """Return when the rank was through with each operation."""
        sends: dict[str, float] = defaultdict(float)
        receives: dict[str, float] = defaultdict(float)
        ends: list[float] = []
        for each in self._parts:
            self._begin_next(each)
        while self._events:
            now, _, is_over, number = heappop(self._events)
            message = self._messages[number]
            if not is_over:
                ports = [
                    port for source, target in message.links for port in (sends[source], receives[target])
                ]
                end = max(now, *ports) + message.time
                for source, target in message.links:
                    sends[source] = receives[target] = end
                heappush(self._events, (end, next(self._order), True, number))
                continue
            self._end(number, now)
            is_through = self._done[rank] % len(self._parts[rank]) == 0
            if rank in (message.sender, message.receiver) and is_through:
                ends.append(self._ready[rank])
        return ends

    def _next(self, rank: str) -> tuple[int, int] | None:
        """Return which message of which operation the rank has come to; None at the end of its loop."""
        operation, place = divmod(self._done[rank], len(self._parts[rank]))
        return None if operation == self._operations else (operation, self._parts[rank][place])

    def _begin_next(self, rank: str) -> None:
        """Begin the rank's next message, if the other one has come to it too."""
        mine = self._next(rank)
        if mine is None or mine[1] in self._under_way:
            return
        message = self._messages[mine[1]]
        if self._next(message.sender) == self._next(message.receiver):
            self._under_way.add(mine[1])
            begin = max(self._ready[message.sender], self._ready[message.receiver])
            heappush(self._events, (begin, next(self._order), False, mine[1]))

    def _end(self, number: int, now: float) -> None:
        message = self._messages[number]
        self._under_way.discard(number)
        self._ready[message.sender] = now
        self._ready[message.receiver] = now + message.combining
        for rank in (message.sender, message.receiver):
            self._done[rank] += 1
        for rank in (message.sender, message.receiver):
            self._begin_next(rank)
