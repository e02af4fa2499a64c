"""A schedule that a file holds, shown as one that a question asks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.hosts import hosts_of
from rota.show.question import Question

if TYPE_CHECKING:
    from rota import Schedule
    from rota.formats.read import Given
    from rota.hosts import Hosts


@dataclass(frozen=True)
class GivenQuestion(Question):
    """A question whose answer is there: how many ranks and blocks, the schedule itself says."""

    given: Given | None = None

    def __post_init__(self) -> None:
        """Check nothing: that was done when the file was read."""

    @property
    def has_two_trees(self) -> bool:
        """Whose trees they are, a file does not say."""
        return False

    @cached_property
    def hosts(self) -> Hosts | None:
        """The hosts, as the file has them; None: each rank has one to itself."""
        return hosts_of(self.with_blocks(1).problem)

    def with_blocks(self, blocks: int) -> Schedule:  # noqa: ARG002 - they are given
        """Return the schedule."""
        if self.given is None:
            raise RotaError("no schedule is given")
        return self.given.schedule


def given_question(given: Given, rank: int | None) -> GivenQuestion:
    """Return what is shown of a schedule: all ranks' steps, or one's."""
    problem = given.schedule.problem
    return GivenQuestion(
        given.name, problem.collective, problem.ranks, problem.root, rank, blocks=None, given=given
    )
