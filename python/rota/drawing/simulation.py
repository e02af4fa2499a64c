"""The picture of a simulation: times over sizes with the bound, and how many times the bound they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from rota.drawing.marks import CURVE_COLOURS, CURVE_MARKS, mark, size_text
from rota.drawing.palette import INK, QUIET
from rota.units import format_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.drawing.curve import Curve

_MOST_LABELS: Final = 8
_NEAR: Final = 1.05
_FAR: Final = 50


def picture(title: str, curves: Sequence[Curve], bound: Curve) -> Figure:
    """Return the curves and the bound."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(11, 4.6), layout="constrained")
        times, ratios = figure.subplots(1, 2)
        _draw(times, curves)
        times.plot(bound.sizes, bound.seconds, "--", color=QUIET, label="bound", zorder=1)
        times.set(title="time until the last rank is done", ylabel="time", xscale="log", yscale="log")
        times.yaxis.set_major_formatter(FuncFormatter(lambda seconds, _: format_seconds(seconds)))
        _draw(ratios, [curve.over(bound) for curve in curves])
        ratios.axhline(1, color=QUIET, linestyle="--", label="bound", zorder=1)
        ratios.set(title="times the bound", ylabel="time / bound", xscale="log", yscale="log")
        _label_ratios(ratios)
        for axes in (times, ratios):
            _label_sizes(axes, bound.sizes)
        times.legend(frameon=False)
        figure.suptitle(title, color=INK)
    return figure


def _draw(axes: Axes, curves: Sequence[Curve]) -> None:
    for i, curve in enumerate(curves):
        axes.plot(
            curve.sizes,
            curve.seconds,
            marker=CURVE_MARKS[i % len(CURVE_MARKS)],
            markersize=5,
            color=CURVE_COLOURS[i % len(CURVE_COLOURS)],
            label=curve.name,
        )


def _label_ratios(axes: Axes) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 1 / _NEAR), max(high, 2 * _NEAR))
    steps = (1, 1.5, 2, 3, 5) if high < _FAR else (1,)
    ratios = [step * 10.0**power for power in range(9) for step in steps]
    mark(axes.yaxis, [ratio for ratio in ratios if ratio <= axes.get_ylim()[1]])


def _label_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    every = -(-len(sizes) // _MOST_LABELS)
    mark(axes.xaxis, sizes[::-every], size_text)
    axes.tick_params(axis="x", rotation=30)
    axes.set_xlabel("data")
    axes.grid(visible=True, alpha=0.25)
