"""What ``rota simulate`` asks of the simulator, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rich.console import Console

from rota import (
    Candidate,
    InFlightSimulation,
    Network,
    Schedule,
    algorithms,
    candidates,
    least_seconds,
    schedule,
    simulate_in_flight,
    steps_to_simulate,
)
from rota import simulate as in_rounds
from rota.collectives import COLLECTIVES, needs_hosts, require_cut
from rota.commands.progress import progress
from rota.errors import RotaError
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rota import Simulation
    from rota.commands.in_flight import InFlight
    from rota.formats.read import Given

MAX_STEPS: Final = 10**10
MAX_STEPS_IN_FLIGHT: Final = 10**8
"""More than some minutes' work: --algorithm all leaves out what takes more."""


@dataclass(frozen=True)
class Question:
    """What is simulated: a collective over so many ranks of a network."""

    collective: str
    ranks: int
    network: Network
    in_order: bool
    algorithm: str
    blocks: int | None
    in_flight: InFlight | None = None
    block_rule: str | None = None
    """Paper 1's, as --blocks names it."""

    @property
    def max_steps(self) -> int:
        """Of a schedule that all is to play."""
        return MAX_STEPS_IN_FLIGHT if self.in_flight else MAX_STEPS

    def played(self, schedule: Schedule, size_bytes: int, on_round: Callable[[int], None]) -> Simulation:
        """Play a schedule."""
        if self.in_flight is None:
            return in_rounds(schedule, self.network, size_bytes, on_round=on_round)
        machines = self.in_flight.machines(self.network)
        return simulate_in_flight(
            schedule, machines, size_bytes, in_flight=self.in_flight.rounds, on_round=on_round
        )

    def steps(self, schedule: Schedule, size_bytes: int) -> float:
        """Return about how many steps, or blocks of a message, it takes to play a schedule."""
        if self.in_flight is None:
            return steps_to_simulate(schedule, size_bytes)
        return self.ranks * (schedule.rounds + schedule.lower_bound().port_blocks)

    def schedule(self, algorithm: str, blocks: int) -> Schedule:
        """Return an algorithm's schedule."""
        return schedule(
            COLLECTIVES[self.collective], algorithm, ranks=self.ranks, blocks=blocks, in_order=self.in_order
        )

    def candidates(self, size_bytes: int) -> list[Candidate]:
        """Return the algorithms that were asked for, with the blocks that suit them."""
        found = candidates(
            COLLECTIVES[self.collective],
            self.network,
            size_bytes,
            ranks=self.ranks,
            in_order=self.in_order,
            blocks=self.block_rule,
        )
        return [one for one in found if self.algorithm in ("all", one.algorithm)]

    def least_seconds(self, size_bytes: int) -> float:
        """Return the bound."""
        return least_seconds(COLLECTIVES[self.collective], self.network, size_bytes, ranks=self.ranks)


@dataclass(frozen=True)
class Outcome:
    """What came out for one size and algorithm; without seconds: it was left out, as too much work."""

    size_bytes: int
    algorithm: str
    blocks: int
    rounds: int
    least_rounds: int
    least_seconds: float
    seconds: float | None = None
    port_bytes: int | None = None
    drift: int | None = None
    unasked: int | None = None
    basis: str | None = None
    """Whose steps were asked for (rota.Simulation)."""

    @property
    def times_bound(self) -> float | None:
        """The simulated time over the bound."""
        return self.seconds / self.least_seconds if self.seconds and self.least_seconds else None


def require_known(question: Question) -> Question:
    """Return the question; raise RotaError if no algorithm, or not the one that is named, answers it."""
    collective = COLLECTIVES[question.collective]
    known = [name for name in algorithms(collective) if not needs_hosts(name, collective)]
    if question.algorithm in algorithms(collective) and question.algorithm not in known:
        raise RotaError(
            f"{question.algorithm!r} is for ranks that share hosts, and the simulator has no hosts:"
            f" choose all, {', '.join(known)}"
        )
    if question.algorithm not in ("all", *known):
        raise RotaError(
            f"unknown algorithm {question.algorithm!r} for {question.collective}:"
            f" choose all, {', '.join(known)}"
        )
    if not question.candidates(0):
        order = " in the order of ranks" if question.in_order else ""
        which = "no algorithm" if question.algorithm == "all" else f"{question.algorithm!r} is none that"
        raise RotaError(
            f"{which} solves {question.collective}{order} here: choose another collective or order"
        )
    return question


def outcomes_of(question: Question, sizes_bytes: Sequence[int]) -> list[Outcome]:
    """Simulate every size with every algorithm, and show how far that is; the fastest first."""
    notes = Console(stderr=True)
    outcomes = [
        _outcome(question, size, candidate, notes)
        for size in sizes_bytes
        for candidate in question.candidates(size)
    ]
    return sorted(outcomes, key=lambda one: (one.size_bytes, one.seconds is None, one.seconds))


def _outcome(question: Question, size_bytes: int, candidate: Candidate, notes: Console) -> Outcome:
    planned = question.schedule(candidate.algorithm, question.blocks or candidate.blocks)
    if question.algorithm != "all":
        require_cut(question.algorithm, question.blocks, planned.problem.blocks)
    facts = _facts(question, planned, candidate.algorithm, size_bytes)
    if question.algorithm == "all" and question.steps(planned, size_bytes) > question.max_steps:
        return facts
    what = f"{candidate.algorithm}, {format_size(size_bytes)}"
    with progress(notes, what, planned.rounds) as tell:
        simulation = question.played(planned, size_bytes, on_round=tell)
    outcome = replace(facts, seconds=simulation.seconds, port_bytes=simulation.port_bytes)
    if isinstance(simulation, InFlightSimulation):
        return replace(outcome, drift=simulation.drift, unasked=simulation.unasked)
    return replace(outcome, basis=simulation.basis)


def given_outcome(given: Given, question: Question, size_bytes: int) -> Outcome:
    """Simulate the schedule that a file holds."""
    simulation = in_rounds(given.schedule, question.network, size_bytes)
    facts = _facts(question, given.schedule, given.name, size_bytes)
    return replace(facts, seconds=simulation.seconds, port_bytes=simulation.port_bytes)


def _facts(question: Question, schedule: Schedule, name: str, size_bytes: int) -> Outcome:
    return Outcome(
        size_bytes,
        name,
        schedule.problem.blocks,
        schedule.rounds,
        schedule.lower_bound().rounds,
        question.least_seconds(size_bytes),
    )
