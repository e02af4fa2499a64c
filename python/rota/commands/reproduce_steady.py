"""``rota reproduce steady-state``: paper 5's figures, planned again and shown beside what is printed."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Annotated, Any, Final

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
from rota.reproduce import steady_state as paper

if TYPE_CHECKING:
    from rota.reproduce.steady_state import Figure, Point12, Point13

_QUICK: Final = 10


def steady_state(
    platforms: Annotated[int, typer.Option(min=1, help="Platforms of Figure 12.")] = paper.PLATFORMS,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Ten platforms.")] = False,
) -> None:
    """Plan Figures 2, 6, 9, 12 and 13 of Legrand, Marchal and Robert 2005 again, and certify every plan.

    The paper simulates both the many trees and MPICH's single binomial tree; here the throughput of both is
    that of the model, which no start and no protocol lowers: for the single tree one operation for each time
    that its busiest port is busy with one.
    """
    require_folders(plot, json_file)
    require_picture(plot)
    print_table(_figures(paper.figures()), json_file)
    cells = _cells(min(platforms, _QUICK) if quick else platforms)
    points_12 = [paper.point_12(*cell) for cell in tracked(cells, "figure 12")]
    print_table(_table_12(points_12), json_file)
    seconds = median(point.comparison.seconds for point in points_12)
    print_line(f"All planned and certified, in {seconds:.2f} s (median).", json_file)
    points_13 = [paper.point_13(ratio) for ratio in tracked(paper.RATIOS, "figure 13")]
    print_table(_table_13(points_13), json_file)
    if json_file:
        write_json(json_file, _listed(points_12, points_13))
    if plot:
        from rota.drawing.steady_state import figures_12_13  # noqa: PLC0415 - loads matplotlib

        write_picture(plot, figures_12_13(points_12, points_13), "Multi-tree over single tree")


def _cells(platforms: int) -> list[tuple[float, int]]:
    densities = len(paper.DENSITIES)
    return [(paper.DENSITIES[number % densities], number // densities) for number in range(platforms)]


def _figures(figures: list[Figure]) -> Table:
    table = _table("The paper's examples", "", "printed", "throughput", "period", "unsplit", "trees")
    for figure in figures:
        plan = figure.plan
        numbers = (plan.throughput, plan.period, plan.unsplit_period, len(plan.ways))
        table.add_row(figure.name, figure.printed, *map(str, numbers))
    return table


def _table_12(points: list[Point12]) -> Table:
    title = f"Figure 12: {len(points)} Tiers-like platforms of {paper.NODES} nodes, 10 MB, 10 Mflop"
    table = _table(title, "density", "platforms", "multi / single tree", "least", "most", "trees")
    for density in sorted({point.density for point in points}):
        here = [point.comparison for point in points if point.density == density]
        ratios = [each.ratio for each in here]
        table.add_row(
            f"{density:.1f}",
            str(len(here)),
            f"{median(ratios):.2f}",
            f"{min(ratios):.2f}",
            f"{max(ratios):.2f}",
            f"{median(each.trees for each in here):g}",
        )
    table.add_section()
    table.add_row("printed", "200", "2 to 3", "1", "3.5", "")
    return table


def _table_13(points: list[Point13]) -> Table:
    title = f"Figure 13: {paper.FIGURE_13_NODES} equal nodes, all linked; operations in the time of a message"
    table = _table(title, "task / message", "multi-tree", "single tree", "ratio (printed: about 4)")
    for point in points:
        found = point.comparison
        throughputs = (f"{float(each):.4g}" for each in (found.multi_tree, found.single_tree))
        table.add_row(f"{float(point.ratio):g}", *throughputs, f"{found.ratio:.2f}")
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    return table


def _listed(points_12: list[Point12], points_13: list[Point13]) -> dict[str, Any]:
    return {
        "figure_12": [
            {
                "density": point.density,
                "seed": point.seed,
                "multi_tree": str(point.comparison.multi_tree),
                "single_tree": str(point.comparison.single_tree),
                "trees": point.comparison.trees,
                "seconds": point.comparison.seconds,
            }
            for point in points_12
        ],
        "figure_13": [
            {
                "ratio": str(point.ratio),
                "multi_tree": str(point.comparison.multi_tree),
                "single_tree": str(point.comparison.single_tree),
            }
            for point in points_13
        ],
    }
