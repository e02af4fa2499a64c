"""Circulant schedules as text, laid out as Tables 1 to 3 of paper 1: a column for each rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Column:
    """What a rank receives and sends in rounds 0 to q - 1; numbers below zero stand for no block."""

    rank: int
    baseblock: int
    receive: tuple[int, ...]
    send: tuple[int, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """The column from top to bottom."""
        return tuple(map(str, (self.rank, self.baseblock, *self.receive, *self.send)))


def table(columns: Sequence[Column], width: int | None = None) -> str:
    """Return the table, in bands of as many ranks as fit into `width` characters; one band if it is None."""
    labels = _labels(len(columns[0].receive))
    label_width = max(map(len, labels))
    cell_width = 1 + max(len(cell) for column in columns for cell in column.cells)
    fitting = len(columns) if width is None else max(1, (width - label_width) // cell_width)
    bands = (columns[first : first + fitting] for first in range(0, len(columns), fitting))
    return "\n\n".join("\n".join(_lines(labels, band, label_width, cell_width)) for band in bands)


def _labels(rounds: int) -> tuple[str, ...]:
    received = (f"recvblock[{k}]:" for k in range(rounds))
    sent = (f"sendblock[{k}]:" for k in range(rounds))
    return ("r:", "b:", *received, *sent)


def _lines(labels: Sequence[str], band: Sequence[Column], label_width: int, cell_width: int) -> Iterator[str]:
    rows = zip(*(column.cells for column in band), strict=True)
    for label, row in zip(labels, rows, strict=True):
        yield label.ljust(label_width) + "".join(cell.rjust(cell_width) for cell in row)
