"""``rota bench overlap`` and ``rota bench persistent``: calls that return at once, and calls set up once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.bench.starts import LIBRARIES, NAMES, StartsExperiment, measure_starts
from rota.commands.lab import Hosts, PerHost, Rate, Rates  # noqa: TC001 - typer reads the annotations
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_table,
    require_folders,
    require_picture,
    write_measured,
    write_picture,
)
from rota.commands.where import (
    DryRun,
    LauncherWords,
    MpiOfLauncher,
    Where,
    abi_for,
    print_lines,
    where_of,
)
from rota.units import format_seconds, format_size, parse_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota.bench.starts import Library, Starts, StartsOutcome


def overlap(
    mpi: MpiOfLauncher = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    size: Annotated[str, typer.Option("--bytes", help="All the data of a call, over all ranks.")] = "8MiB",
    repetitions: Annotated[int, typer.Option(min=1, help="Calls of each kind.")] = 5,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    launcher: LauncherWords = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Measure what is hidden of calls that return at once, behind computation as long as they.

    "waited" is a start with MPI_Wait right after it. "hidden" is the share of that which took no time of its
    own: with an MPI_Test each millisecond of the computation, and with no call of MPI's in it. Ranks sleep in
    place of computing, for in a lab they share processors. Rota serves what it would serve in a program that
    also calls blocking forms; ROTA_ADAPT=off has it serve all that a schedule can, ROTA_PROGRESS=thread has a
    thread carry it on.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    where = where_of(hosts, rate, rates, per_host, launcher)
    experiment = StartsExperiment(abi_for(mpi, where), "overlap", parse_size(size), repetitions)
    if dry_run:
        print_lines(where, (*where.first_jobs(experiment.abi), experiment.job(where.install)))
        return
    outcome = _measured(where, experiment)
    print_table(_overlap_table(outcome), json_file)
    if json_file:
        write_measured(json_file, outcome.as_json())
    if plot:
        from rota.bench.pictures import of_starts  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_starts(outcome))


def persistent(
    mpi: MpiOfLauncher = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    size: Annotated[str, typer.Option("--bytes", help="A rank's operand.")] = "64KiB",
    starts: Annotated[int, typer.Option(min=1, help="Starts, and blocking calls.")] = 1000,
    json_file: JsonFile = None,
    launcher: LauncherWords = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Measure an allreduce that is set up once and started often, in turns with blocking ones."""
    require_folders(json_file)
    where = where_of(hosts, rate, rates, per_host, launcher)
    experiment = StartsExperiment(abi_for(mpi, where), "persistent", parse_size(size), starts)
    if dry_run:
        print_lines(where, (*where.first_jobs(experiment.abi), experiment.job(where.install)))
        return
    outcome = _measured(where, experiment)
    print_table(_persistent_table(outcome), json_file)
    if json_file:
        write_measured(json_file, outcome.as_json())


def _measured(where: Where, experiment: StartsExperiment) -> StartsOutcome:
    notes = Console(stderr=True, highlight=False)
    what = f"{experiment.what}, {format_size(experiment.size_bytes)}"
    with where.opened(experiment.abi, notes) as site, notes.status(what):
        return measure_starts(experiment, site)


def _overlap_table(outcome: StartsOutcome) -> Table:
    def cells(each: Starts, library: Library) -> tuple[str, ...]:
        hidden = (f"{each.hidden(library, between):.0%}" for between in ("tested", "alone"))
        return (*_times(each, library, "waited"), *hidden)

    return _table(
        outcome, "overlap", ("blocking", "waited", "x blocking", "hidden, tests", "hidden, no call"), cells
    )


def _persistent_table(outcome: StartsOutcome) -> Table:
    return _table(
        outcome,
        "persistent",
        ("blocking", "started", "x blocking"),
        lambda each, library: _times(each, library, "started"),
    )


def _table(
    outcome: StartsOutcome,
    what: str,
    headings: tuple[str, ...],
    cells: Callable[[Starts, Library], tuple[str, ...]],
) -> Table:
    title = f"{what}, {format_size(outcome.size_bytes)}: {outcome.place.words}, {outcome.abi}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", " "):
        table.add_column(heading)
    for heading in headings:
        table.add_column(heading, justify="right")
    for each in outcome.results:
        for library in LIBRARIES:
            name = each.label if library == "native" else ""
            table.add_row(name, NAMES[library], *cells(each, library))
    return table


def _times(each: Starts, library: Library, way: str) -> tuple[str, str, str]:
    blocking, other = each.median(library, "blocking"), each.median(library, way)
    return format_seconds(blocking), format_seconds(other), f"{other / blocking:.3f}"
