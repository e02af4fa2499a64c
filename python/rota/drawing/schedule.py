"""The picture of a schedule: its timeline, and below it its two trees or some rounds on the ring of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure

from rota import Collective
from rota.drawing.hosts import draw_hosts
from rota.drawing.look import look_of
from rota.drawing.palette import INK, PAPER, QUIET
from rota.drawing.rings import LABEL, draw_ring
from rota.drawing.timeline import GUTTER, Grid, draw_timeline, header
from rota.drawing.tree_picture import TreePicture, draw_trees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rota.drawing.trace import Trace
    from rota.two_trees import Trees

_WIDTH: Final = 9.0
_MARGIN: Final = 0.25
_TITLE: Final = 0.35
_REMARK: Final = 0.19
_CAPTION: Final = 0.56
_RING: Final = 2.1
"""Widths and heights of the parts, in inches."""

_INNER: Final = _WIDTH - 2 * _MARGIN

_HOSTS: Final = "Lines keep hosts apart; what passes a link has a frame."
_HOSTS_ON_RINGS: Final = "; an arc: one host; coloured: over a link"


def schedule_figure(trace: Trace, title: str, remarks: Sequence[str], trees: Trees | None) -> Figure:
    """Return the picture, 9 inches wide, of a schedule of one round or more."""
    grid = Grid.within(_INNER, trace)
    remarks = (*remarks, *_key(trace))
    head = _MARGIN + _TITLE - 0.15 + _REMARK * len(remarks)
    above = header(trace, grid)
    top = head + above + grid.height
    picture = TreePicture(trees, _INNER) if trees else None
    below = picture.height if picture else LABEL + _side(trace)
    figure = Figure(figsize=(_WIDTH, top + _CAPTION + below + _MARGIN), facecolor=PAPER)
    _heading(figure, _TITLE, title, 13)
    for line, remark in enumerate(remarks):
        _remark(figure, 0.60 + _REMARK * line, remark)
    timeline = _axes(figure, _MARGIN, head, _INNER, above + grid.height)
    timeline.set(xlim=(-GUTTER, _INNER - GUTTER), ylim=(grid.height, -above))
    draw_timeline(timeline, trace, grid)
    if trace.hosts:
        draw_hosts(timeline, trace, grid)
    timeline.set(xlim=(-GUTTER, _INNER - GUTTER), ylim=(grid.height, -above))
    if picture:
        _draw_trees(figure, picture, top)
    else:
        _draw_rings(figure, trace, top)
    return figure


def _key(trace: Trace) -> tuple[str, ...]:
    """Return what the cells mean."""
    bars = [
        text
        for is_there, text in (
            (trace.combines_received, "at its left or right: combined with the rank's own, from that side"),
            (trace.combines_own, "below: then the rank combines blocks that it holds"),
        )
        if is_there
    ]
    lines = _cell(trace), f"A bar {'; '.join(bars)}." if bars else "", _HOSTS if trace.hosts else ""
    return tuple(filter(None, lines))


def _cell(trace: Trace) -> str:
    look = look_of(trace)
    if look.has_slots:
        colour = "owner" if look.by_owner else "block"
        return (
            f"A cell: what the rank receives in that round, a slot for each owner, in the {colour}'s colour."
        )
    if look.by_owner:
        return "A cell: the owner of the block that the rank receives in that round."
    also = "; in the top row, the one the root sends" if trace.collective == Collective.broadcast else ""
    return f"A cell: the block that the rank receives in that round{also}."


def _draw_trees(figure: Figure, picture: TreePicture, top: float) -> None:
    text = "The two trees: even blocks above, odd blocks below; edges of one colour work in the same rounds"
    _heading(figure, top + 0.36, text, 9.5)
    axes = _axes(figure, _MARGIN, top + _CAPTION, _INNER, picture.height)
    axes.set(xlim=(0, _INNER), ylim=(picture.height, 0))
    draw_trees(axes, picture)


def _ring_rounds(trace: Trace) -> range:
    """Return the rounds that show how data spreads, or is brought together: where pipelines begin or end."""
    count = min(trace.spread, trace.rounds)
    return range(trace.rounds - count, trace.rounds) if trace.gathers else range(count)


def _side(trace: Trace) -> float:
    return min(_RING, _INNER / len(_ring_rounds(trace)))


def _draw_rings(figure: Figure, trace: Trace, top: float) -> None:
    """Draw some rounds side by side, each in the middle of its share of the width."""
    rounds = _ring_rounds(trace)
    which = "first" if rounds[0] == 0 else "last"
    is_circulant = not trace.hosts and all(len(trace.distances(round_)) == 1 for round_ in rounds)
    sign = "\N{MINUS SIGN}" if trace.gathers else "+"
    where = f"circulant graph: rank r sends to r {sign} skip" if is_circulant else "ring of ranks"
    hosts = _HOSTS_ON_RINGS if trace.hosts else ""
    _heading(figure, top + 0.42, f"The {which} rounds on the {where}{hosts}", 9.5)
    slot, side = _INNER / len(rounds), _side(trace)
    for i, round_ in enumerate(rounds):
        left = _MARGIN + slot * i + (slot - side) / 2
        ring = _axes(figure, left, top + _CAPTION, side, side + LABEL)
        ring.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2 + 2.4 * LABEL / side))
        draw_ring(ring, trace, round_, min(trace.distances(round_)) if is_circulant else None)


def _axes(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Return bare axes at a place given in inches from the top left corner."""
    full_width, full_height = figure.get_size_inches()
    axes = figure.add_axes(
        (left / full_width, 1 - (top + height) / full_height, width / full_width, height / full_height)
    )
    axes.set_axis_off()
    return axes


def _heading(figure: Figure, top: float, text: str, size: float) -> None:
    figure.text(*_at_margin(figure, top), text, fontsize=size, color=INK, fontweight="bold")


def _remark(figure: Figure, top: float, text: str) -> None:
    figure.text(*_at_margin(figure, top), text, fontsize=9, color=QUIET)


def _at_margin(figure: Figure, top: float) -> tuple[float, float]:
    """Return where a line of text starts whose baseline is `top` inches from the top."""
    width, height = figure.get_size_inches()
    return float(_MARGIN / width), float(1 - top / height)
