"""Times over the links' limit, over the ranks of a host: one curve for each collective."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from rota.drawing.palette import INK, QUIET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.many_hosts.settings import Outcome

_COLOURS: Final = ("#1f5f8b", "#c8552b", "#4f9d69", "#8a5fa8", "#c79a2b", "#4cb0c0", "#7d4b3a", "#d277a0")
_MARKS: Final = "osD^vPX*"
_LINES: Final = ("-", "--")
_TICKS: Final = (1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 10, 20, 50, 100)


def picture(title: str, outcomes: Sequence[Outcome]) -> Figure:
    """Return the curves, one for each collective, on logarithmic axes."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(10, 5.2), layout="constrained")
        axes = figure.subplots()
        for i, name in enumerate(dict.fromkeys(one.collective for one in outcomes)):
            points = [(one.per_host, one.times_limit) for one in outcomes if one.collective == name]
            axes.plot(
                *zip(*points, strict=True),
                marker=_MARKS[i % len(_MARKS)],
                linestyle=_LINES[i // len(_COLOURS) % len(_LINES)],
                color=_COLOURS[i % len(_COLOURS)],
                markersize=5,
                label=name,
            )
        axes.axhline(1, color=QUIET, linestyle=":", zorder=1)
        axes.set(xscale="log", yscale="log", xlabel="ranks of each host", ylabel="times the links' limit")
        axes.xaxis.set_major_locator(FixedLocator(sorted({float(one.per_host) for one in outcomes})))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda ranks, _: f"{ranks:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_locator(FixedLocator(_TICKS))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.yaxis.set_minor_locator(NullLocator())
        axes.grid(visible=True, alpha=0.25)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        figure.suptitle(title, color=INK)
    return figure
