"""The pictures of what benchmarks have measured: now, or before, from the JSON that they wrote then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rota.bench.collectives import Outcome
from rota.bench.grid import Cell, GridSpec
from rota.bench.never_slower import Total, summary_of
from rota.bench.plot import plot
from rota.bench.plot_grid import plot_grid
from rota.bench.plot_never_slower import plot_never_slower
from rota.bench.plot_overlap import plot_overlap
from rota.bench.starts import StartsOutcome
from rota.drawing.render import Picture
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence


def of_grid(spec: GridSpec, cells: Sequence[Cell]) -> Picture:
    """Return the picture of every collective and size."""
    return Picture(plot_grid(spec, cells), f"Rota and {spec.abi}, every collective and size")


def of_totals(spec: GridSpec, totals: Sequence[Total]) -> Picture:
    """Return the picture of all calls of a fresh installation."""
    return Picture(plot_never_slower(spec, totals), summary_of(totals).text)


def of_starts(outcome: StartsOutcome) -> Picture:
    """Return the picture of what calls that return at once hide."""
    return Picture(plot_overlap(outcome), f"overlap, {format_size(outcome.size_bytes)}")


def of_outcome(outcome: Outcome) -> Picture:
    """Return the picture of one collective."""
    return Picture(plot(outcome), outcome.experiment.series.title)


def of_json(lines: Sequence[Any]) -> Picture:
    """Return the picture of what a benchmark wrote, a value or several; KeyError if none did."""
    head, *rest = lines
    if rest:
        return of_grid(GridSpec.of_json(head), tuple(map(Cell.of_json, rest)))
    if "cells" in head:
        return of_totals(GridSpec.of_json(head), tuple(map(Total.of_json, head["cells"])))
    if "collectives" in head:
        return of_starts(StartsOutcome.of_json(head))
    return of_outcome(Outcome.of_json(head))
