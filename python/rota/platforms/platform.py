"""A platform: a directed graph of nodes that compute or forward, and links that take time.

As in paper 5, Section 2.1: a node sends at most one message at a time and receives at most one, both at once
if it likes, and computes meanwhile. A message of n units takes n times the cost of the link that it crosses;
the two directions between two nodes are two links, which need not cost the same and need not both exist.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.numbers import exact, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

MAX_NODES: Final = 10_000
MAX_LINKS: Final = 1_000_000
"""Larger platforms are refused: no linear program of theirs would ever be solved."""

_MAX_NAME: Final = 200


class Units(Enum):
    """What a link's cost and a node's task are the times of."""

    UNITS = "units"
    """Of a unit message, of a unit task."""
    PHYSICAL = "physical"
    """Of a byte and of a flop, in seconds."""

    @property
    def node_key(self) -> str:
        """What files call a node's number."""
        return "task" if self is Units.UNITS else "speed"

    @property
    def link_key(self) -> str:
        """What files call a link's number."""
        return "cost" if self is Units.UNITS else "bandwidth"

    def number_of(self, time: Fraction) -> Fraction:
        """Return what files say of such a time: the time itself, or how many bytes or flops a second."""
        return time if self is Units.UNITS else 1 / time


def units_called(name: str) -> Units:
    """Return the units of this name; RotaError if there are none."""
    if name not in [units.value for units in Units]:
        raise RotaError(f"measured in {shortened(name)!r}: write units or physical")
    return Units(name)


@dataclass(frozen=True)
class Node:
    """A processor, or a router that only forwards.

    `task` is the time of one unit of computation, None if it only forwards. Numbers that are no fractions are
    taken as they are written: 0.1 and "0.1" are 1/10.
    """

    name: str
    task: Fraction | None = None

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > _MAX_NAME or not self.name.isprintable():
            raise RotaError(
                f"node {shortened(self.name)!r}: give a name of 1 to {_MAX_NAME} printable letters"
            )
        if self.name != self.name.strip():
            raise RotaError(f"node {shortened(self.name)!r}: a name neither begins nor ends with a space")
        if self.task is not None:
            object.__setattr__(self, "task", _number(self.task, f"node {self.name}: task"))


@dataclass(frozen=True)
class Link:
    """A way from one node to another; `cost` is the time of one unit of data."""

    source: str
    target: str
    cost: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", _number(self.cost, f"link {self.source} -> {self.target}: cost"))
        if self.source == self.target:
            raise RotaError(
                f"link {self.source} -> {self.target}: a node needs no link to itself; leave it out"
            )


