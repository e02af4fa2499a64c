"""Times in the lab over sizes, a panel for each collective, a line for each way of doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.drawing.marks import mark, size_text
from rota.drawing.palette import INK
from rota.units import format_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.reproduce.in_lab import Times

_COLUMNS: Final = 3
_WAYS: Final = (
    ("D-", "#4f9d69"),
    ("^-", "#8a5fa8"),
    ("v-", "#c49a2c"),
    ("x-", "#3a8f9e"),
)
"""Marks and colours of the paper's ways; the last way is Rota's own, which has its colour everywhere."""
_OWN: Final = ("o-", ROTA_COLOUR)


def lab_times(curves: Sequence[Sequence[Times]], title: str) -> Figure:
    """Return the figure; the library's own and the links' limit are in each panel."""
    columns = min(_COLUMNS, len(curves))
    rows = -(-len(curves) // columns)
    figure = Figure(figsize=(max(7, 3.7 * columns), 3 * rows + 0.8), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, times in zip(grid.flat, curves, strict=False):
        _draw(axes, times)
    for axes in grid.flat[len(curves) :]:
        axes.set_visible(False)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside lower center", ncols=len(labels))
    figure.suptitle(title, color=INK)
    return figure


def _draw(axes: Axes, times: Sequence[Times]) -> None:
    sizes = [each.data_bytes for each in times]
    axes.loglog(sizes, [each.native_s for each in times], "s-", ms=4, color=NATIVE_COLOUR, label="native")
    ways = tuple(times[0].ways_s)
    for way, (marker, colour) in zip(ways, (*_WAYS[: len(ways) - 1], _OWN), strict=True):
        axes.loglog(sizes, [each.ways_s[way] for each in times], marker, ms=4, color=colour, label=way)
    axes.loglog(sizes, [each.link_s for each in times], "--", color=BOUND_COLOUR, label="link's limit")
    axes.set_title(times[0].series.label, fontsize=9)
    axes.set_xlabel("data", fontsize=8)
    axes.set_ylabel("time of the slowest rank", fontsize=8)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda seconds, _: format_seconds(seconds)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    mark(axes.xaxis, sizes, size_text)
    axes.tick_params(labelsize=7)
    axes.grid(visible=True, alpha=0.25)
