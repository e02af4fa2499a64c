"""Pictures that are drawn in inches: each alone in its figure, or several in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from rota.drawing.palette import PAPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Panel:
    """A picture of that size, drawn on axes whose data units are inches; y points downwards."""

    width: float
    height: float
    draw: Callable[[Axes], None]


def figure_of(*rows: tuple[Panel, ...]) -> Figure:
    """Return the panels, those of a row side by side, row below row."""
    width = max(sum(panel.width for panel in row) for row in rows)
    height = sum(_height(row) for row in rows)
    figure = Figure(figsize=(width, height), facecolor=PAPER)
    top = 0.0
    for row in rows:
        left = 0.0
        for panel in row:
            bottom = height - top - panel.height
            place = (left / width, bottom / height, panel.width / width, panel.height / height)
            _draw(figure, panel, place)
            left += panel.width
        top += _height(row)
    return figure


def _height(row: tuple[Panel, ...]) -> float:
    return max(panel.height for panel in row)


def _draw(figure: Figure, panel: Panel, place: tuple[float, float, float, float]) -> None:
    axes = figure.add_axes(place)
    axes.set_xlim(0, panel.width)
    axes.set_ylim(panel.height, 0)
    axes.set_axis_off()
    panel.draw(axes)
