"""``rota bench smpi``: Rota beside SMPI's selectors, in simulated time."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.bench.fabric import FABRICS, Fabric
from rota.bench.names import Series, series_of
from rota.bench.smpi import SELECTORS, Point, Row, measure
from rota.commands.bench import parse_sizes
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_table,
    require_folders,
    require_picture,
    write_measured,
    write_picture,
)
from rota.errors import RotaError
from rota.units import format_seconds, format_size
from rota.vocabulary import counted

Ranks = Annotated[str, typer.Option(help="Numbers of ranks, separated by commas.")]
Collectives = Annotated[str, typer.Option(help="The collectives, separated by commas; shares are all alike.")]
Bytes = Annotated[
    str, typer.Option("--bytes", help="All the data of a call, over all ranks: sizes, separated by commas.")
]
FabricName = Annotated[
    str, typer.Option("--fabric", help="The network: 10gbit (5 us) or 200gbit (1.5 us, rendezvous).")
]
Selectors = Annotated[str, typer.Option(help="SMPI's selectors, separated by commas.")]


def smpi(
    ranks: Ranks = "36,200",
    collectives: Collectives = "bcast,reduce,allgatherv,reduce-scatter,allreduce",
    sizes: Bytes = "16MiB",
    fabric_name: FabricName = "10gbit",
    selectors: Selectors = "ompi,mpich,mvapich2,impi",
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Simulate Rota beside SimGrid's SMPI: hosts of one rank on links of 10 or 200 Gbit/s each way.

    Simulated time depends on nothing of this machine. Reductions cost no computation there. Rota is told
    what a message takes, and cuts data by its cost model.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    chosen = parse_selectors(selectors)
    fabric = parse_fabric(fabric_name)
    points = [
        Point(series, count, size, fabric)
        for series in parse_collectives(collectives)
        for count in parse_ranks(ranks)
        for size in parse_sizes(sizes)
    ]
    notes = Console(stderr=True, highlight=False)
    rows = []
    for point in points:
        with notes.status(
            f"{point.series.label} of {format_size(point.size_bytes)}, {counted(point.ranks, 'rank')}"
        ):
            rows.append(Row(point, {selector: measure(point, selector) for selector in chosen}))
    print_table(table(rows), json_file)
    if json_file:
        write_measured(json_file, {"rows": [row.as_json() for row in rows]})
    if plot:
        from rota.bench.pictures import of_rows  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_rows(rows))


def parse_ranks(text: str) -> tuple[int, ...]:
    """Return numbers of ranks of 2 or more; raise RotaError for anything else."""
    words = [word.strip() for word in text.split(",")]
    wrong = next((word for word in words if not (word.isdecimal() and int(word) > 1)), None)
    if wrong is not None:
        raise RotaError(f"{wrong!r} is no number of ranks: write --ranks 36,200, each 2 or more")
    return tuple(map(int, words))


def parse_fabric(name: str) -> Fabric:
    """Return the fabric of this name; raise RotaError if there is none."""
    if name not in FABRICS:
        raise RotaError(f"{name!r} is no fabric: choose from {', '.join(FABRICS)}")
    return FABRICS[name]


def parse_selectors(text: str) -> tuple[str, ...]:
    """Return the selectors named; raise RotaError for one that there is not."""
    words = tuple(word.strip() for word in text.split(","))
    wrong = next((word for word in words if word not in SELECTORS), None)
    if wrong is not None:
        raise RotaError(f"{wrong!r} is no selector: choose from {', '.join(SELECTORS)}")
    return words


def parse_collectives(text: str) -> tuple[Series, ...]:
    """Return the series of these collectives, shares all alike."""
    return tuple(series_of(word.strip()) for word in text.split(","))


def table(rows: list[Row]) -> Table:
    """Return all rows, times as multiples of the links' limit; Rota's also of the least that rounds allow."""
    title = f"SMPI, {rows[0].point.fabric.name}: times the limit"
    result = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in ("collective", "ranks", "bytes", "limit", "Rota", "x least", *rows[0].times):
        result.add_column(heading, justify="left" if heading == "collective" else "right")
    for row in rows:
        limit_s = row.point.limit_s
        natives = (f"{times.native_s / limit_s:.2f}" for times in row.times.values())
        result.add_row(
            row.point.series.collective.command,
            str(row.point.ranks),
            format_size(row.point.size_bytes),
            format_seconds(limit_s),
            f"{row.rota_s / limit_s:.3f}",
            f"{row.rota_s / row.point.least_s:.3f}",
            *natives,
        )
    return result
