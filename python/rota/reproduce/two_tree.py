"""Sanders, Speck, Träff 2009: Figures 1 to 5, Table 1, Lemma 1 and the round counts, beside ours.

The measured figures are of two clusters that are not here. Ours are simulated in the linear model, with a
latency and a bandwidth for each that are stated; what is compared is who wins where, and the text's factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from rota import Collective, Network, candidates, schedule, simulate
from rota._core import time_preparation
from rota.reproduce.beside import Part, Row, Verdict
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

TITLE: Final = "Paper 4: Sanders, Speck, Träff 2009, two trees"

TABLE_1_US: Final = {
    100: (71.75, 99.15),
    1_000: (443.37, 1399.43),
    10_000: (13651.42, 20042.28),
    100_000: (209919.33, 248803.58),
    1_000_000: (1990228.74, 3074909.75),
}
"""Table 1: by processors, microseconds for colouring two trees and for the circulant block schedule."""

LARGE: Final = 2**24
"""Bytes: 16 MBytes, up to which the text compares broadcasts."""

_MEGABYTE: Final = 2**20
_LARGEST: Final = 2**29
_NEARLY: Final = 0.95
"""Of a printed factor; figures in the text are rounded."""
_QUICK_RANKS: Final = 10_000

BROADCASTS: Final = (
    "binomial",
    "chain",
    "binary_tree",
    "scatter_allgather",
    "scatter_ring",
    "circulant",
    "two_tree",
)
REDUCTIONS: Final = ("binomial", "chain", "binary_tree", "butterfly", "two_tree")


@dataclass(frozen=True)
class Cluster:
    """One of the paper's machines, as the linear model has it."""

    name: str
    ranks: int
    latency_s: float
    bytes_per_s: float

    @property
    def network(self) -> Network:
        """Latency and bandwidth; combining takes nothing."""
        return Network(self.latency_s, 1 / self.bytes_per_s)

    @property
    def words(self) -> str:
        """What the simulation supposes."""
        return (
            f"{self.ranks} nodes; a message of m bytes takes {self.latency_s * 1e6:g} us"
            f" + m / ({self.bytes_per_s / 1e6:g} MB/s)"
        )


MYRINET: Final = Cluster("AMD/Myrinet", 28, 10e-6, 90e6)
INFINIBAND: Final = Cluster("Xeon/InfiniBand", 150, 6e-6, 800e6)


@dataclass(frozen=True)
class Curves:
    """A figure: the bandwidth of each algorithm, in MB/s, by bytes."""

    number: str
    collective: Collective
    cluster: Cluster
    bandwidth: Mapping[str, Mapping[int, float]]

    @property
    def sizes(self) -> list[int]:
        """The bytes."""
        return list(next(iter(self.bandwidth.values())))

    def ratio(self, first: str, second: str, size: int) -> float:
        """How many times the second one's bandwidth the first one has."""
        return self.bandwidth[first][size] / self.bandwidth[second][size]


@dataclass(frozen=True)
class Claim:
    """What the text says of a figure: what comes out here, and whether it is so."""

    what: str
    printed: str
    ours: str
    holds: bool
    value: float

    @property
    def row(self) -> Row:
        """It as a row."""
        return Row(
            (self.what, self.printed, self.ours),
            {"claim": self.what, "printed": self.printed, "ours": self.value},
            Verdict.HOLDS if self.holds else Verdict.DIFFERS,
        )


def curves(number: str, *, quick: bool) -> Curves:
    """Simulate Figure 2, 3, 4 or 5."""
    collective = Collective.broadcast if number in ("Figure 2", "Figure 3") else Collective.reduce
    cluster = MYRINET if number in ("Figure 2", "Figure 4") else INFINIBAND
    names = BROADCASTS if collective == Collective.broadcast else REDUCTIONS
    powers = range(0, 30, 3 if quick else 1)
    sizes = sorted({2**power for power in powers} | {_MEGABYTE, LARGE, _LARGEST})
    found = {name: {size: _bandwidth(collective, cluster, name, size) for size in sizes} for name in names}
    return Curves(number, collective, cluster, found)


def _bandwidth(collective: Collective, cluster: Cluster, name: str, size: int) -> float:
    cut = {
        one.algorithm: one.blocks
        for one in candidates(collective, cluster.network, size, ranks=cluster.ranks)
    }
    planned = schedule(collective, name, ranks=cluster.ranks, blocks=cut[name])
    return size / simulate(planned, cluster.network, size).seconds / 1e6


def curves_part(found: Curves) -> Part:
    """Return a figure's bandwidths as a table."""
    rows = tuple(
        Row(
            (format_size(size), *(f"{found.bandwidth[name][size]:.3g}" for name in found.bandwidth)),
            {"bytes": size, "MB/s": {name: found.bandwidth[name][size] for name in found.bandwidth}},
        )
        for size in found.sizes
    )
    what = f"{found.collective.name} on the {found.cluster.name} cluster, MB/s, simulated"
    return Part(found.number, what, ("bytes", *found.bandwidth), rows, notes=(found.cluster.words,))


def _at_least(found: Curves, other: str, least: float, size: int = LARGE) -> Claim:
    ratio = found.ratio("two_tree", other, size)
    what = f"two_tree over {other}, {format_size(size)}"
    return Claim(what, f"{least:g} times", f"{ratio:.2f}", ratio >= _NEARLY * least, ratio)


