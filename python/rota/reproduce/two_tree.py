"""Sanders, Speck, Träff 2009: Table 1 and the round counts, beside ours.

two_tree_construction has Figure 1 and Lemma 1, two_tree_figures Figures 2 to 5.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

from rota import Collective, schedule
from rota._core import time_preparation
from rota.reproduce.beside import Part, Row, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TITLE: Final = "Paper 4: Sanders, Speck, Träff 2009, two trees"

TABLE_1_US: Final = {
    100: (71.75, 99.15),
    1_000: (443.37, 1399.43),
    10_000: (13651.42, 20042.28),
    100_000: (209919.33, 248803.58),
    1_000_000: (1990228.74, 3074909.75),
}
"""Table 1: by processors, microseconds for colouring two trees and for the circulant block schedule."""

_QUICK_RANKS: Final = 10_000


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
