"""A series of operations: which messages there are, where they come from, and where each of them must get.

The words are paper 5's. A message is named by numbers of hosts: m_k of a scatter is (k,), m_{k,l} of an
all-to-all (k, l), the partial result v[k,m] of a reduce (k, m), what is broadcast ().
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.platforms import Node, Platform

Message = tuple[int, ...]


class Kind(Enum):
    """What is done again and again."""

    SCATTER = "scatter"
    ALL_TO_ALL = "all-to-all"
    REDUCE = "reduce"
    BROADCAST = "broadcast"


def reached(kind: Kind, throughput: Fraction, bound: Fraction, period: Fraction) -> str:
    """Return in words what a plan of such a series reaches, and whether anything could reach more."""
    best = "the optimum" if throughput == bound else f"proved: none is above {bound}"
    return f"{kind.value}, throughput {throughput} ({best}), period {period}"


class Task(NamedTuple):
    """T_{k,l,m}: v[k,m] is worked out from v[k,l] and v[l+1,m]. Numbers of hosts."""

    first: int
    middle: int
    last: int

    @property
    def operands(self) -> tuple[Message, Message]:
        """What it combines, the left one first."""
        return (self.first, self.middle), (self.middle + 1, self.last)

    @property
    def result(self) -> Message:
        """What becomes of them."""
        return self.first, self.last


class Place(NamedTuple):
    """A message at a node."""

    node: str
    message: Message


class Transfer(NamedTuple):
    """send(source -> target, message): the message crosses the link between the two nodes."""

    source: str
    target: str
    message: Message


class Computation(NamedTuple):
    """cons(node, task): the node computes the task."""

    node: str
    task: Task


Activity = Transfer | Computation


@dataclass(frozen=True)
class Series:
    """A series of operations, as `series_of_...` make it.

    A message is named by numbers of hosts: m_k of a scatter is (k,), m_{k,l} of an all-to-all (k, l), the
    partial result v[k,m] of a reduce (k, m), what is broadcast ().

    `hosts`: whom the numbers in messages mean; `root`: the source or the target, none in an all-to-all.
    Every operation takes each message of `origins` once from where there is an unlimited number of it, and
    gets one message to each of `deliveries`. `sizes`: of all messages, operands before what is made of them.
    `works`: how many unit tasks those tasks are that are not one. `times`: w(P_i, T_{k,l,m}), where a node's
    time is its own.
    """

    kind: Kind
    hosts: tuple[str, ...]
    root: str
    sizes: Mapping[Message, Fraction]
    origins: Mapping[Message, str]
    deliveries: tuple[Place, ...]
    tasks: tuple[Task, ...] = ()
    works: Mapping[Task, Fraction] = field(default_factory=dict)
    times: Mapping[Computation, Fraction] = field(default_factory=dict)

    def task_time(self, node: Node, task: Task) -> Fraction | None:
        """Return w(P_i, T_{k,l,m}), how long the node takes for the task; None if it does not compute it."""
        own = self.times.get(Computation(node.name, task))
        if own is not None or node.task is None:
            return own
        return node.task * self.works.get(task, 1)

    def processors(self, platform: Platform) -> tuple[Node, ...]:
        """Return the nodes that compute some task."""
        if not self.tasks:
            return ()
        named = {computation.node for computation in self.times}
        return tuple(node for node in platform.nodes if node.task is not None or node.name in named)

    def name_of(self, message: Message) -> str:
        """Return the message as the paper writes it: v[0,2], m0."""
        numbers = ",".join(map(str, message))
        return f"v[{numbers}]" if self.kind is Kind.REDUCE else f"m{numbers}"


def require_hosts(platform: Platform, hosts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the hosts; RotaError if there are none, if one is unknown, or named twice."""
    named = tuple(hosts)
    if not named:
        raise RotaError(f"no {what}: name at least one node of the platform")
    for place, host in enumerate(named):
        platform.node(host)
        if host in named[:place]:
            raise RotaError(f"{what}: {host} is named twice; name each node once")
    return named


def require_size(size: Fraction | int, what: str) -> Fraction:
    """Return the size of a message in units; RotaError if it is not above 0."""
    if size <= 0:
        raise RotaError(f"size {size} of {what}: give a size above 0")
    return Fraction(size)
