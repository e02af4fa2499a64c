"""Collectives over many hosts of several ranks each: by which schedule, and what the busiest link carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota import (
    Collective,
    Network,
    best_all_to_many,
    bytes_over_links,
    candidates,
    inter_allgather,
    inter_group,
    least_seconds,
    schedule,
    simulate,
    simulate_everybody_on_hosts,
    simulate_on_hosts,
)
from rota._core import inter_candidates
from rota.errors import RotaError
from rota.hosts import in_a_row
from rota.patterns.generate import regular
from rota.patterns.matrix import MAX_RANKS
from rota.two_groups.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from rota import Candidate, Schedule, Simulation

    Told: TypeAlias = Callable[[int, int], None]
    """Called with the rounds that are over, of so many."""

_OF_ALL: Final = {
    "bcast": Collective.broadcast,
    "reduce": Collective.reduce,
    "allgather": Collective.allgather,
    "allgatherv": Collective.allgather,
    "reduce-scatter": Collective.reduce_scatter,
    "allreduce": Collective.allreduce,
    "scan": Collective.scan,
}
_BETWEEN: Final = {"inter-bcast": Collective.inter_broadcast, "inter-reduce": Collective.inter_reduce}
_ALLGATHER_BETWEEN: Final = "inter-allgather"
_REGULAR: Final = "alltoall"
_SPARSE: Final = "alltoallv"
DESTINATIONS: Final = 8
"""Of each rank in the sparse exchange."""

NAMES: Final = (*_OF_ALL, _REGULAR, _SPARSE, *_BETWEEN, _ALLGATHER_BETWEEN)


@dataclass(frozen=True)
class Memory:
    """What a message within a host takes."""

    latency_s: float
    seconds_per_byte: float


@dataclass(frozen=True)
class Setting:
    """So many hosts with so many ranks each, in a row, and `size_bytes` of data.

    That is what each rank has in bcast, reduce and scan, what all have together in allgather and
    reduce-scatter, the vector of an allreduce, what each rank sends in exchanges, what the root or all of the
    first group have between groups; the groups are the first half of all hosts and the others.
    """

    hosts: int
    per_host: int
    size_bytes: int
    network: Network
    memory: Memory
    links: int = 1
    """Of each host."""

    def __post_init__(self) -> None:
        """Raise RotaError for what is out of range."""
        if self.hosts <= 1:
            raise RotaError(f"--hosts {self.hosts} is out of range: links need 2 hosts or more")
        if self.per_host < 1:
            raise RotaError(f"--per-host {self.per_host} is out of range: each host needs at least 1 rank")
        if self.links < 1:
            raise RotaError(f"--links {self.links} is out of range: each host needs at least 1 link")
        if self.ranks > MAX_RANKS:
            raise RotaError(
                f"{self.ranks} ranks are too many: {MAX_RANKS} are the most on all hosts together"
            )

    @property
    def ranks(self) -> int:
        """On all hosts."""
        return self.hosts * self.per_host

    @property
    def host_of_rank(self) -> tuple[int, ...]:
        """Of each rank the number of its host; empty: each has one to itself."""
        return in_a_row(self.ranks, self.per_host).of_rank if self.per_host > 1 else ()

    @property
    def links_filled(self) -> int:
        """Of each host: fewer ranks than links fill only as many, for each sends one message at a time."""
        return min(self.links, self.per_host)

    def played(self, planned: Schedule, size: int | Sequence[int] | None, told: Told) -> Simulation:
        """Play a schedule."""
        sizes = size if size is None or isinstance(size, int) else list(size)
        if self.per_host == 1:
            return simulate(planned, self.network, sizes, on_round=lambda done: told(done, planned.rounds))
        return simulate_on_hosts(
            planned,
            self.network,
            self.memory.latency_s,
            self.memory.seconds_per_byte,
            sizes,
            on_round=lambda done: told(done, planned.rounds),
        )


@dataclass(frozen=True)
class Outcome:
    """What came out."""

    collective: str
    hosts: int
    per_host: int
    links: int
    algorithm: str
    blocks: int
    rounds: int
    seconds: float
    link_bytes: int
    """Through all links of the busiest host, each way."""
    limit_s: float
    """What must pass the busiest link takes so long."""
    basis: str

    @property
    def times_limit(self) -> float:
        """The simulated time over the links' limit."""
        return self.seconds / self.limit_s if self.limit_s else 1.0


def simulated(collective: str, setting: Setting, told: Told) -> Outcome:
    """Simulate a collective by the schedule that Rota takes for it; RotaError for an unknown name."""
    if collective in _OF_ALL:
        return _of_all(collective, setting, told)
    if collective == _REGULAR:
        return _regular(setting, told)
    if collective == _SPARSE:
        return _sparse(setting, told)
    if collective in _BETWEEN:
        return _between(collective, setting, told)
    if collective == _ALLGATHER_BETWEEN:
        return _allgather_between(setting, told)
    raise RotaError(f"unknown collective {collective!r}: choose {', '.join(NAMES)} or all")


