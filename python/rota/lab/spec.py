"""What a lab is: hosts with links of set rates to switches, and ranks on the hosts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rota.errors import RotaError
from rota.hosts import in_a_row, in_turn

_LEAST_BURST_BYTES: Final = 100_000
_BURST_S: Final = 200e-6

MAX_HOSTS: Final = 1000
"""One port of a bridge each, and a kernel's bridge has 1023."""

MAX_LINKS: Final = 8


class MapBy(StrEnum):
    """How ranks are dealt to hosts, in mpirun's words."""

    SLOT = "slot"
    """One host after the other is filled."""
    NODE = "node"
    """Each has one in turn."""


SUBNET_BITS: Final = 16
"""Of an address that name the subnet: every host's link i leads to switch i, with a subnet to itself."""

INTERFACE: Final = "eth0"
"""The name of the first network interface on every host, and on the switch, where the launcher runs."""


@dataclass(frozen=True)
class LabSpec:
    """Hosts, each with full-duplex links: a link's rate holds in each direction by itself."""

    rates_bits_per_s: tuple[int, ...]
    per_host: int = 1
    has_slurm: bool = False
    """Whether a Slurm runs over the hosts, each with as many processors as it has ranks."""
    links: int = 1
    """How many links each host has, all of its rate, each to a switch of its own."""
    map_by: MapBy = MapBy.SLOT
    """How hosts get their ranks."""

    def __post_init__(self) -> None:
        if not 1 <= self.hosts <= MAX_HOSTS:
            raise RotaError(f"a lab cannot have {self.hosts} hosts: choose from 1 to {MAX_HOSTS}")
        if self.per_host < 1:
            raise RotaError(f"a host cannot have {self.per_host} ranks: choose at least 1")
        if not 1 <= self.links <= MAX_LINKS:
            raise RotaError(f"a host cannot have {self.links} links: choose from 1 to {MAX_LINKS}")
        if min(self.rates_bits_per_s) < 1:
            raise RotaError("a link's rate must be positive: write it as 200mbit, 1gbit or 25MB/s")

    @classmethod
    def uniform(
        cls,
        hosts: int,
        rate_bits_per_s: int,
        per_host: int = 1,
        links: int = 1,
        map_by: MapBy = MapBy.SLOT,
    ) -> LabSpec:
        """Return a lab whose links are all alike."""
        return cls((rate_bits_per_s,) * hosts, per_host, links=links, map_by=map_by)

    @property
    def hosts(self) -> int:
        """How many hosts there are."""
        return len(self.rates_bits_per_s)

    @property
    def ranks(self) -> int:
        """How many ranks there are."""
        return self.hosts * self.per_host

    @property
    def host_of_rank(self) -> tuple[int, ...]:
        """Each rank's host: by slot the first `per_host` ranks are on the first one; by node every H-th."""
        is_in_turn = self.map_by == MapBy.NODE
        dealt = in_turn(self.ranks, self.hosts) if is_in_turn else in_a_row(self.ranks, self.per_host)
        return dealt.of_rank

    @property
    def slowest_bits_per_s(self) -> int:
        """The rate of the slowest link: what bounds every collective that all ranks take part in."""
        return min(self.rates_bits_per_s)

    @property
    def interfaces(self) -> tuple[str, ...]:
        """The names of the network interfaces of every host, and of the switches."""
        return tuple(map(interface, range(self.links)))


def interface(link: int) -> str:
    """Return the name of a link's network interface, on every host and on its switch."""
    return f"{INTERFACE[:-1]}{link}"


def address(host: int, link: int = 0) -> str:
    """Return the address of a host, by one of its links."""
    high, low = divmod(host + 1, 256)
    return f"10.{link}.{high}.{low}"


def switch_address(link: int = 0) -> str:
    """Return the address of the switch to which that link of every host leads."""
    return f"10.{link}.255.254"


def burst_bytes(rate_bits_per_s: float) -> int:
    """Return how far a link of that rate may run ahead of it after a pause.

    A host of the lab shares processors with the others. While it waits for one its link idles, as no real
    host's would, and the burst is what it may catch up: 4 ms at 200 Mbit/s. With 20 kB a broadcast of 16 MiB
    over 16 hosts on two busy cores took a tenth longer. But short messages cross an idle link too fast by as
    much: 1 MiB by 9.5 %, 16 MiB by 0.6 %. At high rates the burst must last until the kernel's timer rings.
    """
    return max(_LEAST_BURST_BYTES, int(rate_bits_per_s / 8 * _BURST_S))


def least_seconds(size_bytes: int, rate_bits_per_s: float) -> float:
    """Return the least time in which so many bytes can cross a link of that rate that was idle before.

    Whoever sees less has seen data that did not go over the link.
    """
    return max(0, size_bytes - burst_bytes(rate_bits_per_s)) * 8 / rate_bits_per_s
