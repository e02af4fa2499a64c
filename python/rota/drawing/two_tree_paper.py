"""Figures 2 to 5 of paper 4: bandwidth over size, a panel for each collective and cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure

from rota.drawing.palette import FAINT, INK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.reproduce.two_tree_figures import Curves

_LOOKS: Final = {
    "binomial": ("#71808d", "o"),
    "chain": ("#c79a2b", "s"),
    "binary_tree": ("#4f9d69", "D"),
    "scatter_allgather": ("#8a5fa8", "^"),
    "scatter_ring": ("#d277a0", "v"),
    "butterfly": ("#8a5fa8", "X"),
    "circulant": ("#4cb0c0", "P"),
    "two_tree": ("#c8552b", "*"),
}
"""Colour and mark of each algorithm's curve: colours alone, not everybody can tell apart."""

_MARKED_EVERY: Final = 4


def figures_2_to_5(paper: str, figures: Sequence[Curves]) -> Figure:
    """Return a panel for each figure, under the paper's title."""
    drawn = Figure(figsize=(10, 7), layout="constrained")
    for axes, found in zip(drawn.subplots(2, 2).flat, figures, strict=True):
        for name, bandwidth in found.bandwidth.items():
            colour, mark = _LOOKS[name]
            axes.plot(
                list(bandwidth),
                list(bandwidth.values()),
                color=colour,
                marker=mark,
                markersize=4.5,
                markevery=_MARKED_EVERY,
                linewidth=1.4,
                label=name,
            )
        title = f"{found.number}: {found.collective.name}, {found.cluster.name}, {found.cluster.ranks} nodes"
        axes.set(xscale="log", xlabel="data, bytes", ylabel="bandwidth, MB/s", ylim=(0, None))
        axes.set_title(title, fontsize=10, color=INK)
        axes.grid(visible=True, color=FAINT, linewidth=0.5)
        axes.legend(frameon=False, fontsize=7)
    drawn.suptitle(f"{paper}\nFigures 2 to 5, simulated in the linear model", color=INK)
    return drawn
