"""``rota reproduce steady-state``: paper 5's figures, planned again and shown beside what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.commands.output import JsonFile, PlotFile, tracked
from rota.commands.reproduced import Files, MarkdownFile, finish, print_part
from rota.reproduce import steady_state as paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_QUICK: Final = 5


def steady_state(
    platforms: Annotated[int, typer.Option(min=1, help="Platforms of Figure 12.")] = paper.PLATFORMS,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Five platforms, and every third point.")] = False,
) -> None:
    """Compute all figures of Legrand, Marchal and Robert 2005 again, and certify every plan.

    The solutions that the paper prints are certified too.
    The paper simulates both the many trees and MPICH's single binomial tree. So does this; beside it stands
    what both could reach at best, at the pace of their busiest port.
    """
    files = Files(json_file, markdown, plot)
    parts = paper.examples()
    for part in parts:
        print_part(part, json_file)
    cells = _cells(min(platforms, _QUICK) if quick else platforms)
    points_12 = [paper.point_12(*cell) for cell in tracked(cells, "figure 12")]
    parts.append(paper.part_12(points_12))
    print_part(parts[-1], json_file)
    ratios = paper.RATIOS[::3] if quick else paper.RATIOS
    points_13 = [paper.point_13(ratio) for ratio in tracked(ratios, "figure 13")]
    parts.append(paper.part_13(points_13))
    print_part(parts[-1], json_file)

    def picture() -> Figure:
        from rota.drawing.steady_state import figures_12_13  # noqa: PLC0415 - loads matplotlib

        return figures_12_13(paper.PAPER, points_12, points_13)

    finish(
        paper.PAPER,
        "rota reproduce steady-state" + (" --quick" if quick else ""),
        parts,
        files,
        picture,
    )


def _cells(platforms: int) -> list[tuple[float, int]]:
    densities = len(paper.DENSITIES)
    return [(paper.DENSITIES[number % densities], number // densities) for number in range(platforms)]
