"""What ``rota show`` is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota import Collective, schedule
from rota.collectives import ROOTED
from rota.errors import RotaError

if TYPE_CHECKING:
    from rota import Schedule

MAX_RANKS: Final = 2**31 - 1
MAX_OWNERS: Final = 2**20
"""Ranks where each has data of its own."""
MAX_BLOCKS: Final = 10**15


@dataclass(frozen=True)
class Question:
    """An algorithm for a collective, and whose schedules of it are wanted: those of all ranks, or of one."""

    algorithm: str
    collective: Collective
    ranks: int
    root: int
    rank: int | None
    blocks: int | None

    def __post_init__(self) -> None:
        """Check the ranges; raise RotaError for what is out of them."""
        rooted = self.collective in ROOTED
        _require("--ranks", self.ranks, 1, MAX_RANKS if rooted else MAX_OWNERS)
        _require("--root", self.root, 0, self.ranks - 1)
        _require("--rank", self.rank, 0, self.ranks - 1)
        _require("--blocks", self.blocks, 1, MAX_BLOCKS)
        if self.root and not rooted:
            raise RotaError(f"{self.collective.name} has no root: leave out --root")

    @property
    def q(self) -> int:
        """The rounds that it takes one rank to reach all others."""
        return (self.ranks - 1).bit_length()

    def schedule(self, default_blocks: int) -> Schedule:
        """Return the schedule in as many blocks as the question names."""
        return self.with_blocks(self.blocks or default_blocks)

    def with_blocks(self, blocks: int) -> Schedule:
        """Return the schedule in so many blocks."""
        return schedule(self.collective, self.algorithm, ranks=self.ranks, root=self.root, blocks=blocks)


def _require(option: str, value: int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise RotaError(f"{option} {value} is out of range: choose from {least} to {most}")
