"""Times that were taken pair by pair, and what they say."""

from __future__ import annotations

import math
import statistics
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from rota.errors import RotaError
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TAIL: Final = 0.025
_GIB: Final = 1 << 30

_SLACK: Final = 0.9
"""Of the links' least time: they may have more of their bursts left. Past the links all goes much faster."""

FEWEST_FOR_INTERVAL: Final = 6
"""The fewest pairs that bound their median with a confidence of 95 %: 2 / 2^n is below 5 % from here on."""


@dataclass(frozen=True)
class Served:
    """What served collective calls: a schedule's name, or ``native`` with the reason."""

    schedule: str
    blocks: int
    rounds: int
    reason: str

    def __str__(self) -> str:
        if not self.blocks:
            return f"native: {self.reason}"
        return f"{self.schedule}, {self.blocks} block{'s' if self.blocks > 1 else ''}"


@dataclass(frozen=True)
class Pairs:
    """The times of one size: the i-th native and the i-th of Rota's were taken right after each other.

    Seconds of the slowest rank; processor seconds, in user and in system mode, of all ranks together; waiting
    ranks take them too where the MPI library does not sleep. `size_bytes` was asked for; `data_bytes` is what
    it became, in whole items and, where MPI wants it, equal shares. `link_seconds` is what the busiest link
    needs for them, and `least_seconds` the same after a pause, with its burst. `served` says what served
    Rota's calls, the most frequent first; calls of a neighbouring size may be among them.
    """

    size_bytes: int
    data_bytes: int
    native_seconds: tuple[float, ...]
    rota_seconds: tuple[float, ...]
    native_processor_seconds: tuple[float, ...]
    rota_processor_seconds: tuple[float, ...]
    link_seconds: float
    least_seconds: float
    served: tuple[Served, ...]

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
    def interval(self) -> tuple[float, float]:
        """Where the median of all ratios there could be is, with a confidence of at least 95 %.

        The median lies below the k-th smallest of n independent values with the probability that fewer than k
        of n coins show heads. With fewer than `FEWEST_FOR_INTERVAL` pairs: of all, with less confidence.
        """
        ordered = sorted(self.ratios)
        outside = 0.0
        skipped = 0
        for heads in range((len(ordered) - 1) // 2):
            outside += math.comb(len(ordered), heads) / 2 ** len(ordered)
            if outside > _TAIL:
                break
            skipped = heads
        return ordered[skipped], ordered[-1 - skipped]

    @property
    def native_median(self) -> float:
        """The median native time in seconds."""
        return statistics.median(self.native_seconds)

    @property
    def rota_median(self) -> float:
        """Rota's median time in seconds."""
        return statistics.median(self.rota_seconds)

    @property
    def native_processor_seconds_per_gib(self) -> float:
        """The median of the native calls' processor time, over the call's data."""
        return statistics.median(self.native_processor_seconds) * _GIB / max(1, self.data_bytes)

    @property
    def rota_processor_seconds_per_gib(self) -> float:
        """The median of the processor time of Rota's calls, over the call's data."""
        return statistics.median(self.rota_processor_seconds) * _GIB / max(1, self.data_bytes)

    @property
    def native_times_link(self) -> float | None:
        """The median native time over the link's limit; None where links need not carry anything."""
        return self.native_median / self.link_seconds if self.link_seconds else None

    @property
    def rota_times_link(self) -> float | None:
        """Rota's median time over the link's limit; None where links need not carry anything."""
        return self.rota_median / self.link_seconds if self.link_seconds else None

    def as_json(self) -> dict[str, Any]:
        """Return the times and what follows from them."""
        return {
            **asdict(self),
            "native_median_seconds": self.native_median,
            "rota_median_seconds": self.rota_median,
            "median_ratio": self.median_ratio,
            "ratio_quartiles": self.quartiles,
            "median_ratio_interval": self.interval,
            "native_processor_seconds_per_gib": self.native_processor_seconds_per_gib,
            "rota_processor_seconds_per_gib": self.rota_processor_seconds_per_gib,
            "native_times_link": self.native_times_link,
            "rota_times_link": self.rota_times_link,
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        return cls(
            line["size_bytes"],
            line["data_bytes"],
            tuple(line["native_seconds"]),
            tuple(line["rota_seconds"]),
            tuple(line["native_processor_seconds"]),
            tuple(line["rota_processor_seconds"]),
            line["link_seconds"],
            line["least_seconds"],
            tuple(Served(**served) for served in line["served"]),
        )


def require_possible(met_seconds: Sequence[float], pairs: Pairs, label: str) -> None:
    """Raise RotaError if calls end before the links can have carried their data: it did not go over them.

    Of each call the seconds of the rank that began first, until all have ended and met. A rank that comes
    late finds its data there, so that what it takes itself may be less: many ranks on two processors took
    2.9 ms of 3.3 in most of twenty calls.
    """
    usual = statistics.median(met_seconds)
    if usual < _SLACK * pairs.least_seconds:
        raise RotaError(
            f"{label} of {format_size(pairs.data_bytes)} took {format_seconds(usual)}, but the links need"
            f" {format_seconds(pairs.least_seconds)}: data went past the links; check the MPI library's"
            " transports"
        )
