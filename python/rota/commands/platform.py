"""``rota platform``: heterogeneous platforms, generated, shown, drawn and converted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape
from rich.table import Table

from rota.commands.asked import source_line
from rota.commands.completion import among
from rota.commands.output import JsonFile, PlotFile, print_line, print_table, require_folders, require_picture
from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole
from rota.platforms import Units, read_platform, write_platform
from rota.platforms.generate import KINDS, Request, generated
from rota.platforms.node_link import node_link_of
from rota.platforms.quantities import bandwidth_bytes_per_s, rate_text, speed_flops_per_s
from rota.platforms.shapes import Times
from rota.vocabulary import counted

if TYPE_CHECKING:
    from rota.platforms import Link, Node, Platform

_DIGITS: Final = 4

_OUTPUT = typer.Option(
    "--output",
    "-o",
    help="The file to write: .xml (SimGrid), .graphml, .json or .toml; - is standard output, in JSON.",
)
Output = Annotated[Path | None, _OUTPUT]


def generate(
    kind: Annotated[str, typer.Argument(help=f"{', '.join(KINDS)}.", autocompletion=among(*KINDS))],
    nodes: Annotated[int | None, typer.Option(help="Number of nodes.")] = None,
    hosts: Annotated[float | None, typer.Option(help="tiers: the part of the nodes that compute.")] = None,
    seed: Annotated[int, typer.Option(help="tiers: another seed, another platform.")] = 0,
    bandwidth: Annotated[str | None, typer.Option(help="Shapes: of links, as 125MBps.")] = None,
    speed: Annotated[str | None, typer.Option(help="Shapes: of processors, as 1Gf.")] = None,
    output: Output = None,
) -> None:
    """Generate a platform: Tiers-like, of a classical shape, or one that paper 5 draws.

    Shapes without bandwidth and speed are measured in units: a unit message and a unit task take 1.
    """
    require_folders(output)
    if (bandwidth or speed) and (kind not in KINDS or kind.startswith(("tiers", "figure"))):
        raise RotaError(f"{kind} has rates of its own: leave out --bandwidth and --speed")
    platform = generated(Request(kind, nodes, hosts, seed, _times(bandwidth, speed)))
    if output is None:
        print_line(_headline(platform))
    else:
        _write(platform, output)


def show(
    file: Annotated[Path, typer.Argument(help="A platform: SimGrid's XML, GraphML, node-link JSON or TOML.")],
    plot: PlotFile = None,
    json_file: JsonFile = None,
) -> None:
    """Print a platform's nodes and links, and draw it. Its JSON is the node-link form."""
    require_folders(plot, json_file)
    require_picture(plot)
    platform = read_platform(file)
    print_line(_headline(platform), json_file)
    print_table(_nodes(platform), json_file)
    print_table(_links(platform), json_file)
    if json_file is not None:
        write_whole(json_file, node_link_of(platform))
    if plot is not None:
        from rota.drawing.platform_picture import draw_platform  # noqa: PLC0415 - loads matplotlib

        draw_platform(platform, plot, source=source_line())


def convert(
    source: Annotated[Path, typer.Argument(help="A platform in any of the forms.")],
    output: Annotated[Path, _OUTPUT],
) -> None:
    """Convert a platform from one form to another, which the file's ending says; nothing is rounded."""
    require_folders(output)
    _write(read_platform(source), output)


def _write(platform: Platform, output: Path) -> None:
    if output == STANDARD_OUTPUT:
        write_whole(output, node_link_of(platform))
        print_line(_headline(platform), output)
        return
    write_platform(platform, output)
    print_line(f"{_headline(platform)}, in {output}")


def _times(bandwidth: str | None, speed: str | None) -> Times:
    if bandwidth is None and speed is None:
        return Times()
    if bandwidth is None or speed is None:
        raise RotaError("give --bandwidth and --speed, or neither")
    return Times(1 / bandwidth_bytes_per_s(bandwidth), 1 / speed_flops_per_s(speed), Units.PHYSICAL)


def _headline(platform: Platform) -> str:
    name = f"{platform.name}: " if platform.name else ""
    processors = len(platform.processors)
    routers = len(platform.nodes) - processors
    forwarding = "1 node that only forwards" if routers == 1 else f"{routers} nodes that only forward"
    links = counted(len(platform.links), "link")
    return f"{name}{counted(processors, 'processor')}, {forwarding}, {links}"


def _nodes(platform: Platform) -> Table:
    is_physical = platform.measured_in is Units.PHYSICAL
    table = Table()
    table.add_column("node", no_wrap=True)
    table.add_column("speed" if is_physical else "time of a task", justify="right", no_wrap=True)
    table.add_column("links out", justify="right")
    table.add_column("links in", justify="right")
    for node in platform.nodes:
        counts = len(platform.out_links(node.name)), len(platform.in_links(node.name))
        table.add_row(escape(node.name), _task(node, is_physical=is_physical), *map(str, counts))
    return table


def _links(platform: Platform) -> Table:
    is_physical = platform.measured_in is Units.PHYSICAL
    table = Table()
    for heading in ("from", "to"):
        table.add_column(heading, no_wrap=True)
    heading = "bandwidth" if is_physical else "time of a message"
    table.add_column(heading, justify="right", no_wrap=True)
    for link in platform.links:
        table.add_row(escape(link.source), escape(link.target), _cost(link, is_physical=is_physical))
    return table


def _task(node: Node, *, is_physical: bool) -> str:
    if node.task is None:
        return "-"
    return rate_text(1 / node.task, "flop/s", _DIGITS) if is_physical else str(node.task)


def _cost(link: Link, *, is_physical: bool) -> str:
    return rate_text(1 / link.cost, "B/s", _DIGITS) if is_physical else str(link.cost)
