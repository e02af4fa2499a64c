"""Figure 4 of paper 3: times over sizes, a panel for each pair of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from rota.drawing.marks import mark, size_text
from rota.drawing.palette import INK, QUIET
from rota.units import format_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from rota.reproduce.inter_group import Panel, Point

_BENCHMARK, _PAPER, _ROTA = "#b0532a", "#4f9d69", "#1f5f8b"
_COLUMNS: Final = 3


def figure_4(paper: str, panels: Mapping[Panel, Sequence[Point]]) -> Figure:
    """Return the figure under the paper's title, with the bound and Rota's best beside the paper's curves."""
    rows = -(-len(panels) // _COLUMNS)
    figure = Figure(figsize=(11, 2.6 * rows + 0.5), layout="constrained")
    grid = figure.subplots(rows, _COLUMNS, squeeze=False)
    for axes, (panel, points) in zip(grid.flat, panels.items(), strict=False):
        _draw(axes, panel, points)
    grid[0][0].legend(frameon=False, fontsize=7)
    figure.suptitle(f"{paper}\nFigure 4, simulated: time over each sender's bytes", color=INK)
    return figure


def _draw(axes: Axes, panel: Panel, points: Sequence[Point]) -> None:
    sizes = [point.size_bytes for point in points]
    axes.loglog(
        sizes, [point.benchmark_s for point in points], "s-", ms=3, color=_BENCHMARK, label="benchmark"
    )
    axes.loglog(
        sizes,
        [point.paper_s for point in points],
        "D-",
        ms=6,
        mfc="none",
        color=_PAPER,
        label="the paper's, whole messages",
    )
    axes.loglog(sizes, [point.rota.seconds for point in points], "o-", ms=3, color=_ROTA, label="Rota's best")
    axes.loglog(sizes, [point.rota.least_seconds for point in points], "--", color=QUIET, label="bound")
    axes.set_title(panel.title, fontsize=9)
    axes.set_xlabel("data of each sender", fontsize=7)
    axes.set_ylabel("time", fontsize=7)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda seconds, _: format_seconds(seconds)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    mark(axes.xaxis, sizes[::2], size_text)
    axes.tick_params(labelsize=7)
    axes.grid(visible=True, alpha=0.25)
