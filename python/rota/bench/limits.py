"""What the links of a lab need for a collective, however it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota.lab import burst_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.bench.names import Collective
    from rota.lab import LabSpec


@dataclass(frozen=True)
class Demand:
    """Bytes that must go through a group of ports one way, and what these ports carry together."""

    size_bytes: float
    rates_bits_per_s: tuple[int, ...]

    @property
    def seconds(self) -> float:
        """Bytes over rate."""
        return self.size_bytes * 8 / sum(self.rates_bits_per_s)

    @property
    def least_seconds(self) -> float:
        """The same for links that were idle, each of which may run ahead by its burst."""
        ahead_bytes = sum(map(burst_bytes, self.rates_bits_per_s))
        return max(0.0, self.size_bytes - ahead_bytes) * 8 / sum(self.rates_bits_per_s)


def demands(
    collective: Collective, data_bytes: int, share_bytes: Sequence[int], spec: LabSpec
) -> tuple[Demand, ...]:
    """Return what the links must carry, each demand by itself; nothing if one host has all ranks.

    Ranks of one host share its link and reach each other without it, so hosts count and not ranks: H of
    them, of which a host's share is that of its ranks together. `share_bytes` is by rank.

    Broadcast, reduce, scan and exscan: every link carries the m bytes one way or the other. (The host of the
    root sends them; the last host of a scan depends on all data before it, and all depend on the first's.)
    Allgather: a host lacks all but its share. Reduce-scatter is its reverse. Allreduce: as each, m through
    every link; and of every byte the H contributions meet in H - 1 messages and the result reaches the
    other H - 1 hosts in as many, 2 (H - 1) m bytes that all links send together.
    """
    if spec.hosts == 1:
        return ()
    rates = spec.rates_bits_per_s
    match collective.reported_as:
        case "allgather" | "reduce_scatter":
            shares = _of_hosts(share_bytes, spec.per_host)
            return tuple(
                Demand(max(share, data_bytes - share), (rate,))
                for share, rate in zip(shares, rates, strict=True)
            )
        case "allreduce":
            together = Demand(2 * data_bytes * (spec.hosts - 1), rates)
            return (Demand(data_bytes, (spec.slowest_bits_per_s,)), together)
        case _:
            return (Demand(data_bytes, (spec.slowest_bits_per_s,)),)


def _of_hosts(share_bytes: Sequence[int], per_host: int) -> tuple[int, ...]:
    return tuple(sum(share_bytes[first : first + per_host]) for first in range(0, len(share_bytes), per_host))
