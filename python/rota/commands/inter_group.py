"""``rota show``, ``verify`` and ``simulate inter-group``: allgathers between two groups of ranks."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.commands.cores import on_all_cores
from rota.commands.network import Latency, Rate, network_of
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_json,
    write_picture,
)
from rota.commands.show import PerHost  # noqa: TC001 - typer reads the annotations
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.files import write_whole
from rota.ranges import parse_rank_range
from rota.two_groups.question import A_SHARE, FULL, NAMES, RING, TOPOLOGIES, Question
from rota.two_groups.simulated import Outcome, simulated
from rota.two_groups.words import as_json, effort, most_received, text
from rota.units import format_seconds, format_size, parse_size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rota import Network, Schedule

_MOST_SHOWN: Final = 10**6
_MOST_PLAYED: Final = 10**8
"""Ranks times senders times blocks: more takes minutes."""

Senders = Annotated[int, typer.Option(help="Ranks 0..p - 1 of the group that sends: p.")]
Receivers = Annotated[int, typer.Option(help="Ranks p..p + q - 1 of the group that receives: q.")]
Topology = Annotated[
    str, typer.Option(help=f"{' or '.join(TOPOLOGIES)}: may all ranks send to all, or neighbours only?")
]
AlgorithmName = Annotated[
    str | None, typer.Option("--algorithm", help=f"{', '.join(NAMES)}. Default: the first that solves it.")
]
Duplex = Annotated[bool, typer.Option("--duplex", help="The receivers have as much data for the senders.")]


def show(
    senders: Senders,
    receivers: Receivers,
    topology: Topology = FULL,
    algorithm: AlgorithmName = None,
    blocks: Annotated[int, typer.Option(min=1, help="Of each rank's data: n.")] = 1,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    per_host: PerHost = None,
    *,
    duplex: Duplex = False,
) -> None:
    """Show who gets whose data in which round, and the effort beside the least possible.

    As text, or as JSON (--json) or a picture of every round (--plot).

    With --topology ring and as many ranks as in the paper (Kang, Agrawal, Choudhary, Liao), the rounds of
    Figures 2 and 3: --senders 4 --receivers 6, and 6 and 4. Where ranks share hosts (--per-host), each byte
    enters a host once.
    """
    require_folders(plot, json_file)
    require_picture(plot)
    question = Question(senders, receivers, topology, duplex, per_host)
    name = question.chosen(algorithm)
    work = (senders + receivers) * max(senders, receivers) * blocks
    if work > _MOST_SHOWN:
        raise RotaError(f"{work} blocks in all are too many to show, {_MOST_SHOWN} the most: choose fewer")
    schedule = question.schedule(name, blocks)
    if plot:
        _draw(question, name, schedule, plot)
    if json_file:
        write_whole(json_file, as_json(question, name, schedule))
    if not (plot or json_file):
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        sys.stdout.write(text(question, name, schedule, width))


def _draw(question: Question, name: str, schedule: Schedule, plot: Path) -> None:
    from rota.drawing.inter_group import inter_group_figure, require_drawable  # noqa: PLC0415 - loads matplotlib

    require_drawable(schedule)
    title = question.title(name, schedule.problem.blocks)
    remark = " ".join(f"{line}." for line in effort(question, schedule).splitlines())
    figure = inter_group_figure(schedule, title, remark, on_ring=question.topology == RING)
    write_picture(plot, Picture(figure, title))


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
    blocks: Annotated[int, typer.Option(min=1, help="Of each rank's data: n.")] = 1,
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
    _require_playable(pairs, len(names) * blocks)
    found = {name: _Found() for name in names}
    for name, question, faults, schedule in _played(largest, pairs, names, blocks):
        placed = [f"{question.senders} -> {question.receivers}: {fault}" for fault in faults]
        for fault in placed:
            print_line(f"{name}, {fault}", json_file)
        _count_in(found[name], question, schedule, placed)
    print_table(_outcomes(topology, found), json_file)
    schedules = sum(one.schedules for one in found.values())
    count = sum(len(one.faults) for one in found.values())
    outcome = f"{count} faults" if count else "all correct"
    print_line(f"{schedules} schedules in {perf_counter() - start_s:.1f} s: {outcome}", json_file)
    if json_file:
        write_json(json_file, [{"algorithm": name, **asdict(one)} for name, one in found.items()])
    if count:
        raise typer.Exit(1)


def _require_playable(pairs: list[tuple[int, int]], times: int) -> None:
    work = times * sum((p + q) * max(p, q) for p, q in pairs)
    if work > _MOST_PLAYED:
        raise RotaError(
            f"{work} blocks to play are too many, {_MOST_PLAYED} the most:"
            " choose smaller ranges or --algorithm"
        )


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

    return on_all_cores(play, tasks, "playing schedules")


def _count_in(found: _Found, question: Question, schedule: Schedule, faults: list[str]) -> None:
    least = schedule.lower_bound().port_blocks
    found.schedules += 1
    found.faults += faults
    found.rounds_beyond = max(found.rounds_beyond, schedule.rounds - question.least_rounds(schedule))
    found.blocks_ratio = max(found.blocks_ratio, most_received(schedule) / least)


def _table_beside_bound(topology: str) -> Table:
    """Return a table without rows that says of what its bound is one."""
    caption = f"The bound: with {A_SHARE}." if topology == RING else None
    return Table(box=SIMPLE_HEAD, caption=caption, caption_justify="left")


def _outcomes(topology: str, found: dict[str, _Found]) -> Table:
    table = _table_beside_bound(topology)
    table.add_column("algorithm")
    for heading in ("schedules", "faults", "rounds beyond the bound", "blocks received / bound"):
        table.add_column(heading, justify="right")
    for name, one in found.items():
        table.add_row(
            name, str(one.schedules), str(len(one.faults)), str(one.rounds_beyond), f"{one.blocks_ratio:.2f}"
        )
    return table


def simulate_command(
    senders: Senders,
    receivers: Receivers,
    sizes: Annotated[
        str, typer.Option("--bytes", help="Of each rank's data, such as 1MiB; several with commas.")
    ],
    topology: Topology = FULL,
    algorithm: AlgorithmName = None,
    blocks: Annotated[
        int | None, typer.Option(min=1, help="Of each rank's data. Default: what suits the network.")
    ] = None,
    latency: Latency = None,
    rate: Rate = None,
    json_file: JsonFile = None,
    *,
    duplex: Duplex = False,
) -> None:
    """Simulate an allgather between two groups on one-ported, full-duplex ranks.

    A message of m bytes takes the latency and m bytes at the rate; each rank goes on when its own messages
    are done. The bound: the bytes of one whole group through the port of a rank of the other. On a ring: the
    least rounds of whole messages, each one rank's data, one after the other.
    """
    require_folders(json_file)
    question = Question(senders, receivers, topology, duplex)
    network = network_of(latency, rate)
    wanted = None if algorithm is None else question.chosen(algorithm)
    outcomes = [
        outcome
        for size in map(parse_size, sizes.split(","))
        for outcome in _of_size(question, network, size, wanted, blocks)
    ]
    print_table(_simulated(topology, outcomes), json_file)
    if json_file:
        listed = [{**asdict(one), "times_bound": one.times_bound} for one in outcomes]
        facts: dict[str, Any] = {**asdict(question), "latency_s": network.latency_s, "results": listed}
        write_json(json_file, facts)


def _of_size(
    question: Question, network: Network, size_bytes: int, wanted: str | None, blocks: int | None
) -> list[Outcome]:
    outcomes = []
    for one in question.candidates(network, size_bytes):
        count = blocks or one.blocks
        work = (question.senders + question.receivers) * max(question.senders, question.receivers) * count
        if wanted not in (None, one.algorithm):
            continue
        if work > _MOST_PLAYED:
            raise RotaError(f"{work} blocks to play are too many, {_MOST_PLAYED} the most: choose --blocks")
        outcomes.append(simulated(question, network, size_bytes, one.algorithm, count))
    return sorted(outcomes, key=lambda one: one.seconds)


def _simulated(topology: str, outcomes: list[Outcome]) -> Table:
    table = _table_beside_bound(topology)
    table.add_column("each has", justify="right")
    table.add_column("algorithm")
    for heading in ("blocks", "rounds", "least", "simulated", "bound", "x bound"):
        table.add_column(heading, justify="right")
    for i, one in enumerate(outcomes):
        if i and one.size_bytes != outcomes[i - 1].size_bytes:
            table.add_section()
        table.add_row(
            format_size(one.size_bytes),
            one.algorithm,
            str(one.blocks),
            str(one.rounds),
            str(one.least_rounds),
            format_seconds(one.seconds),
            format_seconds(one.least_seconds),
            f"{one.times_bound:.3f}",
        )
    return table
