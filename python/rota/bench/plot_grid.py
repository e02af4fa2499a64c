"""The picture of a grid: ratios by collective and size, and how near the links' limit the largest size is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, NullLocator

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.bench.grid import Cell, GridSpec
    from rota.bench.names import Series

_COLOURS: Final = LinearSegmentedColormap.from_list("ratio", (ROTA_COLOUR, "white", NATIVE_COLOUR))
_FULL_COLOUR_FACTOR: Final = 4
"""Times faster or slower at which a cell has the full colour."""
_DARK: Final = 0.6
"""The share of the full colour from which on a cell's text is white."""

_LIMITS: Final = 3
"""The width in inches of what says how near the links' limit is."""

_SLOWER: Final = "by a schedule, slower by over 5 %"
_LEFT: Final = "left to native: beside 1.00, noise"
_FRAMES: Final = {_SLOWER: ("#c00000", 2.0, "-"), _LEFT: (NATIVE_COLOUR, 0.8, ":")}
"""The colour, width and style of cells' frames, by what they say."""


def plot_grid(spec: GridSpec, cells: Sequence[Cell]) -> Figure:
    """Return the picture of a grid, without limits where links need not carry anything: on one host."""
    rows = list(dict.fromkeys(cell.series for cell in cells))
    sizes = list(spec.pairs_of_size)
    limited = [cell for cell in cells if cell.pairs.size_bytes == max(sizes) and cell.pairs.link_seconds]
    widths = (0.62 * len(sizes), *((_LIMITS,) if limited else ()))
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(2.5 + sum(widths), 1.9 + 0.36 * len(rows)), layout="constrained")
        ratios, *limits = figure.subplots(
            1, len(widths), sharey=True, width_ratios=widths, squeeze=False
        ).flat
        _draw_ratios(ratios, cells, rows, sizes)
        for axes in limits:
            _draw_limits(axes, limited, rows, max(sizes))
        figure.legend(frameon=False, loc="outside lower right", ncols=len(widths))
        figure.suptitle(f"Rota and {spec.abi}: {spec.place.words}")
    return figure


def _draw_ratios(axes: Axes, cells: Sequence[Cell], rows: Sequence[Series], sizes: Sequence[int]) -> None:
    for cell in cells:
        if cell.pairs.size_bytes in sizes:
            _draw_cell(axes, cell, sizes.index(cell.pairs.size_bytes), rows.index(cell.series))
    axes.set(xlim=(-0.5, len(sizes) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xticks(range(len(sizes)), [format_size(size) for size in sizes], rotation=30)
    axes.set_yticks(range(len(rows)), [series.label for series in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Rota / native,\nmedian of the pairs")
    axes.set_xlabel("data")
    for label, (edge, width, style) in _FRAMES.items():
        axes.add_patch(
            Rectangle(
                (0, -9),
                0,
                0,
                facecolor="white",
                edgecolor=edge,
                linewidth=width,
                linestyle=style,
                label=label,
            )
        )


def _draw_cell(axes: Axes, cell: Cell, column: int, row: int) -> None:
    ratio = cell.pairs.median_ratio
    strength = max(-1.0, min(1.0, math.log(ratio) / math.log(_FULL_COLOUR_FACTOR)))
    edge, width, style = _frame(cell)
    axes.add_patch(
        Rectangle(
            (column - 0.47, row - 0.44),
            0.94,
            0.88,
            facecolor=_COLOURS((strength + 1) / 2),
            edgecolor=edge,
            linewidth=width,
            linestyle=style,
        )
    )
    text_colour = "white" if abs(strength) > _DARK else "black"
    axes.text(column, row, f"{ratio:.2f}", ha="center", va="center", fontsize=8, color=text_colour)


def _frame(cell: Cell) -> tuple[str, float, str]:
    """Return the colour, width and style of a cell's frame."""
    if cell.is_native:
        return _FRAMES[_LEFT]
    return _FRAMES[_SLOWER] if cell.is_much_slower else ("white", 1.0, "-")


def _draw_limits(axes: Axes, cells: Sequence[Cell], rows: Sequence[Series], size_bytes: int) -> None:
    for cell in cells:
        row = rows.index(cell.series)
        medians = cell.pairs.rota_median, cell.pairs.native_median
        times = [median / cell.pairs.link_seconds for median in medians]
        axes.plot(times, (row, row), "-", color=BOUND_COLOUR, linewidth=1, zorder=1)
        axes.scatter(times, (row, row), color=(ROTA_COLOUR, NATIVE_COLOUR), s=28, zorder=2)
    axes.axvline(1, color=BOUND_COLOUR, linestyle="--", linewidth=1)
    axes.scatter([], [], color=ROTA_COLOUR, label="Rota")
    axes.scatter([], [], color=NATIVE_COLOUR, label="native")
    axes.set(
        title=f"Times the links' limit\nat {format_size(size_bytes)}",
        xscale="log",
        xlabel="time / links' limit",
    )
    axes.xaxis.set_major_locator(LogLocator(base=2))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(visible=True, axis="x", alpha=0.25)
