"""Rounds of a schedule between two groups, as in Figures 2 and 3 of paper 3: who has what, and what moves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ink_on, ramp
from rota.errors import RotaError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota import Schedule

MAX_RANKS: Final = 24
MAX_ROUNDS: Final = 24

_NODE: Final = 0.21
_CELL: Final = 0.2
_ROWS: Final = 1.5
"""The distance of the two rows of ranks, where two ranks of a row are 1 apart."""

_INCHES: Final = 0.62
_POINTS_PER_INCH: Final = 72

_EDGE: Final = _NODE * _INCHES * _POINTS_PER_INCH + 1
"""From the middle of a rank to where arrows end, in points."""

_Point = tuple[float, float]
_Holdings = list[set[int]]


def require_drawable(schedule: Schedule) -> None:
    """Raise RotaError for what would be too small to see."""
    if schedule.problem.ranks > MAX_RANKS:
        raise RotaError(
            f"{schedule.problem.ranks} ranks are too many for a picture: {MAX_RANKS} are the most"
        )
    if schedule.problem.blocks > 1:
        raise RotaError("a picture shows whole messages: leave out --blocks")
    if schedule.rounds > MAX_ROUNDS:
        raise RotaError(f"{schedule.rounds} rounds are too many for a picture: {MAX_ROUNDS} are the most")


def inter_group_figure(schedule: Schedule, title: str, remark: str, *, on_ring: bool) -> Figure:
    """Return a panel for each round, with what ranks have before it, and one for the end.

    `on_ring`: the links between neighbours are drawn, for there are no others.
    """
    panels = schedule.rounds + 1
    width = max(schedule.problem.first_group, schedule.problem.ranks - schedule.problem.first_group)
    columns = max(1, min(panels, 14 // max(width, 4) or 1))
    rows = -(-panels // columns)
    held_rows = -(-_most_held(schedule) // _per_row(schedule))
    height = _ROWS + 2 * (_NODE + 0.1 + held_rows * _CELL) + 0.5
    head = 0.62
    size = (columns * (width + 0.8) * _INCHES, rows * height * _INCHES + head)
    figure = Figure(figsize=size)
    grid = figure.subplots(rows, columns, squeeze=False)
    figure.subplots_adjust(0, 0, 1, 1 - head / size[1], wspace=0, hspace=0)
    figure.text(0.16 / size[0], 1 - 0.24 / size[1], title, color=INK, fontsize=10, weight="bold", va="center")
    figure.text(0.16 / size[0], 1 - 0.46 / size[1], remark, color=QUIET, fontsize=8, va="center")
    held = _start(schedule)
    for i, axes in enumerate(grid.flat):
        axes.set_axis_off()
        axes.set_xlim(-0.4, width + 0.4)
        axes.set_ylim(-height / 2, height / 2)
        axes.set_aspect("equal")
        if i < panels:
            panel = _Panel(axes, schedule, width)
            if on_ring:
                panel.draw_links()
            panel.draw(i, held)
            held = _after(schedule, i, held) if i < schedule.rounds else held
    return figure


def _most_held(schedule: Schedule) -> int:
    return len({owner for held in _end(schedule) for owner in held})


def _per_row(schedule: Schedule) -> int:
    """Return how many of a rank's messages stand beside each other."""
    problem = schedule.problem
    widest = max(problem.first_group, problem.ranks - problem.first_group)
    fewest = min(problem.first_group, problem.ranks - problem.first_group)
    return max(3, int(widest / max(fewest, 1) / _CELL * 0.9)) if fewest == widest else 4


def _start(schedule: Schedule) -> _Holdings:
    return [{rank} if share else set() for rank, share in enumerate(schedule.problem.shares)]


def _after(schedule: Schedule, round_: int, held: _Holdings) -> _Holdings:
    arrived = [schedule.step(rank, round_).receive.blocks for rank in range(schedule.problem.ranks)]
    return [own | {block.owner for block in new} for own, new in zip(held, arrived, strict=True)]


def _end(schedule: Schedule) -> _Holdings:
    held = _start(schedule)
    for round_ in range(schedule.rounds):
        held = _after(schedule, round_, held)
    return held


