"""Random platforms in the manner of Tiers: a WAN, MANs on it, LANs on these, more links than a tree.

    wan0 -- wan1 -- ...              the WAN: 8 to 14 MB/s
      |       |
    man0.0 - man0.1                  a MAN: 120 to 300 MB/s; so are the links between LANs and MANs
      |   X    |
     lan0.0 lan1.0                   the first node of each LAN, linked with two nodes of its MAN
       |      |
     lan0.1 lan1.1                   a LAN is a star: 1000 MB/s

Nodes of WAN and MANs are placed at random in a square. Shortest links that connect them all come first (a
minimum spanning tree), then each node gets links to the nearest others until it has as many as its network's
redundancy says. The ranges of rates and speeds are those of paper 5, Figure 9; the proportions are those that
its 14 nodes have as they are read here (data/figure9.toml): 2 in the WAN, 4 in two MANs, 8 in two LANs each;
MANs touch the WAN once, LANs their MAN twice. Hosts are chosen among the LAN nodes; all others only forward.

Source: M. Doar, A better model for generating test networks, Globecom 1996; paper 5, Section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import hypot
from random import Random
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.platform import Link, Node, Platform, Units

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_NODES: Final = 8
MOST_NODES: Final = 1000

_MEGA: Final = 10**6


@dataclass(frozen=True)
class _Range:
    """Whole numbers, of MB/s or Mflop/s; round numbers keep throughputs short fractions."""

    least: int
    most: int


_WAN: Final = _Range(8, 14)
_MAN: Final = _Range(120, 300)
_LAN: Final = _Range(1000, 1000)
_SPEED: Final = _Range(15, 95)


@dataclass(frozen=True)
class Redundancy:
    """How many links a node has at least, where there are others enough."""

    wan: int = 3
    """Of a WAN node to others of the WAN."""
    man: int = 2
    """Of a MAN node to others of its MAN."""
    man_to_wan: int = 1
    lan_to_man: int = 2


_DEFAULT: Final = Redundancy()


def tiers(nodes: int, hosts: int, seed: int = 0, redundancy: Redundancy = _DEFAULT) -> Platform:
    """Return a platform of so many nodes in all, of which so many compute.

    The same arguments give the same platform on every machine. Raises RotaError for fewer than 8 or more than
    1000 nodes, and for hosts of which there are not 2 up to all nodes of the LANs (four sevenths of all; more
    where that many hosts are asked for, up to three quarters).
    """
    if not LEAST_NODES <= nodes <= MOST_NODES:
        raise RotaError(f"{nodes} nodes: choose from {LEAST_NODES} to {MOST_NODES}")
    most_hosts = 3 * nodes // 4
    if not 2 <= hosts <= most_hosts:  # noqa: PLR2004 - nobody communicates alone
        raise RotaError(f"{hosts} hosts of {nodes} nodes: choose from 2 to {most_hosts}")
    making = _Making(Random(f"tiers {nodes} {hosts} {seed}"), redundancy)  # noqa: S311 - no secrets here
    making.build(nodes, hosts)
    return making.platform(hosts, f"tiers {nodes} nodes, {hosts} hosts, seed {seed}")


@dataclass
class _Making:
    """A platform in the making."""

    random: Random
    redundancy: Redundancy
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Of the nodes of WAN and MANs."""
    lan_nodes: list[str] = field(default_factory=list)
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    """MB/s of each pair that is linked."""

    def build(self, nodes: int, hosts: int) -> None:
        """Lay out all networks: a seventh of the nodes in the WAN, two in MANs, the rest in LANs."""
        in_lans = max(hosts, nodes - 3 * max(1, nodes // 7))
        in_wan = max(1, (nodes - in_lans) // 3)
        in_mans = nodes - in_lans - in_wan
        wan = [self._placed(f"wan{number}") for number in range(in_wan)]
        self._connect(wan, self.redundancy.wan, _WAN)
        mans = self._mans(wan, in_mans)
        self._lans(mans, in_lans)

    def _mans(self, wan: list[str], count: int) -> list[list[str]]:
        """Return the MANs: one at each WAN node, as equal in size as can be."""
        mans: list[list[str]] = []
        for number, size in enumerate(_shares(count, len(wan))):
            man = [self._placed(f"man{number}.{place}") for place in range(size)]
            self._connect(man, self.redundancy.man, _MAN)
            for gateway in self._nearest(wan[number], man, 1):
                near = [wan[number], *self._nearest(gateway, wan, len(wan))]
                for node in list(dict.fromkeys(near))[: self.redundancy.man_to_wan]:
                    self._link(gateway, node, _WAN)
            mans.append(man)
        return mans

    def _lans(self, mans: list[list[str]], count: int) -> None:
        """Hang two LANs on each MAN, or fewer where they would have less than two nodes."""
        attached = [man for man in mans for _ in range(2)][: max(1, count // 2)]
        for number, (man, size) in enumerate(zip(attached, _shares(count, len(attached)), strict=True)):
            lan = [f"lan{number}.{place}" for place in range(size)]
            self.lan_nodes += lan
            start = self._below(len(man))
            for place in range(min(self.redundancy.lan_to_man, len(man))):
                self._link(man[(start + place) % len(man)], lan[0], _MAN)
            for other in lan[1:]:
                self._link(lan[0], other, _LAN)

    def platform(self, hosts: int, name: str) -> Platform:
        """Return it, with hosts chosen among the LAN nodes."""
        chosen = set(self._sample(self.lan_nodes, hosts))
        routers = [Node(node) for node in self.places]
        lan_nodes = [Node(node, self._time(_SPEED) if node in chosen else None) for node in self.lan_nodes]
        links = [
            Link(source, target, Fraction(1, rate * _MEGA))
            for (one, other), rate in self.edges.items()
            for source, target in ((one, other), (other, one))
        ]
        return Platform((*routers, *lan_nodes), tuple(links), Units.PHYSICAL, name)

    def _placed(self, node: str) -> str:
        self.places[node] = self.random.random(), self.random.random()
        return node

    def _connect(self, network: Sequence[str], redundancy: int, rates: _Range) -> None:
        """Link a network's nodes: the shortest tree, then up to `redundancy` links for each node."""
        reached = list(network[:1])
        while len(reached) < len(network):
            rest = [node for node in network if node not in reached]
            near, new = min(((one, other) for one in reached for other in rest), key=self._distance)
            self._link(near, new, rates)
            reached.append(new)
        for node in network:
            for other in self._nearest(node, network, len(network)):
                if sum(node in edge and set(edge) <= set(network) for edge in self.edges) >= redundancy:
                    break
                self._link(node, other, rates)

    def _nearest(self, node: str, others: Sequence[str], count: int) -> list[str]:
        return sorted(
            (other for other in others if other != node), key=lambda other: self._distance((node, other))
        )[:count]

    def _distance(self, ends: tuple[str, str]) -> float:
        (x, y), (other_x, other_y) = (self.places[end] for end in ends)
        return hypot(x - other_x, y - other_y)

    def _link(self, one: str, other: str, rates: _Range) -> None:
        if (one, other) not in self.edges and (other, one) not in self.edges:
            self.edges[one, other] = self._within(rates)

    def _time(self, rates: _Range) -> Fraction:
        return Fraction(1, self._within(rates) * _MEGA)

    def _within(self, rates: _Range) -> int:
        return rates.least + self._below(rates.most - rates.least + 1)

    # Python promises that random() stays the same between its versions, and of nothing else.

    def _below(self, count: int) -> int:
        return int(self.random.random() * count)

    def _sample(self, values: Sequence[str], count: int) -> list[str]:
        return sorted(values, key=lambda _: self.random.random())[:count]


def _shares(total: int, parts: int) -> list[int]:
    """Return the sizes of so many parts of a total, which differ by at most 1."""
    return [total // parts + (place < total % parts) for place in range(parts)]
