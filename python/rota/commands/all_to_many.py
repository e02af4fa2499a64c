"""``rota all-to-many``: schedules for who sends how many bytes to whom, beside the least that is possible."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.table import Table

from rota import (
    Pattern,
    Schedule,
    all_to_many,
    all_to_many_algorithms,
    best_all_to_many,
    length_bytes,
    parcels,
    unsynchronised_bytes,
    verify,
)
from rota._core import Network
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_picture,
)
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole
from rota.hosts import in_a_row
from rota.patterns import generated, read_pattern, write_pattern
from rota.patterns.generate import GENERATORS
from rota.patterns.placed import Placed
from rota.patterns.read import with_equal_messages
from rota.show.question import MAX_LANES
from rota.units import format_seconds, format_size, parse_size
from rota.vocabulary import counted, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_VERIFIED_MESSAGES: Final = 600_000
"""Larger schedules are verified only if it is asked for: that takes longer than making them."""

_BEST: Final = "best"


@dataclass(frozen=True)
class Outcome:
    """A schedule and what it takes."""

    algorithm: str
    schedule: Schedule
    seconds: float
    """For working out the schedule."""

    note: str = ""

    @property
    def permutations(self) -> int | None:
        """How many there are; None where nothing is scheduled."""
        return None if self.algorithm == "ac" else self.schedule.rounds


def all_to_many_command(
    pattern_file: Annotated[
        Path | None,
        typer.Argument(help="A matrix in a .csv, .npz or .mtx file: row i, column j, bytes from i to j."),
    ] = None,
    algorithm: Annotated[
        str, typer.Option(help="ac, lp, gm, cgm, exact, weighted, unsplit, best (with --alpha), or all.")
    ] = "all",
    seed: Annotated[
        int,
        typer.Option(min=0, max=2**64 - 1, help="Of what is random; the same seed gives the same schedule."),
    ] = 0,
    message_bytes: Annotated[
        str | None,
        typer.Option(
            "--bytes", help="The matrix has zeros and ones: the size of every message, such as 64KiB."
        ),
    ] = None,
    generate: Annotated[
        str | None, typer.Option(help=f"Make a pattern: {', '.join(GENERATORS)}, such as figure7:n=64,d=8.")
    ] = None,
    alpha: Annotated[
        str | None,
        typer.Option(help="How many bytes the start of a message is worth; then 'best' chooses by it."),
    ] = None,
    per_host: Annotated[
        int | None,
        typer.Option(min=1, help="So many ranks share each host, in a row: then ports are those of hosts."),
    ] = None,
    links: Annotated[
        int,
        typer.Option(min=1, max=MAX_LANES, help="Each host has so many links; needs --per-host."),
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the pattern to this .csv, .npz or .mtx file; - is standard output, in CSV.",
        ),
    ] = None,
    plot: PlotFile = None,
    json_file: JsonFile = None,
) -> None:
    """Schedule all-to-many communication as partial permutations, and verify the schedules.

    Prints for every algorithm its permutations beside the least number that there can be, D, the most
    messages that one rank sends or receives; and its length beside the most bytes that one rank sends or
    receives. "length" is that of all permutations one after the other, each as long as its longest message;
    "no barriers" is what is left of it, over the same bound, if a message starts as soon as both its ports
    are free; where nothing is cut into permutations (ac, unsplit) both are the same. What a rank has for
    itself is not sent and does not count. With --per-host, algorithms schedule hosts, and ports are theirs:
    what stays within a host passes none. With --links, weighted schedules have so many messages at a time to
    and from each host, and are as long as the busiest host or rank must be.
    """
    names = _names(algorithm, alpha)
    if links > 1 and per_host is None:
        raise RotaError("--links are of hosts that ranks share: give --per-host N")
    require_folders(output, plot, json_file)
    if output == json_file == STANDARD_OUTPUT:
        raise RotaError("--output - and --json - would be mixed: name a file for one of them")
    require_picture(plot)
    pattern = _pattern(pattern_file, generate, message_bytes, seed)
    if output:
        write_pattern(pattern, output)
    hosts = () if per_host is None else in_a_row(pattern.ranks, per_host).of_rank
    placed = Placed(pattern, hosts, links)
    outcomes = [_scheduled(placed, name, seed, alpha) for name in names]
    faults = [fault for outcome in outcomes for fault in _faults(outcome)]
    aside = output if output == STANDARD_OUTPUT else json_file
    for fault in faults:
        print_line(fault, aside)
    print_line(_head(pattern), aside)
    print_table(_table(placed, outcomes), aside)
    for outcome in outcomes:
        if outcome.note:
            print_line(outcome.note, aside)
    if json_file:
        write_whole(json_file, json.dumps(_listed(placed, outcomes)) + "\n")
    if plot:
        _draw(placed, outcomes, plot)
    if faults:
        raise typer.Exit(1)


def _names(text: str, alpha: str | None) -> list[str]:
    algorithm, names = joined(text), all_to_many_algorithms()
    if algorithm == "all":
        return [*names, *([_BEST] if alpha else [])]
    if algorithm == _BEST and alpha is None:
        raise RotaError("best is chosen by what a start costs: give --alpha, such as --alpha 4KiB")
    if algorithm not in (*names, _BEST):
        raise RotaError(f"unknown algorithm {text!r}: choose {', '.join(names)}, {_BEST} or all")
    return [algorithm]


def _pattern(file: Path | None, generate: str | None, message_bytes: str | None, seed: int) -> Pattern:
    size = None if message_bytes is None else parse_size(message_bytes)
    if size == 0:
        raise RotaError("--bytes 0 would leave no message: give the size of every message, such as 64KiB")
    if (file is None) == (generate is None):
        raise RotaError(
            "give either a file with a pattern or --generate, such as --generate figure7:n=64,d=8"
        )
    if file is not None:
        return read_pattern(file, size)
    pattern = generated(generate or "", seed)
    return pattern if size is None else with_equal_messages(pattern, size)


def _scheduled(placed: Placed, name: str, seed: int, alpha: str | None) -> Outcome:
    start_s = perf_counter()
    if name != _BEST:
        schedule = all_to_many(placed.pattern, name, seed=seed, hosts=placed.hosts, links=placed.links)
        return Outcome(name, schedule, perf_counter() - start_s)
    network = Network(float(parse_size(alpha or "0")), 1.0)
    choice = best_all_to_many(placed.pattern, network, seed=seed, hosts=placed.hosts, links=placed.links)
    pieces = f", pieces of {format_size(choice.grain_bytes)}," if choice.grain_bytes > 1 else ""
    ratio = choice.seconds / choice.least_seconds if choice.least_seconds else 1.0
    note = f"best at {alpha} a start: {choice.algorithm}{pieces} {ratio:.3f} x least with starts counted"
    return Outcome(_BEST, choice.schedule, perf_counter() - start_s, note)


def _faults(outcome: Outcome) -> Iterator[str]:
    if len(parcels(outcome.schedule)) > MAX_VERIFIED_MESSAGES:
        return
    for violation in verify(outcome.schedule):
        yield f"{outcome.algorithm}, round {violation.round}, rank {violation.rank}: {violation.fault}"


def _head(pattern: Pattern) -> str:
    local = f"; {pattern.local_bytes} more are for their own rank" if pattern.local_bytes else ""
    ranks, messages = counted(pattern.ranks, "rank"), counted(len(pattern), "message")
    return f"{ranks}, {messages}, {pattern.total_bytes} bytes{local}"


def _table(placed: Placed, outcomes: list[Outcome]) -> Table:
    table = Table()
    table.add_column("algorithm", no_wrap=True)
    for heading in ("permutations", "length, bytes", "x least", "no barriers", "took"):
        table.add_column(heading, justify="right", no_wrap=True)
    for outcome in outcomes:
        length = length_bytes(outcome.schedule)
        table.add_row(
            outcome.algorithm,
            "-" if outcome.permutations is None else str(outcome.permutations),
            str(length),
            _ratio(length, placed),
            _ratio(unsynchronised_bytes(outcome.schedule), placed),
            format_seconds(outcome.seconds),
        )
    table.add_section()
    table.add_row("the least", str(placed.least_permutations), str(placed.port_bytes), "1.000", "1.000")
    return table


def _ratio(length: int, placed: Placed) -> str:
    return f"{length / placed.port_bytes:.3f}" if placed.port_bytes else "1.000"


def _listed(placed: Placed, outcomes: list[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            "algorithm": outcome.algorithm,
            "permutations": outcome.permutations,
            "bound_permutations": placed.least_permutations,
            "length_bytes": length_bytes(outcome.schedule),
            "bound_bytes": placed.port_bytes,
            "unsynchronised_bytes": unsynchronised_bytes(outcome.schedule),
            "seconds": outcome.seconds,
            "schedule": _permutations(outcome.schedule),
        }
        for outcome in outcomes
    ]


def _permutations(schedule: Schedule) -> list[list[dict[str, int]]]:
    """Return the messages of each round."""
    rounds: list[list[dict[str, int]]] = [[] for _ in range(schedule.rounds)]
    for number, sender, receiver, offset, size in parcels(schedule).tolist():
        rounds[number].append({"from": sender, "to": receiver, "offset": offset, "bytes": size})
    return rounds


def _draw(placed: Placed, outcomes: list[Outcome], plot: Path) -> None:
    from rota.drawing.permutations import permutations_figure, require_drawable  # noqa: PLC0415 - loads pyplot's parts

    require_drawable(placed.pattern, [outcome.schedule for outcome in outcomes])
    figure = permutations_figure(placed, {outcome.algorithm: outcome.schedule for outcome in outcomes})
    write_picture(plot, Picture(figure, f"all-to-many of {counted(placed.pattern.ranks, 'rank')}"))
