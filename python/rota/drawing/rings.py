"""Rounds one by one: the ranks on a circle, and the blocks on their way between them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from matplotlib.collections import LineCollection
from matplotlib.patches import Arc, Circle, FancyArrowPatch

from rota import Collective
from rota.drawing.look import look_of
from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ink_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from rota import Block
    from rota.drawing.trace import Arrival, Trace

LABEL: Final = 0.26
"""The height of what stands above a ring, in inches."""

_LABELLED_RANKS: Final = 24
"""With more ranks the nodes are too small for their numbers."""

_HOST_RADIUS: Final = 1.17
"""Beyond the largest nodes, within the axes."""


def draw_ring(axes: Axes, trace: Trace, round_: int, skip: int | None) -> None:
    """Draw one round, on axes in units of the ring's radius: its messages, and the graph of its skip."""
    radius = min(0.125, 2.1 / trace.ranks)
    if skip is not None:
        _draw_graph(axes, trace, skip)
    _draw_hosts(axes, trace)
    for arrival in trace.arrivals[round_]:
        _draw_arrow(axes, trace, arrival, radius)
    _draw_nodes(axes, trace, round_, radius)
    name = f"round {round_}" if skip is None else f"round {round_}, skip {skip}"
    axes.text(0, 1.28, name, color=QUIET, fontsize=8, ha="center", va="baseline")


def _draw_graph(axes: Axes, trace: Trace, skip: int) -> None:
    """Draw the edges of a skip, used or not."""
    edges = [(_place(trace, rank), _place(trace, (rank + skip) % trace.ranks)) for rank in range(trace.ranks)]
    axes.add_collection(LineCollection(edges, colors=FAINT, linewidths=min(0.7, 30 / trace.ranks), zorder=1))


def _draw_hosts(axes: Axes, trace: Trace) -> None:
    """Draw an arc around the ranks of each host that ranks share."""
    size, turn, top = 2 * _HOST_RADIUS, 360 / trace.ranks, trace.root or 0
    for run in trace.hosts.runs if trace.hosts else ():
        left, right = 90 - turn * (run.first - 0.3 - top), 90 - turn * (run.end - 0.7 - top)
        axes.add_patch(Arc((0, 0), size, size, theta1=right, theta2=left, color=QUIET, linewidth=0.8))


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
            color=ACCENT if trace.passes_link(arrival) else QUIET,
            linewidth=min(1.1, 30 / trace.ranks),
            zorder=2,
        )
    )


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _draw_nodes(axes: Axes, trace: Trace, round_: int, radius: float) -> None:
    """Draw the ranks: the root dark, the others of a broadcast in their first block's colour."""
    look = look_of(trace)
    is_broadcast = trace.collective == Collective.broadcast
    held = _first_blocks(trace.arrivals[: round_ + 1]) if is_broadcast else {}
    for rank in range(trace.ranks):
        fill = INK if rank == trace.root else look.colour(held[rank]) if rank in held else PAPER
        edge = fill if fill != PAPER else FAINT
        place = _place(trace, rank)
        axes.add_patch(Circle(place, radius, facecolor=fill, edgecolor=edge, linewidth=0.8, zorder=3))
        if trace.ranks <= _LABELLED_RANKS:
            colour = QUIET if fill == PAPER else ink_on(fill)
            axes.text(*place, str(rank), color=colour, size=5.5, ha="center", va="center_baseline", zorder=4)


def _first_blocks(rounds: Iterable[tuple[Arrival, ...]]) -> dict[int, Block]:
    """Return the first block of every rank that has received one."""
    held: dict[int, Block] = {}
    for arrivals in rounds:
        for arrival in arrivals:
            held.setdefault(arrival.to, arrival.blocks[0])
    return held
