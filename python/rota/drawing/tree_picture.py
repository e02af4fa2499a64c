"""Both trees over the same ranks: the first grows downwards from above, the second upwards from below.

Drawn on axes whose data units are inches; y points downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from matplotlib.collections import LineCollection
from matplotlib.patches import Circle

from rota.drawing.palette import FAINT, INK, PAPER, QUIET, TREE_COLOURS, ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rota.two_trees import Place, Trees

_LEVEL: Final = 0.36
_GAP: Final = 0.42
"""Between two levels, and between the trees, in inches."""
_LINE: Final = 0.01
"""Half of what a circle's line is wide."""
_LABELLED: Final = 0.15
"""Closer ranks are too small for their numbers."""


@dataclass(frozen=True)
class TreePicture:
    """Where everything is; ranks from left to right as the trees number them, the root last."""

    trees: Trees
    width: float

    @cached_property
    def order(self) -> list[int]:
        """The ranks from left to right."""
        nodes = [self.trees.rank_of(node) for node in range(self.trees.nodes)]
        return nodes if self.trees.root is None else [*nodes, self.trees.root]

    @cached_property
    def places(self) -> dict[int, tuple[Place, Place]]:
        """The ranks' places."""
        return {rank: self.trees.places(rank) for rank in self.order}

    @cached_property
    def depths(self) -> tuple[dict[int, int], dict[int, int]]:
        """How far each rank is below the top, in either tree; the root beside it."""
        return self._depths(0), self._depths(1)

    @property
    def height(self) -> float:
        """The height of both."""
        levels = sum(max(depths.values()) for depths in self.depths)
        return _LEVEL * levels + _GAP + 2 * (self.radius + _LINE)

    @property
    def spacing(self) -> float:
        """From rank to rank."""
        return self.width / len(self.order)

    @property
    def radius(self) -> float:
        """Of the ranks' circles."""
        return min(0.11, 0.4 * self.spacing)

    def at(self, rank: int, tree: int) -> tuple[float, float]:
        """Return where a rank is in a tree."""
        x = self.spacing * (self.order.index(rank) + 0.5)
        down = self.radius + _LINE + _LEVEL * self.depths[tree][rank]
        return x, down if tree == 0 else self.height - down

    def _depths(self, tree: int) -> dict[int, int]:
        top = next(rank for rank in self.order if self.places[rank][tree].parent in (None, self.trees.root))
        if top == self.trees.root:
            top = self.places[top][tree].children[0]
        depths = {top: 0}
        level = [top]
        while level:
            level = [child for rank in level for child in self.places[rank][tree].children]
            depths |= dict.fromkeys(level, max(depths.values()) + 1)
        return depths if self.trees.root is None else {**depths, self.trees.root: 0}


def draw_trees(axes: Axes, picture: TreePicture) -> None:
    """Draw both trees."""
    twins = [[picture.at(rank, 0), picture.at(rank, 1)] for rank in picture.order]
    axes.add_collection(LineCollection(twins, colors=FAINT, linewidths=0.6, zorder=1))
    for tree in (0, 1):
        _draw_edges(axes, picture, tree)
        for rank in picture.order:
            _draw_rank(axes, picture, tree, rank)


def _draw_edges(axes: Axes, picture: TreePicture, tree: int) -> None:
    for rank in picture.order:
        place = picture.places[rank][tree]
        if place.parent is not None and place.color is not None:
            edge = [picture.at(place.parent, tree), picture.at(rank, tree)]
            axes.add_collection(
                LineCollection([edge], colors=TREE_COLOURS[place.color], linewidths=1.4, zorder=2)
            )


def _draw_rank(axes: Axes, picture: TreePicture, tree: int, rank: int) -> None:
    is_root = rank == picture.trees.root
    fill = INK if is_root else PAPER
    is_leaf = not picture.places[rank][tree].children
    edge = INK if is_root else FAINT if is_leaf else QUIET
    place = picture.at(rank, tree)
    axes.add_patch(Circle(place, picture.radius, facecolor=fill, edgecolor=edge, linewidth=0.8, zorder=3))
    if picture.spacing >= _LABELLED:
        ink = ink_on(fill) if is_root or not is_leaf else QUIET
        axes.text(*place, str(rank), color=ink, size=6.5, ha="center", va="center_baseline", zorder=4)
