"""The pictures of what benchmarks have measured: now, or before, from the JSON that they wrote then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rota.bench.collectives import Outcome
from rota.bench.grid import Cell, GridSpec, in_rows
from rota.bench.never_slower import Total, summary_of
from rota.bench.place import Place
from rota.bench.plot import plot
from rota.bench.plot_grid import plot_grid
from rota.bench.plot_never_slower import plot_never_slower
from rota.bench.plot_overlap import plot_overlap
from rota.bench.plot_smpi import plot_smpi
from rota.bench.smpi import Row
from rota.bench.starts import StartsOutcome
from rota.drawing.lab_times import lab_times
from rota.drawing.render import Picture
from rota.reproduce.in_lab import curves_in, title_of
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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


def of_rows(rows: Sequence[Row]) -> Picture:
    """Return the picture of collectives in SMPI."""
    return Picture(plot_smpi(rows), f"SMPI, fabric {rows[0].point.fabric.name}: times the links' limit")


def _of_paper(head: Mapping[str, Any]) -> Picture:
    """Return the picture of a paper's algorithms in a lab."""
    title = title_of(head["paper"], head["mpi"], Place.of_json(head))
    return Picture(lab_times(curves_in(head["parts"]), title), head["paper"])


def of_json(lines: Sequence[Any]) -> Picture:
    """Return the picture of what a benchmark wrote, a value or several; KeyError if none did."""
    head, *rest = lines
    if rest:
        return of_grid(GridSpec.of_json(head), in_rows(map(Cell.of_json, rest)))
    if "cells" in head:
        return of_totals(GridSpec.of_json(head), tuple(map(Total.of_json, head["cells"])))
    if "rows" in head:
        return of_rows(tuple(map(Row.of_json, head["rows"])))
    if "parts" in head:
        return _of_paper(head)
    if "collectives" in head:
        return of_starts(StartsOutcome.of_json(head))
    return of_outcome(Outcome.of_json(head))
