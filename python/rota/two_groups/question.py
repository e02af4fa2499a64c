"""What is asked about an allgather between two groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rota import Collective, algorithms, inter_allgather, verify, verify_on_ring
from rota._core import inter_candidates, inter_least_seconds, inter_ring_least_rounds
from rota.collectives import require_cut
from rota.errors import RotaError
from rota.hosts import in_a_row
from rota.vocabulary import alternatives, counted, joined

if TYPE_CHECKING:
    from rota import Candidate, Network, Schedule, Violation

FULL: Final = "full"
RING: Final = "ring"
TOPOLOGIES: Final = (FULL, RING)
MAX_RANKS: Final = 2**16
"""In both groups together: every rank handles the data of all senders."""

_PAPERS: Final = "join"
HIERARCHICAL: Final = "hierarchical"
NAMES: Final = (_PAPERS, *(name for name in algorithms(Collective.inter_allgather) if name != _PAPERS))
A_SHARE: Final = "one rank's whole data a message"
"""With this the least rounds on a ring are the least; elsewhere they are, whatever messages carry."""
RIVALS: Final = {FULL: ("root", "two_stage"), RING: ("ring_of_all",)}
"""What the paper has and compares with, by topology: played where they are asked for by name."""
ONE_WAY: Final = ("join", RING, "two_stage")
"""Algorithms for data of one group only."""


@dataclass(frozen=True)
class Question:
    """Groups of `senders` and `receivers`; with `duplex` the receivers have data for the senders too.

    With `per_host` so many ranks share each host, in a row; the last one may have fewer.
    """

    senders: int
    receivers: int
    topology: str = FULL
    duplex: bool = False
    per_host: int | None = None

    def __post_init__(self) -> None:
        """Raise RotaError for what is out of range, and for what a ring has no schedule for."""
        for option, ranks in (("--senders", self.senders), ("--receivers", self.receivers)):
            if ranks < 1:
                raise RotaError(f"{option} {ranks} is out of range: each group needs at least 1 rank")
        if self.per_host is not None and self.per_host < 1:
            raise RotaError(f"--per-host {self.per_host} is out of range: each host needs at least 1 rank")
        if self.senders + self.receivers > MAX_RANKS:
            raise RotaError(
                f"{self.senders + self.receivers} ranks are too many: {MAX_RANKS} are the most in both groups"
            )
        if self.topology not in TOPOLOGIES:
            raise RotaError(f"unknown topology {self.topology!r}: choose {' or '.join(TOPOLOGIES)}")
        if self.topology == RING and self.duplex:
            raise RotaError("on a ring only one group has data: leave out --duplex or --topology ring")
        if self.topology == RING and self.per_host is not None:
            raise RotaError("on a ring no ranks share hosts: leave out --per-host or --topology ring")

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms that solve it."""
        if self.topology == RING:
            return (RING,)
        if self.per_host is not None:
            return (HIERARCHICAL,)
        others = (HIERARCHICAL, *RIVALS[FULL], *RIVALS[RING])
        return tuple(name for name in NAMES if name not in others and not (self.duplex and name in ONE_WAY))

    @property
    def rivals(self) -> tuple[str, ...]:
        """What else solves it."""
        if self.per_host is not None:
            return ()
        return tuple(name for name in RIVALS[self.topology] if not (self.duplex and name in ONE_WAY))

    @property
    def hosts(self) -> tuple[int, ...]:
        """Of each rank the number of its host; empty: each has one to itself."""
        ranks = self.senders + self.receivers
        return () if self.per_host is None else in_a_row(ranks, self.per_host).of_rank

    def shares(self, size: int) -> list[int]:
        """Return what each rank has for the other group, in bytes or blocks."""
        return [size] * self.senders + [size if self.duplex else 0] * self.receivers

    def schedule(self, algorithm: str, blocks: int, size: int | None = None) -> Schedule:
        """Return a schedule for shares of `size` bytes, or of a byte for each block."""
        shares = self.shares(blocks if size is None else size)
        planned = inter_allgather(
            algorithm, shares, first_group=self.senders, blocks=blocks, hosts=self.hosts
        )
        if algorithm not in self.rivals or blocks > 1:
            require_cut(algorithm, blocks, planned.problem.blocks)
        return planned

    def candidates(self, network: Network, size: int) -> list[Candidate]:
        """Return the algorithms that solve it, with the numbers of blocks that suit that network."""
        found = inter_candidates(self.shares(size), first_group=self.senders, network=network)
        return [one for one in found if one.algorithm in self.names]

    def chosen(self, text: str | None) -> str:
        """Return the algorithm asked for, if it solves this; by default the first that does."""
        if text is None:
            return self.names[0]
        algorithm = joined(text)
        if algorithm == HIERARCHICAL and self.per_host is None:
            raise RotaError(f"{algorithm!r} is for ranks that share hosts: say how many with --per-host")
        known = (*self.names, *self.rivals)
        if algorithm not in known:
            raise RotaError(
                f"{text!r} is no algorithm for inter_allgather here: choose {alternatives(known)}"
            )
        return algorithm

    def violations(self, schedule: Schedule) -> list[Violation]:
        """Return what is wrong with a schedule on this topology."""
        return verify_on_ring(schedule) if self.topology == RING else verify(schedule)

    def least_rounds(self, schedule: Schedule) -> int:
        """Return the least rounds of any schedule on this topology."""
        if self.topology == RING:
            return inter_ring_least_rounds(self.senders, self.receivers)
        return schedule.lower_bound().rounds

    def least_seconds(self, schedule: Schedule, network: Network) -> float:
        """Return what no schedule on this topology takes less than: on a ring, none of whole shares."""
        if self.topology != RING:
            return inter_least_seconds(schedule, network)
        message_s = network.latency_s + max(schedule.problem.shares) * network.seconds_per_byte
        return self.least_rounds(schedule) * message_s

    @property
    def least_possible(self) -> str:
        """What its least rounds are: on a ring those of the paper's model."""
        return "the least possible" + (f" with {A_SHARE}" if self.topology == RING else "")

    def at(self, senders: int, receivers: int) -> Question:
        """Return the same of other numbers of ranks."""
        return replace(self, senders=senders, receivers=receivers)

    def title(self, algorithm: str, blocks: int) -> str:
        """Return what the schedule is, in one line."""
        each = counted(blocks, "block")
        senders, receivers = counted(self.senders, "rank"), counted(self.receivers, "rank")
        if not self.duplex:
            return f"{algorithm}: {each} of each of {senders} to {receivers}"
        return f"{algorithm}: {each} of each of {senders} and {receivers}, both ways"
