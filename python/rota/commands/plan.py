"""``rota plan``: the exactly optimal stream of scatters, all-to-alls, reduces or broadcasts on a platform."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rota.commands.asked import source_line
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_table,
    require_folders,
    require_picture,
    require_place,
    write_picture,
)
from rota.commands.plan_answers import table_of
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.files import write_whole
from rota.patterns import read_pattern
from rota.platforms import Units, read_platform
from rota.platforms.builder import at
from rota.platforms.numbers import exact
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import only_among, series_of_broadcasts
from rota.steady.certificate import certify
from rota.steady.measures import measures_in
from rota.steady.plan import Plan, as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.units import parse_flops, parse_size

if TYPE_CHECKING:
    from rota.platforms import Platform
    from rota.steady.reduce import Measures
    from rota.steady.series import Series

PlatformFile = Annotated[
    Path, typer.Option("--platform", help="A platform: SimGrid's XML, GraphML, node-link JSON or TOML.")
]
Bytes = Annotated[
    str | None, typer.Option("--bytes", help="The size of a message, where links have bandwidths: 10MB.")
]
PeriodLength = Annotated[
    str | None,
    typer.Option(
        "--period",
        help="A fixed period, in time units or seconds. Default: in seconds the least one that loses "
        "nothing, in time units the paper's, in which links are busy for whole numbers of them.",
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Draw flows, period and all trees, a picture each, into this folder, old or new.",
    ),
]


def scatter(
    platform_file: PlatformFile,
    source: Annotated[str, typer.Option(help="The node that has the messages.")],
    targets: Annotated[str, typer.Option(help="The nodes that get one each: a,b,c.")],
    sizes: Annotated[
        str | None, typer.Option(help="How many messages long each target's is: 1,2,1/2. Default: 1 each.")
    ] = None,
    message_bytes: Bytes = None,
    period: PeriodLength = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    output: Folder = None,
) -> None:
    """Plan a series of scatters: how often a source can send each target a message of its own."""
    platform = _platform(platform_file, message_bytes)
    units = None if sizes is None else [exact(size) for size in sizes.split(",")]
    series = series_of_scatters(platform, source, _names(targets), units)
    _report(platform, series, _Wanted(_unit(message_bytes), period, json_file, plot, output))


def all_to_all(
    platform_file: PlatformFile,
    hosts: Annotated[str, typer.Option(help="The nodes that send each other messages: a,b,c.")],
    pattern: Annotated[
        Path | None,
        typer.Option(
            help="A matrix in a .csv, .npz or .mtx file: how many messages long the one from i to j is."
        ),
    ] = None,
    message_bytes: Bytes = None,
    period: PeriodLength = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    output: Folder = None,
) -> None:
    """Plan a series of personalized all-to-alls: each host sends each other one a message of its own."""
    platform = _platform(platform_file, message_bytes)
    names = _names(hosts)
    series = series_of_all_to_alls(platform, names, _sizes(pattern, len(names)))
    _report(platform, series, _Wanted(_unit(message_bytes), period, json_file, plot, output))


def reduce(
    platform_file: PlatformFile,
    hosts: Annotated[str, typer.Option(help="The nodes that own v0, v1, ..., in this order: a,b,c.")],
    target: Annotated[str, typer.Option(help="The node that gets the result.")],
    message_bytes: Bytes = None,
    task: Annotated[
        str | None,
        typer.Option(help="What it takes to combine two messages, where nodes have speeds: 10Mflop."),
    ] = None,
    measures: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file: sizes of partial results and what tasks take, at which node, where these are "
            "not alike (docs/platforms.md)."
        ),
    ] = None,
    period: PeriodLength = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    output: Folder = None,
) -> None:
    """Plan a series of reduces of values that are combined in order, on any nodes that compute."""
    platform = _platform(platform_file, message_bytes, task, computes=True)
    names = _names(hosts)
    series = series_of_reduces(platform, names, target, _measures(measures, len(names)))
    _report(platform, series, _Wanted(_unit(message_bytes), period, json_file, plot, output))


def broadcast(
    platform_file: PlatformFile,
    source: Annotated[str, typer.Option(help="The node that has the message.")],
    targets: Annotated[
        str | None,
        typer.Option(help="The nodes that get it: a,b,c. Others take no part then. Default: all nodes."),
    ] = None,
    message_bytes: Bytes = None,
    period: PeriodLength = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
    output: Folder = None,
) -> None:
    """Plan a series of broadcasts: how often a source can send the same message to all nodes.

    All nodes of the platform get the message, those that only forward too, or those that are named, and no
    others help. (With helpers that need not get it, the best is NP-hard to find.)
    """
    platform = _platform(platform_file, message_bytes)
    platform.node(source)
    names = _names(targets) if targets is not None else [node.name for node in platform.nodes]
    if targets is None:
        names.remove(source)
    platform = only_among(platform, [source, *names])
    series = series_of_broadcasts(platform, source, names)
    _report(platform, series, _Wanted(_unit(message_bytes), period, json_file, plot, output))


def _platform(
    file: Path, message_bytes: str | None, task: str | None = None, *, computes: bool = False
) -> Platform:
    platform = read_platform(file)
    if computes and platform.measured_in is Units.PHYSICAL and task is None:
        raise RotaError(f"{file.name} gives speeds: say how much computing a task is with --task, as 10Mflop")
    size = None if message_bytes is None else Fraction(parse_size(message_bytes))
    return platform.in_units(size, None if task is None else exact(parse_flops(task)))


def _measures(file: Path | None, hosts: int) -> Measures | None:
    if file is None:
        return None
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no text"
        raise RotaError(f"{file}: {reason}: give measures in TOML, see docs/platforms.md") from fault
    with at(file.name):
        return measures_in(text, hosts)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _sizes(file: Path | None, hosts: int) -> dict[tuple[int, int], Fraction] | None:
    if file is None:
        return None
    pattern = read_pattern(file, None)
    if pattern.ranks != hosts:
        raise RotaError(
            f"{file.name} is a matrix of {pattern.ranks} rows: give one for each of {hosts} hosts"
        )
    return {(int(k), int(m)): Fraction(int(size)) for k, m, size in pattern.messages}


class _Unit(Enum):
    """What times of links and tasks are in."""

    TIME_UNIT = "time unit"
    SECOND = "second"


def _unit(message_bytes: str | None) -> _Unit:
    """Return the unit of time: seconds, where links have bandwidths and so messages a size."""
    return _Unit.TIME_UNIT if message_bytes is None else _Unit.SECOND


@dataclass(frozen=True)
class _Wanted:
    """Which plan is wanted, and where it goes."""

    unit: _Unit
    period: str | None
    json_file: Path | None
    plot: Path | None
    folder: Path | None


def _report(platform: Platform, series: Series, wanted: _Wanted) -> None:
    require_folders(wanted.json_file, wanted.plot)
    require_place(wanted.folder)
    require_picture(wanted.plot)
    plan = _planned(platform, series, wanted)
    text = as_text(plan)
    certify(text)
    print_table(table_of(plan, wanted.unit.value), wanted.json_file)
    if wanted.json_file:
        write_whole(wanted.json_file, text)
    if wanted.plot:
        from rota.drawing.plan import PLAN_TITLE, plan_figure  # noqa: PLC0415 - loads matplotlib

        write_picture(wanted.plot, Picture(plan_figure(plan, wanted.unit.value), PLAN_TITLE))
    if wanted.folder:
        from rota.drawing.plan import draw_plan  # noqa: PLC0415 - as above

        draw_plan(plan, wanted.folder, wanted.unit.value, source_line())


def _planned(platform: Platform, series: Series, wanted: _Wanted) -> Plan:
    if wanted.period is not None:
        return planned(platform, series, exact(wanted.period))
    plan = planned(platform, series)
    return plan if wanted.unit is _Unit.TIME_UNIT else plan.shortest
