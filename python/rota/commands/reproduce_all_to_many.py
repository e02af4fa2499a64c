"""``rota reproduce all-to-many``: paper 2's tables and figures, computed again beside what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.commands.output import JsonFile, PlotFile, tracked
from rota.commands.reproduced import Files, MarkdownFile, finish, print_part
from rota.commands.reproduced_in_lab import Lab, MpiOfLab, reproduce_in_lab
from rota.mpi_install import parse_abi
from rota.reproduce import all_to_many as paper
from rota.reproduce import all_to_many_figures as figures
from rota.reproduce import all_to_many_tables as tables
from rota.reproduce.all_to_many_lab import figures as lab_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from rota.reproduce.all_to_many import Point10
    from rota.reproduce.beside import Part

_PAPER: Final = "Paper 2: Ranka, Wang, Fox 1994, all-to-many"
_QUICK_SAMPLES: Final = 10
_SIMULATED_SAMPLES: Final = 10
_SAMPLES_OF_10: Final = 15
_QUICK_RANKS: Final = 128


def all_to_many(
    samples: Annotated[int, typer.Option(min=1, help="Patterns for each cell of Table 4.")] = paper.SAMPLES,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    mpi: MpiOfLab = "openmpi",
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Ten patterns for each cell, and up to 128 ranks.")
    ] = False,
    lab: Lab = False,
) -> None:
    """Compute Tables 1 to 4, Figures 1 and 8 to 10 and the break-even (5), (6) of paper 2 again.

    Tables 2 and 3 are simulated: 32 ranks on a network whose start and bytes are fitted to the paper's Table
    1. There every message costs the same wherever it goes, and a receiver never loses time, so what
    asynchronous sends and linear permutations lose on the real machine is not in it. "exact" is not in the
    paper. With --lab the four are measured on patterns of 4 and 8 messages a rank.
    """
    abi = parse_abi(mpi)
    files = Files(json_file, markdown, plot)
    if lab:
        reproduce_in_lab(_PAPER, "all-to-many", lab_figures(quick=quick), abi, files, quick=quick)
        return
    cells = [cell for cell in paper.FIGURE_10 if not quick or cell[1] <= _QUICK_RANKS]
    points = [paper.point_10(*cell, samples=_SAMPLES_OF_10) for cell in tracked(cells, "figure 10")]
    parts = []
    for part in _parts(min(samples, _QUICK_SAMPLES) if quick else samples, points, quick=quick):
        print_part(part, json_file)
        parts.append(part)
    command = "rota reproduce all-to-many" + (" --quick" if quick else "")
    finish(_PAPER, command, parts, files, lambda: _picture(points))


def _parts(samples: int, points: list[Point10], *, quick: bool) -> Iterator[Part]:
    few = min(samples, _SIMULATED_SAMPLES)
    yield figures.figure_1(samples)
    yield tables.table_1()
    tasks = [(degree, size) for degree in paper.COMMUNICATION_MS for size in paper.SIZES]
    communication = [paper.row_23(*task, few) for task in tracked(tasks, "tables 2 and 3")]
    yield tables.tables_2_and_3(communication)
    yield tables.permutations(samples)
    cells = [cell for cell in paper.TABLE_4 if not quick or cell[1] <= _QUICK_RANKS]
    yield tables.table_4([paper.row_4(*cell, samples) for cell in tracked(cells, "table 4")], samples)
    yield figures.figure_8(communication)
    yield figures.figure_9(communication, few)
    yield tables.figure_10(points)
    yield figures.break_even(communication)


def _picture(points: list[Point10]) -> Figure:
    from rota.drawing.figure10 import figure_10  # noqa: PLC0415 - loads what draws only where it is asked for

    return figure_10(_PAPER, points)
