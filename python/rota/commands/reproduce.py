"""``rota reproduce``: what the papers print, computed again and shown beside it."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table

from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    tracked,
    write_json,
    write_picture,
)
from rota.commands.reproduced import print_part
from rota.reproduce import all_to_many as paper
from rota.reproduce import all_to_many_figures as figures
from rota.reproduce.beside import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.reproduce.all_to_many import Point10, Row4, Row23

_QUICK_SAMPLES: Final = 10
_SIMULATED_SAMPLES: Final = 10
_QUICK_RANKS: Final = 128


def all_to_many(
    samples: Annotated[int, typer.Option(min=1, help="Patterns for each cell of Table 4.")] = paper.SAMPLES,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Ten patterns for each cell, and up to 128 ranks.")
    ] = False,
) -> None:
    """Compute Tables 2 to 4, Figures 1 and 8 to 10 and the break-even (5), (6) of paper 2 again.

    Tables 2 and 3 are simulated: 32 ranks on a network whose start and bytes are fitted to the paper's Table
    1. There every message costs the same wherever it goes, and a receiver never loses time, so what
    asynchronous sends and linear permutations lose on the real machine is not in it. "exact" is not in the
    paper.
    """
    require_folders(plot, json_file)
    require_picture(plot)
    samples = min(samples, _QUICK_SAMPLES) if quick else samples
    most_ranks = _QUICK_RANKS if quick else max(ranks for _, ranks in paper.TABLE_4)
    communication = [
        paper.row_23(degree, size, min(samples, _SIMULATED_SAMPLES))
        for degree, size in tracked(_cells(), "tables 2 and 3")
    ]
    print_table(_communication(communication), json_file)
    print_table(_permutations(samples), json_file)
    cells = [cell for cell in paper.TABLE_4 if cell[1] <= most_ranks]
    rows = [paper.row_4(*cell, samples) for cell in tracked(cells, "table 4")]
    print_table(_table_4(rows, samples), json_file)
    points = [
        paper.point_10(*cell, samples=5)
        for cell in tracked(
            [cell for cell in paper.FIGURE_10 if not quick or cell[1] <= most_ranks], "figure 10"
        )
    ]
    fit = paper.fits_linearly(points)
    line = f"Figure 10: a line in d ln d explains {fit:.1%} of the variance of scheduling time / n."
    print_line(line, json_file)
    parts = [
        figures.figure_1(samples),
        figures.figure_8(communication),
        figures.figure_9(communication, min(samples, _SIMULATED_SAMPLES)),
        figures.break_even(communication),
    ]
    for part in parts:
        print_part(part, json_file)
    if plot:
        from rota.drawing.figure10 import figure_10  # noqa: PLC0415 - loads what draws only where it is asked for

        write_picture(plot, figure_10(points), "CGM's scheduling time over n against d ln d")
    if json_file:
        numbers: dict[str, Sequence[Row23 | Row4 | Point10]] = {
            "tables_2_3": communication,
            "table_4": rows,
            "figure_10": points,
        }
        listed = {name: [asdict(each) for each in each_table] for name, each_table in numbers.items()}
        write_json(json_file, {**listed, "figures": as_json(parts)})


def _cells() -> list[tuple[int, int]]:
    return [(degree, size) for degree in paper.COMMUNICATION_MS for size in paper.SIZES]


def _communication(rows: list[Row23]) -> Table:
    table = Table(title="Tables 2 and 3: milliseconds simulated (printed), 32 ranks", title_justify="left")
    for heading in ("d", "bytes", *paper.SIMULATED):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        is_last = row.message_bytes == paper.SIZES[-1]
        table.add_row(
            str(row.degree),
            str(row.message_bytes),
            *(_beside(row.simulated_ms[name], row.paper_ms[name]) for name in paper.SIMULATED),
            end_section=is_last,
        )
    return table


def _beside(ours: float, printed: float | None) -> str:
    return _short(ours) if printed is None else f"{_short(ours)} ({_short(printed)})"


def _short(milliseconds: float) -> str:
    """Return three digits."""
    return f"{milliseconds:.{max(0, 2 - int(math.log10(milliseconds)))}f}"


def _permutations(samples: int) -> Table:
    table = Table(title=f"The same: permutations, means of {samples} (printed)", title_justify="left")
    for heading in ("d", "lp", "gm", "cgm", "exact"):
        table.add_column(heading, justify="right", no_wrap=True)
    for degree, printed in paper.PERMUTATIONS.items():
        cells = [
            f"{paper.mean_permutations(degree, name, samples):.2f} ({value:.2f})"
            for name, value in printed.items()
        ]
        table.add_row(str(degree), *cells, f"{paper.mean_permutations(degree, 'exact', samples):.2f}")
    return table


def _table_4(rows: list[Row4], samples: int) -> Table:
    table = Table(title=f"Table 4: CGM's permutations, means of {samples} patterns", title_justify="left")
    for heading in ("d", "n", "printed", "here", "difference", "exact", "CM-5, ms", "here, ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            str(row.degree),
            str(row.ranks),
            f"{row.paper_permutations:.1f}",
            f"{row.permutations:.2f}",
            f"{row.difference:+.1%}",
            f"{row.exact_permutations:.2f}",
            f"{row.paper_ms:.1f}",
            f"{row.scheduling_ms:.3f}",
        )
    return table
