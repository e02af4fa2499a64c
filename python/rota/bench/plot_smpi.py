"""The picture of the simulated collectives: times the limit, Rota's beside those of SMPI's selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.bench.smpi import Point, Row

_MARKERS: Final = ("s", "D", "^", "v")


def plot_smpi(rows: Sequence[Row]) -> Figure:
    """Return the picture of the rows."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(8, 1.6 + 0.34 * len(rows)), layout="constrained")
        axes = figure.subplots()
        _draw(axes, rows)
        figure.suptitle(f"SMPI, fabric {rows[0].point.fabric.name}: times the links' limit")
        figure.legend(frameon=False, loc="outside lower center", ncols=2 + len(rows[0].times))
    return figure


def _name_of(point: Point) -> str:
    return f"{point.series.label}, {point.ranks} ranks, {format_size(point.size_bytes)}"


def _draw(axes: Axes, rows: Sequence[Row]) -> None:
    heights = range(len(rows))
    axes.axvline(1, color=BOUND_COLOUR, linestyle="--", linewidth=1)
    for selector, marker in zip(rows[0].times, _MARKERS, strict=False):
        native = [row.times[selector].native_s / row.point.limit_s for row in rows]
        axes.plot(native, heights, marker, color=NATIVE_COLOUR, markerfacecolor="none", label=selector)
    rota = [row.rota_s / row.point.limit_s for row in rows]
    axes.plot(rota, heights, "o", color=ROTA_COLOUR, label="Rota", zorder=3)
    axes.set_xscale("log")
    ticks = [1, 1.5, 2, 3, 5, 8, 12, 20, 50, 100]
    largest = max(axes.get_xlim()[1], 2)
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if tick <= largest]))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.plot(
        [row.point.least_s / row.point.limit_s for row in rows],
        heights,
        "|",
        color=BOUND_COLOUR,
        markersize=10,
        label="least by rounds",
    )
    axes.set_yticks(heights, [_name_of(row.point) for row in rows])
    axes.set(xlabel="time / links' limit", xlim=(0.95, largest), ylim=(len(rows) - 0.5, -0.5))
    axes.grid(axis="x", color="#e4e4e4")
    axes.set_axisbelow(True)
