"""The picture of a broadcast: its timeline, and its first rounds on the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure

from rota.drawing.palette import INK, PAPER, QUIET
from rota.drawing.rings import LABEL, draw_ring
from rota.drawing.timeline import GUTTER, HEADER, Grid, draw_timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.drawing.trace import Trace

_WIDTH: Final = 9.0
_MARGIN: Final = 0.25
_TITLE: Final = 0.58
_CAPTION: Final = 0.56
_RING: Final = 2.1
"""Widths and heights of the parts, in inches."""


def title(trace: Trace) -> str:
    """Return what the picture shows, in one line."""
    blocks = "1 block" if trace.blocks == 1 else f"{trace.blocks} blocks"
    return f"Broadcast of {blocks} over {trace.ranks} ranks"


def broadcast_figure(trace: Trace) -> Figure:
    """Return the picture, 9 inches wide, of a broadcast over two or more ranks."""
    inner = _WIDTH - 2 * _MARGIN
    grid = Grid.within(inner, trace.ranks, trace.rounds)
    rings = trace.least_rounds - trace.blocks + 1
    side = min(_RING, inner / rings)
    timeline_height = HEADER + grid.height
    height = 2 * _MARGIN + _TITLE + timeline_height + _CAPTION + LABEL + side
    figure = Figure(figsize=(_WIDTH, height), facecolor=PAPER)
    _draw_title(figure, trace)
    timeline = _axes(figure, _MARGIN, _MARGIN + _TITLE, inner, timeline_height)
    timeline.set(xlim=(-GUTTER, inner - GUTTER), ylim=(grid.height, -HEADER))
    draw_timeline(timeline, trace, grid)
    _draw_rings(figure, trace, rings, _MARGIN + _TITLE + timeline_height)
    return figure


def _draw_rings(figure: Figure, trace: Trace, rings: int, top: float) -> None:
    """Draw the first rounds side by side, each in the middle of its share of the width."""
    _heading(figure, top + 0.42, "The first rounds on the circulant graph: rank r sends to r + skip", 9.5)
    slot = (_WIDTH - 2 * _MARGIN) / rings
    side = min(_RING, slot)
    for round_ in range(rings):
        left = _MARGIN + slot * round_ + (slot - side) / 2
        ring = _axes(figure, left, top + _CAPTION, side, side + LABEL)
        ring.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2 + 2.4 * LABEL / side))
        draw_ring(ring, trace, round_)


def _axes(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Return bare axes at a place given in inches from the top left corner."""
    full_width, full_height = figure.get_size_inches()
    axes = figure.add_axes(
        (left / full_width, 1 - (top + height) / full_height, width / full_width, height / full_height)
    )
    axes.set_axis_off()
    return axes


def _draw_title(figure: Figure, trace: Trace) -> None:
    bound = f"{trace.blocks} \N{MINUS SIGN} 1 + ⌈log₂ {trace.ranks}⌉ = {trace.least_rounds}"
    _heading(figure, 0.35, title(trace), 13)
    _remark(figure, 0.60, f"{trace.rounds} rounds; the least possible: {bound}.")
    _remark(
        figure,
        0.79,
        "A cell: the block that the rank receives in that round; in the top row, the one the root sends.",
    )


def _heading(figure: Figure, top: float, text: str, size: float) -> None:
    figure.text(*_at_margin(figure, top), text, fontsize=size, color=INK, fontweight="bold")


def _remark(figure: Figure, top: float, text: str) -> None:
    figure.text(*_at_margin(figure, top), text, fontsize=9, color=QUIET)


def _at_margin(figure: Figure, top: float) -> tuple[float, float]:
    """Return where a line of text starts whose baseline is `top` inches from the top."""
    width, height = figure.get_size_inches()
    return float(_MARGIN / width), float(1 - top / height)
