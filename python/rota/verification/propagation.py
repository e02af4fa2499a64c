"""Schedules of any algorithm, played by the one verifier: roots, owners, blocks and hosts for each p."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

from rota import Collective, algorithms, schedule, solves, verify
from rota.collectives import ROOTED, needs_hosts
from rota.hosts import Hosts, growing, in_a_row, in_turn
from rota.vocabulary import violation_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rota import Effort, Schedule

ALL_ROOTS_UP_TO: Final = 16
"""With more ranks, some roots."""

MANY_PLACEMENTS_UP_TO: Final = 12
"""With more ranks, one placement on hosts, another for each p."""

_WITH_OWNERS: Final = (Collective.allgather, Collective.reduce_scatter)
_WITH_ORDER: Final = (Collective.reduce, Collective.reduce_scatter, Collective.allreduce)


@dataclass(frozen=True)
class Task:
    """An algorithm for a collective among so many ranks, in these numbers of blocks.

    Where ranks share hosts: on hosts of so many links.
    """

    algorithm: str
    collective: Collective
    ranks: int
    blocks: Sequence[int]
    lanes: Sequence[int] = (1,)


@dataclass(frozen=True)
class Outcome:
    """What came of the schedules of an algorithm for a collective."""

    algorithm: str
    collective: Collective
    schedules: int = 0
    faults: tuple[str, ...] = ()
    rounds_beyond: int = 0
    """The most rounds beyond the bound."""
    port_ratio: float = 0
    """The most blocks through the busiest port, over the bound."""

    def and_of(self, other: Outcome) -> Outcome:
        """Return both together."""
        return Outcome(
            self.algorithm,
            self.collective,
            self.schedules + other.schedules,
            self.faults + other.faults,
            max(self.rounds_beyond, other.rounds_beyond),
            max(self.port_ratio, other.port_ratio),
        )


@dataclass(frozen=True)
class _Case:
    root: int
    blocks: int
    owners: tuple[int, ...]
    in_order: bool
    hosts: Hosts | None

    def __str__(self) -> str:
        owners = f", owners {' '.join(map(str, self.owners))}" if self.owners else ""
        order = ", in order" if self.in_order else ""
        hosts = f", hosts {self.hosts}" if self.hosts else ""
        return f"root {self.root}, n = {self.blocks}{owners}{order}{hosts}"

    def in_blocks(self, blocks: int) -> _Case:
        """Return the same in so many blocks."""
        return replace(self, blocks=blocks)

    @property
    def host_of_rank(self) -> tuple[int, ...]:
        """The hosts by rank; none: each rank has one to itself."""
        return self.hosts.of_rank if self.hosts else ()

    @property
    def links(self) -> int:
        """How many links each host has."""
        return self.hosts.links if self.hosts else 1


@dataclass(frozen=True)
class Asked:
    """The schedules of some algorithms for some collectives, of every p in a range."""

    pairs: tuple[tuple[str, Collective], ...]
    counts: range
    blocks: Sequence[int]
    lanes: Sequence[int] = (1,)

    def __len__(self) -> int:
        return len(self.pairs) * len(self.counts)

    def tasks(self) -> Iterator[Task]:
        """Generate what there is to do, the largest p first: no core is left alone with one at the end."""
        for ranks in reversed(self.counts):
            for name, each in self.pairs:
                yield Task(name, each, ranks, self.blocks, self.lanes)


def pairs_of(chosen: Iterable[str], collectives: Iterable[Collective]) -> tuple[tuple[str, Collective], ...]:
    """Return which of these algorithms are for which of these collectives."""
    return tuple((name, each) for name, each in product(chosen, collectives) if name in algorithms(each))


def outcome_of(task: Task) -> Outcome:
    """Verify all cases of a task."""
    outcome = Outcome(task.algorithm, task.collective)
    # What sends data whole has one schedule for all numbers of blocks.
    planned = {case.in_blocks(of_case.problem.blocks): of_case for case, of_case in _planned(task)}
    for case, of_case in planned.items():
        outcome = outcome.and_of(_outcome(task, case, of_case))
    return outcome


def _planned(task: Task) -> Iterator[tuple[_Case, Schedule]]:
    for case in _cases(task):
        yield (
            case,
            schedule(
                task.collective,
                task.algorithm,
                ranks=task.ranks,
                root=case.root,
                blocks=case.blocks,
                owners=case.owners,
                in_order=case.in_order,
                hosts=case.host_of_rank,
                links=case.links,
            ),
        )


def _cases(task: Task) -> Iterator[_Case]:
    roots = _roots(task.ranks) if task.collective in ROOTED else (0,)
    owners = _owners(task.ranks) if task.collective in _WITH_OWNERS else ((),)
    orders = (False, True) if task.collective in _WITH_ORDER else (False,)
    placements: Iterable[Hosts | None] = (None,)
    if needs_hosts(task.algorithm, task.collective):
        placements = tuple(
            replace(placed, links=links) for placed in _placements(task.ranks) for links in task.lanes
        )
    for choice in product(roots, task.blocks, owners, orders, placements):
        case = _Case(*choice)
        if solves(
            task.collective,
            task.algorithm,
            ranks=task.ranks,
            root=case.root,
            in_order=case.in_order,
            hosts=case.host_of_rank,
        ):
            yield case


def _roots(ranks: int) -> Sequence[int]:
    if ranks <= ALL_ROOTS_UP_TO:
        return range(ranks)
    return (0, 1, ranks // 2, ranks - 1)


def _owners(ranks: int) -> tuple[tuple[int, ...], ...]:
    """Return all ranks, every third, and the last alone."""
    return (), tuple(range(0, ranks, 3)), (ranks - 1,)


def _placements(ranks: int) -> tuple[Hosts, ...]:
    """Return hosts in a row, even and uneven, and hosts dealt in turn; with many ranks one of these."""
    if ranks > MANY_PLACEMENTS_UP_TO:
        placed = in_a_row if ranks % 2 else in_turn
        return (placed(ranks, 2 + ranks % 7),)
    rows = (in_a_row(ranks, per_host) for per_host in (2, 3, 4, ranks))
    turns = (in_turn(ranks, count) for count in (2, 3, ranks))
    return tuple(dict.fromkeys((*rows, *turns, growing(ranks))))


def _outcome(task: Task, case: _Case, planned: Schedule) -> Outcome:
    found, least = planned.effort(), planned.lower_bound()
    # The least rounds suppose one block of an owner a message.
    is_bounded = found.rounds >= least.rounds or not _sends_several(planned)
    faults = [*map(violation_words, verify(planned)), *(below_bound(found, least) if is_bounded else ())]
    name = f"{task.algorithm} {task.collective.name}, p = {task.ranks}, {case}"
    return Outcome(
        task.algorithm,
        task.collective,
        schedules=1,
        faults=tuple(f"{name}: {fault}" for fault in faults),
        rounds_beyond=max(0, found.rounds - least.rounds),
        port_ratio=found.port_blocks / least.port_blocks if least.port_blocks else 0,
    )


def _sends_several(planned: Schedule) -> bool:
    """Say whether some message has several blocks of one owner."""
    steps = (step for rank in range(planned.problem.ranks) for step in planned.steps(rank))
    return any(len(step.send.blocks) > len({block.owner for block in step.send.blocks}) for step in steps)


def below_bound(found: Effort, least: Effort) -> Iterator[str]:
    """Name what no right schedule can do, if the bound is one."""
    if found.rounds < least.rounds:
        yield f"{found.rounds} rounds are fewer than the bound's {least.rounds}"
    if found.port_blocks < least.port_blocks:
        yield f"{found.port_blocks} blocks through a port are fewer than the bound's {least.port_blocks}"
