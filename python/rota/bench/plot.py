"""The picture of a benchmark: times over sizes with the bound, and the ratio with its spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from rota.drawing.marks import mark, size_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.bench.collectives import Outcome
    from rota.bench.pairs import Pairs

NATIVE_COLOUR, ROTA_COLOUR, BOUND_COLOUR = "#b0532a", "#1f5f8b", "#7a7a7a"


def plot(outcome: Outcome) -> Figure:
    """Return the picture of an outcome."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(10, 4.2), layout="constrained")
        times, ratios = figure.subplots(1, 2)
        _draw_times(times, outcome.results)
        _draw_ratios(ratios, outcome.results)
        experiment = outcome.experiment
        figure.suptitle(f"{experiment.series.title}, {experiment.abi}: {outcome.place.words}")
    return figure


def _draw_times(axes: Axes, results: tuple[Pairs, ...]) -> None:
    sizes = [pairs.size_bytes for pairs in results]
    axes.loglog(
        sizes, [1e3 * pairs.native_median for pairs in results], "o-", color=NATIVE_COLOUR, label="native"
    )
    axes.loglog(sizes, [1e3 * pairs.rota_median for pairs in results], "o-", color=ROTA_COLOUR, label="Rota")
    limits = [1e3 * pairs.link_seconds for pairs in results]
    if any(limits):
        axes.loglog(sizes, limits, "--", color=BOUND_COLOUR, label="link's limit")
    axes.set(title="median time of the slowest rank", ylabel="milliseconds")
    axes.legend(frameon=False)
    _label_sizes(axes, sizes)


def _draw_ratios(axes: Axes, results: tuple[Pairs, ...]) -> None:
    sizes = [pairs.size_bytes for pairs in results]
    medians = [pairs.median_ratio for pairs in results]
    below = [pairs.median_ratio - pairs.quartiles[0] for pairs in results]
    above = [pairs.quartiles[1] - pairs.median_ratio for pairs in results]
    axes.axhline(1, color=BOUND_COLOUR, linestyle="--")
    axes.errorbar(sizes, medians, yerr=[below, above], fmt="o-", color=ROTA_COLOUR, capsize=3)
    axes.set(
        title="Rota / native, pair by pair: median and quartiles",
        ylabel="Rota's time / native time",
        xscale="log",
    )
    axes.set_ylim(bottom=0)
    _label_sizes(axes, sizes)


def _label_sizes(axes: Axes, sizes: list[int]) -> None:
    mark(axes.xaxis, sizes, size_text)
    axes.tick_params(axis="x", rotation=30)
    axes.set_xlabel("data")
    axes.grid(visible=True, alpha=0.25)
