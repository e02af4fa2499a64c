"""A schedule played once: who got which blocks from whom, in which round, and what became of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from rota import Collective, OnReceive
from rota.collectives import ROOTED

if TYPE_CHECKING:
    from rota import Block, Message, Schedule, Step
    from rota.hosts import Hosts, Run


@dataclass(frozen=True)
class Arrival:
    """Blocks reach rank `to` from rank `sender`."""

    sender: int
    to: int
    blocks: tuple[Block, ...]
    on_receive: OnReceive
    combines: bool
    """Whether the rank also combines blocks that it holds."""


@dataclass(frozen=True)
class Trace:
    """What a picture of a schedule shows: its arrivals round by round, beside the least possible rounds."""

    collective: Collective
    ranks: int
    root: int | None
    owners: int
    blocks: int
    least_rounds: int
    sent: tuple[Block | None, ...]
    """The block that a broadcast's root sends in each round."""
    arrivals: tuple[tuple[Arrival, ...], ...]
    hosts: Hosts | None
    """None: each rank has one to itself."""

    @property
    def rounds(self) -> int:
        """How many rounds the schedule takes."""
        return len(self.arrivals)

    @property
    def spread(self) -> int:
        """How many rounds of the bound one block alone needs: ceil(log2 p)."""
        return self.least_rounds - self.blocks + 1

    @property
    def gathers(self) -> bool:
        """Whether data is brought together: a broadcast or allgather played backwards."""
        return self.collective in (Collective.reduce, Collective.reduce_scatter)

    @property
    def has_several(self) -> bool:
        """Whether any message carries several blocks."""
        return any(len(arrival.blocks) > 1 for arrival in chain.from_iterable(self.arrivals))

    @property
    def combines_received(self) -> bool:
        """Whether anything received is combined."""
        return any(each.on_receive != OnReceive.store for each in chain.from_iterable(self.arrivals))

    @property
    def combines_own(self) -> bool:
        """Whether any rank combines blocks that it holds."""
        return any(arrival.combines for arrival in chain.from_iterable(self.arrivals))

    @property
    def host_runs(self) -> tuple[Run, ...]:
        """The hosts of the ranks as seen from the root; none where each rank has one to itself."""
        return self.hosts.seen_from(self.root or 0).runs if self.hosts else ()

    def passes_link(self, arrival: Arrival) -> bool:
        """Return whether blocks arrive from another host, where ranks share hosts."""
        return self.hosts is not None and not self.hosts.share(arrival.sender, arrival.to)

    @property
    def link_blocks(self) -> int:
        """How many blocks the busiest host sends to others, or receives from them; 0 where none is shared."""
        through: Counter[tuple[int, bool]] = Counter()
        for arrival in filter(self.passes_link, chain.from_iterable(self.arrivals)):
            for rank, is_sent in ((arrival.sender, True), (arrival.to, False)):
                through[self.hosts.of_rank[rank] if self.hosts else rank, is_sent] += len(arrival.blocks)
        return max(through.values(), default=0)

    def seen_from_root(self, rank: int) -> int:
        """Return the rank's number if the root's were 0."""
        return (rank - (self.root or 0)) % self.ranks

    def distances(self, round_: int) -> frozenset[int]:
        """Return how far the messages of a round go: one skip, if the graph is circulant.

        Where data is gathered, they go back.
        """
        sign = -1 if self.gathers else 1
        return frozenset(
            sign * (arrival.to - arrival.sender) % self.ranks for arrival in self.arrivals[round_]
        )


def trace(schedule: Schedule, hosts: Hosts | None = None) -> Trace:
    """Return what happens in a schedule. O(ranks rounds blocks in a message)."""
    problem = schedule.problem
    rooted = problem.collective in ROOTED
    steps = [schedule.steps(rank) for rank in range(problem.ranks)]
    is_broadcast = problem.collective == Collective.broadcast
    return Trace(
        collective=problem.collective,
        ranks=problem.ranks,
        root=problem.root if rooted else None,
        owners=1 if rooted else len(problem.owners) or problem.ranks,
        blocks=problem.blocks,
        least_rounds=schedule.lower_bound().rounds,
        sent=tuple(_block(step.send) for step in steps[problem.root]) if is_broadcast else (),
        arrivals=tuple(
            tuple(_arrival(rank, step) for rank, step in enumerate(round_) if step.receive.blocks)
            for round_ in zip(*steps, strict=True)
        ),
        hosts=hosts,
    )


def _arrival(rank: int, step: Step) -> Arrival:
    return Arrival(
        sender=step.receive.peer,
        to=rank,
        blocks=tuple(step.receive.blocks),
        on_receive=step.on_receive,
        combines=bool(step.combinations),
    )


def _block(message: Message) -> Block | None:
    return message.blocks[0] if message.blocks else None
