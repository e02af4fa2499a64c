"""The key of colours that follow each other: all in a strip, between the names of the first and the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.patches import Rectangle

from rota.drawing.palette import QUIET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

STRIP: Final = 1.2
"""How long a strip is, in inches."""
STRIP_GAP: Final = 0.06
"""Between it and the names."""

_THICK: Final = 0.1


def draw_strip(
    axes: Axes, place: tuple[float, float], colours: Sequence[str], names: tuple[str, str], size: float
) -> None:
    """Draw the strip from a place, the middle of its left end, on axes whose data units are inches.

    `size`: of the names, in points.
    """
    (left, y), first, last = place, *names
    width = STRIP / len(colours)
    for number, colour in enumerate(colours):
        corner = left + STRIP * number / len(colours), y - _THICK / 2
        axes.add_patch(Rectangle(corner, width, _THICK, color=colour, linewidth=0))
    axes.text(left - STRIP_GAP, y, first, size=size, color=QUIET, ha="right", va="center")
    axes.text(left + STRIP + STRIP_GAP, y, last, size=size, color=QUIET, va="center")
