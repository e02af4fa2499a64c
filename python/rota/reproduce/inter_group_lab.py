"""Kang, Agrawal, Choudhary, Liao: the ratios of Figure 4 under a real MPI library, on the lab's 16 hosts."""

from __future__ import annotations

from typing import Final

from rota.bench.collectives import OWN_CHOICE, forced
from rota.bench.inter_group import group_series
from rota.reproduce.in_lab import Curve, Figure

SIZES: Final = (32 << 10, 256 << 10, 1 << 20)
"""Of each sender."""
QUICK_SIZES: Final = (256 << 10,)
GROUPS: Final = ((8, 8), (4, 12), (12, 4))
QUICK_GROUPS: Final = ((2, 2),)


def figures(*, quick: bool) -> tuple[Figure]:
    """Return what is measured: panels a to f, at 16 hosts."""
    groups = QUICK_GROUPS if quick else GROUPS
    return (
        Figure(
            "Figure 4 a to f",
            "fully connected",
            tuple(_curve(*each, QUICK_SIZES if quick else SIZES) for each in groups),
            "improvements of 1.2 to 5.3 over the root gathering, which MPI libraries use, for 4 MB",
            (
                (
                    "root: the root gathering as Rota's schedule; two_stage: the paper's; Rota: by"
                    " ROTA_ADAPT=off, its own choice; native: the library's MPI_Allgather. bytes: of all"
                    " senders. A row of the largest data holds where two_stage takes no longer than root and"
                    " native."
                ),
            ),
        ),
    )


def _curve(senders: int, receivers: int, sizes: tuple[int, ...]) -> Curve:
    named = {name: forced("inter_allgather", name) for name in ("root", "two_stage")}
    series = group_series(senders, receivers, duplex=False)
    ways = {**named, "Rota": OWN_CHOICE}
    return Curve(series, sizes, ways, first="two_stage", others=("root", "native"))
