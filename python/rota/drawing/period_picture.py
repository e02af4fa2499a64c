"""A period as a Gantt chart: what each port and each processor is busy with, over time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from rota.drawing.palette import FAINT, INK, PAPER, QUIET, SHADE, ink_on, ramp
from rota.drawing.panel import Panel
from rota.drawing.strip import STRIP, STRIP_GAP, draw_strip
from rota.steady.network import Part, Port
from rota.steady.series import Computation
from rota.vocabulary import in_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from rota.steady.plan import Plan
    from rota.steady.series import Message

_WIDTH: Final = 9.0
_GUTTER: Final = 1.4
_TOP: Final = 0.55
_BOTTOM: Final = 0.62
_ROW: Final = 0.24
_GAP: Final = 0.08
_LETTER: Final = 0.058
"""Inches of a letter of a bar's label."""
_SIZE: Final = 6.5
_WORDS: Final = {Part.SEND: "out", Part.RECEIVE: "in", Part.COMPUTE: "computes"}


@dataclass(frozen=True)
class Bar:
    """Something that a port or processor does from one time to another."""

    port: Port
    start: Fraction
    end: Fraction
    message: Message
    label: str


def bars_of(plan: Plan) -> Iterator[Bar]:
    """Yield what is done in a period: the matchings one after the other, tasks in any order."""
    start = Fraction(0)
    for matching in plan.matchings:
        passed: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for transfer, amount in matching.pieces:
            time = sum((time for _, time in plan.network.busy(transfer)), Fraction(0)) / 2 * amount
            begin = start + passed[transfer.source, transfer.target]
            passed[transfer.source, transfer.target] += time
            for port, other in (
                (Port(transfer.source, Part.SEND), transfer.target),
                (Port(transfer.target, Part.RECEIVE), transfer.source),
            ):
                name = plan.series.name_of(transfer.message)
                arrow = "→" if port.part is Part.SEND else "←"
                yield Bar(port, begin, begin + time, transfer.message, f"{name} {arrow} {other}")
        start += matching.length
    yield from _computations(plan)


def _computations(plan: Plan) -> Iterator[Bar]:
    worked: dict[Port, Fraction] = defaultdict(Fraction)
    for activity, amount in plan.in_period.items():
        if isinstance(activity, Computation):
            ((port, time),) = plan.network.busy(activity)
            begin, worked[port] = worked[port], worked[port] + time * amount
            name = f"T[{','.join(map(str, activity.task))}]"
            yield Bar(port, begin, worked[port], activity.task.result, name)


def period_panel(plan: Plan, unit: str = "time unit", width: float = 0.0) -> Panel:
    """Return the picture: two rows for each node that sends or receives, one more where it computes.

    `unit`: what times are counted in; `width`: where there is more room than it needs.
    """
    bars = list(bars_of(plan))
    rows = _rows(plan, {bar.port for bar in bars})
    height = _TOP + max(rows.values(), default=0.0) + _ROW + _BOTTOM
    return Panel(max(width, _WIDTH), height, lambda axes: _draw(axes, plan, unit, bars, rows))


def _draw(axes: Axes, plan: Plan, unit: str, bars: list[Bar], rows: dict[Port, float]) -> None:
    width, height = axes.get_xlim()[1], axes.get_ylim()[0]
    scale = (width - _GUTTER - 0.2) / float(plan.period)
    for port, y in rows.items():
        axes.add_patch(Rectangle((_GUTTER, _TOP + y), width - _GUTTER - 0.2, _ROW, color=SHADE, linewidth=0))
        label = f"{port.node} {_WORDS[port.part]}"
        axes.text(_GUTTER - 0.08, _TOP + y + _ROW / 2, label, size=7, color=INK, ha="right", va="center")
    _draw_bars(axes, plan, bars, rows, scale)
    _draw_times(axes, plan, height - _BOTTOM, scale)
    period = f"{_counted(plan.operations, 'operation')} in a period of {_counted(plan.period, unit)}"
    said = f"Series of {plan.series.kind.value}s: {period}"
    key = f"{unit}s since the period's beginning; a colour for each message"
    axes.text(
        (_GUTTER + width - 0.2) / 2, height - 0.16, key, size=_SIZE, color=QUIET, ha="center", va="center"
    )
    axes.text(0.12, 0.25, said, size=8, color=INK, va="center")
    _draw_key(axes, plan, width)


def _draw_key(axes: Axes, plan: Plan, width: float) -> None:
    """Say which message has which colour, at the top right: bars that are short do not."""
    colours = _colours(plan)
    if len(colours) > 1:
        first, *_, last = map(plan.series.name_of, colours)
        left = width - 0.2 - _LETTER * len(last) - STRIP_GAP - STRIP
        draw_strip(axes, (left, 0.25), tuple(colours.values()), (first, last), _SIZE)


def _colours(plan: Plan) -> dict[Message, str]:
    messages = list(plan.series.sizes)
    return dict(zip(messages, ramp(len(messages)), strict=True))


def _rows(plan: Plan, ports: set[Port]) -> dict[Port, float]:
    rows: dict[Port, float] = {}
    y = 0.0
    for node in plan.platform.nodes:
        here = [Port(node.name, part) for part in Part if Port(node.name, part) in ports]
        for port in here:
            rows[port] = y
            y += _ROW
        y += _GAP * bool(here)
    return rows


def _draw_bars(axes: Axes, plan: Plan, bars: list[Bar], rows: dict[Port, float], scale: float) -> None:
    colours = _colours(plan)
    patches, colour_of = [], []
    for bar in bars:
        left, width = _GUTTER + scale * float(bar.start), scale * float(bar.end - bar.start)
        top = _TOP + rows[bar.port]
        patches.append(Rectangle((left, top + 0.015), width, _ROW - 0.03))
        colour_of.append(colours[bar.message])
        if len(bar.label) * _LETTER < width:
            ink = ink_on(colours[bar.message])
            axes.text(
                left + width / 2, top + _ROW / 2, bar.label, size=_SIZE, color=ink, ha="center", va="center"
            )
    axes.add_collection(PatchCollection(patches, facecolors=colour_of, edgecolors=PAPER, linewidths=0.6))


def _draw_times(axes: Axes, plan: Plan, y: float, scale: float) -> None:
    """Draw where matchings begin and end, with the time where there is room."""
    time, last_label = Fraction(0), -1.0
    for length in (Fraction(0), *(matching.length for matching in plan.matchings)):
        time += length
        x = _GUTTER + scale * float(time)
        axes.plot([x, x], [_TOP - 0.05, y + 0.04], color=FAINT, linewidth=0.7, zorder=0.5)
        if x - last_label > _LETTER * (len(_number(time)) + 2):
            axes.text(x, y + 0.15, _number(time), size=_SIZE, color=QUIET, ha="center", va="center")
            last_label = x


def _counted(value: Fraction | int, thing: str) -> str:
    return f"{_number(value)} {in_number(value, thing)}"


def _number(value: Fraction | int) -> str:
    text = str(value)
    return text if len(text) <= 9 else f"{float(value):.3g}"  # noqa: PLR2004 - a label's letters
