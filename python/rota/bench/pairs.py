"""Times that were taken pair by pair, and what they say."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import Any

from rota.errors import RotaError
from rota.lab import least_seconds
from rota.units import format_seconds, format_size


@dataclass(frozen=True)
class Served:
    """What served a collective call: a schedule's name, or ``native`` with the reason."""

    schedule: str
    blocks: int
    rounds: int
    reason: str


@dataclass(frozen=True)
class Pairs:
    """The times of one size: the i-th native and the i-th of Rota's were taken right after each other.

    Seconds of the slowest rank. `link_seconds` is what the data needs to pass one port.
    """

    size_bytes: int
    native_seconds: tuple[float, ...]
    rota_seconds: tuple[float, ...]
    link_seconds: float
    served: Served

    @property
    def ratios(self) -> tuple[float, ...]:
        """Rota's time over the native one, pair by pair."""
        return tuple(
            rota / native for rota, native in zip(self.rota_seconds, self.native_seconds, strict=True)
        )

    @property
    def median_ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and third quartile of the ratios."""
        if len(self.ratios) == 1:
            return self.ratios[0], self.ratios[0]
        first, _, third = statistics.quantiles(self.ratios, n=4, method="inclusive")
        return first, third

    @property
    def native_median(self) -> float:
        """The median native time in seconds."""
        return statistics.median(self.native_seconds)

    @property
    def rota_median(self) -> float:
        """Rota's median time in seconds."""
        return statistics.median(self.rota_seconds)

    def as_json(self) -> dict[str, Any]:
        """Return the times and what follows from them."""
        return {
            **asdict(self),
            "native_median_seconds": self.native_median,
            "rota_median_seconds": self.rota_median,
            "median_ratio": self.median_ratio,
            "ratio_quartiles": self.quartiles,
            "native_times_link": self.native_median / self.link_seconds if self.link_seconds else None,
            "rota_times_link": self.rota_median / self.link_seconds if self.link_seconds else None,
        }


def require_possible(pairs: Pairs, rate_bits_per_s: float) -> None:
    """Raise RotaError if a time is below what the link allows: then data did not go over the link."""
    fastest = min(*pairs.native_seconds, *pairs.rota_seconds)
    least = least_seconds(pairs.size_bytes, rate_bits_per_s)
    if fastest < least:
        raise RotaError(
            f"{format_size(pairs.size_bytes)} arrived in {format_seconds(fastest)}, but the link needs"
            f" {format_seconds(least)}: data went past the links; check the MPI library's transports"
        )
