"""``rota bench never-slower``: whether a fresh installation loses anywhere."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rota.bench.busy import busy_loops
from rota.bench.grid import GRID_SERIES, GridSpec
from rota.bench.names import parse_series
from rota.bench.never_slower import CALLS, SIZES_BYTES, Total, jobs_of_row, measured_totals, summary_of
from rota.commands.bench import Busy, Collectives, parse_sizes
from rota.commands.bench_all import row_by_row
from rota.commands.lab import Hosts, Links, Mapped, PerHost, Rate, Rates  # noqa: TC001 - typer reads the annotations
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_measured,
    write_picture,
)
from rota.commands.where import DryRun, LauncherWords, MpiOfLauncher, abi_for, print_lines, where_of
from rota.lab.spec import MapBy
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MUCH: Final = 1.1
"""A ratio above which a cell is named, unless native calls beside native ones differ as much."""


def never_slower(
    mpi: MpiOfLauncher = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    map_by: Mapped = MapBy.SLOT,
    links: Links = 1,
    sizes: Annotated[
        str | None,
        typer.Option(
            help="The sizes of all the data of a call. Default: 13 from 8 B to 16 MiB, off powers of two."
        ),
    ] = None,
    collectives: Collectives = None,
    calls: Annotated[int, typer.Option(min=2, help="Calls of each size.")] = CALLS,
    jobs: Annotated[
        int,
        typer.Option(min=1, help="Jobs of each collective, which know nothing of each other: their median."),
    ] = 1,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    busy: Busy = 0,
    launcher: LauncherWords = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Add up all calls of each collective and size, with Rota over native; and native beside native.

    Whatever Rota tries is in its sum. Each collective has jobs of its own, that know nothing in the
    beginning; a cell is the median of its jobs.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    rows = parse_series(collectives) if collectives is not None else GRID_SERIES
    sizes_bytes = parse_sizes(sizes) if sizes is not None else SIZES_BYTES
    pairs_of_size = dict.fromkeys(sizes_bytes, calls)
    where = where_of(hosts, rate, rates, per_host, launcher, links, map_by)
    abi = abi_for(mpi, where)
    if dry_run:
        each = [jobs_of_row(abi, pairs_of_size, series, where.install) * jobs for series in rows]
        print_lines(where, [*where.first_jobs(abi), *itertools.chain.from_iterable(each)])
        return
    notes = Console(stderr=True, highlight=False)
    totals: list[Total] = []
    with where.opened(abi, notes) as site:
        spec = GridSpec(site.place, abi, pairs_of_size)
        try:
            with busy_loops(busy):
                for row in row_by_row(measured_totals(spec, rows, jobs, site), rows, notes):
                    totals.extend(row)
        finally:
            _keep(spec, totals, json_file)
    if plot:
        from rota.bench.pictures import of_totals  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_totals(spec, totals))


def _keep(spec: GridSpec, totals: Sequence[Total], json_file: Path | None) -> None:
    """Print and write what is measured: all of it, or, where a run is interrupted, its first rows."""
    if not totals:
        return
    if json_file:
        write_measured(json_file, {**spec.as_json(), "cells": [total.as_json() for total in totals]})
    print_table(totals_table(spec, totals), json_file)
    print_line(summary_of(totals).text, json_file)
    for total in sorted(totals, key=lambda total: -total.ratio):
        if is_slower(total):
            size = format_size(total.size_bytes)
            line = f"  {total.series.label} {size}: {total.ratio:.2f} ({total.noise:.2f}), {total.served}"
            print_line(line, json_file)


def is_slower(total: Total) -> bool:
    """Return whether a cell lost by more than a tenth, and by more than native calls among themselves."""
    return total.ratio > _MUCH * max(1.0, total.noise)


def totals_table(spec: GridSpec, totals: Sequence[Total]) -> Table:
    """Return the ratios, collectives by sizes, with those of native calls beside native ones."""
    where = f"{spec.place.ranks_on_hosts}, {spec.abi}"
    title = f"All calls of a cell, Rota / native (native / native): {where}"
    table = Table("", title=title, title_justify="left", box=SIMPLE_HEAD, min_width=len(title))
    for size in spec.pairs_of_size:
        table.add_column(format_size(size), justify="right")
    at = {(total.series, total.size_bytes): _text(total) for total in totals}
    for series in dict.fromkeys(total.series for total in totals):
        table.add_row(series.label, *(at.get((series, size), Text("")) for size in spec.pairs_of_size))
    return table


def _text(total: Total) -> Text:
    mark, style = ("!", "bold red") if is_slower(total) else ("", "")
    return Text(f"{total.ratio:.2f}{mark} ({total.noise:.2f})", style)
