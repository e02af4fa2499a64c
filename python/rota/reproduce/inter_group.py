"""Kang, Agrawal, Choudhary, Liao: Tables I and II, Figures 1 to 3's steps and Figure 4, in the simulator."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from rota import Network
from rota.reproduce.beside import Part, Row, Verdict
from rota.two_groups.question import FULL, RING, Question
from rota.two_groups.simulated import Outcome, simulated
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAPER: Final = "Paper 3: Kang, Agrawal, Choudhary, Liao, allgather between two groups"

SIZES_BYTES: Final = tuple(32 * 1024 * 2**power for power in range(8))
"""32 KB to 4 MB, of each sender's data."""

PAPERS: Final = {FULL: "two_stage", RING: RING}
"""The schedule that is the paper's own, by topology."""

BENCHMARK: Final = {FULL: "root", RING: "ring_of_all"}
"""What it is compared with: fully connected, the root gathering of MPI libraries, all data to one sender,
then to one receiver, and a broadcast by a scatter and an allgather; on a ring an allgather of all ranks."""

_NEAR: Final = 0.05
"""How far what tends to a printed cost may lie from it."""
_SHARE: Final = 1 << 20


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

_GROUPS: Final = ((128, 128), (64, 192), (192, 64))
"""For which Tables I and II are worked out: the second configuration's."""


@dataclass(frozen=True)
class Cost:
    """A schedule's critical path: messages that start one after the other, and bytes in shares."""

    starts: float
    shares: float


def cost(question: Question, algorithm: str) -> Cost:
    """Play a schedule of whole shares with each of the model's two costs alone."""

    def seconds(network: Network) -> float:
        return simulated(question, network, _SHARE, algorithm, 1).seconds

    return Cost(seconds(Network(1.0, 0.0)), seconds(Network(0.0, 1 / _SHARE)))


def table_1() -> Part:
    """Return Table I for some groups."""
    rows = []
    for p, q in _GROUPS:
        question = Question(p, q)
        rows.append(_row_1("root gathering", question, "root", math.log2(p) + 2 * math.log2(q), 4 * p))
        rows.append(_row_1("proposed", question, PAPERS[FULL], math.log2(p), p))
    return Part(
        "Table I",
        "fully connected: starts and bytes, in t_s and k t_w",
        ("", "starts, printed", "here", "bytes, printed", "here"),
        tuple(rows),
        "root gathering log p + 2 log q and 4 p; proposed log p and p",
        (
            (
                "Printed for large p and q, without constant terms: the schedules have a start more, for the"
                " message between the groups, and for p < q those of the broadcasts to q / p receivers. A row"
                " holds where its bytes are at most 5 % off the printed ones."
            ),
        ),
    )


def _row_1(method: str, question: Question, algorithm: str, starts: float, shares: int) -> Row:
    ours = cost(question, algorithm)
    return Row(
        (
            f"{method}, p = {question.senders}, q = {question.receivers}",
            f"{starts:.1f}",
            f"{ours.starts:.0f}",
            f"{shares}",
            f"{ours.shares:.1f}",
        ),
        {
            "method": method,
            "senders": question.senders,
            "receivers": question.receivers,
            "printed_starts": starts,
            "printed_shares": shares,
            **asdict(ours),
        },
        Verdict.HOLDS if abs(ours.shares / shares - 1) <= _NEAR else Verdict.DIFFERS,
    )


