"""Platforms of classical shapes: all links cost the same both ways, all processors are alike."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.platform import Link, Node, Platform, Units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Edges = Iterable[tuple[int, int]]

MOST_NODES: Final = 1000
"""More are refused: complete platforms grow with the square."""


@dataclass(frozen=True)
class Times:
    """What links cost and processors take, in units or physical."""

    cost: Fraction = Fraction(1)
    task: Fraction = Fraction(1)
    measured_in: Units = Units.UNITS


ALIKE: Final = Times()
"""A unit message and a unit task take 1."""


def star(nodes: int, times: Times = ALIKE) -> Platform:
    """Return a processor in the middle, linked with all others."""
    return _made("star", nodes, ((0, other) for other in range(1, nodes)), times)


def chain(nodes: int, times: Times = ALIKE) -> Platform:
    """Return processors in a row."""
    return _made("chain", nodes, ((node, node + 1) for node in range(nodes - 1)), times)


def ring(nodes: int, times: Times = ALIKE) -> Platform:
    """Return processors in a circle, at least three."""
    _require_nodes(nodes, least=3)
    return _made("ring", nodes, ((node, (node + 1) % nodes) for node in range(nodes)), times)


def tree(nodes: int, times: Times = ALIKE) -> Platform:
    """Return a binary tree, filled level by level."""
    return _made("tree", nodes, (((node - 1) // 2, node) for node in range(1, nodes)), times)


def complete(nodes: int, times: Times = ALIKE) -> Platform:
    """Return processors that are all linked with each other: hosts at a switch that never blocks."""
    return _made("complete", nodes, combinations(range(nodes), 2), times)


def hypercube(nodes: int, times: Times = ALIKE) -> Platform:
    """Return processors linked where their numbers differ in one bit; a power of two of them."""
    _require_nodes(nodes)
    if nodes & (nodes - 1):
        raise RotaError(f"{nodes} nodes are no hypercube: give a power of two")
    bits = [1 << bit for bit in range(nodes.bit_length() - 1)]
    edges = ((node, node | bit) for node in range(nodes) for bit in bits if not node & bit)
    return _made("hypercube", nodes, edges, times)


def grid(nodes: int, times: Times = ALIKE) -> Platform:
    """Return rows and columns, as near to a square as the number of nodes divides."""
    _require_nodes(nodes)
    rows = next(rows for rows in range(isqrt(nodes), 0, -1) if nodes % rows == 0)
    columns = nodes // rows
    across = ((node, node + 1) for node in range(nodes) if (node + 1) % columns)
    down = ((node, node + columns) for node in range(nodes - columns))
    return _made("grid", nodes, (*across, *down), times)


def cluster(nodes: int, times: Times = ALIKE) -> Platform:
    """Return processors around a router, one node of them all.

    Routers have ports like all nodes: one message at a time passes through, each way. A switch that lets as
    many pass as there are hosts is `complete`.
    """
    _require_nodes(nodes)
    router = Node("router")
    hosts = tuple(Node(f"P{number}", times.task) for number in range(nodes - 1))
    links = tuple(
        link
        for host in hosts
        for link in (Link(host.name, "router", times.cost), Link("router", host.name, times.cost))
    )
    return Platform((*hosts, router), links, times.measured_in, "cluster")


SHAPES: Final[dict[str, Callable[[int, Times], Platform]]] = {
    "star": star,
    "chain": chain,
    "ring": ring,
    "tree": tree,
    "complete": complete,
    "hypercube": hypercube,
    "grid": grid,
    "cluster": cluster,
}
"""By name, for whoever names one in a word."""


def _made(name: str, nodes: int, edges: Edges, times: Times) -> Platform:
    _require_nodes(nodes)
    return Platform(
        tuple(Node(f"P{number}", times.task) for number in range(nodes)),
        tuple(
            Link(f"P{source}", f"P{target}", times.cost)
            for one, other in edges
            for source, target in ((one, other), (other, one))
        ),
        times.measured_in,
        name,
    )


def _require_nodes(nodes: int, least: int = 1) -> None:
    if not least <= nodes <= MOST_NODES:
        raise RotaError(f"{nodes} nodes: choose from {least} to {MOST_NODES}")
