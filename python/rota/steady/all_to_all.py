"""Series of personalized all-to-alls: each host sends each other one a message of its own, again and again.

SSPA2A(G): the rows of SSSP (rota.steady.scatter) with a message m_{k,l} of size l_{k,l} for each pair of
hosts, which starts at P_k, ends at P_l, and is passed on by all others. As there, what comes back to where it
ended, or to where it started, does not count as delivered, or sent, once more.

Source: Legrand, Marchal, Robert 2005, Section 3.5.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.steady.series import Kind, Place, Series, require_hosts, require_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from rota.platforms import Platform


def series_of_all_to_alls(
    platform: Platform,
    hosts: Iterable[str],
    sizes: Mapping[tuple[int, int], Fraction | int] | None = None,
) -> Series:
    """Return the series; `sizes[k, l]` is that of the message from the k-th host to the l-th, in units.

    Pairs that `sizes` leaves out have no message; without it each message is one unit. Raises RotaError for
    unknown hosts, fewer than two, a pair of which one is none, sizes not above 0, and no path.
    Source: Legrand, Marchal, Robert 2005, Section 3.5.
    """
    named = require_hosts(platform, hosts, "hosts")
    if len(named) == 1:
        raise RotaError("an all-to-all of one host sends nothing: name at least two")
    pairs = sorted(permutations(range(len(named)), 2))
    units = dict.fromkeys(pairs, 1) if sizes is None else dict(sizes)
    for k, m in units:
        if (k, m) not in pairs:
            raise RotaError(f"no message from host {k} to host {m}: hosts are 0..{len(named) - 1}")
        platform.require_path(named[k], named[m])
    if not units:
        raise RotaError("no host has a message: give at least one")
    return Series(
        Kind.ALL_TO_ALL,
        named,
        "",
        sizes={
            (k, m): require_size(units[k, m], f"the message from {named[k]} to {named[m]}")
            for k, m in pairs
            if (k, m) in units
        },
        origins={pair: named[pair[0]] for pair in pairs if pair in units},
        deliveries=tuple(Place(named[pair[1]], pair) for pair in pairs if pair in units),
    )
