"""Series of broadcasts: one source sends the same message to all other nodes, again and again.

Maximise TP subject to, for the copies n(P_i -> P_j) of messages sent in a time unit, the ports' rows of
SSSP (rota.steady.scatter) with s(P_i -> P_j) = n(P_i -> P_j) c(i,j), and for each target P_t a flow of TP
messages from the source that is nowhere larger than n: what several targets need crosses a link once. Since
all nodes are targets, copies for which such flows exist are a weighted sum of arborescences, and TP of them
(Edmonds): the optimum of this program is reached. Where some nodes are not to get the message, it need not
be, and the best throughput is hard to find (NP-hard: paper 5, Section 7). So all nodes take part; whoever
wants fewer gives a platform of these.

Source: Beaumont, Legrand, Marchal, Robert 2005, Pipelining broadcasts on heterogeneous platforms; Edmonds
1973.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms import Platform
from rota.steady.series import Kind, Place, Series, require_hosts

if TYPE_CHECKING:
    from collections.abc import Iterable


def series_of_broadcasts(platform: Platform, source: str, targets: Iterable[str]) -> Series:
    """Return the series; the targets must be all nodes but the source (`only_among` leaves out others).

    A message is one unit. Raises RotaError for unknown nodes, a source among its targets, nodes left out, and
    no path. Source: Beaumont, Legrand, Marchal, Robert 2005, Pipelining broadcasts on heterogeneous
    platforms.
    """
    hosts = require_hosts(platform, targets, "targets")
    platform.node(source)
    if source in hosts:
        raise RotaError(f"the source {source} is among its targets: it has the message, leave it out")
    if len(hosts) + 1 < len(platform.nodes):
        raise RotaError("a broadcast among some nodes: the platform must have no others")
    for host in hosts:
        platform.require_path(source, host)
    return Series(
        Kind.BROADCAST,
        hosts,
        source,
        sizes={(): Fraction(1)},
        origins={(): source},
        deliveries=tuple(Place(host, ()) for host in hosts),
    )


def only_among(platform: Platform, names: Iterable[str]) -> Platform:
    """Return the platform of these nodes and the links between them; RotaError for unknown ones."""
    kept = {platform.node(name).name for name in names}
    return Platform(
        tuple(node for node in platform.nodes if node.name in kept),
        tuple(link for link in platform.links if {link.source, link.target} <= kept),
        platform.measured_in,
        platform.name,
    )
