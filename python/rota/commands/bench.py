"""``rota bench bcast`` and its like: a collective against the native one, in the lab or on a cluster."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.bench.busy import busy_loops
from rota.bench.collectives import (
    Experiment,
    Outcome,
    default_pairs,
    job_of,
    measure,
    require_distinct,
)
from rota.bench.names import series_of
from rota.bench.paper import paper_settings
from rota.commands.blocks import require_rule
from rota.commands.completion import among
from rota.commands.lab import Hosts, Links, Mapped, PerHost, Rate, Rates  # noqa: TC001 - typer reads the annotations
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
from rota.lab.spec import MapBy
from rota.library import ABIS
from rota.units import format_seconds, format_size, parse_size

Mpi = Annotated[str, typer.Option(help="The MPI: openmpi, mpich or mpi5.", autocompletion=among(*ABIS))]
Sizes = Annotated[
    str,
    typer.Option(
        help="The sizes of all the data of a call, over all ranks, separated by commas; of an all-to-many,"
        " what its busiest rank sends or receives."
    ),
]
Pairs = Annotated[int | None, typer.Option(min=1, help="Pairs of each size. Default: more for small ones.")]
Collectives = Annotated[
    str | None,
    typer.Option(help="Only these, separated by commas: bcast,allgatherv/irregular. Default: all."),
]
Busy = Annotated[
    int, typer.Option(min=0, help="So many busy loops take processors away from the ranks meanwhile.")
]
Shape = Annotated[
    str | None,
    typer.Option(
        help="The ranks' shares: regular, irregular (rank i: i mod 3) or degenerate (all on one);"
        " alltoallv's messages: regular (to all), sparse4, sparse8 (to so many), skewed (to 8, of all sizes)."
    ),
]
BlockRule = Annotated[
    str | None,
    typer.Option(
        "--blocks",
        help="paper, or paper:F=70,G=40: the circulant schedules, in blocks by the rules of paper 1, in"
        " place of Rota's choice.",
    ),
]


def collective(
    context: typer.Context,
    mpi: MpiOfLauncher = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    map_by: Mapped = MapBy.SLOT,
    links: Links = 1,
    sizes: Sizes = "1KiB,64KiB,1MiB,16MiB",
    pairs: Pairs = None,
    shape: Shape = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    busy: Busy = 0,
    launcher: LauncherWords = None,
    blocks: BlockRule = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Measure the collective that the command is named after: native and Rota alternately, pair by pair."""
    require_folders(json_file, plot)
    require_picture(plot)
    where = where_of(hosts, rate, rates, per_host, launcher, links, map_by)
    series = series_of(context.info_name or "", shape)
    wanted = {size: pairs or default_pairs(size) for size in parse_sizes(sizes)}
    experiment = Experiment(abi_for(mpi, where), series, wanted, paper_settings(series, require_rule(blocks)))
    if dry_run:
        jobs = (*where.first_jobs(experiment.abi), job_of(experiment, where.install))
        print_lines(where, jobs)
        return
    outcome = measured(where, experiment, f"{series.title}: {sizes}", busy)
    print_table(outcome_table(outcome), json_file)
    if json_file:
        write_measured(json_file, outcome.as_json())
    if plot:
        from rota.bench.pictures import of_outcome  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_outcome(outcome))


def measured(where: Where, experiment: Experiment, what: str, busy: int = 0) -> Outcome:
    """Measure beside so many busy loops; meanwhile say what."""
    notes = Console(stderr=True, highlight=False)
    with where.opened(experiment.abi, notes) as site, notes.status(what), busy_loops(busy):
        return measure(experiment, site)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes of the data in bytes."""
    return require_distinct([parse_size(size) for size in text.split(",")])


def outcome_table(outcome: Outcome) -> Table:
    """Return native and Rota side by side, a row for each size."""
    table = Table(title=outcome.title, title_justify="left", box=SIMPLE_HEAD)
    for heading in (
        "size",
        "native",
        "Rota",
        "ratio",
        "quartiles",
        "link's limit",
        "x limit",
        "native x",
        "processor s/GiB",
        "native's",
        "schedule",
    ):
        table.add_column(heading, justify="right")
    for pairs in outcome.results:
        first, third = pairs.quartiles
        table.add_row(
            format_size(pairs.data_bytes),
            format_seconds(pairs.native_median),
            format_seconds(pairs.rota_median),
            f"{pairs.median_ratio:.3f}",
            f"{first:.2f}-{third:.2f}",
            format_seconds(pairs.link_seconds) if pairs.link_seconds else "",
            _times(pairs.rota_times_link),
            _times(pairs.native_times_link),
            f"{pairs.rota_processor_seconds_per_gib:.3g}",
            f"{pairs.native_processor_seconds_per_gib:.3g}",
            "; ".join(map(str, pairs.served)) or "not reported",
        )
    return table


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