def _broadcast_claims(found: Curves) -> list[Claim]:
    least = max(found.sizes)
    same = found.ratio("two_tree", "circulant", least)
    early = found.ratio("circulant", "two_tree", 1)
    claims = [
        Claim(
            f"two_tree over circulant, {format_size(least)}", "the same", f"{same:.3f}", same > _NEARLY, same
        ),
        Claim("circulant over two_tree, 1 B", "above 1", f"{early:.2f}", early > 1, early),
        _at_least(found, "chain", 1),
        _at_least(found, "scatter_allgather", 1.5),
        _at_least(found, "binary_tree", 1.5),
    ]
    if found.cluster == MYRINET:
        claims.append(_at_least(found, "binomial", 3))
    else:
        claims.append(_at_least(found, "scatter_ring", 1.5))
    return claims


def _reduce_claims(found: Curves) -> list[Claim]:
    size = _MEGABYTE if found.cluster == MYRINET else LARGE
    expected = "binary_tree" if found.cluster == MYRINET else "butterfly"
    rivals = {name: found.bandwidth[name][size] for name in ("binomial", "binary_tree", "butterfly")}
    second = max(rivals, key=lambda name: rivals[name])
    ratio = found.ratio("two_tree", second, size)
    overtakes = next((each for each in found.sizes if found.ratio("chain", "two_tree", each) > 1), 0)
    printed = _MEGABYTE if found.cluster == MYRINET else _LARGEST
    return [
        Claim(
            f"two_tree over the second best, {format_size(size)}",
            "1.5",
            f"{ratio:.2f}: {second}",
            ratio >= _NEARLY * 1.5,
            ratio,
        ),
        Claim(f"the second best, {format_size(size)}", expected, second, second == expected, rivals[second]),
        Claim(
            "the linear pipeline is ahead from",
            f"above {format_size(printed)}",
            format_size(overtakes) if overtakes else "nowhere",
            printed / 8 <= overtakes <= printed * 8,
            overtakes,
        ),
    ]


_OF_REDUCTIONS: Final = (
    (
        "Which rival is second depends on the size: of long data the binary tree's 2 m of time are less"
        " than the butterfly's, up to 5/2 m if p is no power of two; else its latencies are more."
    ),
    (
        "A linear pipeline takes N + p - 2 steps and two trees N + O(log p): in the model these are ahead at"
        " every size. That an inner node combines 2 m while it serves two neighbours is not in it."
    ),
    "The factor of almost two between two implementations of one butterfly is left out: it is theirs.",
)


def claims_part(found: Curves) -> Part:
    """Return what the text says of a figure, beside ours."""
    claims = (_broadcast_claims if found.collective == Collective.broadcast else _reduce_claims)(found)
    return Part(
        f"{found.number}, text",
        f"factors of the {found.collective.name} on the {found.cluster.name} cluster",
        ("claim", "printed", "here"),
        tuple(claim.row for claim in claims),
        notes=() if found.collective == Collective.broadcast else _OF_REDUCTIONS,
    )


def table_1(samples: int, *, quick: bool) -> Part:
    """Measure Table 1: the medians of some runs on this machine."""
    rows = []
    for ranks, (trees_us, blocks_us) in TABLE_1_US.items():
        if quick and ranks > _QUICK_RANKS:
            continue
        times = [time_preparation(ranks) for _ in range(samples)]
        ours = median(each.colored_trees_s for each in times) * 1e6
        circulant = median(each.circulant_schedules_s for each in times) * 1e6
        alone = median(each.two_tree_rank_s for each in times) * 1e6
        rows.append(
            Row(
                (
                    f"{ranks}",
                    f"{trees_us:.0f}",
                    f"{ours:.0f}",
                    f"{blocks_us:.0f}",
                    f"{circulant:.0f}",
                    f"{alone:.2f}",
                ),
                {"ranks": ranks, "trees_us": ours, "circulant_us": circulant, "one_rank_us": alone},
                Verdict.HOLDS if ours < circulant else Verdict.DIFFERS,
            )
        )
    return Part(
        "Table 1",
        "preparing all ranks, us",
        ("p", "colouring, printed", "here", "circulant, printed", "here", "one rank of ours"),
        tuple(rows),
        printed="the colouring is always faster than the block schedule",
        notes=(
            "Linear-time colouring and the older circulant algorithm, as printed, timed on this machine.",
        ),
    )


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


def round_counts(*, quick: bool) -> Part:
    """Count the rounds that Section 2 gives formulas for."""
    rows = []
    for height in range(2, 6 if quick else 11):
        ranks = 2**height - 1
        for blocks in (4, 40):
            for what, collective, name, formula in _FORMULAS:
                found = schedule(collective, name, ranks=ranks, blocks=blocks).rounds
                printed = formula(height, blocks)
                rows.append(
                    Row(
                        (f"{what}, p = {ranks}, N = {blocks}", str(printed), str(found)),
                        {"what": what, "ranks": ranks, "blocks": blocks, "printed": printed, "rounds": found},
                        Verdict.HOLDS if found <= printed else Verdict.DIFFERS,
                    )
                )
    return Part(
        "Section 2",
        "communication steps",
        ("schedule", "printed", "here"),
        tuple(rows),
        notes=("p = 2^h - 1; holds: no more than printed.",),
    )


_FORMULAS: Final[Sequence[tuple[str, Collective, str, Callable[[int, int], int]]]] = (
    ("pipelined binary tree", Collective.broadcast, "binary_tree", lambda h, n: 2 * (h + n - 1)),
    ("linear pipeline", Collective.broadcast, "chain", lambda h, n: 2**h - 3 + n),
    ("two trees, broadcast", Collective.broadcast, "two_tree", lambda h, n: 2 * h + n),
    ("two trees, scan", Collective.scan, "two_tree", lambda h, n: 4 * h - 2 + 2 * (n - 2)),
)