def _of_all(name: str, setting: Setting, told: Told) -> Outcome:
    collective = _OF_ALL[name]
    chosen = _chosen(collective, setting)
    planned = schedule(
        collective,
        chosen.algorithm,
        ranks=setting.ranks,
        blocks=chosen.blocks,
        hosts=setting.host_of_rank,
        links=setting.links_filled,
    )
    size = _uneven_shares(setting) if name == "allgatherv" else setting.size_bytes
    simulation = setting.played(planned, size, told)
    limit_s = least_seconds(
        collective,
        Network(0, setting.network.seconds_per_byte),
        setting.size_bytes if isinstance(size, int) else sum(size),
        ranks=setting.ranks,
        hosts=setting.host_of_rank,
        links=setting.links_filled,
    )
    return _outcome(name, setting, chosen.algorithm, planned, simulation, limit_s)


def _chosen(collective: Collective, setting: Setting) -> Candidate:
    """Return the schedule predicted to be fastest, of those that mind hosts where ranks share them."""
    found = candidates(
        collective,
        setting.network,
        setting.size_bytes,
        ranks=setting.ranks,
        hosts=setting.host_of_rank,
        links=setting.links_filled,
    )
    return min(found, key=lambda one: one.seconds)


def _uneven_shares(setting: Setting) -> list[int]:
    """Return shares in proportion to 1, 2, 3, 1, 2, 3, ... on each host, so that hosts are alike."""
    parts = [1 + place % 3 for place in range(setting.per_host)]
    unit = setting.size_bytes // (setting.hosts * sum(parts))
    return [unit * part for part in parts] * setting.hosts


def _regular(setting: Setting, told: Told) -> Outcome:
    message_bytes = max(1, setting.size_bytes // setting.ranks)
    rounds = setting.ranks - 1
    simulation = simulate_everybody_on_hosts(
        setting.hosts,
        setting.per_host,
        setting.network,
        setting.memory.latency_s,
        setting.memory.seconds_per_byte,
        message_bytes,
        links_each=setting.links_filled,
        on_round=lambda done: told(done, rounds),
    )
    limit_bytes = setting.per_host * (setting.ranks - setting.per_host) * message_bytes / setting.links_filled
    return Outcome(
        _REGULAR,
        setting.hosts,
        setting.per_host,
        setting.links,
        "exact",
        1,
        rounds,
        simulation.seconds,
        simulation.port_bytes,
        limit_bytes * setting.network.seconds_per_byte,
        simulation.basis,
    )


def _sparse(setting: Setting, told: Told) -> Outcome:
    hosts = setting.host_of_rank
    degree = min(DESTINATIONS, setting.ranks - 1)
    pattern = regular(setting.ranks, degree, message_bytes=max(1, setting.size_bytes // degree))
    choice = best_all_to_many(pattern, setting.network, hosts=hosts, links=setting.links_filled)
    simulation = setting.played(choice.schedule, None, told)
    limit_bytes = bytes_over_links(pattern, hosts, setting.links_filled)
    limit_s = limit_bytes * setting.network.seconds_per_byte
    return _outcome(_SPARSE, setting, choice.algorithm, choice.schedule, simulation, limit_s)


def _between(name: str, setting: Setting, told: Told) -> Outcome:
    first = setting.hosts // 2 * setting.per_host
    algorithm = "hierarchical" if setting.per_host > 1 else "circulant"
    planned = inter_group(
        _BETWEEN[name],
        algorithm,
        ranks=setting.ranks,
        first_group=first,
        blocks=_chosen(Collective.broadcast, setting).blocks,
        hosts=setting.host_of_rank,
        links=setting.links_filled,
    )
    simulation = setting.played(planned, setting.size_bytes, told)
    # The root's fellows have no part in it, and one rank sends one message at a time, over one link.
    limit_s = setting.size_bytes * setting.network.seconds_per_byte
    return _outcome(name, setting, algorithm, planned, simulation, limit_s)


def _allgather_between(setting: Setting, told: Told) -> Outcome:
    links = setting.links_filled
    first = setting.hosts // 2 * setting.per_host
    share = max(1, setting.size_bytes // first)
    shares = [share] * first + [0] * (setting.ranks - first)
    hosts = setting.host_of_rank
    shared = setting.per_host if setting.per_host > 1 else None
    names = Question(first, setting.ranks - first, per_host=shared).names
    found = inter_candidates(shares, first_group=first, network=setting.network, hosts=hosts, links=links)
    best = min((one for one in found if one.algorithm in names), key=lambda one: one.seconds)
    planned = inter_allgather(
        best.algorithm, shares, first_group=first, blocks=best.blocks, hosts=hosts, links=links
    )
    simulation = setting.played(planned, None, told)
    limit_s = share * first * setting.network.seconds_per_byte / links
    return _outcome(_ALLGATHER_BETWEEN, setting, best.algorithm, planned, simulation, limit_s)


def _outcome(
    name: str, setting: Setting, algorithm: str, planned: Schedule, simulation: Simulation, limit_s: float
) -> Outcome:
    return Outcome(
        name,
        setting.hosts,
        setting.per_host,
        setting.links,
        algorithm,
        planned.problem.blocks,
        planned.rounds,
        simulation.seconds,
        simulation.port_bytes,
        limit_s,
        simulation.basis,
    )
