"""``rota reproduce inter-group``: paper 3's tables and figures, computed again beside what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.commands.network import network_of
from rota.commands.output import JsonFile, PlotFile, tracked
from rota.commands.reproduced import Files, MarkdownFile, finish, print_part
from rota.commands.reproduced_in_lab import Lab, MpiOfLab, reproduce_in_lab
from rota.mpi_install import parse_abi
from rota.reproduce import inter_group as paper
from rota.reproduce.inter_group_lab import figures as lab_figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from rota import Network
    from rota.reproduce.inter_group import Panel, Point

_QUICK_RANKS: Final = 256


def inter_group(
    latency: Annotated[str, typer.Option(help="Of a message.")] = "2us",
    rate: Annotated[str, typer.Option(help="Of a link.")] = "64gbit",
    plot: PlotFile = None,
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    mpi: MpiOfLab = "openmpi",
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Up to 256 ranks, and every other size.")] = False,
    lab: Lab = False,
) -> None:
    """Compute Tables I and II and Figures 1 to 4 of paper 3 again: 256 and 1024 ranks, 32 KB to 4 MB.

    "benchmark" is the schedule that the paper compares with: the root gathering or, on a ring, the allgather
    of all ranks; "paper" its own two stages, or ring; "by table" what Tables I and II make of both for many
    ranks and long data. All are played round by round. With --lab the fully connected ratios are measured.
    """
    abi = parse_abi(mpi)
    files = Files(json_file, markdown, plot)
    if lab:
        reproduce_in_lab(paper.PAPER, "inter-group", lab_figures(quick=quick), abi, files, quick=quick)
        return
    network = network_of(latency, rate)
    parts = [paper.table_1(), paper.table_2(), paper.examples()]
    panels = _points(quick=quick, network=network)
    parts.append(paper.figure_4(panels, network))
    for part in parts:
        print_part(part, json_file)
    command = "rota reproduce inter-group" + (" --quick" if quick else "")
    finish(paper.PAPER, command, parts, files, lambda: _picture(panels))


def _points(*, quick: bool, network: Network) -> dict[Panel, list[Point]]:
    sizes = paper.SIZES_BYTES[1::2] if quick else paper.SIZES_BYTES
    panels = [one for one in paper.PANELS if not quick or one.senders + one.receivers <= _QUICK_RANKS]
    found: dict[Panel, list[Point]] = {panel: [] for panel in panels}
    for panel, size in tracked([(panel, size) for panel in panels for size in sizes], "figure 4"):
        found[panel].append(paper.point(panel, size, network))
    return found


def _picture(panels: Mapping[Panel, Sequence[Point]]) -> Figure:
    from rota.drawing.figure4 import figure_4  # noqa: PLC0415 - loads what draws only where it is asked for

    return figure_4(paper.PAPER, panels)
