"""Figure 10 of paper 2: the scheduling time of CGM over the number of ranks, against d ln d."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from rota.drawing.palette import FAINT, INK, QUIET, block_colours

if TYPE_CHECKING:
    from rota.reproduce.all_to_many import Point10


def figure_10(paper: str, points: list[Point10]) -> Figure:
    """Draw a line for each number of ranks, under the paper's title."""
    counts = sorted({point.ranks for point in points})
    colours = block_colours(len(counts) + 1)[1:]
    figure = Figure(figsize=(6.4, 4.2), facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    for count, colour, marker in zip(counts, colours, cycle("osv^D"), strict=False):
        line = sorted((point for point in points if point.ranks == count), key=lambda point: point.work)
        axes.plot(
            [point.work for point in line],
            [1e6 * point.scheduling_s / count for point in line],
            color=colour,
            marker=marker,
            markersize=4,
            linewidth=1.2,
            label=f"n = {count}",
        )
    axes.set_title("Figure 10: computing CGM's permutations", size=10, color=INK, loc="left")
    axes.set_xlabel("d ln d, d messages of each rank", color=INK)
    axes.set_ylabel("scheduling time / number of ranks n, microseconds", color=INK)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, color=FAINT, linewidth=0.5)
    axes.tick_params(colors=QUIET)
    axes.legend(frameon=False, fontsize=8)
    for spine in axes.spines.values():
        spine.set_color(FAINT)
    figure.suptitle(paper, size=10, color=INK, x=0.02, ha="left")
    return figure
