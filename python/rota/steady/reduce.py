"""Series of reduces: v_0 + ... + v_N for an operator that need not commute, at one target, again and again.

SSR(G), maximise TP subject to the ports' rows of SSSP (rota.steady.scatter) and, for the numbers
cons(P_i, T_{k,l,m}) of tasks computed in a time unit,

    sum over tasks of cons(P_i, T_{k,l,m}) w(P_i) <= 1                   P_i's processor
    v[k,m] into P_i and computed by it = v[k,m] out of P_i and used by it  but for v[i,i] at its host
    the same difference for v[0,N] at the target = TP

Any node that computes may compute any task: hosts only own the operands. All partial results have the size of
one message and all tasks take as long, as in the paper's experiments.

Source: Legrand, Marchal, Robert 2005, Section 4.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.steady.series import Kind, Place, Series, Task, require_hosts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rota.platforms import Platform


def series_of_reduces(platform: Platform, hosts: Iterable[str], target: str) -> Series:
    """Return the series; the k-th host owns v_k. The target may be any node.

    Raises RotaError for unknown nodes, fewer than two hosts, and where no node computes.
    """
    named = require_hosts(platform, hosts, "hosts")
    platform.node(target)
    if len(named) == 1:
        raise RotaError("a reduce of one host's value combines nothing: name at least two hosts")
    for host in named:
        platform.require_path(host, target)
    if not platform.processors:
        raise RotaError("no node computes: give nodes a task, or with bandwidths and speeds say --task")
    intervals = [(k, k + more) for more in range(len(named)) for k in range(len(named) - more)]
    return Series(
        Kind.REDUCE,
        named,
        target,
        sizes=dict.fromkeys(intervals, Fraction(1)),
        origins={(k, k): host for k, host in enumerate(named)},
        deliveries=(Place(target, (0, len(named) - 1)),),
        tasks=tuple(Task(k, middle, m) for k, m in intervals for middle in range(k, m)),
    )
