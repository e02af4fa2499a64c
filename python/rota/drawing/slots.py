"""Cells of a timeline that have a slot for each owner: messages of several blocks. Drawn as one image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.colors import to_rgb

from rota.drawing.palette import PAPER, SHADE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rota.drawing.look import Look
    from rota.drawing.timeline import Grid
    from rota.drawing.trace import Trace

_ROW: Final = 12
_WIDE: Final = 192
"""The least height and width of a cell, in pixels; one of them on each side is its margin."""


def draw_slots(axes: Axes, trace: Trace, grid: Grid, look: Look) -> None:
    """Draw every cell in which blocks arrive: from the left owner 0 to the right owner p - 1."""
    width, bottom = grid.x(grid.rounds), grid.y(grid.ranks)
    pixels = _pixels(trace, look)
    axes.imshow(pixels, extent=(0, width, bottom, 0), interpolation="none", aspect="auto")


def _pixels(trace: Trace, look: Look) -> NDArray[np.uint8]:
    slot = -(-_WIDE // trace.ranks)
    cell = trace.ranks * slot + 2
    image = np.full((trace.ranks * _ROW, trace.rounds * cell, 3), _bytes(PAPER), dtype=np.uint8)
    for round_, arrivals in enumerate(trace.arrivals):
        for arrival in arrivals:
            rows = slice(arrival.to * _ROW + 1, (arrival.to + 1) * _ROW - 1)
            left = round_ * cell + 1
            image[rows, left : left + trace.ranks * slot] = _bytes(SHADE)
            for block in arrival.blocks:
                first = left + block.owner * slot
                image[rows, first : first + slot] = _bytes(look.colour(block))
    return image


def _bytes(colour: str) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in to_rgb(colour))
