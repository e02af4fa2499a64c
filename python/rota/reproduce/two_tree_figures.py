"""Sanders, Speck, Träff 2009: Figures 2 to 5, and what the text says of them, beside ours.

The measured figures are of two clusters that are not here. Ours are simulated in the linear model, with a
latency and a bandwidth for each that are stated; what is compared is who wins where, and the text's factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota import Collective, Network, candidates, schedule, simulate
from rota.reproduce.beside import Part, Row, Verdict
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGE: Final = 2**24
"""Bytes: 16 MBytes, up to which the text compares broadcasts."""

_MEGABYTE: Final = 2**20
_LARGEST: Final = 2**29
_NEARLY: Final = 0.95
"""Of a printed factor; figures in the text are rounded."""

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
