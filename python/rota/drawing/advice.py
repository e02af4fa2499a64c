"""What calls took in all, beside what they would take by schedules and at the limit: a bar a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from rota.drawing.palette import ACCENT, FAINT, INK, QUIET
from rota.units import format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.advice import Advice

_SCHEDULE: Final = "#1f5f8b"
_MOST_BARS: Final = 20


def advice_figure(advice: Sequence[Advice], title: str) -> Figure:
    """Return the bars of the calls with most to gain, at most 20 of them."""
    shown = advice[:_MOST_BARS]
    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(10, 1.3 + 0.36 * max(2, len(shown))), layout="constrained")
        axes = figure.subplots()
        rows = range(len(shown))
        axes.barh(rows, [one.line.took_s for one in shown], 0.72, color=FAINT, label="took")
        axes.barh(
            rows, [_would_take(one) for one in shown], 0.44, color=_SCHEDULE, label="by the best schedule"
        )
        for row, one in enumerate(shown):
            limit = one.line.calls * (one.least_s or 0)
            axes.plot((limit, limit), (row - 0.36, row + 0.36), color=ACCENT, linewidth=1.6)
            gain = f"{format_seconds(one.gain_s)} to gain" if one.gain_s else "nothing to gain"
            axes.annotate(
                gain,
                (max(one.line.took_s, _would_take(one)), row),
                (4, 0),
                textcoords="offset points",
                va="center",
                color=QUIET,
                fontsize=8,
            )
        axes.plot([], [], color=ACCENT, linewidth=1.6, label="the links' limit")
        axes.set_yticks(rows, [_name(one) for one in shown])
        axes.invert_yaxis()
        axes.margins(x=0.14)
        axes.set_xlim(left=0)
        axes.set_xlabel("time of all these calls")
        axes.xaxis.set_major_formatter(
            FuncFormatter(lambda seconds, _: format_seconds(seconds) if seconds else "0")
        )
        axes.legend(frameon=False, loc="lower right")
        figure.suptitle(title, color=INK, fontsize=10)
    return figure


def _would_take(one: Advice) -> float:
    return one.line.calls * one.schedule.seconds if one.schedule else 0.0


def _name(one: Advice) -> str:
    line = one.line
    ranks, calls = counted(line.ranks, "rank"), counted(line.calls, "call")
    return f"{line.call}, {format_size(round(line.bytes))},\n{ranks}, {calls}"
