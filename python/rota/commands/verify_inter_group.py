"""``rota verify inter-group``: schedules between two groups of ranks, played for ranges of both."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from rota.commands.between_groups import (
    AlgorithmName,
    Blocks,
    Duplex,
    Topology,
    blocks_in_all,
    require_playable,
    table_beside_bound,
)
from rota.commands.cores import on_all_cores
from rota.commands.output import JsonFile, print_line, print_table, require_folders, write_json
from rota.commands.show import PerHost  # noqa: TC001 - typer reads the annotations
from rota.ranges import parse_rank_range
from rota.two_groups.question import FULL, Question
from rota.two_groups.words import most_received
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from rota import Schedule


@dataclass
class _Found:
    """What came of an algorithm's schedules."""

    schedules: int = 0
    faults: list[str] = field(default_factory=list)
    rounds_beyond: int = 0
    blocks_ratio: float = 0.0


def verify(
    senders: Annotated[str, typer.Option(help="Numbers of senders, such as 8 or 1..40.")] = "1..40",
    receivers: Annotated[str, typer.Option(help="Numbers of receivers, such as 8 or 1..40.")] = "1..40",
    topology: Topology = FULL,
    algorithm: AlgorithmName = None,
    blocks: Blocks = 1,
    per_host: PerHost = None,
    json_file: JsonFile = None,
    *,
    duplex: Duplex = False,
) -> None:
    """Play the schedules for all senders and receivers in two ranges, every algorithm that solves them.

    Every receiver must end with all data; no rank may send or receive two messages in a round, send what it
    does not have, or use a link that is not there; where ranks share hosts (--per-host), no host may send or
    receive two in a round. If anything is wrong, prints all of it and exits with status 1.
    """
    require_folders(json_file)
    start_s = perf_counter()
    pairs = [(p, q) for p in parse_rank_range(senders) for q in parse_rank_range(receivers)]
    largest = Question(max(p for p, _ in pairs), max(q for _, q in pairs), topology, duplex, per_host)
    names = largest.names if algorithm is None else (largest.chosen(algorithm),)
    work = len(names) * sum(blocks_in_all(p, q, blocks) for p, q in pairs)
    require_playable(work, "smaller ranges or --algorithm")
    found = {name: _Found() for name in names}
    for name, question, faults, schedule in _played(largest, pairs, names, blocks):
        placed = [f"{question.senders} -> {question.receivers}: {fault}" for fault in faults]
        for fault in placed:
            print_line(f"{name}, {fault}", json_file)
        _count_in(found[name], question, schedule, placed)
    print_table(_outcomes(topology, found), json_file)
    schedules = sum(one.schedules for one in found.values())
    count = sum(len(one.faults) for one in found.values())
    outcome = counted(count, "fault") if count else "all correct"
    print_line(f"{counted(schedules, 'schedule')} in {perf_counter() - start_s:.1f} s: {outcome}", json_file)
    if json_file:
        write_json(json_file, [{"algorithm": name, **asdict(one)} for name, one in found.items()])
    if count:
        raise typer.Exit(1)


def _played(
    largest: Question, pairs: list[tuple[int, int]], names: tuple[str, ...], blocks: int
) -> Iterator[tuple[str, Question, list[str], Schedule]]:
    tasks = [(name, largest.at(p, q)) for p, q in reversed(pairs) for name in names]

    def play(task: tuple[str, Question]) -> tuple[str, Question, list[str], Schedule]:
        name, question = task
        schedule = question.schedule(name, blocks)
        faults = [
            f"round {each.round}, rank {each.rank}: {each.fault}" for each in question.violations(schedule)
        ]
        return name, question, faults, schedule

    return on_all_cores(play, tasks, len(tasks), "playing schedules")


def _count_in(found: _Found, question: Question, schedule: Schedule, faults: list[str]) -> None:
    least = schedule.lower_bound().port_blocks
    found.schedules += 1
    found.faults += faults
    found.rounds_beyond = max(found.rounds_beyond, schedule.rounds - question.least_rounds(schedule))
    found.blocks_ratio = max(found.blocks_ratio, most_received(schedule) / least)


def _outcomes(topology: str, found: dict[str, _Found]) -> Table:
    table = table_beside_bound(topology)
    table.add_column("algorithm")
    for heading in ("schedules", "faults", "rounds beyond the bound", "blocks received / bound"):
        table.add_column(heading, justify="right")
    for name, one in found.items():
        table.add_row(
            name, str(one.schedules), str(len(one.faults)), str(one.rounds_beyond), f"{one.blocks_ratio:.2f}"
        )
    return table
