"""The circulant graph, round by round: the ranks on a circle, and the blocks on their way along its edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from matplotlib.collections import LineCollection
from matplotlib.patches import Circle, FancyArrowPatch

from rota.drawing.palette import FAINT, INK, PAPER, QUIET, block_colours, ink_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from rota.drawing.trace import Arrival, Trace

LABEL: Final = 0.26
"""The height of what stands above a ring, in inches."""

_LABELLED_RANKS: Final = 24
"""With more ranks the nodes are too small for their numbers."""


def draw_ring(axes: Axes, trace: Trace, round_: int) -> None:
    """Draw one round, on axes in units of the ring's radius: the edges of its skip, and its messages."""
    radius = min(0.125, 2.1 / trace.ranks)
    skips = sorted(trace.distances(round_))
    edges = [
        (_place(trace, rank), _place(trace, (rank + skip) % trace.ranks))
        for skip in skips
        for rank in range(trace.ranks)
    ]
    axes.add_collection(LineCollection(edges, colors=FAINT, linewidths=min(0.7, 30 / trace.ranks), zorder=1))
    for arrival in trace.arrivals[round_]:
        _draw_arrow(axes, trace, arrival, radius)
    _draw_nodes(axes, trace, round_, radius)
    names = ", ".join(map(str, skips))
    axes.text(0, 1.28, f"round {round_}, skip {names}", color=QUIET, fontsize=8, ha="center", va="baseline")


def _place(trace: Trace, rank: int) -> tuple[float, float]:
    """Return where a rank is: the root at the top, the others clockwise."""
    angle = 2 * math.pi * trace.seen_from_root(rank) / trace.ranks
    return math.sin(angle), math.cos(angle)


def _draw_arrow(axes: Axes, trace: Trace, arrival: Arrival, radius: float) -> None:
    start, end = _place(trace, arrival.sender), _place(trace, arrival.to)
    length = math.dist(start, end)
    inset = radius / length
    axes.add_patch(
        FancyArrowPatch(
            _between(start, end, inset),
            _between(start, end, 1 - inset),
            arrowstyle="-|>",
            mutation_scale=min(7, 2 + 80 / trace.ranks),
            shrinkA=0,
            shrinkB=0,
            color=QUIET,
            linewidth=min(1.1, 30 / trace.ranks),
            zorder=2,
        )
    )


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _draw_nodes(axes: Axes, trace: Trace, round_: int, radius: float) -> None:
    colours = block_colours(trace.blocks)
    held = _first_blocks(trace.arrivals[: round_ + 1])
    for rank in range(trace.ranks):
        fill = INK if rank == trace.root else colours[held[rank]] if rank in held else PAPER
        edge = fill if fill != PAPER else FAINT
        place = _place(trace, rank)
        axes.add_patch(Circle(place, radius, facecolor=fill, edgecolor=edge, linewidth=0.8, zorder=3))
        if trace.ranks <= _LABELLED_RANKS:
            colour = QUIET if fill == PAPER else ink_on(fill)
            axes.text(*place, str(rank), color=colour, size=5.5, ha="center", va="center_baseline", zorder=4)


def _first_blocks(rounds: Iterable[tuple[Arrival, ...]]) -> dict[int, int]:
    """Return the first block of every rank that has received one."""
    held: dict[int, int] = {}
    for arrivals in rounds:
        for arrival in arrivals:
            held.setdefault(arrival.to, arrival.block)
    return held
