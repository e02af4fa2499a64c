"""Times over the links' limit, over the ranks of a host: one curve for each collective."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from rota.drawing.marks import CURVE_COLOURS, CURVE_MARKS, mark
from rota.drawing.palette import INK, QUIET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.many_hosts.settings import Outcome

_LINES: Final = ("-", "--")
_TIMES_LIMIT: Final = (1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 10, 20, 50, 100)


def picture(title: str, outcomes: Sequence[Outcome]) -> Figure:
    """Return the curves, one for each collective, on logarithmic axes."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(10, 5.2), layout="constrained")
        axes = figure.subplots()
        for i, name in enumerate(dict.fromkeys(one.collective for one in outcomes)):
            points = [(one.per_host, one.times_limit) for one in outcomes if one.collective == name]
            axes.plot(
                *zip(*points, strict=True),
                marker=CURVE_MARKS[i % len(CURVE_MARKS)],
                linestyle=_LINES[i // len(CURVE_COLOURS) % len(_LINES)],
                color=CURVE_COLOURS[i % len(CURVE_COLOURS)],
                markersize=5,
                label=name,
            )
        axes.axhline(1, color=QUIET, linestyle=":", zorder=1)
        axes.set(xscale="log", yscale="log", xlabel="ranks of each host", ylabel="times the links' limit")
        mark(axes.xaxis, sorted({one.per_host for one in outcomes}))
        mark(axes.yaxis, _TIMES_LIMIT)
        axes.grid(visible=True, alpha=0.25)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        figure.suptitle(title, color=INK)
    return figure
