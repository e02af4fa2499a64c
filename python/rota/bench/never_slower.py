"""Whether a fresh installation loses anywhere: all calls of a cell together, with Rota over native."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rota.bench.collectives import measure
from rota.bench.grid import GridSpec, cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rota.bench.grid import Cell
    from rota.bench.names import Series
    from rota.bench.pairs import Pairs
    from rota.lab import Lab

SIZES_BYTES: Final = (8, *(size << 10 for size in (1, 6, 24, 48, 96, 200, 300, 600, 1024, 1500, 4096, 16384)))
"""On both sides of every size from which on calls may be served by schedules, and off the powers of two."""

CALLS: Final = 50

_NATIVE_ALONE: Final = {"ROTA_OFF": "all"}


def total_ratio(pairs: Pairs) -> float:
    """Return the time of all Rota's calls over that of all native ones: seconds of the slowest rank."""
    return sum(pairs.rota_seconds) / sum(pairs.native_seconds)


@dataclass(frozen=True)
class Total:
    """All calls of a collective on one size: with Rota, and natively under Rota's name, over native."""

    series: Series
    size_bytes: int
    ratio: float
    noise: float
    """Native calls beside native calls: what a ratio is where nothing differs."""
    served: str

    def as_json(self) -> dict[str, Any]:
        """Return what a file says of it."""
        return {
            "collective": self.series.collective.mpi_name,
            "shape": self.series.shape,
            "size_bytes": self.size_bytes,
            "ratio": self.ratio,
            "native_beside_native": self.noise,
            "served": self.served,
        }


@dataclass(frozen=True)
class Summary:
    """Of all cells: the median and the worst, and the same of native calls beside native ones."""

    median: float
    worst: float
    noise_median: float
    noise_worst: float

    @property
    def text(self) -> str:
        """The summary in one line."""
        return (
            f"total time, Rota over native: {self.median:.3f} in the median cell,"
            f" {self.worst:.2f} in the worst; native over native: {self.noise_median:.3f}"
            f" and {self.noise_worst:.2f}"
        )


def summary_of(totals: Sequence[Total]) -> Summary:
    """Return what all cells say together."""
    ratios = [total.ratio for total in totals]
    noises = [total.noise for total in totals]
    return Summary(statistics.median(ratios), max(ratios), statistics.median(noises), max(noises))


def measured_totals(spec: GridSpec, rows: Sequence[Series], lab: Lab) -> Iterator[tuple[Total, ...]]:
    """Measure row by row: a job of a fresh installation, and one in which Rota leaves all to native."""
    for series in rows:
        cells = cells_of(measure(spec.experiment(series), lab))
        noises = cells_of(measure(spec.experiment(series, _NATIVE_ALONE), lab))
        yield tuple(_total_of(cell, noise) for cell, noise in zip(cells, noises, strict=True))


def _total_of(cell: Cell, noise: Cell) -> Total:
    pairs = cell.pairs
    served = "; ".join(map(str, pairs.served)) or "not reported"
    return Total(cell.series, pairs.size_bytes, total_ratio(pairs), total_ratio(noise.pairs), served)
