"""The picture of totals: how many cells are at which ratio, with Rota and natively."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.drawing.marks import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.bench.grid import GridSpec
    from rota.bench.never_slower import Total

_RATIOS: Final = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0, 10.0)


def plot_never_slower(spec: GridSpec, totals: Sequence[Total]) -> Figure:
    """Return all cells in the order of their ratios."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.subplots()
        share = [100 * (rank + 0.5) / len(totals) for rank in range(len(totals))]
        for name, ratios, colour in (
            ("native beside native", [total.noise for total in totals], NATIVE_COLOUR),
            ("Rota beside native", [total.ratio for total in totals], ROTA_COLOUR),
        ):
            axes.semilogy(share, sorted(ratios), ".-", color=colour, label=name)
        axes.axhline(1, color=BOUND_COLOUR, linestyle="--", linewidth=1)
        axes.set(
            xlabel="cells (a collective on one size), in the order of their ratios: %",
            ylabel="total time over native",
            title=f"All calls of a cell: {spec.place.words}, {spec.abi}",
        )
        mark(axes.yaxis, _RATIOS)
        axes.grid(visible=True, axis="y", alpha=0.25)
        axes.legend(frameon=False, loc="lower right")
    return figure
