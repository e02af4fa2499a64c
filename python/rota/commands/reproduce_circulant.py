"""``rota reproduce circulant``: the tables and figures of paper 1, ours beside the printed."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from rota.bench.collectives import Experiment, default_pairs, measure
from rota.bench.names import series_of
from rota.bench.paper import paper_settings
from rota.commands.bench import outcome_table
from rota.commands.lab import lab_spec
from rota.commands.output import JsonFile, PlotFile, print_table, tracked
from rota.commands.reproduced import MarkdownFile, finish, print_part, require_writable
from rota.commands.where import InLab
from rota.mpi_install import parse_abi
from rota.reproduce import circulant as tables
from rota.reproduce import circulant_figures as figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rota.library import Abi
    from rota.reproduce.beside import Part
    from rota.reproduce.circulant_figures import Measured

_SAMPLES: Final = 9
_QUICK_SAMPLES: Final = 2


def circulant(
    plot: PlotFile = None,
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    mpi: Annotated[str, typer.Option(help="With --lab: openmpi, mpich or mpi5.")] = "openmpi",
    *,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Two ranges of Table 4, and figures of 9 to 20 ranks on 1 MiB."),
    ] = False,
    lab: Annotated[
        bool, typer.Option("--lab", help="Measure the figures' collectives on 16 hosts of 200 Mbit/s, too.")
    ] = False,
) -> None:
    """Compute Tables 1 to 4 and Figures 1 and 2 of Träff 2024 again.

    Tables 1 to 3 are compared figure by figure; Table 4 measures the older construction, in O(log^3 p) a
    rank, beside the new one as it is printed and Rota's; the figures are simulated in SimGrid's SMPI, in
    blocks by the paper's rules and in the model's best number.
    """
    abi = parse_abi(mpi)
    require_writable(plot, json_file, markdown)
    parts = _tables(quick=quick)
    for part in parts:
        print_part(part, json_file)
    points = _points(quick=quick)
    drawn = figures.figure_parts(points)
    for part in drawn:
        print_part(part, json_file)
    finish(
        tables.PAPER,
        "rota reproduce circulant" + (" --quick" if quick else ""),
        [*parts, *drawn],
        json_file=json_file,
        markdown=markdown,
        plot=plot,
        picture=lambda: _picture(parts, points),
    )
    if lab:
        _measure(abi, json_file)


def _tables(*, quick: bool) -> list[Part]:
    printed, samples = (tables.QUICK_TIMED, _QUICK_SAMPLES) if quick else (tables.TIMED, _SAMPLES)
    rows = [tables.timed_row(each, samples) for each in tracked(printed, "table 4")]
    return [*tables.schedule_tables(), tables.table_4(rows, samples)]


def _points(*, quick: bool) -> list[Measured]:
    settings = figures.QUICK_SETTINGS if quick else (*figures.FIGURE_1_SETTINGS, *figures.FIGURE_2_SETTINGS)
    sizes = figures.QUICK_SIZES if quick else figures.SIZES
    tasks = [(setting, size) for setting in settings for size in sizes]
    return [figures.measured(*task) for task in tracked(tasks, "figures 1 and 2")]


def _picture(parts: list[Part], points: list[Measured]) -> Figure:
    from rota.drawing.circulant_paper import picture  # noqa: PLC0415 - loads what draws only where it is asked for

    return picture(parts[-1], points)


def _measure(abi: Abi, json_file: Path | None) -> None:
    with InLab(lab_spec(16, "200mbit", None, 1)).opened(abi, Console(stderr=True, highlight=False)) as site:
        for collective, shape in (
            ("bcast", None),
            ("reduce", None),
            ("allgatherv", "regular"),
            ("allgatherv", "degenerate"),
        ):
            series = series_of(collective, shape)
            pairs = {size: default_pairs(size) for size in (1 << 20, 8 << 20)}
            for settings in (paper_settings(series, "paper"), {}):
                outcome = measure(Experiment(abi, series, pairs, settings), site)
                print_table(outcome_table(outcome), json_file)
