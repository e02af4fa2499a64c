"""What an allgather between two groups takes in the simulator, beside the least that it can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota import simulate

if TYPE_CHECKING:
    from rota import Network
    from rota.two_groups.question import Question


@dataclass(frozen=True)
class Outcome:
    """What an algorithm takes for shares of one size."""

    size_bytes: int
    algorithm: str
    blocks: int
    rounds: int
    least_rounds: int
    seconds: float
    least_seconds: float

    @property
    def times_bound(self) -> float:
        """The simulated time over the bound."""
        return self.seconds / self.least_seconds if self.least_seconds else 1.0


def simulated(question: Question, network: Network, size_bytes: int, algorithm: str, blocks: int) -> Outcome:
    """Play one schedule in the simulator."""
    schedule = question.schedule(algorithm, blocks, size_bytes)
    return Outcome(
        size_bytes,
        algorithm,
        schedule.problem.blocks,
        schedule.rounds,
        question.least_rounds(schedule),
        simulate(schedule, network).seconds,
        question.least_seconds(schedule, network),
    )
