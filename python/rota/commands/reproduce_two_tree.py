"""``rota reproduce two-tree``: paper 4's tables and figures, computed again beside what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.commands.output import JsonFile, PlotFile, tracked
from rota.commands.reproduced import Files, MarkdownFile, finish, print_part
from rota.reproduce.two_tree import TITLE, round_counts, table_1
from rota.reproduce.two_tree_construction import figure_1, lemma_1
from rota.reproduce.two_tree_figures import claims_part, curves, curves_part

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rota.reproduce.beside import Part

_SAMPLES: Final = 5
_FIGURES: Final = ("Figure 2", "Figure 3", "Figure 4", "Figure 5")


def two_tree(
    json_file: JsonFile = None,
    markdown: MarkdownFile = None,
    plot: PlotFile = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and fewer ranks.")] = False,
) -> None:
    """Compute Figures 1 to 5, Table 1, Lemma 1 and the round counts of the two-tree paper again.

    The measured figures are of two clusters; ours are simulated in the linear model, with the latency and
    bandwidth that stand under each. The verdict is on who wins where, and on the factors that the text gives.
    """
    files = Files(json_file, markdown, plot)
    parts: list[Part] = [figure_1(), lemma_1(quick=quick), round_counts(quick=quick)]
    found = [curves(number, quick=quick) for number in tracked(_FIGURES, "figures 2 to 5")]
    for each in found:
        parts += [curves_part(each), claims_part(each)]
    parts.append(table_1(1 if quick else _SAMPLES, quick=quick))
    for part in parts:
        print_part(part, json_file)

    def picture() -> Figure:
        from rota.drawing.two_tree_paper import figures_2_to_5  # noqa: PLC0415 - loads matplotlib

        return figures_2_to_5(TITLE, found)

    finish(
        TITLE,
        "rota reproduce two-tree" + (" --quick" if quick else ""),
        parts,
        files,
        picture,
    )
