"""The picture of what is hidden: a pair of bars for each collective, with MPI's calls between and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from rota.bench.plot import BOUND_COLOUR, NATIVE_COLOUR, ROTA_COLOUR
from rota.bench.starts import LIBRARIES, NAMES
from rota.units import format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.bench.starts import Between, Starts, StartsOutcome

_COLOURS: Final = {"native": NATIVE_COLOUR, "rota": ROTA_COLOUR}


def plot_overlap(outcome: StartsOutcome) -> Figure:
    """Return the picture of an outcome."""
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(11, 4.2), layout="constrained")
        waited, tested, alone = figure.subplots(1, 3, sharey=True)
        _draw_waited(waited, outcome.results)
        _draw_hidden(tested, outcome.results, "tested", "hidden, a test each millisecond")
        _draw_hidden(alone, outcome.results, "alone", "hidden, no call between")
        figure.legend(*waited.get_legend_handles_labels(), frameon=False, loc="outside lower right", ncols=2)
        size = format_size(outcome.size_bytes)
        figure.suptitle(f"Calls that return at once, {size}, {outcome.abi}: {outcome.place.words}")
    return figure


def _draw_waited(axes: Axes, results: tuple[Starts, ...]) -> None:
    for offset, library in zip((-0.2, 0.2), LIBRARIES, strict=True):
        axes.barh(
            [place + offset for place in range(len(results))],
            [1e3 * each.median(library, "waited") for each in results],
            0.36,
            color=_COLOURS[library],
            label=NAMES[library],
        )
    for place, each in enumerate(results):
        for offset, library in zip((-0.2, 0.2), LIBRARIES, strict=True):
            blocking = 1e3 * each.median(library, "blocking")
            axes.plot([blocking] * 2, [place + offset - 0.18, place + offset + 0.18], color="black")
    axes.set(title="start and wait (line: the blocking call)", xlabel="milliseconds")
    _label(axes, results)


def _draw_hidden(axes: Axes, results: tuple[Starts, ...], between: Between, title: str) -> None:
    for offset, library in zip((-0.2, 0.2), LIBRARIES, strict=True):
        axes.barh(
            [place + offset for place in range(len(results))],
            [each.hidden(library, between) for each in results],
            0.36,
            color=_COLOURS[library],
        )
    axes.axvline(0, color=BOUND_COLOUR)
    axes.set(title=title, xlabel="of the blocking call's time")
    axes.set_xlim(right=1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    _label(axes, results)


def _label(axes: Axes, results: tuple[Starts, ...]) -> None:
    axes.set_yticks(range(len(results)), [each.label for each in results])
    axes.set_ylim(len(results) - 0.5, -0.5)
    axes.grid(visible=True, axis="x", alpha=0.25)
