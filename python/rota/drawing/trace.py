"""A broadcast played once: who got which block from whom, in which round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rota import Message, Schedule


@dataclass(frozen=True)
class Arrival:
    """Block `block` reaches rank `to` from rank `sender`."""

    sender: int
    to: int
    block: int


@dataclass(frozen=True)
class Trace:
    """What a picture of a broadcast shows: its arrivals round by round, beside the least possible rounds."""

    ranks: int
    root: int
    blocks: int
    least_rounds: int
    sent: tuple[int | None, ...]
    """The block that the root sends in each round."""
    arrivals: tuple[tuple[Arrival, ...], ...]

    @property
    def rounds(self) -> int:
        """How many rounds the broadcast takes."""
        return len(self.arrivals)

    def seen_from_root(self, rank: int) -> int:
        """Return the rank's number if the root's were 0."""
        return (rank - self.root) % self.ranks

    def distances(self, round_: int) -> frozenset[int]:
        """Return how far the messages of a round go: one skip, if the graph is circulant."""
        return frozenset((arrival.to - arrival.sender) % self.ranks for arrival in self.arrivals[round_])


def trace(schedule: Schedule) -> Trace:
    """Return what happens in a broadcast with at most one block a message. O(ranks rounds)."""
    problem = schedule.problem
    return Trace(
        ranks=problem.ranks,
        root=problem.root,
        blocks=problem.blocks,
        least_rounds=schedule.lower_bound().rounds,
        sent=tuple(_block(schedule.step(problem.root, round_).send) for round_ in range(schedule.rounds)),
        arrivals=tuple(_arrivals(schedule, round_) for round_ in range(schedule.rounds)),
    )


def _arrivals(schedule: Schedule, round_: int) -> tuple[Arrival, ...]:
    received = ((rank, schedule.step(rank, round_).receive) for rank in range(schedule.problem.ranks))
    return tuple(
        Arrival(sender=message.peer, to=rank, block=block)
        for rank, message in received
        if (block := _block(message)) is not None
    )


def _block(message: Message) -> int | None:
    return message.blocks[0].index if message.blocks else None
