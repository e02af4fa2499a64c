"""The two trees of paper 4 among the ranks of a collective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota._core import two_trees_of
from rota.collectives import ROOTED

if TYPE_CHECKING:
    from rota import Problem
    from rota._core import TreePlace, TwoTrees


@dataclass(frozen=True)
class Place:
    """A rank in one tree; `color` is that of the edge into it."""

    parent: int | None
    children: tuple[int, ...]
    color: int | None


@dataclass(frozen=True)
class Trees:
    """Two trees over all ranks, or over all but a root that is the parent of both tops."""

    ranks: int
    root: int | None
    pair: TwoTrees

    @property
    def nodes(self) -> int:
        """How many ranks the trees stand over."""
        return self.pair.nodes

    def rank_of(self, node: int) -> int:
        """Return the rank that is a node; they are counted from the root on."""
        return node if self.root is None else (self.root + 1 + node) % self.ranks

    def places(self, rank: int) -> tuple[Place, Place]:
        """Return where a rank is in the first tree and in the second. O(log p)."""
        if rank == self.root:
            first, second = (Place(None, (self.rank_of(top),), None) for top in self.pair.tops)
            return first, second
        node = rank if self.root is None else (rank - self.root - 1) % self.ranks
        first, second = (self._place(place) for place in self.pair.places(node))
        return first, second

    def _place(self, place: TreePlace) -> Place:
        children = (place.lower_child, place.higher_child)
        return Place(
            parent=self.root if place.parent is None else self.rank_of(place.parent),
            children=tuple(self.rank_of(child) for child in children if child is not None),
            color=place.color,
        )


def trees_of(problem: Problem) -> Trees | None:
    """Return the trees that serve a problem; None where there are too few ranks for any."""
    pair = two_trees_of(problem)
    if pair is None:
        return None
    if pair.nodes == problem.ranks:
        return Trees(problem.ranks, None, pair)
    return Trees(problem.ranks, problem.root if problem.collective in ROOTED else problem.ranks - 1, pair)
