"""``rota simulate``: what schedules take on a network, beside the bound, for any number of ranks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.collectives import COLLECTIVES, word_of
from rota.commands import in_flight as options
from rota.commands.asked import require_only
from rota.commands.blocks import block_rule_of, number_of_blocks
from rota.commands.completion import among
from rota.commands.network import Combine, Latency, Rate, network_of
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
from rota.commands.refuted import tell_if_refuted
from rota.commands.simulate_answers import as_json, basis_lines, bound, curves, table_of, title_of
from rota.commands.simulate_plan import print_plan
from rota.commands.simulated import Question, given_outcome, outcomes_of, require_known
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.formats.read import Given, names_file, read_schedule_or_plan
from rota.units import format_size, parse_size
from rota.vocabulary import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota import Network
    from rota.commands.simulated import Outcome

MAX_RANKS: Final = 2**31 - 1
_SMALLEST_DRAWN: Final = 64
_OF_SCHEDULES: Final = {"collective", "sizes", "latency", "rate", "seconds_per_byte", "combine", "json_file"}
"""What may be asked of the schedule in a file."""

CollectiveName = Annotated[
    str,
    typer.Argument(
        help=f"The collective: {', '.join(COLLECTIVES)}; or a file: a plan, or a schedule.",
        autocompletion=among(*COLLECTIVES, "inter-group", "hosts"),
    ),
]
Ranks = Annotated[int | None, typer.Option(min=1, max=MAX_RANKS, help="How many ranks there are.")]
Sizes = Annotated[
    str | None,
    typer.Option("--bytes", help="The bytes of the data: 64MiB, or several sizes separated by commas."),
]
Units = Annotated[
    str | None, typer.Option(help="A plan: for how many time units it is carried out. Default: 100 periods.")
]
AlgorithmName = Annotated[str, typer.Option(help="One algorithm, or all.")]
Blocks = Annotated[
    str | None,
    typer.Option(
        help="Blocks of each owner's data; or paper, for the circulant schedules' by the rules of paper 1, or"
        " paper:F=70,G=40. Default: the model's best number. What sends data whole has one.",
    ),
]
SecondsPerByte = Annotated[
    float | None, typer.Option(min=0, help="The same as seconds for each byte, in place of --rate.")
]
InOrder = Annotated[
    bool, typer.Option("--in-order", help="Combine in the order of ranks: the operator does not commute.")
]


def simulate(
    context: typer.Context,
    collective: CollectiveName,
    *,
    ranks: Ranks = None,
    sizes: Sizes = None,
    units: Units = None,
    algorithm: AlgorithmName = "all",
    blocks: Blocks = None,
    latency: Latency = None,
    rate: Rate = None,
    seconds_per_byte: SecondsPerByte = None,
    combine: Combine = None,
    in_order: InOrder = False,
    in_flight: options.Rounds = None,
    overhead: options.Overhead = None,
    rendezvous_from: options.RendezvousFrom = None,
    handshake: options.Handshake = None,
    pause: options.Pause = None,
    pause_every: options.PauseEvery = None,
    seed: options.Seed = None,
    wait: options.WaitFor = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Simulate a collective on one-ported, full-duplex ranks, each going on when its own messages are done.

    A message of m bytes takes the latency and m bytes at the rate. Sizes are those of one rank's data in
    bcast, reduce, scan and exscan, of all shares together in allgather and reduce-scatter, and of the vector
    in allreduce. --plot draws times over sizes; with one size, from 64 B up to it.

    With --in-flight it is played as Rota's executor does it, and the drift is printed: the most rounds that
    one rank was ahead of another when they shared a message, and the most messages from one rank at another
    that had not asked for them. Neither is ever more than the rounds in flight.

    A plan that rota plan has written takes --units, and --json, in place of all this. It is carried out on
    its platform from the start, each node going on with its next matching when its own messages and tasks are
    done; and by SimGrid, where that was installed before Rota. All throughputs are printed beside the
    predicted one.
    """
    network = network_of(latency, rate, combine, seconds_per_byte)
    if names_file(collective):
        _simulate_file(context, Path(collective), units, sizes, network, json_file)
        return
    if units is not None:
        raise RotaError("--units are of a plan: name its file in place of the collective")
    if ranks is None or sizes is None:
        raise RotaError(
            f"how large is the {collective}: give --ranks and --bytes, such as --ranks 16 --bytes 64MiB"
        )
    require_folders(json_file, plot)
    require_picture(plot)
    windows = options.in_flight(
        in_flight, overhead, rendezvous_from, handshake, pause, pause_every, seed, wait
    )
    question = require_known(
        Question(
            word_of(collective),
            ranks,
            network,
            in_order,
            joined(algorithm),
            number_of_blocks(blocks),
            windows,
            block_rule_of(blocks),
        )
    )
    outcomes = outcomes_of(question, _sizes(sizes, sweep=plot is not None))
    _answer(question, outcomes, json_file)
    if plot:
        from rota.drawing.simulation import picture  # noqa: PLC0415 - loads matplotlib

        title = f"Simulated: {title_of(question)}"
        write_picture(plot, Picture(picture(title, curves(outcomes), bound(outcomes)), title))


def _simulate_file(
    context: typer.Context,
    file: Path,
    units: str | None,
    sizes: str | None,
    network: Network,
    json_file: Path | None,
) -> None:
    """Simulate what a file holds: a plan or a schedule, each with what may be asked of it."""
    given = read_schedule_or_plan(file)
    if isinstance(given, str):
        require_only(context, ("collective", "units", "json_file"), f"{file} is a plan")
        print_plan(file, given, units, json_file)
    else:
        require_only(context, _OF_SCHEDULES, f"{file} says what it is of")
        _simulate_schedule(file, given, sizes, network, json_file)


def _simulate_schedule(
    file: Path, given: Given, sizes: str | None, network: Network, json_file: Path | None
) -> None:
    """Simulate the schedule that a file holds, and print what it takes beside the bound."""
    require_folders(json_file)
    if sizes is None:
        raise RotaError(f"how large is the data of {given.name}: give --bytes, such as --bytes 64MiB")
    tell_if_refuted(file, given.schedule)
    problem = given.schedule.problem
    word = next((word for word, each in COLLECTIVES.items() if each == problem.collective), "")
    question = Question(word, problem.ranks, network, in_order=False, algorithm=given.name, blocks=None)
    outcomes = [given_outcome(given, question, size) for size in _sizes(sizes, sweep=False)]
    _answer(question, outcomes, json_file)


def _answer(question: Question, outcomes: Sequence[Outcome], json_file: Path | None) -> None:
    print_table(table_of(question, outcomes), json_file)
    for line in basis_lines(outcomes):
        print_line(line, json_file)
    if json_file:
        write_json(json_file, as_json(question, outcomes))


def _sizes(text: str, *, sweep: bool) -> list[int]:
    sizes = [parse_size(size) for size in text.split(",")]
    twice = next((size for i, size in enumerate(sizes) if size in sizes[:i]), None)
    if twice is not None:
        raise RotaError(f"--bytes names {format_size(twice)} twice: name each size once")
    if not sweep or len(sizes) > 1:
        return sizes
    smaller = [4**k * _SMALLEST_DRAWN for k in range(26) if 4**k * _SMALLEST_DRAWN < sizes[0]]
    return [*smaller, sizes[0]]
