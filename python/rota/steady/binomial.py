"""The single binomial tree by which MPICH reduces, on a heterogeneous platform: what paper 5 compares with.

Host 0 is the target. In turn k = 1, 2, 4, ... each host whose number is an odd multiple of k sends what it
has to the host k before it, which combines it on the right: in order. Between hosts a message takes the
fastest path.

     0 <- 1   2 <- 3   4 <- 5        k = 1
     0 <----- 2        4             k = 2
     0 <-------------- 4             k = 4
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.steady.network import Network
from rota.steady.optimum import Optimum, Weighted
from rota.steady.paths import Length, least_path
from rota.steady.period import least_period
from rota.steady.plan import Plan
from rota.steady.series import Computation, Kind, Task, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota.platforms import Link, Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Series


def binomial_tree(platform: Platform, series: Series) -> Way:
    """Return the tree; RotaError if the target is not the first host, or a host that combines cannot."""
    if series.kind is not Kind.REDUCE or series.root != series.hosts[0]:
        raise RotaError("the binomial tree is for reduces to the first host: name the target first")
    return tuple(_tree(platform, series))


def _tree(platform: Platform, series: Series) -> Iterator[Transfer | Computation]:
    hosts, step = series.hosts, 1
    while step < len(hosts):
        for receiver in range(0, len(hosts) - step, 2 * step):
            sender = receiver + step
            last = min(sender + step, len(hosts)) - 1
            for link in _fastest_path(platform, hosts[sender], hosts[receiver]):
                yield Transfer(link.source, link.target, (sender, last))
            task = Task(receiver, sender - 1, last)
            if series.task_time(platform.node(hosts[receiver]), task) is None:
                raise RotaError(f"{hosts[receiver]} combines in the binomial tree, and does not compute")
            yield Computation(hosts[receiver], task)
        step *= 2


def single_way_throughput(platform: Platform, series: Series, way: Way) -> Fraction:
    """Return the throughput if all operations are carried out in this way: its busiest port never rests."""
    return 1 / max(Network(platform, series).load_of(way).values())


def single_way_plan(platform: Platform, series: Series, way: Way) -> Plan:
    """Return the plan in which all operations are carried out in this way; its bound is that of this way."""
    throughput = single_way_throughput(platform, series, way)
    ways = (Weighted(throughput, way),)
    period = Fraction(least_period(Network(platform, series), ways))
    return Plan(platform, series, Optimum(throughput, ways, {}, {}), ways, period, is_fixed=False)


def _fastest_path(platform: Platform, source: str, target: str) -> list[Link]:
    """Return the path on which a message takes least, passed on as a whole; RotaError if there is none."""
    return least_path(platform, source, target, lambda link: Length(link.cost, 1))
