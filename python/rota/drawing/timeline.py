"""A schedule over time: ranks downwards, rounds rightwards, in each cell what arrives.

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

from rota import Collective, OnReceive
from rota.drawing.look import look_of
from rota.drawing.palette import ACCENT, INK, QUIET, ink_on
from rota.drawing.slots import draw_slots
from rota.drawing.strip import STRIP_GAP, draw_strip
from rota.vocabulary import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.drawing.look import Look
    from rota.drawing.trace import Trace

POINTS_PER_INCH: Final = 72
HEADER: Final = 0.62
"""The height of rounds and their braces above the cells, in inches."""
GUTTER: Final = 0.62
"""The width of what stands to the left of the cells, in inches."""

_KEY: Final = 0.19
"""The height of the key above that, where cells have no numbers."""
_KEY_SIZE: Final = 9
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

    root_gap: float

    @classmethod
    def within(cls, width: float, trace: Trace) -> Grid:
        """Return the grid that is `width` inches wide, gutter included."""
        gap = 0 if trace.root is None else _ROOT_GAP
        cell_width = (width - GUTTER) / trace.rounds
        return cls(trace.ranks, trace.rounds, cell_width, _row_height(trace.ranks), gap)

    @property
    def height(self) -> float:
        """The height of all cells."""
        return self.cell_height * self.ranks + self.root_gap

    @property
    def margin(self) -> float:
        """What is left free around a cell's colour."""
        return min(_CELL_MARGIN, self.cell_height / 10, self.cell_width / 10)

    @property
    def font_size(self) -> float:
        """The size of the numbers, in points: two digits fit into a cell."""
        return min(8.5, POINTS_PER_INCH * min(0.62 * self.cell_height, 0.55 * self.cell_width))

    @property
    def has_numbers(self) -> bool:
        """Whether numbers in cells could be read."""
        return self.font_size >= _LEGIBLE

    def above(self, row: int) -> float:
        """Return the middle of what lies between a row, not the first, and the row above it."""
        return (self.y(row - 1) + self.cell_height + self.y(row)) / 2

    def x(self, round_: float) -> float:
        """Return where a round's column begins."""
        return self.cell_width * round_

    def y(self, row: float) -> float:
        """Return where a row begins; y points downwards."""
        return self.cell_height * row + (self.root_gap if row >= 1 else 0)


def _row_height(ranks: int) -> float:
    """Return a comfortable height for few ranks, and for many one that keeps the whole on a page."""
    return max(0.068, min(0.245, 7.2 / ranks))


def header(trace: Trace, grid: Grid) -> float:
    """Return the height of all that stands above the cells, in inches."""
    return HEADER + _KEY * _has_key(look_of(trace), grid)


def _has_key(look: Look, grid: Grid) -> bool:
    """Return whether only a key tells which colour is which: there are several, and cells have no numbers."""
    return len(look.colours) > 1 and (look.has_slots or not grid.has_numbers)


def draw_timeline(axes: Axes, trace: Trace, grid: Grid) -> None:
    """Draw the cells with the numbers of rounds and ranks, and above them what the rounds are needed for."""
    look = look_of(trace)
    if look.has_slots:
        draw_slots(axes, trace, grid, look)
    else:
        _draw_cells(axes, trace, grid, look)
    _draw_marks(axes, trace, grid)
    _draw_ranks(axes, trace, grid)
    _draw_rounds(axes, grid)
    _draw_bound(axes, trace, grid)
    if _has_key(look, grid):
        first, _ = look.names
        place = -GUTTER + _text_width(first, _KEY_SIZE) + STRIP_GAP, -HEADER - 0.3 * _KEY
        draw_strip(axes, place, look.colours, look.names, _KEY_SIZE)


