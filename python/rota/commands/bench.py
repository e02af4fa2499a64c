"""``rota bench``: collectives against the native ones in the lab."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.bench.collectives import Experiment, Outcome, measure, require_distinct
from rota.bench.plot import plot as draw
from rota.commands.lab import Hosts, PerHost, Rate, Rates, describe, lab_spec
from rota.errors import RotaError
from rota.lab import Lab
from rota.mpi_install import parse_abi
from rota.units import format_seconds, format_size, parse_size

_WIDTH_OF_FILES = 120

Sizes = Annotated[str, typer.Option(help="The sizes of the broadcast data, separated by commas.")]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write every time and what follows to this file.")
]
PlotFile = Annotated[
    Path | None, typer.Option("--plot", help="Draw the outcome into this file: .png, .svg or .pdf.")
]


def bcast(
    mpi: Annotated[str, typer.Option(help="The MPI: openmpi, mpich or mpi5.")],
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    sizes: Sizes = "1KiB,64KiB,1MiB,16MiB",
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Pairs of each size. Default: more for small ones.")
    ] = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Measure MPI_Bcast in the lab: native and Rota alternately in one job, pair by pair."""
    for path in filter(None, (json_file, plot)):
        if not path.absolute().parent.is_dir():
            raise RotaError(
                f"there is no folder {path.absolute().parent} to write {path.name} into: make it first"
            )
    spec = lab_spec(hosts, rate, rates, per_host)
    experiment = Experiment(
        spec, parse_abi(mpi), require_distinct([parse_size(size) for size in sizes.split(",")]), pairs
    )
    notes = Console(stderr=True, highlight=False)
    with notes.status("building the lab and measuring its links"):
        lab = Lab(spec)
    with lab:
        notes.print(describe(lab.links), soft_wrap=True)
        with notes.status(f"broadcasting over {spec.ranks} ranks: {sizes}"):
            outcome = measure(experiment, lab)
    _print(_table(outcome))
    if json_file:
        json_file.write_text(json.dumps(outcome.as_json(), indent=1) + "\n")
    if plot:
        draw(outcome, plot)


def _print(table: Table) -> None:
    # What is not a terminal has no width that a table would have to fit into.
    width = None if sys.stdout.isatty() else _WIDTH_OF_FILES
    Console(highlight=False, width=width).print(table)


def _table(outcome: Outcome) -> Table:
    spec = outcome.experiment.spec
    title = f"MPI_Bcast over {spec.ranks} ranks, {outcome.experiment.abi}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in (
        "size",
        "native",
        "Rota",
        "ratio",
        "quartiles",
        "link's limit",
        "x limit",
        "native x",
        "schedule",
    ):
        table.add_column(heading, justify="right")
    for pairs in outcome.results:
        first, third = pairs.quartiles
        served = pairs.served
        schedule = (
            f"{served.schedule}, {served.blocks} blocks" if served.blocks else f"native: {served.reason}"
        )
        table.add_row(
            format_size(pairs.size_bytes),
            format_seconds(pairs.native_median),
            format_seconds(pairs.rota_median),
            f"{pairs.median_ratio:.3f}",
            f"{first:.2f}-{third:.2f}",
            format_seconds(pairs.link_seconds),
            f"{pairs.rota_median / pairs.link_seconds:.2f}" if pairs.link_seconds else "",
            f"{pairs.native_median / pairs.link_seconds:.2f}" if pairs.link_seconds else "",
            schedule,
        )
    return table