class _Panel:
    """One round: the senders above, the receivers below, from right to left as the ring goes on."""

    def __init__(self, axes: Axes, schedule: Schedule, width: float) -> None:
        self.axes = axes
        self.schedule = schedule
        self.width = width
        self.colours = ramp(
            1 + max((rank for rank, share in enumerate(schedule.problem.shares) if share), default=0)
        )

    def draw(self, round_: int, held: _Holdings) -> None:
        """Draw what ranks have before the round, and its messages."""
        is_end = round_ == self.schedule.rounds
        top = self.axes.get_ylim()[1]
        self.axes.text(
            0, top - 0.12, "the end" if is_end else f"round {round_}", color=QUIET, fontsize=8, va="top"
        )
        for rank in range(self.schedule.problem.ranks):
            if not is_end:
                self._message(rank, round_)
            self._node(rank)
            self._held(rank, sorted(held[rank]))

    def _place(self, rank: int) -> _Point:
        senders = self.schedule.problem.first_group
        receivers = self.schedule.problem.ranks - senders
        if rank < senders:
            return (rank + 0.5) * self.width / senders, _ROWS / 2
        return (receivers - (rank - senders) - 0.5) * self.width / receivers, -_ROWS / 2

    def draw_links(self) -> None:
        """Draw the ring, faintly."""
        ranks = self.schedule.problem.ranks
        for rank in range(ranks):
            (x, y), (to_x, to_y) = self._place(rank), self._place((rank + 1) % ranks)
            self.axes.plot((x, to_x), (y, to_y), color=FAINT, linewidth=0.8, zorder=1)

    def _node(self, rank: int) -> None:
        is_sender = rank < self.schedule.problem.first_group
        fill = INK if is_sender else PAPER
        place = self._place(rank)
        self.axes.add_patch(Circle(place, _NODE, facecolor=fill, edgecolor=INK, linewidth=0.8, zorder=3))
        self.axes.text(
            *place,
            str(rank),
            color=PAPER if is_sender else INK,
            fontsize=6,
            ha="center",
            va="center_baseline",
            zorder=4,
        )

    def _held(self, rank: int, owners: list[int]) -> None:
        """Draw whose data the rank has, away from the middle."""
        x, y = self._place(rank)
        away = math.copysign(1, y)
        per_row = _per_row(self.schedule)
        for i, owner in enumerate(owners):
            line, column = divmod(i, per_row)
            in_line = min(per_row, len(owners) - line * per_row)
            left = x + (column - in_line / 2) * _CELL
            middle = y + away * (_NODE + 0.06 + (line + 0.5) * _CELL)
            self._square(left, middle - _CELL / 2, owner)

    def _square(self, left: float, bottom: float, owner: int) -> None:
        colour = self.colours[owner]
        self.axes.add_patch(
            Rectangle(
                (left, bottom), _CELL, _CELL, facecolor=colour, edgecolor=PAPER, linewidth=0.4, zorder=3
            )
        )
        self.axes.text(
            left + _CELL / 2,
            bottom + _CELL / 2,
            str(owner),
            color=ink_on(colour),
            fontsize=4.6,
            ha="center",
            va="center_baseline",
            zorder=4,
        )

    def _message(self, rank: int, round_: int) -> None:
        """Draw what arrives at the rank."""
        received = self.schedule.step(rank, round_).receive
        if not received.blocks:
            return
        start, end = self._place(received.peer), self._place(rank)
        same_row = start[1] == end[1]
        steps_apart = abs(received.peer - rank)
        # Two messages between a pair pass each other on arcs; long ways within a row go around the others.
        bend = -0.22 if not same_row or steps_apart == 1 else math.copysign(0.3, start[0] - end[0])
        arrow = FancyArrowPatch(
            start,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=6,
            shrinkA=_EDGE,
            shrinkB=_EDGE,
            color=ACCENT,
            linewidth=1.0,
            zorder=2,
        )
        self.axes.add_patch(arrow)
        owners = sorted({block.owner for block in received.blocks})
        self._label(start, end, bend, _runs(owners))

    def _label(self, start: _Point, end: _Point, bend: float, words: str) -> None:
        """Name the message beside the middle of its arrow."""
        across, up = end[0] - start[0], end[1] - start[1]
        # An arc's middle is half the bend off the straight line, at a right angle to it.
        x = (start[0] + end[0]) / 2 + bend * up * 0.5
        y = (start[1] + end[1]) / 2 - bend * across * 0.5
        length = math.hypot(across, up)
        off = math.copysign(0.1, bend) / length
        self.axes.text(
            x + off * up,
            y - off * across,
            words,
            color=ACCENT,
            fontsize=5.5,
            ha="center",
            va="center_baseline",
            zorder=5,
        )


def _runs(owners: list[int]) -> str:
    """Return ``0-3,7``."""
    runs: list[list[int]] = []
    for owner in owners:
        if runs and runs[-1][-1] + 1 == owner:
            runs[-1].append(owner)
        else:
            runs.append([owner])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
