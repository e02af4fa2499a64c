"""Hosts on a timeline: lines between them, their numbers, and frames around what came over a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Rectangle

from rota.drawing.palette import INK, QUIET
from rota.drawing.timeline import GUTTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from rota.drawing.timeline import Grid
    from rota.drawing.trace import Trace
    from rota.hosts import Run

_LABEL_SIZE: Final = 7
_LABELS: Final = ((0.4, "host {}"), (0.1, "{}"))
"""The height in inches that each takes, along its host's rows."""


def draw_hosts(axes: Axes, trace: Trace, grid: Grid) -> None:
    """Draw what tells hosts apart, and messages over links from those within a host."""
    heights = [grid.above(run.first) for run in trace.host_runs[1:]]
    lines = [((-GUTTER, height), (grid.x(grid.rounds), height)) for height in heights]
    axes.add_collection(LineCollection(lines, colors=QUIET, linewidths=0.8))
    for run in trace.host_runs:
        _draw_label(axes, grid, run)
    frames = [_frame(grid, row, round_) for row, round_ in _over_links(trace)]
    thin = min(0.9, 9 * grid.cell_height)
    axes.add_collection(PatchCollection(frames, facecolors="none", edgecolors=INK, linewidths=thin, zorder=2))


def _draw_label(axes: Axes, grid: Grid, run: Run) -> None:
    """Draw a host's number, upwards, beside its rows: the longest label that fits."""
    top, bottom = grid.y(run.first), grid.y(run.end - 1) + grid.cell_height
    text = next((text for height, text in _LABELS if height <= bottom - top), "").format(run.host)
    place = -GUTTER, (top + bottom) / 2
    axes.text(*place, text, color=QUIET, size=_LABEL_SIZE, rotation=90, ha="left", va="center")


def _over_links(trace: Trace) -> Iterator[tuple[int, int]]:
    """Generate the row and round of cells for what passes a link; a broadcast's root shows what it sends."""
    for round_, arrivals in enumerate(trace.arrivals):
        for arrival in arrivals:
            if trace.passes_link(arrival):
                yield trace.seen_from_root(arrival.to), round_
                if trace.sent and arrival.sender == trace.root:
                    yield 0, round_


def _frame(grid: Grid, row: int, round_: int) -> Rectangle:
    margin = grid.margin
    corner = grid.x(round_) + margin, grid.y(row) + margin
    return Rectangle(corner, grid.cell_width - 2 * margin, grid.cell_height - 2 * margin)
