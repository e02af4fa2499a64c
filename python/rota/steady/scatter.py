"""Series of scatters: one source sends a message of its own to each target, again and again.

SSSP(G), maximise TP subject to, for the numbers send(P_i -> P_j, m_k) of messages sent in a time unit,

    s(P_i -> P_j) = sum over k of send(P_i -> P_j, m_k) l_k c(i,j)
    sum over j of s(P_i -> P_j) <= 1          P_i's port out
    sum over j of s(P_j -> P_i) <= 1          P_i's port in
    m_k into P_i = m_k out of P_i             for P_i neither the source nor P_k
    m_k into P_k - m_k out of P_k = TP

The paper's last row counts what enters P_k only. Read so, P_k might send m_k away and count it again when it
comes back: what leaves is taken off here, which changes nothing where that does not happen.

Source: Legrand, Marchal, Robert 2005, Section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.steady.series import Kind, Place, Series, require_hosts, require_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from rota.platforms import Platform


def series_of_scatters(
    platform: Platform, source: str, targets: Iterable[str], sizes: Sequence[Fraction | int] | None = None
) -> Series:
    """Return the series; `sizes` are those of the targets' messages in units, one each if there are none.

    Raises RotaError for unknown nodes, a source among its targets, sizes not above 0, and no path.
    Source: Legrand, Marchal, Robert 2005, Section 3.
    """
    hosts = require_hosts(platform, targets, "targets")
    platform.node(source)
    if source in hosts:
        raise RotaError(f"the source {source} is among its targets: what it keeps is not sent, leave it out")
    if sizes is not None and len(sizes) != len(hosts):
        raise RotaError(f"{len(sizes)} sizes for {len(hosts)} targets: give one each")
    for host in hosts:
        platform.require_path(source, host)
    units = sizes or [1] * len(hosts)
    return Series(
        Kind.SCATTER,
        hosts,
        source,
        sizes={(k,): require_size(size, f"the message to {hosts[k]}") for k, size in enumerate(units)},
        origins={(k,): source for k in range(len(hosts))},
        deliveries=tuple(Place(host, (k,)) for k, host in enumerate(hosts)),
    )
