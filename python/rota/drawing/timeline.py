"""A broadcast over time: ranks downwards, rounds rightwards, in each cell the block that arrives.

Drawn on axes whose data units are inches, so that sizes of text and cells can be compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matplotlib.collections import PatchCollection
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextPath

from rota.drawing.palette import ACCENT, INK, QUIET, block_colours, ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.drawing.trace import Trace

POINTS_PER_INCH: Final = 72
HEADER: Final = 0.62
"""The height of what stands above the cells, in inches."""
GUTTER: Final = 0.62
"""The width of what stands to the left of the cells, in inches."""

_ROOT_GAP: Final = 0.07
_CELL_MARGIN: Final = 0.012
_LEGIBLE: Final = 4.5
"""Smaller text, in points, is left out."""


@dataclass(frozen=True)
class Grid:
    """The cells of a timeline: sizes in inches, (0, 0) at the top left corner, the root's row first."""

    ranks: int
    rounds: int
    cell_width: float
    cell_height: float

    @classmethod
    def within(cls, width: float, ranks: int, rounds: int) -> Grid:
        """Return the grid that is `width` inches wide, gutter included."""
        return cls(ranks, rounds, (width - GUTTER) / rounds, _row_height(ranks))

    @property
    def height(self) -> float:
        """The height of all cells."""
        return self.cell_height * self.ranks + _ROOT_GAP

    @property
    def font_size(self) -> float:
        """The size of the numbers, in points: two digits fit into a cell."""
        return min(8.5, POINTS_PER_INCH * min(0.62 * self.cell_height, 0.55 * self.cell_width))

    def x(self, round_: float) -> float:
        """Return where a round's column begins."""
        return self.cell_width * round_

    def y(self, row: float) -> float:
        """Return where a row begins; y points downwards."""
        return self.cell_height * row + (_ROOT_GAP if row >= 1 else 0)


def _row_height(ranks: int) -> float:
    """Return a comfortable height for few ranks, and for many one that keeps the whole on a page."""
    return max(0.068, min(0.245, 7.2 / ranks))


def draw_timeline(axes: Axes, trace: Trace, grid: Grid) -> None:
    """Draw the cells with the numbers of rounds and ranks, and above them what the rounds are needed for."""
    _draw_cells(axes, trace, grid)
    _draw_ranks(axes, trace, grid)
    _draw_rounds(axes, grid)
    _draw_bound(axes, trace, grid)


def _draw_cells(axes: Axes, trace: Trace, grid: Grid) -> None:
    colours = block_colours(trace.blocks)
    cells = [(0, round_, block) for round_, block in enumerate(trace.sent) if block is not None] + [
        (trace.seen_from_root(arrival.to), round_, arrival.block)
        for round_, arrivals in enumerate(trace.arrivals)
        for arrival in arrivals
    ]
    margin = min(_CELL_MARGIN, grid.cell_height / 10, grid.cell_width / 10)
    boxes = [
        Rectangle(
            (grid.x(round_) + margin, grid.y(row) + margin),
            grid.cell_width - 2 * margin,
            grid.cell_height - 2 * margin,
        )
        for row, round_, _ in cells
    ]
    fills = [colours[block] for *_, block in cells]
    axes.add_collection(PatchCollection(boxes, facecolors=fills, edgecolors="none"))
    if grid.font_size >= _LEGIBLE:
        for row, round_, block in cells:
            place = grid.x(round_ + 0.5), grid.y(row) + grid.cell_height / 2
            ink = ink_on(colours[block])
            axes.text(*place, str(block), color=ink, size=grid.font_size, ha="center", va="center_baseline")


def _draw_ranks(axes: Axes, trace: Trace, grid: Grid) -> None:
    size = max(grid.font_size, 6.5)
    stride = _stride(1.25 * size / POINTS_PER_INCH / grid.cell_height)
    for row in range(0, grid.ranks, stride):
        rank = (row + trace.root) % trace.ranks
        axes.text(
            -0.1,
            grid.y(row) + grid.cell_height / 2,
            f"root {rank}" if row == 0 else str(rank),
            color=INK if row == 0 else QUIET,
            fontsize=size,
            fontweight="bold" if row == 0 else "normal",
            ha="right",
            va="center_baseline",
        )


def _draw_rounds(axes: Axes, grid: Grid) -> None:
    stride = _stride(0.22 / grid.cell_width)
    for round_ in range(0, grid.rounds, stride):
        axes.text(grid.x(round_ + 0.5), -0.07, str(round_), color=QUIET, size=7.5, ha="center", va="baseline")
    axes.text(-0.1, -0.07, "round", color=QUIET, size=7.5, ha="right", va="baseline")


def _stride(cells: float) -> int:
    """Return how many cells lie from label to label if each needs `cells`: a power of two."""
    return 1 << max(0, math.ceil(math.log2(cells)))


def _draw_bound(axes: Axes, trace: Trace, grid: Grid) -> None:
    """Draw the two parts of the bound as braces over the rounds that they stand for."""
    ahead, doubling = trace.blocks - 1, trace.least_rounds - trace.blocks + 1
    wait, spread = _counted(ahead), _counted(doubling)
    _brace(
        axes, grid, (0, ahead), QUIET, (f"{wait} until the root can send the last block", wait, str(ahead))
    )
    _brace(
        axes,
        grid,
        (ahead, trace.least_rounds),
        ACCENT,
        (f"{spread} to double it to all {trace.ranks} ranks", spread, str(doubling)),
    )


def _counted(rounds: int) -> str:
    return f"{rounds} round" if rounds == 1 else f"{rounds} rounds"


def _brace(axes: Axes, grid: Grid, span: tuple[int, int], colour: str, texts: tuple[str, ...]) -> None:
    """Draw a brace from the first round to before the last, and above it the first of the texts that fits."""
    first, last = span
    if first == last:
        return
    inset = min(0.03, grid.cell_width / 10)
    left, right = grid.x(first) + inset, grid.x(last) - inset
    axes.plot([left, left, right, right], [-0.26, -0.31, -0.31, -0.26], color=colour, linewidth=1)
    fitting = next((text for text in texts if _text_width(text, 8) <= right - left), "")
    axes.text((left + right) / 2, -0.39, fitting, color=colour, fontsize=8, ha="center", va="baseline")


def _text_width(text: str, size: float) -> float:
    """Return the width in inches of text of a size in points."""
    extents = TextPath((0, 0), text, size=size, prop=FontProperties()).get_extents()
    return float(extents.width) / POINTS_PER_INCH
