"""What the links of hosts need for a collective, however it is done."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from rota.hosts import Hosts
from rota.lab import burst_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.bench.names import Collective
    from rota.bench.place import Place


@dataclass(frozen=True)
class Demand:
    """Bytes that must go through a group of ports one way, and what these ports carry together."""

    size_bytes: float
    rates_bits_per_s: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """Bytes over rate."""
        return self.size_bytes * 8 / sum(self.rates_bits_per_s)

    @property
    def least_seconds(self) -> float:
        """The same for links that were idle, each of which may run ahead by its burst."""
        ahead_bytes = sum(map(burst_bytes, self.rates_bits_per_s))
        return max(0.0, self.size_bytes - ahead_bytes) * 8 / sum(self.rates_bits_per_s)


@dataclass(frozen=True)
class Load:
    """The data of a call.

    All of it or, of an all-to-many, the busiest rank's; its shares by rank where it has such; the messages
    of an all-to-many: who sends to whom, and how many bytes.
    """

    data_bytes: int
    share_bytes: Sequence[int] = ()
    messages: Sequence[tuple[int, int, int]] = ()


def demands(collective: Collective, load: Load, place: Place) -> tuple[Demand, ...]:
    """Return what the links must carry, each demand by itself; nothing if one host has all ranks.

    Ranks of one host share its links and reach each other without them, so hosts count and not ranks: H of
    them, of which a host's share is that of its ranks together. All links of a host carry together what it
    must.

    Broadcast and reduce: every link carries the m bytes one way or the other. (The host of the root sends
    them.) Scan and exscan: as often as a chain of all ranks leaves a host, or comes to it. (Whatever the
    operator, ranks that others separate need values of their own from these; with hosts in a row that is
    once.)
    Allgather: a host lacks all but its share. Reduce-scatter is its reverse. Allreduce: as each, m through
    every link; and of every byte the H contributions meet in H - 1 messages and the result reaches the
    other H - 1 hosts in as many, 2 (H - 1) m bytes that all links send together. All-to-many: what a host's
    ranks send to others, and receive from others.
    """
    if place.hosts == 1:
        return ()
    links = tuple((rate,) * place.links for rate in place.rates_bits_per_s)
    slowest = (place.slowest_bits_per_s,) * place.links
    data_bytes = load.data_bytes
    match collective.reported_as:
        case "allgather" | "reduce_scatter":
            shares = _of_hosts(load.share_bytes, place)
            return tuple(
                Demand(max(share, data_bytes - share), of_host)
                for share, of_host in zip(shares, links, strict=True)
            )
        case "alltoall":
            return tuple(
                Demand(port_bytes, of_host)
                for port_bytes, of_host in zip(_of_ports(load.messages, place), links, strict=True)
            )
        case "allreduce":
            together = Demand(2 * data_bytes * (place.hosts - 1), tuple(chain.from_iterable(links)))
            return (Demand(data_bytes, slowest), together)
        case "scan" | "exscan":
            return tuple(
                Demand(data_bytes * times, of_host)
                for times, of_host in zip(_passes_of_a_chain(place), links, strict=True)
            )
        case _:
            return (Demand(data_bytes, slowest),)


def _of_hosts(share_bytes: Sequence[int], place: Place) -> tuple[int, ...]:
    shares = [0] * place.hosts
    for host, share in zip(place.host_of_rank, share_bytes, strict=True):
        shares[host] += share
    return tuple(shares)


def _passes_of_a_chain(place: Place) -> tuple[int, ...]:
    """Return how often neighbours in order pass each host's links, the more of outwards and inwards."""
    hosts = [run.host for run in Hosts(place.host_of_rank).runs]
    outwards, inwards = Counter(hosts[:-1]), Counter(hosts[1:])
    return tuple(max(outwards[host], inwards[host]) for host in range(place.hosts))


def _of_ports(messages: Sequence[tuple[int, int, int]], place: Place) -> tuple[int, ...]:
    """Return the more of what each host sends and what it receives."""
    sent, received = [0] * place.hosts, [0] * place.hosts
    for sender, receiver, size_bytes in messages:
        source, target = place.host_of_rank[sender], place.host_of_rank[receiver]
        if source != target:
            sent[source] += size_bytes
            received[target] += size_bytes
    return tuple(map(max, sent, received))
