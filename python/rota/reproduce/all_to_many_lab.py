"""Ranka, Wang, Fox 1994: AC, LP, GM and CGM under a real MPI library, with 4 and 8 messages a rank."""

from __future__ import annotations

from typing import Final

from rota.bench.collectives import forced
from rota.bench.names import series_of
from rota.reproduce.in_lab import Curve, Figure

SIZES: Final = (16 << 10, 256 << 10, 2 << 20)
"""Of what a rank sends and receives in all."""
QUICK_SIZES: Final = (256 << 10,)
WAYS: Final = ("ac", "lp", "gm", "cgm", "exact")


def figures(*, quick: bool) -> tuple[Figure]:
    """Return what is measured."""
    densities = (4,) if quick else (4, 8)
    return (
        Figure(
            "Figure 8",
            "times by size and density",
            tuple(_curve(degree, QUICK_SIZES if quick else SIZES) for degree in densities),
            "GM and CGM are superior to LP",
            (
                (
                    "alltoallv/sparse4, sparse8: each rank sends to 4 or 8 others at random, and as many to"
                    " it; bytes: of a rank in all. Schedules are computed once for a pattern, outside of"
                    " what is measured. A row of the largest data holds where CGM takes no longer than LP."
                ),
            ),
        ),
    )


def _curve(degree: int, sizes: tuple[int, ...]) -> Curve:
    ways = {name: forced("alltoall", name) for name in WAYS}
    return Curve(series_of("alltoallv", f"sparse{degree}"), sizes, ways, first="cgm", others=("lp",))
