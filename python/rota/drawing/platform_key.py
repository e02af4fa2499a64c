"""The key of a platform's picture: what its circles, lines and arrows are, and what is written at them.

What all links or all processors have in common stands in the key alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from matplotlib.patches import Circle, FancyArrowPatch

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ramp
from rota.platforms import Units
from rota.platforms.quantities import rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from rota.platforms import Platform

KEY_LINE: Final = 0.19
"""The height of an entry, in inches."""
HEAD: Final = "-|>,head_length=0.35,head_width=0.18"
"""The style of an arrow."""
PROCESSOR: Final = ramp(3)[1]
"""The colour of nodes that compute."""

_LEFT: Final = 0.12
_LONG: Final = 0.24
_RADIUS: Final = 0.06
_SIZE: Final = 7.0
_DIGITS: Final = 3


@dataclass(frozen=True)
class Entry:
    """What something means: a node of that fill or, without one, a line of that colour."""

    text: str
    fill: str = ""
    colour: str = QUIET
    is_arrow: bool = False


def common_cost(platform: Platform) -> Fraction | None:
    """Return what each of several links costs; None if they differ."""
    costs = {link.cost for link in platform.links}
    return costs.pop() if len(costs) == 1 and len(platform.links) > 1 else None


def common_task(platform: Platform) -> Fraction | None:
    """Return what a task takes on each of several processors; None if they differ."""
    tasks = {node.task or Fraction(1) for node in platform.processors}
    return tasks.pop() if len(tasks) == 1 and len(platform.processors) > 1 else None


def cost_text(platform: Platform, cost: Fraction) -> str:
    """Return what is written at a link of that cost."""
    return rate_text(1 / cost, "B/s", _DIGITS) if _is_physical(platform) else str(cost)


def task_text(platform: Platform, task: Fraction) -> str:
    """Return what is written at a processor on which a task takes so long."""
    return rate_text(1 / task, "flop/s", _DIGITS) if _is_physical(platform) else f"task {task}"


def nodes_key(platform: Platform) -> Iterator[Entry]:
    """Generate what nodes are, and what is written below them."""
    if platform.processors:
        is_speed = _is_physical(platform)
        task = common_task(platform)
        own = "below: its speed" if is_speed else "below: the time of a task"
        yield Entry(f"a processor; {own if task is None else f'all: {task_text(platform, task)}'}", PROCESSOR)
    if len(platform.processors) < len(platform.nodes):
        yield Entry("a node that does not compute", PAPER)


def links_key(platform: Platform, *, lines: bool, arrows: bool, labels: bool) -> Iterator[Entry]:
    """Generate what lines and arrows are, where there are any, and what is written at them."""
    cost = common_cost(platform)
    is_rate = _is_physical(platform)
    if cost is not None:
        words = f"; all: {cost_text(platform, cost)}" if is_rate else f"; all: a message takes {cost}"
    else:
        words = f"; on it: {'its bandwidth' if is_rate else 'the time of a message'}" if labels else ""
    if lines:
        yield Entry(f"a link, the same both ways{words}")
    if arrows:
        yield Entry(f"a link one way{words}", is_arrow=True)


def flows_key(measure: str) -> Iterator[Entry]:
    """Generate what lines and arrows are where something flows."""
    yield Entry("a link", colour=FAINT)
    yield Entry(f"on it, and the wider the more: {measure}", colour=ACCENT, is_arrow=True)


def _is_physical(platform: Platform) -> bool:
    return platform.measured_in is Units.PHYSICAL


def draw_key(axes: Axes, top: float, entries: Sequence[Entry]) -> None:
    """Draw the entries from a height downwards, on axes whose data units are inches."""
    for number, entry in enumerate(entries):
        y = top + KEY_LINE * (number + 0.5)
        axes.add_patch(_node(entry, y) if entry.fill else _line(entry, y))
        axes.text(_LEFT + _LONG + 0.08, y, entry.text, color=QUIET, size=_SIZE, va="center", parse_math=False)


def _node(entry: Entry, y: float) -> Circle:
    edge = QUIET if entry.fill == PAPER else INK
    return Circle((_LEFT + _LONG / 2, y), _RADIUS, facecolor=entry.fill, edgecolor=edge, linewidth=0.9)


def _line(entry: Entry, y: float) -> FancyArrowPatch:
    return FancyArrowPatch(
        (_LEFT, y),
        (_LEFT + _LONG, y),
        arrowstyle=HEAD if entry.is_arrow else "-",
        mutation_scale=9,
        linewidth=1.0,
        color=entry.colour,
        shrinkA=0,
        shrinkB=0,
        joinstyle="miter",
    )
