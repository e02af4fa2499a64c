"""A schedule in words: what it is, and its effort beside the least possible."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from rota import Collective
from rota.collectives import A_MESSAGE, ROOTED
from rota.vocabulary import counted

if TYPE_CHECKING:
    from rota import Problem, Schedule
    from rota.hosts import Hosts

OF_EACH_RANK: Final = (Collective.allgather, Collective.reduce_scatter)
_SCANS: Final = (Collective.scan, Collective.exscan)


def title(algorithm: str, problem: Problem, hosts: Hosts | None) -> str:
    """Return what a schedule is, in one line."""
    is_of_each = problem.collective in OF_EACH_RANK or (
        problem.collective == Collective.allreduce and owners_of(problem) > 1
    )
    # Only the data of an allreduce among hosts is cut for some ranks: one for each link of each host.
    whose = ("host" if problem.links == 1 else "link") if problem.owners else "rank"
    each = f" of each {whose}" if is_of_each else ""
    root = f", root {problem.root}" if problem.collective in ROOTED and problem.root else ""
    links = f" of {hosts.links} links" if hosts and hosts.links > 1 else ""
    placed = f" on {counted(hosts.count, 'host')}{links}" if hosts else ""
    blocks, ranks = counted(problem.blocks, "block"), counted(problem.ranks, "rank")
    return f"{algorithm} {problem.collective.name} of {blocks}{each} over {ranks}{placed}{root}"


def owners_of(problem: Problem) -> int:
    """Return how many owners the blocks in messages have."""
    return 1 if problem.collective in ROOTED else len(problem.owners) or problem.ranks


def rounds_beside_bound(schedule: Schedule) -> str:
    """Return the rounds beside the least possible."""
    rounds, problem = counted(schedule.rounds, "round"), schedule.problem
    least = least_possible(problem.blocks, owners_of(problem))
    alone = ", if each rank had a host to itself" if problem.hosts else ""
    return f"{rounds}; {least}{alone}: {schedule.lower_bound().rounds}"


def least_possible(blocks: int | None, owners: int) -> str:
    """Return what the least rounds are said to be for so many blocks, of any number if there is none."""
    if blocks == 1:
        return "the least possible"
    return f"the least possible with {'one block a message' if owners == 1 else A_MESSAGE}"


def blocks_beside_bound(schedule: Schedule, port_blocks: int, port: str) -> str:
    """Return the blocks through a port beside the least through the busiest, and what part of m they are."""
    problem, least = schedule.problem, schedule.lower_bound()
    whole = problem.blocks if problem.collective in _SCANS else problem.blocks * owners_of(problem)
    return (
        f"{counted(port_blocks, 'block')}, {_share(port_blocks, whole)} bytes, through {port};"
        f" in any schedule at least {least.port_blocks}, {_share(least.port_blocks, whole)}"
    )


def links_beside_bound(problem: Problem, hosts: Hosts, link_blocks: int) -> str | None:
    """Return the blocks through the busiest host's links beside the least; None where that is not known.

    What has one root passes between its host and each other whole; where blocks are of each rank, a host
    sends or receives those of all ranks but its own.
    """
    if hosts.count == 1 or problem.collective not in (Collective.broadcast, Collective.reduce, *OF_EACH_RANK):
        return None
    fewest = min(Counter(hosts.of_rank).values())
    least = problem.blocks * (1 if problem.collective in ROOTED else problem.ranks - fewest)
    links = "link" if hosts.links == 1 else "links together"
    through = f"through the busiest host's {links}"
    return f"{counted(link_blocks, 'block')} {through}; in any schedule at least {least}"


def _share(blocks: int, whole: int) -> str:
    """Return a number of blocks as a multiple of m, the whole."""
    return "m" if blocks == whole else f"{blocks / whole:.4g} m"
