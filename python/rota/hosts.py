"""Which ranks share a host."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isqrt


@dataclass(frozen=True)
class Hosts:
    """Of each rank the number of its host."""

    of_rank: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many hosts there are."""
        return len(set(self.of_rank))

    @property
    def firsts(self) -> tuple[int, ...]:
        """The ranks with another host than the rank before them."""
        changes = (rank for rank, (one, other) in enumerate(pairwise(self.of_rank), 1) if one != other)
        return 0, *changes

    def share(self, one: int, other: int) -> bool:
        """Return whether two ranks are on the same host."""
        return self.of_rank[one] == self.of_rank[other]

    def __str__(self) -> str:
        return " ".join(map(str, self.of_rank))


def in_a_row(ranks: int, per_host: int) -> Hosts:
    """Return hosts with so many ranks in a row; the last one may have fewer."""
    return Hosts(tuple(rank // per_host for rank in range(ranks)))


def in_turn(ranks: int, count: int) -> Hosts:
    """Return so many hosts, dealt ranks in turn."""
    return Hosts(tuple(rank % count for rank in range(ranks)))


def growing(ranks: int) -> Hosts:
    """Return hosts with 1, 2, 3, ... ranks in a row."""
    return Hosts(tuple((isqrt(8 * rank + 1) - 1) // 2 for rank in range(ranks)))
