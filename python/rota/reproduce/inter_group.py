"""Kang, Agrawal, Choudhary, Liao: the panels of Figure 4, in the simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota.two_groups.question import FULL, RING, Question
from rota.two_groups.simulated import Outcome, simulated

if TYPE_CHECKING:
    from rota import Network

SIZES_BYTES: Final = tuple(32 * 1024 * 2**power for power in range(8))
"""32 KB to 4 MB, of each sender's data."""


@dataclass(frozen=True)
class Panel:
    """A panel of Figure 4, and the improvement that the text gives for 4 MB."""

    letter: str
    senders: int
    receivers: int
    topology: str
    printed: float

    @property
    def question(self) -> Question:
        """What its schedules solve."""
        return Question(self.senders, self.receivers, self.topology)

    @property
    def by_table(self) -> float:
        """The improvement in bytes by Tables I and II: 4 p over p; p + q - 1 over p + q / 2 on a ring."""
        p, q = self.senders, self.receivers
        return 4.0 if self.topology == FULL else (p + q - 1) / (p + q / 2)

    @property
    def title(self) -> str:
        """The title of the panel in the figure."""
        words = "fully connected" if self.topology == FULL else RING
        return f"{self.letter}: {self.senders}/{self.receivers}, {words}"


PANELS: Final = (
    Panel("a", 512, 512, FULL, 1.8),
    Panel("b", 256, 768, FULL, 2.0),
    Panel("c", 768, 256, FULL, 1.2),
    Panel("d", 128, 128, FULL, 5.3),
    Panel("e", 64, 192, FULL, 5.1),
    Panel("f", 192, 64, FULL, 4.4),
    Panel("g", 512, 512, RING, 1.7),
    Panel("h", 256, 768, RING, 1.9),
    Panel("i", 768, 256, RING, 1.8),
    Panel("j", 128, 128, RING, 1.9),
    Panel("k", 64, 192, RING, 1.9),
    Panel("l", 192, 64, RING, 1.4),
)

LAB_GROUPS: Final = ((8, 8), (4, 12), (12, 4))
"""The same ratios on the lab's 16 hosts."""


@dataclass(frozen=True)
class Point:
    """One size of a panel, in seconds."""

    size_bytes: int
    benchmark_s: float
    paper_s: float
    rota: Outcome

    @property
    def improvement(self) -> float:
        """What the paper calls so: the benchmark's time over that of the paper's algorithm."""
        return self.benchmark_s / self.paper_s


def point(panel: Panel, size_bytes: int, network: Network) -> Point:
    """Work out one size: the paper's algorithm as it is printed, and the best of Rota's beside it."""
    question = panel.question
    own = "two_stage" if panel.topology == FULL else RING
    paper = simulated(question, network, size_bytes, own, 1)
    return Point(
        size_bytes,
        benchmark_s(panel, size_bytes, network),
        paper.seconds,
        _best(question, network, size_bytes, paper),
    )


def benchmark_s(panel: Panel, size_bytes: int, network: Network) -> float:
    """Return what the schedule takes that the paper compares with.

    Fully connected, the root gathering of MPI libraries: all data to one sender, from there to one receiver,
    and a broadcast by a scatter and an allgather. On the ring an allgather of all ranks.
    """
    rival = "root" if panel.topology == FULL else "ring_of_all"
    return simulated(panel.question, network, size_bytes, rival, 1).seconds


def _best(question: Question, network: Network, size_bytes: int, paper: Outcome) -> Outcome:
    """Return the fastest as the cost model has it, played; the paper's where there is no other."""
    best = min(question.candidates(network, size_bytes), key=lambda one: one.seconds)
    if (best.algorithm, best.blocks) == (paper.algorithm, paper.blocks):
        return paper
    return min(
        (simulated(question, network, size_bytes, best.algorithm, best.blocks), paper),
        key=lambda outcome: outcome.seconds,
    )
