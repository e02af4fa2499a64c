"""Sanders, Speck, Träff 2009: Section 2's construction of the trees step by step, Figure 1 and Lemma 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota.reproduce.beside import Part, Row, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Tree:
    """A tree over nodes 0..N-1: each one's parent; the top's is N, the root of the broadcast."""

    parents: tuple[int, ...]

    @property
    def inner(self) -> set[int]:
        """Nodes with children."""
        return set(self.parents)


def printed_trees(ranks: int) -> tuple[Tree, Tree]:
    """Return T1 and T2 as steps 1 to 5 of Section 2 make them, for p >= 2 ranks; node p - 1 is the root."""
    nodes = ranks - 1
    height = max(1, nodes.bit_length())
    size = 2**height - 1
    first = _without_high_nodes({node: _balanced_parent(node, height) for node in range(size)}, nodes)
    shifted = {
        node - 1: parent if parent is None else parent - 1
        for node, parent in ((node, _balanced_parent(node, height + 1)) for node in range(2 * size + 1))
        if node > 0
    }
    return first, _without_high_nodes(shifted, nodes)


def _balanced_parent(node: int, height: int) -> int | None:
    """Return the parent in an inorder numbered balanced tree whose leaves have even numbers."""
    label = node + 1
    low = label & -label
    if low == 2 ** (height - 1):
        return None
    return ((label - low) | (2 * low)) - 1


def _without_high_nodes(parents: Mapping[int, int | None], nodes: int) -> Tree:
    """Remove the nodes from the highest one on: a leaf goes, an only child takes its parent's place."""

    def left(node: int | None) -> int:
        while node is not None and node >= nodes:
            node = parents[node]
        return nodes if node is None else node

    return Tree(tuple(left(parents[node]) for node in range(nodes)))


def colours_of(trees: tuple[Tree, Tree]) -> dict[tuple[int, int], int] | None:
    """Colour the edges into (tree, node) along the proof's paths and cycles; None: that is impossible."""
    nodes = len(trees[0].parents)
    edges = [(tree, node) for tree in range(2) for node in range(nodes)]
    beside: dict[tuple[int, int], list[tuple[int, int]]] = {edge: [(1 - edge[0], edge[1])] for edge in edges}
    sent: dict[int, list[tuple[int, int]]] = {}
    for edge in edges:
        sent.setdefault(trees[edge[0]].parents[edge[1]], []).append(edge)
    for outgoing in sent.values():
        for edge in outgoing:
            beside[edge] += [other for other in outgoing if other != edge]
    colours: dict[tuple[int, int], int] = {}
    for start in edges:
        waiting = [start] if start not in colours else []
        colours.setdefault(start, 0)
        while waiting:
            edge = waiting.pop()
            for other in beside[edge]:
                if other in colours and colours[other] == colours[edge]:
                    return None
                if other not in colours:
                    colours[other] = 1 - colours[edge]
                    waiting.append(other)
    return colours


def figure_1() -> Part:
    """Construct the trees of Figure 1, p = 10, with colours."""
    trees = printed_trees(10)
    colours = colours_of(trees) or {}
    rows = tuple(
        Row(
            (
                f"T{number + 1}",
                " ".join(f"{tree.parents[node]}-{colours[number, node]}->{node}" for node in range(9)),
            ),
            {
                "tree": number + 1,
                "parents": list(tree.parents),
                "colours": [colours[number, n] for n in range(9)],
            },
            Verdict.HOLDS if not (trees[0].inner & trees[1].inner - {9}) else Verdict.DIFFERS,
        )
        for number, tree in enumerate(trees)
    )
    return Part(
        "Figure 1",
        "the trees for p = 10, root 9",
        ("tree", "parent-colour->child"),
        rows,
        printed="leaves of T1 are interior nodes of T2 and vice versa",
        notes=("By steps 1 to 5 of Section 2; the drawing itself is lost in the paper's text.",),
    )


def lemma_1(*, quick: bool) -> Part:
    """Try Lemma 1 on the printed trees, odd and even numbers of nodes."""
    most = 300 if quick else 2000
    odd = _colourable(range(2, most + 1, 2))
    even = _colourable(range(3, most + 1, 2))
    rows = tuple(
        Row(
            (f"{parity} N, p <= {most}", f"{right} of {tried}"),
            {"nodes": parity, "tried": tried, "right": right},
            Verdict.SAME if right == tried else Verdict.DIFFERS,
        )
        for parity, (right, tried) in (("odd", odd), ("even", even))
    )
    return Part(
        "Lemma 1",
        "Section 2's trees in two colours, by the proof's walk",
        ("nodes", "both conditions met, no node inner in both trees"),
        rows,
        printed="the edges of T1 and T2 can be coloured; N = p - 1",
    )


def _colourable(counts: Iterable[int]) -> tuple[int, int]:
    tried = [printed_trees(ranks) for ranks in counts]
    right = [
        trees
        for trees in tried
        if colours_of(trees) and not (trees[0].inner & trees[1].inner - {len(trees[0].parents)})
    ]
    return len(right), len(tried)
