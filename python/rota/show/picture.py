"""A schedule as a picture, within what can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.drawing.render import Picture, PictureFormat, rendered
from rota.drawing.schedule import schedule_figure
from rota.drawing.trace import trace
from rota.errors import RotaError
from rota.show.words import (
    OF_EACH_RANK,
    blocks_beside_bound,
    links_beside_bound,
    rounds_beside_bound,
    title,
)
from rota.two_trees import trees_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rota import Schedule
    from rota.hosts import Hosts
    from rota.show.question import Question
    from rota.two_trees import Trees

MAX_RANKS: Final = 128
MAX_ROUNDS: Final = 128


def picture(question: Question, picture_format: PictureFormat, source: str = "") -> bytes:
    """Return the picture's file, with its source below it; raise RotaError where it could not be read."""
    _require_readable(question)
    schedule = question.schedule(1 if question.collective in OF_EACH_RANK else 2 * question.q + 1)
    if schedule.rounds > MAX_ROUNDS:
        raise RotaError(f"{schedule.rounds} rounds are too many for a picture: {_remedy(question)}")
    name = title(question.algorithm, schedule.problem, question.hosts)
    trees = trees_of(schedule.problem) if question.has_two_trees else None
    return rendered(Picture(drawn(schedule, name, question.hosts, trees), name), picture_format, source)


def drawn(schedule: Schedule, name: str, hosts: Hosts | None = None, trees: Trees | None = None) -> Figure:
    """Return the figure of a schedule of one round or more, under a title, with its effort."""
    played = trace(schedule, hosts)
    remarks = (
        rounds_beside_bound(schedule),
        blocks_beside_bound(schedule, schedule.effort().port_blocks, "the busiest port"),
        hosts and links_beside_bound(schedule.problem, hosts, played.link_blocks),
    )
    return schedule_figure(played, name, [f"{remark}." for remark in remarks if remark], trees)


def _require_readable(question: Question) -> None:
    if question.rank is not None:
        raise RotaError("a picture shows all ranks: leave out --rank, or --plot")
    if question.ranks == 1:
        raise RotaError("one rank sends nothing, so there is nothing to draw: choose --ranks from 2")
    if question.ranks > MAX_RANKS:
        raise RotaError(
            f"a picture of {question.ranks} ranks is too wide, {MAX_RANKS} are the most:"
            " use --rank R or --json"
        )


def _remedy(question: Question) -> str:
    """Return how many blocks would do: rounds grow with blocks."""
    most = next((n for n in range(MAX_ROUNDS, 0, -1) if question.with_blocks(n).rounds <= MAX_ROUNDS), None)
    return "choose fewer --ranks" if most is None else f"choose --blocks up to {most}"
