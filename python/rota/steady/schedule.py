"""A plan as a schedule in the project's sense, which the verifier plays from an empty platform to one."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Final

from rota import verify
from rota._core import periodic
from rota.errors import RotaError
from rota.steady.timetable import MOST_BLOCKS, timetable_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from rota import Schedule, Violation
    from rota.steady.plan import Plan

_MOST_TIME: Final = 1 << 62


def schedule_of(plan: Plan, periods: int) -> Schedule:
    """Return the schedule in which operations begin in so many periods, and all are over at its end.

    Ranks are the platform's nodes in order; a round is a matching. Raises RotaError where too many blocks are
    on their way.
    """
    table = timetable_of(plan)
    if len(table.widths) * periods * len(plan.rates) > MOST_BLOCKS:
        raise RotaError("a schedule of too many pieces: plan with a shorter period, with --period")
    rate_unit = _unit(each.time for each in table.transfers)
    lengths = [matching.length * table.unit * rate_unit for matching in plan.matchings]
    unit = _unit(lengths)
    if max(lengths) * unit >= _MOST_TIME:
        raise RotaError("a schedule with times of too many digits: plan with another period, with --period")
    return periodic(
        ranks=table.ranks,
        widths=table.widths,
        periods=periods,
        origins=table.origins,
        deliveries=table.deliveries,
        matching_lengths=[int(length * unit) for length in lengths],
        transfers=[(*each[:-1], int(each.time * rate_unit * unit)) for each in table.transfers],
        tasks=table.tasks,
    )


def violations_of(plan: Plan, periods: int) -> list[Violation]:
    """Return what the verifier finds wrong with the plan over so many periods: nothing, for a right one.

    Raises RotaError as `schedule_of` does. Whether anything could do more is not asked here: `certify` does.
    """
    rank = {node.name: number for number, node in enumerate(plan.platform.nodes)}
    links = [(rank[link.source], rank[link.target]) for link in plan.platform.links]
    return verify(schedule_of(plan, periods), links)


def _unit(values: Iterable[Fraction]) -> int:
    return lcm(*(value.denominator for value in values))
