"""Figures 12 and 13 of paper 5: many trees beside the one of MPICH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ramp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.reproduce.steady_state import Point12, Point13


def figures_12_13(points_12: list[Point12], points_13: list[Point13]) -> Figure:
    """Return both figures side by side."""
    figure = Figure(figsize=(9, 3.6), facecolor=PAPER, layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_12(left, points_12)
    _draw_13(right, points_13)
    return figure


def _draw_12(axes: Axes, points: list[Point12]) -> None:
    densities = [point.density for point in points]
    ratios = [point.comparison.ratio for point in points]
    axes.scatter(densities, ratios, s=12, color=ramp(3)[1], alpha=0.6, linewidths=0)
    axes.axhspan(2, 3, color=ACCENT, alpha=0.12, linewidth=0)
    axes.text(max(densities), 2.5, "printed: 2 to 3", size=8, color=ACCENT, ha="right", va="center")
    axes.axhline(1, color=QUIET, linewidth=0.8)
    axes.set_xlabel("density of hosts among nodes")
    axes.set_ylabel("multi-tree over single tree")
    axes.set_ylim(bottom=0)
    _plain(axes)


def _draw_13(axes: Axes, points: list[Point13]) -> None:
    ratios = [float(point.ratio) for point in points]
    axes.loglog(ratios, [float(point.comparison.multi_tree) for point in points], color=ACCENT, marker="o")
    axes.loglog(
        ratios, [float(point.comparison.single_tree) for point in points], color=ramp(3)[2], marker="s"
    )
    axes.legend(["multi-tree", "binomial tree"], frameon=False)
    axes.set_xlabel("time of a task over that of a message")
    axes.set_ylabel("operations in the time of a message")
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK)
