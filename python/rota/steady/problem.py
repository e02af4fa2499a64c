"""The problem that a plan states: what its operations take and deliver, and how long each activity lasts.

It is stated from what the plan says of its platform and its series, and knows nothing of how plans are made.
Whether what the plan claims solves it is another room's question: `rota.steady.certificate`.

Source: Legrand, Marchal, Robert 2005: the one-port model, and what SSSP, SSPA2A and SSR are programs for.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.steady.claims import Refused, require
from rota.steady.series import Kind, Place, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.steady.claims import Claims
    from rota.steady.series import Activity, Computation, Message, Task

_MOST_HOSTS: Final = 1000
"""Of a reduce: it has a partial result for each two of them."""


@dataclass(frozen=True)
class Operation:
    """What an operation takes and delivers.

    `sizes`: of messages, operands before what is made of them; `origins`: of those that are not computed.
    """

    sizes: Mapping[Message, Fraction]
    origins: Mapping[Message, str]
    deliveries: frozenset[Place]


@dataclass(frozen=True)
class Problem:
    """An operation, and what its activities take on a platform.

    `costs`: of links, for a unit of size; `unit_times`: of a unit task, at nodes that compute. A task is as
    many unit tasks as its work says, 1 where none is said; `times` are those of some nodes' own.
    """

    operation: Operation
    costs: Mapping[tuple[str, str], Fraction]
    unit_times: Mapping[str, Fraction]
    works: Mapping[Task, Fraction]
    times: Mapping[Computation, Fraction]

    def transfer_time(self, transfer: Transfer) -> Fraction:
        """Return for how long it keeps both ports busy."""
        return self.operation.sizes[transfer.message] * self.costs[transfer.source, transfer.target]

    def task_time(self, computation: Computation) -> Fraction | None:
        """Return w(P_i, T_{k,l,m}): the node's own, or that of so many unit tasks; None if it has neither."""
        unit = self.unit_times.get(computation.node)
        alike = None if unit is None else unit * self.works.get(computation.task, 1)
        return self.times.get(computation, alike)

    def busy(self, amounts: Iterable[tuple[Activity, Fraction]]) -> dict[tuple[str, str], Fraction]:
        """Return for how long each port and processor is busy with these."""
        busy: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for each, amount in amounts:
            if isinstance(each, Transfer):
                time = amount * self.transfer_time(each)
                busy["send", each.source] += time
                busy["receive", each.target] += time
            else:
                busy["compute", each.node] += amount * (self.task_time(each) or Fraction(0))
        return busy


def problem_of(claims: Claims) -> Problem:
    """Return the problem that platform and series are; Refused if they are none."""
    problem = Problem(
        _operation_of(claims),
        {(link.source, link.target): link.cost for link in claims.platform.links},
        {node.name: node.task for node in claims.platform.nodes if node.task is not None},
        claims.works,
        claims.times,
    )
    _require_range(problem)
    return problem


def is_task(task: Task, hosts: int) -> bool:
    """Return whether a reduce of so many hosts has this task."""
    first, middle, last = task
    return first <= middle < last < hosts


def used_by(activity: Activity) -> tuple[Place, ...]:
    """Return what must be there before: messages, each at a node."""
    if isinstance(activity, Transfer):
        return (Place(activity.source, activity.message),)
    node, (first, middle, last) = activity
    return Place(node, (first, middle)), Place(node, (middle + 1, last))


def made_by(activity: Activity) -> Place:
    """Return what is there afterwards."""
    if isinstance(activity, Transfer):
        return Place(activity.target, activity.message)
    node, (first, _, last) = activity
    return Place(node, (first, last))


def _operation_of(claims: Claims) -> Operation:
    roots = () if claims.kind is Kind.ALL_TO_ALL else (claims.root,)
    named = {*claims.hosts, *roots}
    require(named <= claims.platform.by_name.keys(), "the series names what is no node")
    require(claims.hosts, "the series has no hosts")
    require(len({*claims.hosts}) == len(claims.hosts), "the series names a host twice")
    match claims.kind:
        case Kind.SCATTER:
            return _scatters(claims)
        case Kind.ALL_TO_ALL:
            return _all_to_alls(claims)
        case Kind.REDUCE:
            return _reduces(claims)
        case Kind.BROADCAST:
            return _broadcasts(claims)


def _scatters(claims: Claims) -> Operation:
    messages = [(k,) for k in range(len(claims.hosts))]
    require(list(claims.sizes) == messages, "there is not one size for each target")
    require(claims.root not in claims.hosts, "the source is among the targets")
    deliveries = frozenset(Place(host, (k,)) for k, host in enumerate(claims.hosts))
    return Operation(claims.sizes, dict.fromkeys(messages, claims.root), deliveries)


def _all_to_alls(claims: Claims) -> Operation:
    hosts = claims.hosts
    pairs = all(max(pair) < len(hosts) and pair[0] != pair[1] for pair in claims.sizes)
    require(claims.sizes and pairs, "a message is not from one host to another")
    return Operation(
        claims.sizes,
        {(k, m): hosts[k] for k, m in claims.sizes},
        frozenset(Place(hosts[m], (k, m)) for k, m in claims.sizes),
    )


def _reduces(claims: Claims) -> Operation:
    count = len(claims.hosts)
    require(1 < count <= _MOST_HOSTS, f"a reduce has 2 to {_MOST_HOSTS} hosts")
    alike = {(k, k + more): Fraction(1) for more in range(count) for k in range(count - more)}
    require(claims.sizes.keys() <= alike.keys(), "there is a size of no partial result")
    named = (*claims.works, *(computation.task for computation in claims.times))
    require(all(is_task(task, count) for task in named), "there is a work or a time of no task")
    at_nodes = {computation.node for computation in claims.times} <= claims.platform.by_name.keys()
    require(at_nodes, "there is a time of a task at no node")
    return Operation(
        alike | {**claims.sizes},
        {(k, k): host for k, host in enumerate(claims.hosts)},
        frozenset([Place(claims.root, (0, count - 1))]),
    )


def _broadcasts(claims: Claims) -> Operation:
    others = claims.platform.by_name.keys() - {claims.root}
    require({*claims.hosts} == others, "a broadcast is not from the root to all other nodes")
    deliveries = frozenset(Place(host, ()) for host in claims.hosts)
    return Operation({(): Fraction(1)}, {(): claims.root}, deliveries)


def _require_range(problem: Problem) -> None:
    """Require sizes, works and times that are numbers of a platform's range."""
    measures = {
        "size": problem.operation.sizes.values(),
        "work": problem.works.values(),
        "time": problem.times.values(),
    }
    for what, values in measures.items():
        for value in values:
            try:
                exact(value)
            except RotaError as fault:
                raise Refused(f"refused: the {what} of a message or task: {fault}") from fault
