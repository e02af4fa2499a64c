"""``rota reproduce inter-group``: Figure 4 of Kang, Agrawal, Choudhary and Liao, computed again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from rota.bench.collectives import Experiment, default_pairs, measure
from rota.bench.inter_group import group_series
from rota.commands.bench import outcome_table
from rota.commands.lab import lab_spec
from rota.commands.network import network_of
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_table,
    require_folders,
    require_picture,
    tracked,
    write_json,
    write_picture,
)
from rota.commands.where import InLab
from rota.mpi_install import parse_abi
from rota.reproduce import inter_group as paper
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota import Network
    from rota.reproduce.inter_group import Panel, Point

_QUICK_RANKS: Final = 256


def inter_group(
    latency: Annotated[str, typer.Option(help="Of a message.")] = "2us",
    rate: Annotated[str, typer.Option(help="Of a link.")] = "64gbit",
    plot: PlotFile = None,
    json_file: JsonFile = None,
    mpi: Annotated[str, typer.Option(help="With --lab: openmpi, mpich or mpi5.")] = "openmpi",
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Up to 256 ranks, and every other size.")] = False,
    lab: Annotated[
        bool, typer.Option("--lab", help="Measure the same ratios on 16 hosts with links of 200 Mbit/s.")
    ] = False,
) -> None:
    """Compute the panels of Figure 4 again: 256 and 1024 ranks, 32 KB to 4 MB of each sender.

    "benchmark" is the schedule that the paper compares with: the root gathering or, on a ring, the allgather
    of all ranks; "paper" its own two stages, or ring; "by table" what Tables I and II make of both for many
    ranks and long data. All are played round by round. "Rota" is the best schedule, "x bound" its time over
    the bound, on a ring that of whole messages, each one rank's data. The printed improvements were measured
    on a Cray XC40, where up to 8 ranks share a node.
    """
    require_folders(plot, json_file)
    require_picture(plot)
    network = network_of(latency, rate)
    sizes = paper.SIZES_BYTES[1::2] if quick else paper.SIZES_BYTES
    panels = _points(
        [one for one in paper.PANELS if not quick or one.senders + one.receivers <= _QUICK_RANKS],
        sizes,
        network,
    )
    print_table(_table(panels), json_file)
    if plot:
        from rota.drawing.figure4 import figure_4  # noqa: PLC0415 - loads what draws only where it is asked for

        write_picture(plot, figure_4(panels), "times of allgathers between two groups")
    if json_file:
        write_json(json_file, _listed(panels))
    if lab:
        _measure(mpi, sizes, json_file)


def _points(panels: Sequence[Panel], sizes: Sequence[int], network: Network) -> dict[Panel, list[Point]]:
    tasks = [(panel, size) for panel in panels for size in sizes]
    found: dict[Panel, list[Point]] = {panel: [] for panel in panels}
    for panel, size in tracked(tasks, "figure 4"):
        found[panel].append(paper.point(panel, size, network))
    return found


def _table(panels: Mapping[Panel, Sequence[Point]]) -> Table:
    size = format_size(next(iter(panels.values()))[-1].size_bytes)
    table = Table(title=f"Figure 4, {size} of each sender: simulated", title_justify="left")
    for heading in (
        "panel",
        "benchmark",
        "paper",
        "improvement",
        "by table",
        "printed",
        "Rota",
        "schedule",
        "x bound",
    ):
        table.add_column(
            heading, justify="left" if heading in ("panel", "schedule") else "right", no_wrap=True
        )
    for panel, points in panels.items():
        last = points[-1]
        table.add_row(
            panel.title,
            format_seconds(last.benchmark_s),
            format_seconds(last.paper_s),
            f"{last.improvement:.2f}",
            f"{panel.by_table:.2f}",
            f"{panel.printed:.1f}",
            format_seconds(last.rota.seconds),
            f"{last.rota.algorithm}, n = {last.rota.blocks}",
            f"{last.rota.times_bound:.3f}",
        )
    return table


def _listed(panels: Mapping[Panel, Sequence[Point]]) -> list[dict[str, Any]]:
    return [
        {**asdict(panel), "points": [asdict(point) for point in points]} for panel, points in panels.items()
    ]


def _measure(mpi: str, sizes: Sequence[int], json_file: Path | None) -> None:
    spec = lab_spec(16, "200mbit", None, 1)
    abi = parse_abi(mpi)
    with InLab(spec).opened(abi, Console(stderr=True, highlight=False)) as site:
        for senders, receivers in paper.LAB_GROUPS:
            series = group_series(senders, receivers, duplex=False)
            pairs = {size: default_pairs(size * senders) for size in sizes}
            print_table(outcome_table(measure(Experiment(abi, series, pairs), site)), json_file)
