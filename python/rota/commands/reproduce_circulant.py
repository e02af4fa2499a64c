"""``rota reproduce circulant``: the tables and figures of paper 1, ours beside the printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.commands.output import JsonFile, PlotFile, tracked
from rota.commands.reproduced import Files, MarkdownFile, finish, print_part
from rota.commands.reproduced_in_lab import Lab, MpiOfLab, reproduce_in_lab
from rota.mpi_install import parse_abi
from rota.reproduce import circulant as tables
from rota.reproduce import circulant_figures as figures
from rota.reproduce.circulant_lab import figures as lab_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rota.reproduce.beside import Part
    from rota.reproduce.circulant_figures import Measured

_SAMPLES: Final = 9
_QUICK_SAMPLES: Final = 2


def circulant(
    plot: PlotFile = None,
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    mpi: MpiOfLab = "openmpi",
    *,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Two ranges of Table 4, and figures of 9 to 20 ranks on 1 MiB."),
    ] = False,
    lab: Lab = False,
) -> None:
    """Compute Tables 1 to 4 and Figures 1 and 2 of Träff 2024 again.

    Tables 1 to 3 are compared figure by figure; Table 4 measures the older construction, in O(log^3 p) a
    rank, beside the new one as it is printed and Rota's; the figures are simulated in SimGrid's SMPI, in
    blocks by the paper's rules and in the model's best number. With --lab the figures alone are measured.
    """
    abi = parse_abi(mpi)
    files = Files(json_file, markdown, plot)
    if lab:
        reproduce_in_lab(tables.PAPER, "circulant", lab_figures(quick=quick), abi, files, quick=quick)
        return
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
        files,
        lambda: _picture(parts, points),
    )


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

    return picture(tables.PAPER, parts[-1], points)
