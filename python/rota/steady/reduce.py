"""Series of reduces: v_0 + ... + v_N for an operator that need not commute, at one target, again and again.

SSR(G), maximise TP subject to the ports' rows of SSSP (rota.steady.scatter) and, for the numbers
cons(P_i, T_{k,l,m}) of tasks computed in a time unit,

    s(P_i -> P_j) = sum over v[k,m] of send(P_i -> P_j, v[k,m]) size(v[k,m]) c(i,j)
    sum over tasks of cons(P_i, T_{k,l,m}) w(P_i, T_{k,l,m}) <= 1        P_i's processor
    v[k,m] into P_i and computed by it = v[k,m] out of P_i and used by it  but for v[i,i] at its host
    the same difference for v[0,N] at the target = TP

Any node may compute a task that it has a time for: hosts only own the operands. Where nothing else is said
all partial results have the size of one message and all tasks take as long, as in the paper's experiments.

Source: Legrand, Marchal, Robert 2005, Section 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.steady.series import Kind, Place, Series, Task, require_hosts, require_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.platforms import Platform
    from rota.steady.series import Computation, Message


@dataclass(frozen=True)
class Measures:
    """What of a reduce is not alike; whatever is left out is 1, or takes a node's time of a unit task.

    `sizes`: size(v[k,m]), in units. `works`: how many unit tasks T_{k,l,m} is, at all nodes. `times`:
    w(P_i, T_{k,l,m}) in time units, whatever P_i's time of a unit task is, also where it has none.
    """

    sizes: Mapping[Message, Fraction] = field(default_factory=dict)
    works: Mapping[Task, Fraction] = field(default_factory=dict)
    times: Mapping[Computation, Fraction] = field(default_factory=dict)


def series_of_reduces(
    platform: Platform, hosts: Iterable[str], target: str, measures: Measures | None = None
) -> Series:
    """Return the series; the k-th host owns v_k. The target may be any node.

    Values are combined in order, on whichever nodes have a time for it: hosts only own them. With N hosts
    there are O(N^2) partial results and O(N^3) tasks. Raises RotaError for unknown nodes, fewer than two
    hosts, where no node computes, and for measures of what is no partial result, task or node, or that are
    not above 0. Source: Legrand, Marchal, Robert 2005, Section 4.
    """
    measures = measures or Measures()
    named = require_hosts(platform, hosts, "hosts")
    platform.node(target)
    if len(named) == 1:
        raise RotaError("a reduce of one host's value combines nothing: name at least two hosts")
    for host in named:
        platform.require_path(host, target)
    if not platform.processors and not measures.times:
        raise RotaError("no node computes: give nodes a task, or with bandwidths and speeds say --task")
    intervals = [(k, k + more) for more in range(len(named)) for k in range(len(named) - more)]
    tasks = tuple(Task(k, middle, m) for k, m in intervals for middle in range(k, m))
    _require_known(platform, measures, len(named))
    return Series(
        Kind.REDUCE,
        named,
        target,
        sizes={each: Fraction(measures.sizes.get(each, 1)) for each in intervals},
        origins={(k, k): host for k, host in enumerate(named)},
        deliveries=(Place(target, (0, len(named) - 1)),),
        tasks=tasks,
        works={task: Fraction(work) for task, work in measures.works.items() if work != 1},
        times=dict(measures.times),
    )


def _require_known(platform: Platform, measures: Measures, hosts: int) -> None:
    """Raise RotaError for a measure of nothing, or one that is none."""
    for message, size in measures.sizes.items():
        what = f"v[{','.join(map(str, message))}]"
        if len(message) != 2 or not 0 <= message[0] <= message[1] < hosts:  # noqa: PLR2004 - [k,m]
            raise RotaError(f"{what} is no partial result: 0 <= k <= m <= {hosts - 1} in v[k,m]")
        exact(require_size(size, what))
    for task, work in measures.works.items():
        _require_task(task, hosts)
        exact(require_size(work, f"task {_called(task)}"))
    for (node, task), time in measures.times.items():
        platform.node(node)
        _require_task(task, hosts)
        exact(require_size(time, f"task {_called(task)} in {node}"))


def _require_task(task: Task, hosts: int) -> None:
    if not 0 <= task.first <= task.middle < task.last < hosts:
        raise RotaError(f"{_called(task)} is no task: 0 <= k <= l < m <= {hosts - 1} in T[k,l,m]")


def _called(task: Task) -> str:
    return f"T[{','.join(map(str, task))}]"
