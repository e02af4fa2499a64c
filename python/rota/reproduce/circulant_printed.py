"""What paper 1 (Träff 2024) prints: Tables 1 to 4, and what it says of Figures 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class PrintedSchedules:
    """Receive and send schedules of all ranks, as Tables 1 to 3 print them: a row a round."""

    number: str
    ranks: int
    baseblocks: tuple[int, ...]
    receive: tuple[tuple[int, ...], ...]
    send: tuple[tuple[int, ...], ...]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(map(_numbers, text.strip().splitlines()))


SCHEDULES: Final = (
    PrintedSchedules(
        "Table 1",
        17,
        _numbers("5 0 1 2 0 3 0 1 2 4 0 1 2 0 3 0 1"),
        _rows("""
            -4 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5
            -5 -4 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2
            -2 -2 -2 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3
            -1 -3 -3 -2 -2 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1
            -3 -1 -1 -1 -1 -1 -1 -1 -1 4 0 1 2 0 3 0 1
        """),
        _rows("""
            0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4
            1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5 -4
            2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2 -2 -2
            3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1 -3 -3 -2 -2
            4 0 1 2 0 3 0 1 -3 -1 -1 -1 -1 -1 -1 -1 -1
        """),
    ),
    PrintedSchedules(
        "Table 2",
        9,
        _numbers("4 0 1 2 0 3 0 1 2"),
        _rows("""
            -2 0 -4 -3 -2 -4 -1 -4 -3
            -3 -2 1 -4 -3 -2 -2 -1 -4
            -1 -3 -2 2 0 -3 -3 -2 -1
            -4 -1 -1 -1 -1 3 0 1 2
        """),
        _rows("""
            0 -4 -3 -2 -4 -1 -4 -3 -2
            1 -4 -3 -2 -2 -1 -4 -3 -2
            2 0 -3 -3 -2 -1 -1 -3 -2
            3 0 1 2 -4 -1 -1 -1 -1
        """),
    ),
    PrintedSchedules(
        "Table 3",
        18,
        _numbers("5 0 1 2 0 3 0 1 2 4 0 1 2 0 3 0 1 2"),
        _rows("""
            -3 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4
            -4 -3 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5
            -2 -4 -3 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2
            -5 -2 -2 -2 -2 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1
            -1 -1 -1 -1 -1 -1 -1 -1 -1 4 0 1 2 0 3 0 1 2
        """),
        _rows("""
            0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4 -3
            1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5 -4 -3
            2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2 -2 -4 -3
            3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1 -5 -2 -2 -2 -2
            4 0 1 2 0 3 0 1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1
        """),
    ),
)


@dataclass(frozen=True)
class PrintedTimes:
    """A row of Table 4: both schedules of all ranks, for all p from `first` to `last`."""

    first: int
    last: int
    older_s: float
    newer_s: float
    older_us: float
    """Of a rank, in the mean."""
    newer_us: float

    @property
    def factor(self) -> float:
        """How many times less the new construction takes a rank."""
        return self.older_us / self.newer_us

    @property
    def counts(self) -> range:
        """Its p; for one rank there is no schedule."""
        return range(max(2, self.first), self.last + 1)


TABLE_4: Final = (
    PrintedTimes(1, 17_000, 443.8, 50.0, 2.769, 0.334),
    PrintedTimes(16_000, 33_000, 1567.2, 152.8, 3.763, 0.370),
    PrintedTimes(64_000, 73_000, 3206.0, 282.6, 5.187, 0.454),
    PrintedTimes(131_000, 140_000, 7595.0, 653.2, 6.226, 0.534),
    PrintedTimes(262_000, 267_000, 9579.4, 726.6, 7.242, 0.548),
    PrintedTimes(524_000, 529_000, 21580.2, 1492.9, 8.196, 0.566),
    PrintedTimes(1_048_000, 1_050_000, 18934.3, 1083.8, 9.024, 0.516),
    PrintedTimes(2_097_000, 2_099_000, 44714.9, 2554.6, 10.656, 0.608),
)

FIGURE_1: Final[dict[int, float]] = {1: 4.0, 4: 3.0}
"""By ranks a node, of 200: native time over the new one's for large data is more than this."""

FIGURE_2_DEGENERATE: Final = 100.0
"""All data on one rank: native time over the new one's comes close to this."""
