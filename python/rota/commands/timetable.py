"""``rota timetable``: a plan's period in numbers, for ranks to carry out."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from rota.commands.output import print_line, require_folders
from rota.commands.simulate_plan import read_plan
from rota.files import write_whole
from rota.steady.timetable import timetable_of
from rota.vocabulary import counted


def timetable(
    plan: Annotated[Path, typer.Argument(help="A plan that rota plan ... --json has written.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write; - is standard output.")],
    nodes: Annotated[
        str | None,
        typer.Option(help="Which node each rank is: a,b,c. Default: the platform's nodes, in its order."),
    ] = None,
) -> None:
    """Write a plan's timetable, which rota_series_open in C and C++ programs carries out over MPI.

    Nodes that have no part in the plan need no rank. (From Python, rota.series takes the plan itself.)
    """
    require_folders(output)
    names = None if nodes is None else [name.strip() for name in nodes.split(",")]
    table = timetable_of(read_plan(plan), names)
    write_whole(output, table.text)
    line = (
        f"{output.name}: {counted(table.ranks, 'rank')}, {counted(table.operations, 'operation')} a period,"
        f" {counted(table.matchings, 'matching')}, {counted(len(table.widths), 'block')} of each message"
    )
    print_line(line, output)
