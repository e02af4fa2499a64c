"""``rota bench inter-group``: MPI_Allgather between two groups against the native one in the lab."""

from __future__ import annotations

from typing import Annotated

import typer

from rota.bench.collectives import Experiment, default_pairs
from rota.bench.inter_group import group_series
from rota.commands.bench import Mpi, Pairs, measured, outcome_table, parse_sizes
from rota.commands.lab import Hosts, PerHost, Rate, Rates, lab_spec
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_table,
    require_folders,
    require_picture,
    write_measured,
    write_picture,
)
from rota.commands.where import InLab
from rota.errors import RotaError
from rota.mpi_install import parse_abi


def inter_group(
    senders: Annotated[int, typer.Option(help="Ranks of the group that sends: p.")],
    receivers: Annotated[int, typer.Option(help="Ranks of the group that receives: q.")],
    mpi: Mpi,
    sizes: Annotated[
        str, typer.Option("--bytes", help="Of each sender's data; several separated by commas.")
    ] = "64,1MiB",
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    pairs: Pairs = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    *,
    duplex: Annotated[
        bool, typer.Option("--duplex", help="The receivers have as much data for the senders.")
    ] = False,
) -> None:
    """Measure MPI_Allgather on an inter-communicator: native and Rota alternately in one job, pair by pair.

    "size" is the data of a whole group; the link's limit is what of it must pass the busiest host's link.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    spec = lab_spec(hosts, rate, rates, per_host)
    if spec.ranks != senders + receivers:
        raise RotaError(
            f"{senders} senders and {receivers} receivers on {spec.hosts} hosts of {per_host}: let --hosts"
            f" times --per-host be {senders + receivers}"
        )
    series = group_series(senders, receivers, duplex=duplex)
    most = max(senders, receivers if duplex else 0)
    wanted = {size: pairs or default_pairs(size * most) for size in parse_sizes(sizes)}
    experiment = Experiment(parse_abi(mpi), series, wanted)
    outcome = measured(InLab(spec), experiment, f"{series.label}: {sizes}")
    print_table(outcome_table(outcome), json_file)
    if json_file:
        write_measured(json_file, outcome.as_json())
    if plot:
        from rota.bench.pictures import of_outcome  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, of_outcome(outcome))
