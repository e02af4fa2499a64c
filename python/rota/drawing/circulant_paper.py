"""Table 4 and Figures 1 and 2 of paper 1 as pictures: what schedules cost, and native times beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.drawing.marks import mark
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.reproduce.beside import Part
    from rota.reproduce.circulant_figures import Measured

_TIMES: Final = (0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 8, 12, 20, 50, 100)
_MICROSECONDS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
_PRINTED: Final = "x--"
_HERE: Final = "o-"


def picture(paper: str, table_4: Part, points: Sequence[Measured]) -> Figure:
    """Return both, under the paper's title.

    Microseconds a rank over p, and below them each figure's times over those of Rota.
    """
    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(9, 4.9 + 0.22 * len(points)), layout="constrained")
        heights = [3.2, *(0.8 + 0.26 * _count(points, number) for number in (1, 2))]
        top, *below = figure.subplots(3, 1, height_ratios=heights)
        _draw_table_4(top, table_4)
        for number, axes in enumerate(below, start=1):
            _draw_figure(axes, number, [point for point in points if point.setting.figure == number])
        figure.suptitle(paper, x=0.02, ha="left")
        handles, labels = below[0].get_legend_handles_labels()
        figure.legend(handles, labels, frameon=False, loc="outside lower center", ncols=len(labels))
    return figure


def _count(points: Sequence[Measured], number: int) -> int:
    return sum(point.setting.figure == number for point in points)


def _draw_table_4(axes: Axes, part: Part) -> None:
    rows = [row.data for row in part.rows]
    ranks = [(row["first"] + row["last"]) / 2 for row in rows]
    for key, label, colour, style in (
        ("older_us", "older, printed", NATIVE_COLOUR, _PRINTED),
        ("older_us_here", "older, here", NATIVE_COLOUR, _HERE),
        ("newer_us", "new, printed", BOUND_COLOUR, _PRINTED),
        ("newer_us_here", "new, here", BOUND_COLOUR, _HERE),
        ("rota_us", "Rota", ROTA_COLOUR, _HERE),
    ):
        axes.plot(ranks, [row[key] for row in rows], style, color=colour, label=label, markersize=4)
    axes.set(xscale="log", yscale="log", xlabel="ranks", ylabel="µs for both schedules of a rank")
    mark(axes.yaxis, _MICROSECONDS)
    axes.set_title("Table 4: computing schedules", loc="left")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))


def _draw_figure(axes: Axes, number: int, points: Sequence[Measured]) -> None:
    places = range(len(points))
    for seconds, label, marker, colour in (
        ([point.native_s for point in points], "native", "s", NATIVE_COLOUR),
        ([point.paper_s for point in points], "circulant, paper's blocks", "x", BOUND_COLOUR),
        ([point.best_s for point in points], "circulant, best blocks", "+", BOUND_COLOUR),
        ([point.rota_s for point in points], "Rota", "o", ROTA_COLOUR),
    ):
        over = [each / point.rota_s for each, point in zip(seconds, points, strict=True)]
        axes.plot(over, places, marker, color=colour, label=label, markersize=6)
    axes.set_yticks(places, [_name_of(point) for point in points])
    axes.set(xscale="log", xlabel="times Rota's time", ylim=(len(points) - 0.5, -0.5))
    mark(axes.xaxis, _TIMES)
    axes.grid(axis="x", color="#e4e4e4")
    axes.set_title(f"Figure {number}, in SMPI: collective, hosts x ranks on each, data", loc="left")


def _name_of(point: Measured) -> str:
    setting = point.setting
    label = setting.point(point.size_bytes).series.label
    return f"{label}, {setting.hosts} x {setting.per_host}, {format_size(point.size_bytes)}"