@dataclass(frozen=True)
class Platform:
    """Nodes and links, in the order in which they were given.

    Raises RotaError for names given twice, links between unknown nodes and two links from one node to the
    same other: of such parallel links a one-ported node could use but one at a time, so give the faster one.
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    measured_in: Units = Units.UNITS
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        object.__setattr__(self, "links", tuple(self.links))
        if not self.nodes:
            raise RotaError("a platform without nodes: give at least one")
        if len(self.nodes) > MAX_NODES or len(self.links) > MAX_LINKS:
            raise RotaError(
                f"{len(self.nodes)} nodes and {len(self.links)} links are too many: "
                f"give at most {MAX_NODES} and {MAX_LINKS}"
            )
        if self.name and (
            len(self.name) > _MAX_NAME or not self.name.isprintable() or self.name != self.name.strip()
        ):
            raise RotaError(
                f"platform {shortened(self.name)!r}: give a name of at most {_MAX_NAME} printable letters"
            )
        self._require_each_once()

    def _repr_svg_(self) -> str | None:
        from rota.notebook import platform_svg  # noqa: PLC0415 - loads matplotlib

        return platform_svg(self)

    def _require_each_once(self) -> None:
        known: set[str] = set()
        for node in self.nodes:
            if node.name in known:
                raise RotaError(f"node {node.name}: named twice; give each node a name of its own")
            known.add(node.name)
        seen: set[tuple[str, str]] = set()
        for link in self.links:
            for end in (link.source, link.target):
                if end not in known:
                    raise RotaError(
                        f"link {link.source} -> {link.target}: there is no node {end}; name one that there is"
                    )
            if (link.source, link.target) in seen:
                raise RotaError(f"link {link.source} -> {link.target}: given twice; give the faster one")
            seen.add((link.source, link.target))

    @cached_property
    def by_name(self) -> Mapping[str, Node]:
        """The nodes by name."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def by_ends(self) -> Mapping[tuple[str, str], Link]:
        """The links by source and target."""
        return {(link.source, link.target): link for link in self.links}

    @cached_property
    def _out(self) -> Mapping[str, tuple[Link, ...]]:
        return _grouped(self.nodes, self.links, "source")

    @cached_property
    def _in(self) -> Mapping[str, tuple[Link, ...]]:
        return _grouped(self.nodes, self.links, "target")

    def node(self, name: str) -> Node:
        """Return the node of that name; RotaError if there is none."""
        found = self.by_name.get(name)
        if found is None:
            raise RotaError(f"there is no node {shortened(name)}: choose from {_few(self.by_name)}")
        return found

    def link(self, source: str, target: str) -> Link:
        """Return the link from one node to another; RotaError if there is none."""
        found = self.by_ends.get((self.node(source).name, self.node(target).name))
        if found is None:
            raise RotaError(f"there is no link from {source} to {target}")
        return found

    def out_links(self, name: str) -> tuple[Link, ...]:
        """Return the links that leave a node."""
        return self._out[self.node(name).name]

    def in_links(self, name: str) -> tuple[Link, ...]:
        """Return the links that enter a node."""
        return self._in[self.node(name).name]

    @property
    def processors(self) -> tuple[Node, ...]:
        """The nodes that compute."""
        return tuple(node for node in self.nodes if node.task is not None)

    def reachable_from(self, name: str) -> frozenset[str]:
        """Return the names of the nodes to which there is a path, itself among them."""
        found = {self.node(name).name}
        front = list(found)
        while front:
            for link in self._out[front.pop()]:
                if link.target not in found:
                    found.add(link.target)
                    front.append(link.target)
        return frozenset(found)

    def require_path(self, source: str, target: str) -> None:
        """Raise RotaError if no path leads from one node to another."""
        if self.node(target).name not in self.reachable_from(source):
            raise RotaError(f"no path from {source} to {target}: add links, or choose other nodes")

    def in_units(self, message_bytes: Fraction | None, task_flops: Fraction | None = None) -> Platform:
        """Return the platform with the times of a message of so many bytes and a task of so many flops.

        A platform measured in units is returned as it is, and takes no sizes. Without `task_flops` nothing is
        to be computed: all nodes of what is returned only forward. Raises RotaError where a physical platform
        gets no size of messages, and where one in units gets sizes.
        """
        if self.measured_in is Units.UNITS:
            if message_bytes is not None or task_flops is not None:
                raise RotaError(
                    f"{self._called} gives times of unit messages and tasks: leave out their sizes"
                )
            return self
        if message_bytes is None:
            raise RotaError(f"{self._called} gives bandwidths: say how many bytes a message has")
        size_bytes = _number(message_bytes, "bytes of a message")
        flops = None if task_flops is None else _number(task_flops, "flops of a task")
        nodes = tuple(
            replace(node, task=None if node.task is None or flops is None else node.task * flops)
            for node in self.nodes
        )
        links = tuple(replace(link, cost=link.cost * size_bytes) for link in self.links)
        return Platform(nodes, links, Units.UNITS, self.name)

    @property
    def _called(self) -> str:
        return f"platform {self.name}" if self.name else "the platform"


def paired(links: tuple[Link, ...]) -> Iterator[tuple[Link, bool]]:
    """Generate the links, and whether the next one is the same back: that one is left out."""
    place = 0
    while place < len(links):
        link = links[place]
        after = links[place + 1] if place + 1 < len(links) else None
        leads_back = after is not None and (after.source, after.target, after.cost) == (
            link.target,
            link.source,
            link.cost,
        )
        yield link, leads_back
        place += 2 if leads_back else 1


def _number(value: Fraction, place: str) -> Fraction:
    try:
        return exact(value)
    except RotaError as fault:
        raise RotaError(f"{place}: {fault}") from fault


def _grouped(nodes: Iterable[Node], links: Iterable[Link], end: str) -> dict[str, tuple[Link, ...]]:
    found: dict[str, list[Link]] = {node.name: [] for node in nodes}
    for link in links:
        found[getattr(link, end)].append(link)
    return {name: tuple(group) for name, group in found.items()}


def _few(names: Iterable[str]) -> str:
    """Return the first names, for a message."""
    listed = list(names)
    return ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "")  # noqa: PLR2004 - a line's worth
