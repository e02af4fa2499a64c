"""``rota bench stream``: operations by a plan, streamed through the lab, beside a native loop."""

from __future__ import annotations

from math import ceil
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.bench.stream import StreamExperiment, StreamOutcome, measure_stream
from rota.commands.bench import Mpi  # noqa: TC001 - typer reads the annotations
from rota.commands.lab import Hosts, Rate, Rates, lab_spec, opened
from rota.commands.output import JsonFile, print_table, require_folders, write_measured
from rota.errors import RotaError
from rota.mpi_install import parse_abi
from rota.platforms.numbers import exact
from rota.steady.series import Kind
from rota.units import format_size, parse_size
from rota.vocabulary import alternatives, mpi_name


def stream(
    kind: Annotated[str, typer.Argument(help="scatter, all-to-all, reduce or broadcast.")],
    mpi: Mpi,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    root: Annotated[int, typer.Option(help="The host that scatters, broadcasts or gets the result.")] = 0,
    message_bytes: Annotated[str, typer.Option("--bytes", help="The size of a message.")] = "1MiB",
    seconds: Annotated[
        float, typer.Option(min=1, help="How long the platform shall be full in a stream.")
    ] = 30,
    loop: Annotated[int, typer.Option(min=1, help="Operations of the native loop.")] = 10,
    rounds: Annotated[int, typer.Option(min=1, help="Streams, and loops, one after the other.")] = 1,
    loss: Annotated[
        str, typer.Option(help="The share of the throughput that a shorter period may cost.")
    ] = "0.03",
    json_file: JsonFile = None,
) -> None:
    """Stream operations among all hosts of the lab by the optimal plan, and loop over native ones.

    "predicted" is the plan's throughput for the rates that the links were asked for, while the platform is
    full: from when the first operations are over to when the last ones begin. A stream's start and end are
    as long as its depth in periods, and no part of that.
    """
    require_folders(json_file)
    spec = lab_spec(hosts, rate, rates, 1)
    experiment = StreamExperiment(
        spec, parse_abi(mpi), _kind(kind), root, parse_size(message_bytes), exact(loss)
    )
    plan = experiment.plan
    operations = plan.operations * (plan.depth + ceil(seconds / plan.period))
    notes = Console(stderr=True, highlight=False)
    with opened(spec, notes) as lab, notes.status(f"{operations} operations of {kind}"):
        outcome = measure_stream(experiment, lab, operations, loop, rounds)
    print_table(_table(outcome), json_file)
    if json_file:
        write_measured(json_file, outcome.as_json())


def _kind(text: str) -> Kind:
    found = next((kind for kind in Kind if mpi_name(kind.value) == mpi_name(text)), None)
    if found is None:
        known = alternatives(tuple(kind.value for kind in Kind))
        raise RotaError(f"{text!r} is no kind of operation: choose {known}")
    return found


def _table(outcome: StreamOutcome) -> Table:
    experiment, plan = outcome.experiment, outcome.experiment.plan
    size = format_size(experiment.message_bytes)
    title = (
        f"Streams of {experiment.kind.value}, {size}, over {experiment.spec.hosts} hosts, {experiment.abi}"
    )
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", "operations/s", "of predicted"):
        table.add_column(heading, justify="right" if heading else "left")
    of_period = f"{plan.operations} operations in {float(plan.period):.3g} s, {plan.depth} periods deep"
    operations = len(outcome.over_seconds[0])
    for name, throughput in (
        ("possible at most", float(plan.bound)),
        (f"predicted: {of_period}", float(plan.throughput)),
        ("streamed, while the platform was full", outcome.full),
        (f"predicted for {operations} operations from start to end", outcome.promised),
        ("streamed, from start to end", outcome.from_start_to_end),
        ("native, in a loop", outcome.in_a_loop),
    ):
        table.add_row(name, f"{throughput:.4g}", f"{throughput / float(plan.throughput):.3f}")
    return table
