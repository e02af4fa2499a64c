"""``rota simulate inter-group``: allgathers between two groups of ranks, beside the bound."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rota.commands.between_groups import (
    AlgorithmName,
    Duplex,
    Receivers,
    Senders,
    Topology,
    blocks_in_all,
    require_playable,
    table_beside_bound,
)
from rota.commands.network import Latency, Rate, network_of
from rota.commands.output import JsonFile, print_table, require_folders, write_json
from rota.two_groups.question import FULL, Question
from rota.two_groups.simulated import Outcome, simulated
from rota.units import format_seconds, format_size, parse_size

if TYPE_CHECKING:
    from rich.table import Table

    from rota import Network


def simulate(
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
    print_table(_table(topology, outcomes), json_file)
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
        if wanted not in (None, one.algorithm):
            continue
        require_playable(blocks_in_all(question.senders, question.receivers, count), "--blocks")
        outcomes.append(simulated(question, network, size_bytes, one.algorithm, count))
    return sorted(outcomes, key=lambda one: one.seconds)


def _table(topology: str, outcomes: list[Outcome]) -> Table:
    table = table_beside_bound(topology)
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
