"""A reduction tree as the paper draws it: operands on top, transfers and tasks, the result at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matplotlib.patches import FancyBboxPatch

from rota.drawing.palette import INK, QUIET, SHADE, ink_on, ramp
from rota.drawing.panel import Panel
from rota.steady.series import Computation, Place, Transfer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.steady.cheapest import Way
    from rota.steady.plan import Plan
    from rota.steady.series import Activity, Series

_BOX: Final = (1.25, 0.4)
_COLUMN: Final = 1.4
_LEVEL: Final = 0.62
_MARGIN: Final = 0.2
_TITLE: Final = 0.35
_LINE: Final = 19
"""Letters in a line of a box."""
_MOST_LINES: Final = 3
_TASK: Final = ramp(3)[1]


@dataclass(frozen=True)
class Box:
    """What is done, in words, and what must be done before it."""

    label: str
    is_task: bool
    before: tuple[Box, ...] = ()

    @property
    def levels(self) -> int:
        """How many boxes lie on the longest way to it, itself among them."""
        return 1 + max((box.levels for box in self.before), default=0)

    @property
    def columns(self) -> int:
        """How many boxes lie side by side above it."""
        return max(1, sum(box.columns for box in self.before))


def boxes_of(series: Series, way: Way) -> Box:
    """Return the last box of the tree; transfers of a message one after the other share one."""
    made: dict[Place, Activity] = {}
    for activity in way:
        made[_result(activity)] = activity
    (delivered,) = series.deliveries
    return _box(series, made, delivered)


def _result(activity: Activity) -> Place:
    if isinstance(activity, Transfer):
        return Place(activity.target, activity.message)
    return Place(activity.node, activity.task.result)


def _box(series: Series, made: dict[Place, Activity], place: Place) -> Box:
    activity = made.get(place) if series.origins.get(place.message) != place.node else None
    if activity is None:
        return Box(f"{series.name_of(place.message)} of {place.node}", is_task=False)
    if isinstance(activity, Computation):
        inputs = tuple(
            _box(series, made, Place(activity.node, operand)) for operand in activity.task.operands
        )
        name = f"T[{','.join(map(str, activity.task))}]"
        return Box(f"{name} in {activity.node}", is_task=True, before=inputs)
    path = [place.node]
    while isinstance(activity, Transfer):
        path.append(activity.source)
        place = Place(activity.source, place.message)
        activity = made.get(place) if series.origins.get(place.message) != place.node else None
    before = _box(series, made, place)
    label = f"{series.name_of(place.message)}: {_joined(path[::-1])}"
    return Box(label, is_task=False, before=(before,) if before.before else ())


def _joined(path: list[str]) -> str:
    """Return the path in lines that fit into a box, the middle left out where it is too long."""
    lines = [""]
    for name in path:
        more = f"{name} → "
        if len(lines[-1]) + len(more) > _LINE and lines[-1]:
            lines.append("")
        lines[-1] += more
    if len(lines) > _MOST_LINES:
        lines = [lines[0], f"... {len(path)} nodes ...", lines[-1]]
    return "\n".join(lines).removesuffix(" → ")


def tree_panel(plan: Plan, way: Way, title: str) -> Panel:
    """Return the picture of one tree."""
    last = boxes_of(plan.series, way)
    width = max(3.0, last.columns * _COLUMN + 2 * _MARGIN)
    height = _TITLE + last.levels * _LEVEL + _MARGIN

    def draw(axes: Axes) -> None:
        axes.text(_MARGIN, _TITLE / 2, title, size=8, color=INK, va="center")
        _draw(axes, last, (width - last.columns * _COLUMN) / 2, height - _MARGIN - _LEVEL / 2)

    return Panel(width, height, draw)


def _draw(axes: Axes, box: Box, left: float, y: float) -> float:
    """Draw a box and what is above it, and return where its middle is."""
    middles, offset = [], left
    for before in box.before:
        middles.append(_draw(axes, before, offset, y - _LEVEL))
        offset += before.columns * _COLUMN
    x = sum(middles) / len(middles) if middles else left + _COLUMN * box.columns / 2
    width, height = _BOX
    for middle in middles:
        axes.annotate(
            "",
            (x, y - height / 2),
            (middle, y - _LEVEL + height / 2),
            arrowprops={"arrowstyle": "-|>", "color": QUIET, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0},
        )
    colour = _TASK if box.is_task else SHADE
    style = "square,pad=0" if box.is_task else "round,pad=0,rounding_size=0.08"
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2), width, height, boxstyle=style, color=colour, linewidth=0
        )
    )
    axes.text(x, y, box.label, size=6, color=ink_on(colour), ha="center", va="center", linespacing=1.15)
    return x