def _draw_cells(axes: Axes, trace: Trace, grid: Grid, look: Look) -> None:
    cells = [(0, round_, block) for round_, block in enumerate(trace.sent) if block is not None] + [
        (trace.seen_from_root(arrival.to), round_, arrival.blocks[0])
        for round_, arrivals in enumerate(trace.arrivals)
        for arrival in arrivals
    ]
    margin = grid.margin
    boxes = [
        Rectangle(
            (grid.x(round_) + margin, grid.y(row) + margin),
            grid.cell_width - 2 * margin,
            grid.cell_height - 2 * margin,
        )
        for row, round_, _ in cells
    ]
    fills = [look.colour(block) for *_, block in cells]
    axes.add_collection(PatchCollection(boxes, facecolors=fills, edgecolors="none"))
    if grid.has_numbers:
        for row, round_, block in cells:
            place = grid.x(round_ + 0.5), grid.y(row) + grid.cell_height / 2
            ink = ink_on(look.colour(block))
            text = str(look.number(block))
            axes.text(*place, text, color=ink, size=grid.font_size, ha="center", va="center_baseline")


def _draw_marks(axes: Axes, trace: Trace, grid: Grid) -> None:
    """Draw a bar where blocks are combined: on the side they come from, or below for those held."""
    margin, width, height = grid.margin, grid.cell_width, grid.cell_height
    thick = min(0.035, width / 8, height / 6)
    tall, wide = height - 2 * margin, width - 2 * margin
    bars = []
    for round_, arrivals in enumerate(trace.arrivals):
        for arrival in arrivals:
            left, top = grid.x(round_) + margin, grid.y(trace.seen_from_root(arrival.to)) + margin
            if arrival.on_receive == OnReceive.combine_left:
                bars.append(Rectangle((left, top), thick, tall))
            if arrival.on_receive == OnReceive.combine_right:
                bars.append(Rectangle((left + wide - thick, top), thick, tall))
            if arrival.combines:
                bars.append(Rectangle((left, top + tall - thick), wide, thick))
    axes.add_collection(PatchCollection(bars, facecolors=INK, edgecolors="none", zorder=3))


def _draw_ranks(axes: Axes, trace: Trace, grid: Grid) -> None:
    size = max(grid.font_size, 6.5)
    stride = _stride(1.25 * size / POINTS_PER_INCH / grid.cell_height)
    for row in range(0, grid.ranks, stride):
        is_root = row == 0 and trace.root is not None
        rank = (row + (trace.root or 0)) % trace.ranks
        axes.text(
            -0.1,
            grid.y(row) + grid.cell_height / 2,
            f"root {rank}" if is_root else str(rank),
            color=INK if is_root else QUIET,
            fontsize=size,
            fontweight="bold" if is_root else "normal",
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
    """Draw the bound as braces over the rounds that its parts stand for.

    Where ranks share hosts it is one brace: the rounds are not those that its parts would be.
    """
    if trace.hosts:
        rounds = counted(trace.least_rounds, "round")
        texts = (
            f"the least possible, if each rank had a host: {rounds}",
            f"least: {rounds}",
            str(trace.least_rounds),
        )
        _brace(axes, grid, (0, trace.least_rounds), ACCENT, texts)
        return
    least, ahead, spread = trace.least_rounds, trace.blocks - 1, trace.spread
    wait, double = counted(ahead, "round"), counted(spread, "round")
    match trace.collective:
        case Collective.broadcast:
            texts = (f"{wait} until the root can send the last block", wait, str(ahead))
            _brace(axes, grid, (0, ahead), QUIET, texts)
            texts = (f"{double} to double it to all {trace.ranks} ranks", double, str(spread))
            _brace(axes, grid, (ahead, least), ACCENT, texts)
        case Collective.reduce:
            texts = (f"{double} to halve {trace.ranks} parts of a block to one", double, str(spread))
            _brace(axes, grid, (0, spread), ACCENT, texts)
            texts = (f"{wait} in which the root receives the others", wait, str(ahead))
            _brace(axes, grid, (spread, least), QUIET, texts)
        case _:
            rounds = counted(least, "round")
            texts = (f"the least possible: {rounds}", f"least: {least}", str(least))
            _brace(axes, grid, (0, least), ACCENT, texts)


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
