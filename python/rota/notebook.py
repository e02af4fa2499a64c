"""What notebooks show of Rota's objects: their pictures, where these can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota import Collective
from rota.collectives import COLLECTIVES
from rota.drawing import permutations
from rota.drawing.inter_group import inter_group_figure, require_drawable
from rota.drawing.plan import PLAN_TITLE, plan_figure
from rota.drawing.platform_picture import MOST_NODES, platform_figure, platform_title
from rota.drawing.render import Picture, rendered
from rota.errors import RotaError
from rota.hosts import Hosts
from rota.show.picture import MAX_RANKS, MAX_ROUNDS, drawn
from rota.show.words import rounds_beside_bound, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rota import AllToManyChoice, Schedule
    from rota.platforms import Platform
    from rota.steady.plan import Plan

_MOST_PIECES: Final = 4000
"""Of a period: more could not be told apart."""


def schedule_svg(schedule: Schedule) -> str | None:
    """Return the picture of a schedule; None where there is none, or none that could be read."""
    problem = schedule.problem
    hosts = Hosts(tuple(problem.hosts)) if problem.hosts else None
    name = title("", problem, hosts).strip()
    figure = _figure(schedule, name, hosts)
    return None if figure is None else _svg(figure, name)


def platform_svg(platform: Platform) -> str | None:
    """Return the picture of a platform; None where it could not be read."""
    if not platform.nodes or len(platform.nodes) > MOST_NODES:
        return None
    return _svg(platform_figure(platform), platform_title(platform))


def plan_svg(plan: Plan) -> str | None:
    """Return the picture of a plan: what flows where, and its period; None where it could not be read."""
    pieces = sum(len(matching.pieces) for matching in plan.matchings)
    return None if pieces > _MOST_PIECES else _svg(plan_figure(plan), PLAN_TITLE)


def choice_svg(choice: AllToManyChoice) -> str | None:
    """Return the picture of the schedule that was chosen; None where it could not be read."""
    figure = _exchange_figure(choice.schedule, choice.algorithm)
    return None if figure is None else _svg(figure, choice.algorithm)


def _figure(schedule: Schedule, name: str, hosts: Hosts | None) -> Figure | None:
    if schedule.problem.collective == Collective.all_to_many:
        return _exchange_figure(schedule, "all-to-many")
    if schedule.problem.collective in COLLECTIVES.values():
        is_readable = 1 < schedule.problem.ranks <= MAX_RANKS and 0 < schedule.rounds <= MAX_ROUNDS
        return drawn(schedule, name, hosts) if is_readable else None
    if not schedule.problem.shares:
        return None
    try:
        require_drawable(schedule)
    except RotaError:
        return None
    return inter_group_figure(schedule, name, rounds_beside_bound(schedule), on_ring=False)


def _exchange_figure(schedule: Schedule, name: str) -> Figure | None:
    if schedule.problem.ranks > permutations.MAX_RANKS:
        return None
    placed = permutations.placed_of(schedule)
    try:
        permutations.require_drawable(placed.pattern, [schedule])
    except RotaError:
        return None
    return permutations.permutations_figure(placed, {name: schedule})


def _svg(figure: Figure, name: str) -> str:
    return rendered(Picture(figure, name), "svg").decode()
