"""Networks that SMPI simulates: what a message takes on them, as SMPI and as Rota are told."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLATFORM: Final = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="host" suffix="" radical="0-{last}" speed="1Gf"
           bw="{rate}Bps" lat="{latency}s" sharing_policy="SPLITDUPLEX"
           loopback_bw="{memory}Bps" loopback_lat="{within}s"/>
</platform>
"""

# Between ranks of one host: a copy, by processors of any speed that a fabric of 10 or 200 Gbit/s would have.
_MEMORY_BYTES_PER_S: Final = 10e9
_WITHIN_S: Final = 5e-7

_PROFILE: Final = """rota-profile 1
ranks {ranks}
hosts {hosts}
latency_s {latency}
seconds_per_byte {per_byte}
"""

# So that time is latency + bytes / rate, full duplex, and nothing depends on this machine.
_MODEL: Final = (
    "network/model:CM02",
    "network/crosstraffic:0",
    "network/TCP-gamma:0",
    "smpi/simulate-computation:no",
)


@dataclass(frozen=True)
class Fabric:
    """Hosts on a switch; every link carries so much in each direction."""

    name: str
    bytes_per_s: float
    latency_s: float
    """From host to host."""
    overhead_s: float = 0.0
    """Of a processor, for each message that it sends or receives."""
    rendezvous_bytes: int = 0
    """Senders of so much data or more wait until the receiver is there."""

    @property
    def message_s(self) -> float:
        """Seconds of a message but for its bytes."""
        return self.latency_s + 2 * self.overhead_s

    def platform(self, hosts: int) -> str:
        """Return the platform of so many hosts, as a file of SimGrid's."""
        # A message takes two of the cluster's links.
        return _PLATFORM.format(
            last=hosts - 1,
            rate=self.bytes_per_s,
            latency=self.latency_s / 2,
            memory=_MEMORY_BYTES_PER_S,
            within=_WITHIN_S,
        )

    def profile(self, ranks: int, hosts: int) -> str:
        """Return what Rota is told: the network, and nothing of collectives."""
        return _PROFILE.format(
            ranks=ranks, hosts=hosts, latency=self.message_s, per_byte=1 / self.bytes_per_s
        )

    @property
    def options(self) -> tuple[str, ...]:
        """What SMPI is told besides."""
        overheads = (f"smpi/{call}:0:{self.overhead_s}:0" for call in ("os", "ois", "or"))
        # Shorter sends end before their receiver is there (detached), and their messages set out (async).
        ends = (f"smpi/{key}-thresh:{self.rendezvous_bytes}" for key in ("send-is-detached", "async-small"))
        return (*_MODEL, *overheads, *ends)


FABRICS: Final[Mapping[str, Fabric]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Fabric("10gbit", bytes_per_s=1.25e9, latency_s=5e-6),
            Fabric(
                "200gbit", bytes_per_s=25e9, latency_s=1.5e-6, overhead_s=0.4e-6, rendezvous_bytes=16 << 10
            ),
        )
    }
)
