"""What ``rota show`` is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rota import Collective, schedule
from rota.collectives import ROOTED, needs_hosts, require_cut
from rota.errors import RotaError
from rota.hosts import in_a_row

if TYPE_CHECKING:
    from rota import Schedule
    from rota.hosts import Hosts

MAX_RANKS: Final = 2**31 - 1
MAX_OWNERS: Final = 2**20
"""Ranks where each has data of its own."""
MAX_PLACED: Final = 2**20
"""Ranks where each has a host that is known."""
MAX_BLOCKS: Final = 10**15
MAX_LANES: Final = 64


@dataclass(frozen=True)
class Question:
    """An algorithm for a collective, and whose schedules of it are wanted: those of all ranks, or of one."""

    algorithm: str
    collective: Collective
    ranks: int
    root: int
    rank: int | None
    blocks: int | None
    per_host: int | None = None
    lanes: int | None = None

    @property
    def has_two_trees(self) -> bool:
        """Whether its blocks take the two trees of paper 4."""
        return self.algorithm == "two_tree"

    def __post_init__(self) -> None:
        """Check the ranges; raise RotaError for what is out of them."""
        rooted = self.collective in ROOTED
        most = MAX_RANKS if rooted else MAX_OWNERS
        _require("--ranks", self.ranks, 1, most if self.per_host is None else min(most, MAX_PLACED))
        _require("--per-host", self.per_host, 1, self.ranks)
        _require("--lanes", self.lanes, 1, MAX_LANES)
        if self.lanes is not None and self.per_host is None:
            raise RotaError("--lanes are of hosts that ranks share: give --per-host N")
        _require("--root", self.root, 0, self.ranks - 1)
        _require("--rank", self.rank, 0, self.ranks - 1)
        _require("--blocks", self.blocks, 1, MAX_BLOCKS)
        if self.root and not rooted:
            raise RotaError(f"{self.collective.name} has no root: leave out --root")
        if self.per_host is None and needs_hosts(self.algorithm, self.collective):
            raise RotaError(f"{self.algorithm!r} is for ranks that share hosts: give --per-host N")

    @cached_property
    def hosts(self) -> Hosts | None:
        """The hosts, in a row; None: each rank has one to itself."""
        return None if self.per_host is None else in_a_row(self.ranks, self.per_host, self.lanes or 1)

    @property
    def q(self) -> int:
        """The rounds that it takes one rank to reach all others."""
        return (self.ranks - 1).bit_length()

    def schedule(self, default_blocks: int) -> Schedule:
        """Return the schedule in as many blocks as the question names."""
        planned = self.with_blocks(self.blocks or default_blocks)
        require_cut(self.algorithm, self.blocks, planned.problem.blocks)
        return planned

    def with_blocks(self, blocks: int) -> Schedule:
        """Return the schedule in so many blocks."""
        return schedule(
            self.collective,
            self.algorithm,
            ranks=self.ranks,
            root=self.root,
            blocks=blocks,
            hosts=self.hosts.of_rank if self.hosts else (),
            links=self.hosts.links if self.hosts else 1,
        )


def _require(option: str, value: int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise RotaError(f"{option} {value} is out of range: choose from {least} to {most}")
