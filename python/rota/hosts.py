"""Which ranks share a host."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rota import Problem


class Run(NamedTuple):
    """Neighbouring ranks on one host: from the first to before the end."""

    host: int
    first: int
    end: int


@dataclass(frozen=True)
class Hosts:
    """Of each rank the number of its host; `links`: how many each host has to others."""

    of_rank: tuple[int, ...]
    links: int = 1

    @property
    def count(self) -> int:
        """How many hosts there are."""
        return len(set(self.of_rank))

    @property
    def runs(self) -> tuple[Run, ...]:
        """All ranks, in the longest runs that there are."""
        changes = (rank for rank, (one, other) in enumerate(pairwise(self.of_rank), 1) if one != other)
        ends = pairwise((0, *changes, len(self.of_rank)))
        return tuple(Run(self.of_rank[first], first, end) for first, end in ends)

    def seen_from(self, first: int) -> Hosts:
        """Return the same if that rank's number were 0, the next one's 1, and so on around."""
        return replace(self, of_rank=self.of_rank[first:] + self.of_rank[:first])

    def share(self, one: int, other: int) -> bool:
        """Return whether two ranks are on the same host."""
        return self.of_rank[one] == self.of_rank[other]

    def __str__(self) -> str:
        links = f" with {self.links} links each" if self.links > 1 else ""
        return " ".join(map(str, self.of_rank)) + links


def in_a_row(ranks: int, per_host: int, links: int = 1) -> Hosts:
    """Return hosts with so many ranks in a row; the last one may have fewer."""
    return Hosts(tuple(rank // per_host for rank in range(ranks)), links)


def hosts_of(problem: Problem) -> Hosts | None:
    """Return a problem's hosts; None: each rank has one to itself."""
    return Hosts(tuple(problem.hosts), problem.links) if problem.hosts else None


def in_turn(ranks: int, count: int) -> Hosts:
    """Return so many hosts, dealt ranks in turn."""
    return Hosts(tuple(rank % count for rank in range(ranks)))


def growing(ranks: int) -> Hosts:
    """Return hosts with 1, 2, 3, ... ranks in a row."""
    return Hosts(tuple((isqrt(8 * rank + 1) - 1) // 2 for rank in range(ranks)))
