"""``rota simulate hosts``: collectives over many hosts of several ranks each, beside the links' limit."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from rota.commands.network import Combine, Latency, Rate, network_of
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_json,
    write_picture,
)
from rota.commands.progress import progress
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.many_hosts.settings import NAMES, Memory, Outcome, Setting, simulated
from rota.show.question import MAX_LANES
from rota.units import format_rate, format_seconds, format_size, parse_rate, parse_seconds, parse_size

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL: Final = "all"
_NOTE: Final = (
    "x limit: over what the busiest link must carry, whatever the schedule, at its rate. A link carries one"
    " message at a time, each way; what is within a host passes none."
)


def simulate_hosts(
    collective: Annotated[
        str, typer.Argument(help=f"The collective: {', '.join(NAMES)}; several separated by commas, or all.")
    ] = _ALL,
    *,
    hosts: Annotated[int, typer.Option(min=2, help="How many hosts there are.")] = 1000,
    per_host: Annotated[
        str, typer.Option(help="Ranks of each host, in a row; several numbers separated by commas.")
    ] = "1,2,4,8,16,32,64",
    links: Annotated[
        int, typer.Option(min=1, max=MAX_LANES, help="Links of each host, which share what its ranks send.")
    ] = 1,
    size: Annotated[
        str,
        typer.Option(
            "--bytes",
            help="Of one rank in bcast, reduce, scan and exchanges; of all together in allgather and"
            " reduce-scatter; the vector of an allreduce; the root's, or the first group's, between groups.",
        ),
    ] = "64MB",
    latency: Latency = None,
    rate: Rate = None,
    combine: Combine = None,
    memory_latency: Annotated[
        str, typer.Option(help="What a message within a host takes besides its bytes.")
    ] = "0.5us",
    memory_rate: Annotated[
        str, typer.Option(help="The rate at which a rank copies within a host.")
    ] = "10GB/s",
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Simulate collectives over many hosts that ranks share, by the schedules that Rota takes there.

    Each rank goes on at its own pace. A message between hosts takes the latency, and then its bytes on one
    link out of a host and one into another, each of which carries one message at a time; one within a host
    takes the memory's latency and rate. With --links the limit is that of all of a host's links together, as
    far as it has ranks for them. Groups are the first half of the hosts and the others; alltoallv is a
    random pattern of 8 destinations of each rank; scan stands for exscan too, whose schedule is the same.
    --plot draws the times over the links' limit over the ranks of a host.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    network = network_of(latency, rate, combine)
    memory = Memory(parse_seconds(memory_latency), 8 / parse_rate(memory_rate))
    size_bytes = parse_size(size)
    settings = [Setting(hosts, each, size_bytes, network, memory, links) for each in _numbers(per_host)]
    outcomes = [outcome for name in _names(collective) for outcome in _simulated(name, settings)]
    print_table(_table(outcomes), json_file)
    print_line(_NOTE, json_file)
    if json_file:
        write_json(json_file, [{**asdict(one), "times_limit": one.times_limit} for one in outcomes])
    if plot:
        from rota.drawing.many_hosts import picture  # noqa: PLC0415 - loads matplotlib

        title = (
            f"Simulated: {hosts} hosts, {format_size(size_bytes)}, {f'{links} ' if links > 1 else ''}links of"
            f" {format_rate(8 / network.seconds_per_byte)}, {format_seconds(network.latency_s)}"
        )
        write_picture(plot, Picture(picture(title, outcomes), title))


def _names(text: str) -> Sequence[str]:
    if text == _ALL:
        return NAMES
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in NAMES:
            raise RotaError(f"unknown collective {name!r}: choose {', '.join(NAMES)} or {_ALL}")
    return names


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise RotaError(f"--per-host {text!r} is no list of numbers: write it as 1,2,4,8") from None


def _simulated(name: str, settings: Sequence[Setting]) -> list[Outcome]:
    outcomes = []
    for setting in settings:
        what = f"{name}, {setting.per_host} ranks a host"
        with progress(Console(stderr=True), what, 1000) as tell:
            outcomes.append(simulated(name, setting, lambda done, of: tell(1000 * done // max(1, of))))
    return outcomes


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table()
    for heading in ("collective", "algorithm"):
        table.add_column(heading, no_wrap=True)
    for heading in ("a host", "blocks", "rounds", "busiest host", "time", "limit", "x limit"):
        table.add_column(heading, justify="right", no_wrap=True)
    last = ""
    for one in outcomes:
        if last and one.collective != last:
            table.add_section()
        last = one.collective
        table.add_row(
            one.collective,
            one.algorithm,
            str(one.per_host),
            str(one.blocks),
            str(one.rounds),
            format_size(one.link_bytes),
            format_seconds(one.seconds),
            format_seconds(one.limit_s),
            f"{one.times_limit:.3f}",
        )
    return table
