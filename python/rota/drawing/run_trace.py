"""A call as it really happened: what each rank sent and received, and when, beside what the model says.

Drawn on axes whose data units are inches; y points downwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, SHADE, ramp
from rota.drawing.strip import draw_strip
from rota.units import format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.run_trace import ServedCall

_WIDTH: Final = 10.0
_GUTTER: Final = 1.0
_RIGHT: Final = 0.25
_TOP: Final = 0.85
_BOTTOM: Final = 0.75
_ROW: Final = 0.15
_GAP: Final = 0.1
_HALF_WORD: Final = 0.31
"""Half the width of what stands above the model's line."""


def run_trace_figure(call: ServedCall) -> Figure:
    """Return the picture: for each rank its sends above its receives, coloured by round, before the call."""
    ranks = sorted({span.rank for span in call.spans})
    height = _TOP + len(ranks) * (2 * _ROW + _GAP) + _BOTTOM
    figure = Figure(figsize=(_WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    last_us = max(call.end_us - call.begin_us, call.expected_us or 0)
    scale = (_WIDTH - _GUTTER - _RIGHT) / last_us
    tops = {rank: _TOP + row * (2 * _ROW + _GAP) for row, rank in enumerate(ranks)}
    _draw_times(axes, last_us, scale, height - _BOTTOM)
    _draw_calls(axes, call, tops, scale)
    _draw_messages(axes, call, tops, scale)
    _draw_model(axes, call, scale, height - _BOTTOM)
    _draw_words(axes, call, height)
    return figure


def _draw_calls(axes: Axes, call: ServedCall, tops: dict[int, float], scale: float) -> None:
    for span in call.spans:
        left, width = _GUTTER + scale * (span.begin_us - call.begin_us), scale * (span.end_us - span.begin_us)
        axes.add_patch(Rectangle((left, tops[span.rank]), width, 2 * _ROW, color=SHADE, linewidth=0))
        for row, word in enumerate(("sends", "receives")):
            name = f"rank {span.rank}  {word}" if row == 0 else word
            y = tops[span.rank] + (row + 0.5) * _ROW
            axes.text(_GUTTER - 0.06, y, name, size=6.5, color=INK, ha="right", va="center")


def _draw_messages(axes: Axes, call: ServedCall, tops: dict[int, float], scale: float) -> None:
    colours = ramp(_rounds(call))
    patches, filled = [], []
    for each in sorted(call.messages, key=lambda one: one.round):
        left = _GUTTER + scale * (each.begin_us - call.begin_us)
        top = tops[each.rank] + (0 if each.is_sent else _ROW)
        patches.append(Rectangle((left, top + 0.015), scale * (each.end_us - each.begin_us), _ROW - 0.03))
        filled.append(colours[each.round])
    axes.add_collection(PatchCollection(patches, facecolors=filled, edgecolors=PAPER, linewidths=0.3))


def _draw_times(axes: Axes, last_us: float, scale: float, y: float) -> None:
    for time_ms in MaxNLocator(10).tick_values(0, last_us / 1e3):
        if 0 <= time_ms * 1e3 <= last_us:
            x = _GUTTER + scale * time_ms * 1e3
            axes.plot([x, x], [_TOP - 0.05, y + 0.02], color=FAINT, linewidth=0.7, zorder=0.5)
            axes.text(x, y + 0.12, f"{time_ms:g}", size=6.5, color=QUIET, ha="center", va="center")
    axes.text(
        (_GUTTER + _WIDTH) / 2, y + 0.29, "ms since the first rank called", size=7, color=QUIET, ha="center"
    )


def _draw_model(axes: Axes, call: ServedCall, scale: float, y: float) -> None:
    if call.expected_us is None:
        return
    x = _GUTTER + scale * call.expected_us
    axes.plot([x, x], [_TOP - 0.12, y], color=ACCENT, linewidth=1.4)
    right = min(x + _HALF_WORD, _WIDTH - 0.05)
    axes.text(right, _TOP - 0.18, "by the model", size=7, color=ACCENT, ha="right", va="center")


def _draw_words(axes: Axes, call: ServedCall, height: float) -> None:
    served = f"{call.schedule}, {counted(call.blocks, 'block')} in {counted(call.rounds, 'round')}"
    ranks = counted(call.ranks, "rank")
    title = f"MPI_{call.call.capitalize()} of {format_size(call.bytes)} among {ranks}: {served}"
    took = f"took {format_seconds(call.took_us / 1e6)} on the slowest rank"
    if call.expected_us is not None:
        took += f", by the model {format_seconds(call.expected_us / 1e6)}"
    axes.text(0.12, 0.2, title, size=9, color=INK, va="center")
    axes.text(0.12, 0.42, took, size=7.5, color=QUIET, va="center")
    rounds = _rounds(call)
    place, names = (_WIDTH - _RIGHT - 2.1, height - 0.2), ("messages of round 0", f"of round {rounds - 1}")
    draw_strip(axes, place, ramp(rounds), names, 6.5)


def _rounds(call: ServedCall) -> int:
    return max([call.rounds, *(each.round + 1 for each in call.messages)])
