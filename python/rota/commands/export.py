"""``rota export``: a schedule for others' programs: MSCCL's XML, GOAL for LogGOPSim, a trace for Perfetto."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota.collectives import (
    ALGORITHMS,
    algorithm_called,
    collective_called,
    collectives_of,
    require_solves,
)
from rota.commands.asked import require_only
from rota.commands.completion import among
from rota.commands.network import Combine, Latency, Rate, network_of
from rota.commands.output import require_folders
from rota.commands.refuted import tell_if_refuted
from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole
from rota.formats.chrome_trace import trace_of
from rota.formats.goal import goal_of
from rota.formats.msccl_write import msccl_of
from rota.formats.read import Given, names_file, read_schedule
from rota.show.question import Question
from rota.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota import Network

FORMS: Final = {"msccl": ".xml", "goal": ".goal", "trace": ".json"}
"""What each form's file ends in, where it has an ending of its own."""
_MOST_STEPS: Final = 10**7
"""More take too long to write, and nobody replays them."""
_PICTURES: Final = (".svg", ".png", ".pdf", ".gif", ".jpg", ".jpeg", ".webp", ".eps")
"""What no form's file ends in: who names one of these wants rota show."""
_OF_FILES: Final = {"source", "form", "size", "latency", "rate", "combine", "output"}
"""What may be asked beside the schedule in a file."""

Source = Annotated[
    str,
    typer.Argument(
        help=f"The algorithm, {', '.join(ALGORITHMS)}, or a file with a schedule: .json or .xml.",
        autocompletion=among(*ALGORITHMS),
    ),
]
Form = Annotated[
    str,
    typer.Option(
        "--form",
        help="msccl: XML for MSCCL; goal: text for LogGOPSim; trace: JSON for Perfetto and chrome://tracing.",
        autocompletion=among(*FORMS),
    ),
]
Ranks = Annotated[int | None, typer.Option(help="How many ranks there are; not with a file.")]
CollectiveName = Annotated[
    str | None, typer.Option("--collective", help="Default: the first that the algorithm is for.")
]
Size = Annotated[
    str, typer.Option("--bytes", help="The data that the times and messages are of; not for msccl.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write; - is standard output.")]


def export(
    context: typer.Context,
    source: Source,
    *,
    form: Form,
    ranks: Ranks = None,
    collective: CollectiveName = None,
    root: Annotated[int, typer.Option(help="The root of a broadcast or reduce.")] = 0,
    blocks: Annotated[int, typer.Option(help="How many blocks there are, of each owner.")] = 1,
    per_host: Annotated[int | None, typer.Option(help="How many ranks share each host, in a row.")] = None,
    lanes: Annotated[int | None, typer.Option(help="How many links each host has. Default: 1.")] = None,
    size: Size = "1MiB",
    latency: Latency = None,
    rate: Rate = None,
    combine: Combine = None,
    output: Output = STANDARD_OUTPUT,
) -> None:
    """Write a schedule in a form that other programs read.

    msccl: allreduce, allgather, reduce-scatter, broadcast and reduce, in place, without rounds: steps wait
    for what they need, and who reads them back finds other rounds, often more. goal: sends, receives and
    calculations, each round after the one before; --bytes says how much data, --combine how fast it is
    combined. trace: what every port does when the schedule is simulated, as rota simulate does it, with
    --latency and --rate.
    """
    if form not in FORMS:
        raise RotaError(f"unknown form {form!r}: choose {', '.join(FORMS)}")
    _require_ending(output, form)
    require_folders(None if output == STANDARD_OUTPUT else output)
    if names_file(source):
        require_only(context, _OF_FILES, f"{source} says what it is of")
        given = read_schedule(Path(source))
        tell_if_refuted(Path(source), given.schedule)
    else:
        given = _generated(source, ranks, collective, root, blocks, per_host, lanes)
    work = given.schedule.problem.ranks * (given.schedule.rounds + given.schedule.lower_bound().port_blocks)
    if work > _MOST_STEPS:
        raise RotaError(
            f"{work} steps and blocks are too many to write, {_MOST_STEPS} are the most: choose fewer"
        )
    network = network_of(latency, rate, combine)
    write_whole(output, _written(form, given, network, parse_size(size)))


def _require_ending(output: Path, form: str) -> None:
    """Raise RotaError if the file's name ends as that of something else."""
    ending = output.suffix.lower()
    if ending in _PICTURES:
        raise RotaError(f"{output} would be no picture: name another file, or draw it with rota show --plot")
    if ending != FORMS[form] and ending in FORMS.values():
        raise RotaError(f"{output} would not hold what such files do: name a file that ends in {FORMS[form]}")


def _generated(
    text: str,
    ranks: int | None,
    collective: str | None,
    root: int,
    blocks: int,
    per_host: int | None,
    lanes: int | None,
) -> Given:
    if ranks is None:
        raise RotaError("over how many ranks: give --ranks")
    algorithm = algorithm_called(text)
    solved = collectives_of(algorithm)
    asked = collective_called(collective) if collective else solved[0]
    require_solves(algorithm, asked)
    question = Question(algorithm, asked, ranks, root, None, blocks, per_host, lanes)
    return Given(algorithm, question.with_blocks(blocks))


def _written(form: str, given: Given, network: Network, size_bytes: int) -> Iterator[str]:
    if form == "msccl":
        return msccl_of(given.schedule, given.name)
    if form == "goal":
        return goal_of(given.schedule, network, size_bytes)
    return trace_of(given.schedule, network, size_bytes, given.name)
