"""``rota bench all``: every collective on every size against the native ones in the lab."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rota.bench.busy import busy_loops
from rota.bench.collectives import Experiment, job_of
from rota.bench.grid import (
    GRID_SERIES,
    GRID_SIZES_BYTES,
    MUCH_SLOWER,
    Cell,
    GridFile,
    GridSpec,
    grid_pairs,
    in_rows,
    measured_rows,
)
from rota.bench.names import Series, parse_series
from rota.bench.pairs import FEWEST_FOR_INTERVAL
from rota.commands.asked import source_line
from rota.commands.bench import Busy, Collectives, Pairs, parse_sizes
from rota.commands.lab import Hosts, Links, Mapped, PerHost, Rate, Rates  # noqa: TC001 - typer reads the annotations
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_picture,
)
from rota.commands.progress import progress
from rota.commands.where import DryRun, LauncherWords, MpiOfLauncher, abi_for, print_lines, where_of
from rota.errors import RotaError
from rota.lab.spec import MapBy
from rota.units import format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_Row = TypeVar("_Row")

_LARGE_BYTES: Final = 1 << 20
"""From here on the links rule, and times over their limit mean something."""


def grid(
    mpi: MpiOfLauncher = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    map_by: Mapped = MapBy.SLOT,
    links: Links = 1,
    sizes: Annotated[
        str | None,
        typer.Option(help="The sizes of all the data of a call. Default: 8 B to 16 MiB in powers of 4."),
    ] = None,
    collectives: Collectives = None,
    pairs: Pairs = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    busy: Busy = 0,
    launcher: LauncherWords = None,
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the rows that the --json file has, measure the others.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Measure every collective on every size: native and Rota alternately, in the lab or on a cluster.

    The JSON has a line for each row, as soon as it is measured.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    if resume and json_file is None:
        raise RotaError("--resume goes on with a file: name it with --json")
    rows = parse_series(collectives) if collectives is not None else GRID_SERIES
    sizes_bytes = parse_sizes(sizes) if sizes is not None else GRID_SIZES_BYTES
    pairs_of_size = {size: pairs or grid_pairs(size) for size in sizes_bytes}
    where = where_of(hosts, rate, rates, per_host, launcher, links, map_by)
    abi = abi_for(mpi, where)
    if dry_run:
        jobs = [job_of(Experiment(abi, series, pairs_of_size), where.install) for series in rows]
        print_lines(where, [*where.first_jobs(abi), *jobs])
        return
    notes = Console(stderr=True, highlight=False)
    with where.opened(abi, notes) as site, busy_loops(busy):
        spec = GridSpec(site.place, abi, pairs_of_size)
        file = GridFile(json_file, spec) if json_file else None
        cells = list(file.read()) if file and resume else []
        if file and not resume:
            file.start(source_line())
        missing = _missing(rows, cells)
        try:
            for row in row_by_row(measured_rows(spec, missing, site), missing, notes):
                cells.extend(row)
                if file:
                    file.add(row)
        finally:
            _show(spec, in_rows(cells), json_file, plot)


def _missing(rows: Sequence[Series], cells: Sequence[Cell]) -> tuple[Series, ...]:
    there = {cell.series for cell in cells}
    return tuple(series for series in rows if series not in there)


def row_by_row(measured: Iterator[_Row], rows: Sequence[Series], notes: Console) -> Iterator[_Row]:
    """Yield what is measured, row by row; meanwhile say which is being measured."""
    with progress(notes, "measuring", len(rows)) as tell:
        for done, series in enumerate(rows):
            tell(done, series.label)
            yield next(measured)


def _show(spec: GridSpec, cells: Sequence[Cell], json_file: Path | None, plot: Path | None) -> None:
    if not cells:
        return
    print_table(ratio_table(spec, cells), json_file)
    if any(cell.pairs.size_bytes >= _LARGE_BYTES for cell in cells):
        print_table(limit_table(spec, cells), json_file)
    print_line(verdict(cells), json_file)
    if plot:
        from rota.bench.pictures import of_grid  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_grid(spec, cells))


def ratio_table(spec: GridSpec, cells: Sequence[Cell]) -> Table:
    """Return the medians of the ratios, collectives by sizes."""
    where = f"{spec.place.ranks_on_hosts}, {spec.abi}"
    title = f"Rota / native, median of the pairs: {where}"
    return _table(title, cells, list(spec.pairs_of_size), _ratio)


def limit_table(spec: GridSpec, cells: Sequence[Cell]) -> Table:
    """Return the median times over the links' limit for large sizes: Rota's, and the native one's."""
    sizes = [size for size in spec.pairs_of_size if size >= _LARGE_BYTES]
    return _table("Times the links' limit: Rota (native)", cells, sizes, _times_limit)


def verdict(cells: Sequence[Cell]) -> str:
    """Return in how many cells Rota is not much slower, and the others, the worst first."""
    slower = sorted(
        (cell for cell in cells if cell.is_much_slower), key=lambda cell: -cell.pairs.median_ratio
    )
    percent = round(100 * (MUCH_SLOWER - 1))
    summary = (
        f"{len(cells) - len(slower)} of {len(cells)} cells are not slower than native by over {percent} %"
    )
    return "\n".join((summary, *map(_described, slower)))


def _described(cell: Cell) -> str:
    pairs = cell.pairs
    low, high = pairs.interval
    count = len(pairs.ratios)
    where = f"95 %: {low:.2f}-{high:.2f}" if count >= FEWEST_FOR_INTERVAL else f"{low:.2f}-{high:.2f}"
    served = "; ".join(map(str, pairs.served)) or "not reported"
    return (
        f"  {cell.series.label} {format_size(pairs.size_bytes)}: {pairs.median_ratio:.2f}"
        f" ({where}, {counted(count, 'pair')}), {served}"
    )


def _ratio(cell: Cell) -> Text:
    mark, style = ("!", "bold red") if cell.is_much_slower else ("", "")
    return Text(f"{cell.pairs.median_ratio:.2f}{mark}", style)


def _times_limit(cell: Cell) -> Text:
    pairs = cell.pairs
    if pairs.rota_times_link is None or pairs.native_times_link is None:
        return Text("")
    return Text(f"{pairs.rota_times_link:.2f} ({pairs.native_times_link:.2f})")


def _table(title: str, cells: Sequence[Cell], sizes: Sequence[int], text: Callable[[Cell], Text]) -> Table:
    table = Table("", title=title, title_justify="left", box=SIMPLE_HEAD, min_width=len(title))
    for size in sizes:
        table.add_column(format_size(size), justify="right")
    at = {(cell.series, cell.pairs.size_bytes): text(cell) for cell in cells}
    for series in dict.fromkeys(cell.series for cell in cells):
        table.add_row(series.label, *(at.get((series, size), Text("")) for size in sizes))
    return table
