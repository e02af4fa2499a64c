"""A pattern of ranks that may share hosts, and the least that any schedule of it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rota import bytes_over_links, hosts_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota import Pattern


@dataclass(frozen=True)
class Placed:
    """A pattern, and which of its ranks share hosts."""

    pattern: Pattern
    hosts: Sequence[int] = ()
    """Of each rank; none: each has one to itself."""

    links: int = 1
    """Of each host."""

    @cached_property
    def _between_places(self) -> Pattern:
        return hosts_pattern(self.pattern, self.hosts) if self.hosts else self.pattern

    @property
    def ports(self) -> int:
        """How many there are each way: a rank has one, or a host one for each link."""
        return self._between_places.ranks * self.links

    @property
    def port_bytes(self) -> int:
        """The most that must pass one port each way: a rank's, or one of a host's links."""
        return bytes_over_links(self.pattern, self.hosts, self.links)

    @property
    def least_permutations(self) -> int:
        """No schedule has fewer: so many messages has a rank, or so many other hosts one host for a link."""
        return max(self.pattern.degree, -(-self._between_places.degree // self.links))
