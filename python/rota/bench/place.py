"""Where a benchmark's ranks are: in a lab, or wherever a launcher has started them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from rota.units import format_rate
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rota.lab import LabSpec, Link
    from rota.launch import Job
    from rota.launcher import Output
    from rota.mpi_install import MpiInstall

_LAB: Final = "lab"


@dataclass(frozen=True)
class Place:
    """Which ranks share a host, and what each of a host's `links` carries, in each direction by itself.

    `where`: "lab", or the words of the launcher. Of a single host no rate is known.
    """

    host_of_rank: tuple[int, ...]
    rates_bits_per_s: tuple[float, ...]
    where: str = _LAB
    links: int = 1

    @property
    def ranks(self) -> int:
        """How many ranks there are."""
        return len(self.host_of_rank)

    @property
    def hosts(self) -> int:
        """How many hosts there are."""
        return len(set(self.host_of_rank))

    @property
    def is_shaped(self) -> bool:
        """Whether nothing can be faster than the rates: what seems so has gone past the links."""
        return self.where == _LAB

    @property
    def slowest_bits_per_s(self) -> float:
        """The rate of the slowest link."""
        return min(self.rates_bits_per_s)

    @property
    def words(self) -> str:
        """Hosts, ranks and links, for titles: ``4 hosts, 2 ranks each in turn, links of 1 Gbit/s``."""
        per_host = [self.host_of_rank.count(host) for host in sorted(set(self.host_of_rank))]
        each = " each" if self.hosts > 1 else ""
        in_turn = " in turn" if sorted(self.host_of_rank) != list(self.host_of_rank) else ""
        ranks = f"{_least_to_most(per_host)} rank{'s' if max(per_host) > 1 else ''}{each}{in_turn}"
        several = f"{self.links} links each" if self.links > 1 else "links"
        links = f", {several} of {self._links}" if self.hosts > 1 else ""
        return f"{counted(self.hosts, 'host')}, {ranks}{links}"

    @property
    def ranks_on_hosts(self) -> str:
        """The same without the links, for longer titles: ``8 ranks on 4 hosts``."""
        return f"{counted(self.ranks, 'rank')} on {counted(self.hosts, 'host')}"

    @property
    def _links(self) -> str:
        slowest, fastest = format_rate(self.slowest_bits_per_s), format_rate(max(self.rates_bits_per_s))
        return slowest if slowest == fastest else f"{slowest} to {fastest}"

    def as_json(self) -> dict[str, Any]:
        """Return everything; rates in bits per second."""
        return {
            "where": self.where,
            "host_of_rank": list(self.host_of_rank),
            "rates_bits_per_s": list(self.rates_bits_per_s),
            **({"links_per_host": self.links} if self.links > 1 else {}),
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        return cls(
            tuple(line["host_of_rank"]),
            tuple(line["rates_bits_per_s"]),
            line["where"],
            line.get("links_per_host", 1),
        )


@dataclass(frozen=True)
class Site:
    """What runs jobs at a place.

    `links`: what its links were found to carry. `capture` runs a job with no input. `install`: the MPI that
    the launcher belongs to, None where it starts any MPI's programs.
    """

    place: Place
    links: tuple[Link, ...]
    capture: Callable[[Job], Output]
    install: MpiInstall | None = None


def place_in_lab(spec: LabSpec) -> Place:
    """Return a lab's place."""
    return Place(spec.host_of_rank, spec.rates_bits_per_s, links=spec.links)


def _least_to_most(counts: list[int]) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"
