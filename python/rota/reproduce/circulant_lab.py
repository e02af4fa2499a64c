"""Träff 2024: the collectives of Figures 1 and 2 in the lab, in the paper's blocks and the model's best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.bench.collectives import OWN_CHOICE
from rota.bench.names import SHAPES_OF_SHARES, series_of
from rota.bench.paper import circulant_settings, paper_settings
from rota.reproduce.in_lab import Curve, Figure

if TYPE_CHECKING:
    from rota.bench.names import Series

SIZES: Final = (64 << 10, 1 << 20, 8 << 20)
QUICK_SIZES: Final = (1 << 20,)
_PAPERS: Final = "paper's blocks"


def figures(*, quick: bool) -> tuple[Figure, Figure]:
    """Return what is measured of both."""
    sizes = QUICK_SIZES if quick else SIZES
    rooted = tuple(_curve(series_of(name), sizes) for name in ("bcast", "reduce"))
    shapes = ("degenerate",) if quick else SHAPES_OF_SHARES
    gathered = tuple(_curve(series_of("allgatherv", shape), sizes) for shape in shapes)
    return (
        Figure(
            "Figure 1",
            "broadcast and reduce",
            rooted,
            "the new ones are more than 4 times faster for large data, on 200 nodes",
            _NOTES,
        ),
        Figure(
            "Figure 2",
            "irregular allgathers",
            gathered,
            "the new one's time hardly depends on the type of the problem",
            _NOTES,
        ),
    )


_NOTES: Final = (
    (
        "paper's blocks: ROTA_BLOCK_BYTES=paper, F = 70, G = 40, found for the paper's machines; best"
        " blocks: the circulant schedules in the model's number; Rota: by ROTA_ADAPT=off, its own choice. n:"
        " the number of blocks. A row of the largest data holds where the paper's way takes no longer than"
        " native."
    ),
)


def _curve(series: Series, sizes: tuple[int, ...]) -> Curve:
    ways = {
        _PAPERS: paper_settings(series, "paper"),
        "best blocks": circulant_settings(series),
        "Rota": OWN_CHOICE,
    }
    return Curve(series, sizes, ways, first=_PAPERS)