def table_2() -> Part:
    """Return Table II for some groups."""
    rows = []
    for p, q in _GROUPS:
        for method, algorithm, printed in (
            ("allgather of all", BENCHMARK[RING], p + q - 1),
            ("proposed", PAPERS[RING], p + q // 2),
        ):
            ours = cost(Question(p, q, RING), algorithm)
            is_same = ours == Cost(printed, printed)
            rows.append(
                Row(
                    (f"{method}, p = {p}, q = {q}", f"{printed}", f"{ours.starts:.0f}, {ours.shares:.0f}"),
                    {"method": method, "senders": p, "receivers": q, "printed": printed, **asdict(ours)},
                    Verdict.SAME if is_same else Verdict.DIFFERS,
                )
            )
    return Part(
        "Table II",
        "ring: the factor of t_s and of k t_w",
        ("", "printed", "here, starts and bytes"),
        tuple(rows),
        "p + q - 1 and p + q / 2, at least p + q / 2 - 1",
        ("The text's 1.5 for p = q is the table's for 2 p = q; for p = q its factors have the ratio 1.33.",),
    )


@dataclass(frozen=True)
class _Example:
    """An example that is drawn, and its steps: printed for the ring, by Section III's costs elsewhere."""

    number: str
    question: Question
    steps: int
    source: str


_EXAMPLES: Final = (
    _Example("Figure 1 a, b", Question(6, 2), 1 + 3, "1 + log p"),
    _Example("Figure 1 c, d", Question(2, 6), 1 + 2 * 2, "log p + 2 log(q / p + 1)"),
    _Example("Figure 2", Question(4, 6, RING), 7, "its caption"),
    _Example("Figure 3", Question(6, 4, RING), 8, "its caption"),
)


def examples() -> Part:
    """Return the steps of what Figures 1 to 3 draw."""
    rows = []
    for each in _EXAMPLES:
        p, q = each.question.senders, each.question.receivers
        found = cost(each.question, PAPERS[each.question.topology]).starts
        rows.append(
            Row(
                (f"{each.number}: p = {p}, q = {q}", f"{each.steps}, by {each.source}", f"{found:.0f}"),
                {"figure": each.number, "senders": p, "receivers": q, "printed": each.steps, "steps": found},
                Verdict.SAME if found == each.steps else Verdict.DIFFERS,
            )
        )
    return Part(
        "Figures 1 to 3",
        "examples: steps",
        ("", "printed", "here"),
        tuple(rows),
        notes=(
            (
                "The drawings are lost in the text: `rota show inter-group --senders 4 --receivers 6"
                " --topology ring` shows ours, message by message."
            ),
        ),
    )


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
    paper = simulated(question, network, size_bytes, PAPERS[panel.topology], 1)
    return Point(
        size_bytes,
        benchmark_s(panel, size_bytes, network),
        paper.seconds,
        _best(question, network, size_bytes, paper),
    )


def benchmark_s(panel: Panel, size_bytes: int, network: Network) -> float:
    """Return what the schedule takes that the paper compares with."""
    return simulated(panel.question, network, size_bytes, BENCHMARK[panel.topology], 1).seconds


def _best(question: Question, network: Network, size_bytes: int, paper: Outcome) -> Outcome:
    """Return the fastest as the cost model has it, played; the paper's where there is no other."""
    best = min(question.candidates(network, size_bytes), key=lambda one: one.seconds)
    if (best.algorithm, best.blocks) == (paper.algorithm, paper.blocks):
        return paper
    return min(
        (simulated(question, network, size_bytes, best.algorithm, best.blocks), paper),
        key=lambda outcome: outcome.seconds,
    )


def figure_4(panels: Mapping[Panel, Sequence[Point]], network: Network) -> Part:
    """Return the panels, of their largest size."""
    size = format_size(next(iter(panels.values()))[-1].size_bytes)
    rate = f"{1e-9 / network.seconds_per_byte:.0f} GB/s"
    return Part(
        "Figure 4",
        f"{size} of each sender, simulated",
        (
            "",
            "benchmark",
            "paper",
            "printed",
            "improvement",
            "by table",
            "Rota",
            "schedule",
            "x bound",
        ),
        tuple(_row_4(panel, points) for panel, points in panels.items()),
        "the improvement over the benchmark, measured on a Cray XC40; a to c and g to i have 8 ranks a node",
        (
            (
                f"Ranks on links of {rate}, {format_seconds(network.latency_s)} a message, none sharing a"
                f" node. A row"
                " holds where the improvement is within 5 % of what Tables I and II make of it: the printed"
                " ones are another machine's."
            ),
            (
                "Rota: the best schedule; x bound: its time over the least possible, on a ring that of whole"
                " messages, each one rank's data."
            ),
        ),
    )


def _row_4(panel: Panel, points: Sequence[Point]) -> Row:
    last = points[-1]
    holds = abs(last.improvement / panel.by_table - 1) <= _NEAR
    return Row(
        (
            panel.title,
            format_seconds(last.benchmark_s),
            format_seconds(last.paper_s),
            f"{panel.printed:.1f}",
            f"{last.improvement:.2f}",
            f"{panel.by_table:.2f}",
            format_seconds(last.rota.seconds),
            f"{last.rota.algorithm}, n = {last.rota.blocks}",
            f"{last.rota.times_bound:.3f}",
        ),
        {**asdict(panel), "points": [asdict(each) for each in points]},
        Verdict.HOLDS if holds else Verdict.DIFFERS,
    )
