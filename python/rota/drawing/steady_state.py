"""Figures 12 and 13 of paper 5: many trees beside the one of MPICH."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ramp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.reproduce.steady_state import Point12, Point13

_SIMULATED, _PORTS = ACCENT, ramp(6)[4]
_ASIDE = 0.012
"""Of both readings' marks, so that they stand side by side."""


def figures_12_13(paper: str, points_12: list[Point12], points_13: list[Point13]) -> Figure:
    """Return both figures side by side, under the paper's title."""
    figure = Figure(figsize=(10.5, 4.4), facecolor=PAPER, layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_12(left, points_12)
    _draw_13(right, points_13)
    figure.suptitle(f"{paper}: many reduction trees beside MPICH's one", color=INK)
    return figure


def _draw_12(axes: Axes, points: list[Point12]) -> None:
    axes.axhspan(2, 3, color=QUIET, alpha=0.15, linewidth=0, label="printed: two to three times")
    readings = (
        (_SIMULATED, "o", -_ASIDE, "simulated, blocking calls", [point.comparison.ratio for point in points]),
        (_PORTS, "s", _ASIDE, "ports alone, hosts in random order", [point.shuffled for point in points]),
    )
    for colour, marker, aside, label, ratios in readings:
        densities = [point.density + aside for point in points]
        axes.scatter(densities, ratios, s=12, marker=marker, color=colour, alpha=0.35, linewidths=0)
        at = sorted({point.density for point in points})
        means = [
            mean(ratio for point, ratio in zip(points, ratios, strict=True) if point.density == density)
            for density in at
        ]
        axes.plot(at, means, color=colour, marker=marker, markersize=6, label=f"{label}: mean")
    axes.axhline(1, color=QUIET, linewidth=0.8)
    axes.set_title("Figure 12: Tiers-like platforms of 30 nodes", size=10, color=INK, loc="left")
    axes.set_xlabel("density: hosts / nodes")
    axes.set_ylabel("throughput, multi-tree / single tree")
    axes.set_ylim(0, 1.35 * max(max(ratios) for *_, ratios in readings))
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    _plain(axes)


def _draw_13(axes: Axes, points: list[Point13]) -> None:
    ratios = [float(point.ratio) for point in points]
    found = [point.comparison for point in points]
    lines = (
        ("multi-tree, simulated", "o", _SIMULATED, "-", [each.simulated for each in found]),
        ("single tree, ports alone", "s", _PORTS, "--", [each.ports for each in found]),
        ("single tree, blocking calls", "^", INK, "-", [each.loop for each in found]),
    )
    for label, marker, colour, style, values in lines:
        axes.loglog(ratios, values, style, color=colour, marker=marker, markersize=5, label=label)
    axes.set_title("Figure 13: 10 equal nodes, all linked", size=10, color=INK, loc="left")
    axes.set_xlabel("time of a task / time of a message")
    axes.set_ylabel("throughput, operations / time of a message")
    axes.legend(frameon=False, fontsize=8)
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK)
