"""``rota simulate``: what schedules take on a network, beside the bound, for any number of ranks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

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
from rota.collectives import A_MESSAGE, COLLECTIVES, needs_hosts, require_cut, word_of
from rota.commands import in_flight as options
from rota.commands.blocks import block_rule_of, number_of_blocks
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
from rota.commands.simulate_plan import print_plan
from rota.drawing.curve import Curve
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.formats.read import Given, names_file, read_schedule_or_text
from rota.units import format_rate, format_seconds, format_size, parse_size
from rota.vocabulary import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rota import Simulation

MAX_RANKS: Final = 2**31 - 1
MAX_STEPS: Final = 10**10
MAX_STEPS_IN_FLIGHT: Final = 10**8
"""More than some minutes' work: --algorithm all leaves out what takes more."""

_SMALLEST_DRAWN: Final = 64
_BOUND: Final = (
    "The bound, for any number of blocks: ceil(log2 p) latencies, or the bytes that must pass one port at the"
    " network's rate, whichever is more. Combining is not counted in it. The least rounds: in so many blocks,"
    f" with {A_MESSAGE}."
)


_BASES: Final = {
    "one_for_all": "by symmetry: rank 0's steps, r ranks further on, are rank r's, and all shares are alike,"
    " so that its play is every rank's",
    "rotation": "by symmetry: rank 0's steps, r ranks further on, are rank r's; shares differ, so that"
    " every rank was played by them",
}
"""How it is known what all ranks take, where not all were asked."""

CollectiveName = Annotated[
    str, typer.Argument(help=f"The collective: {', '.join(COLLECTIVES)}; or a file: a plan, or a schedule.")
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


@dataclass(frozen=True)
class Question:
    """What is simulated: a collective over so many ranks of a network."""

    collective: str
    ranks: int
    network: Network
    in_order: bool
    algorithm: str
    blocks: int | None
    in_flight: options.InFlight | None = None
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


def simulate(
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

    A plan that rota plan has written takes --units in place of all this. It is carried out on its platform
    from the start, each node going on with its next matching when its own messages and tasks are done; and by
    SimGrid, where that was installed before Rota. All throughputs are printed beside the predicted one.
    """
    if names_file(collective):
        file = Path(collective)
        given = read_schedule_or_text(file)
        if isinstance(given, str):
            print_plan(file, given, units)
            return
        if ranks is not None or sizes is None:
            raise RotaError(f"{file} says over how many ranks it is: give --bytes, and leave out --ranks")
        network = network_of(latency, rate, combine, seconds_per_byte)
        _simulate_given(given, sizes, network, json_file)
        return
    if ranks is None or sizes is None:
        raise RotaError(
            f"how large is the {collective}: give --ranks and --bytes, such as --ranks 16 --bytes 64MiB"
        )
    require_folders(json_file, plot)
    require_picture(plot)
    network = network_of(latency, rate, combine, seconds_per_byte)
    windows = options.in_flight(
        in_flight, overhead, rendezvous_from, handshake, pause, pause_every, seed, wait
    )
    question = _require_known(
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
    print_table(_table(question, outcomes), json_file)
    for line in _basis_lines(outcomes):
        print_line(line, json_file)
    if json_file:
        write_json(json_file, as_json(question, outcomes))
    if plot:
        from rota.drawing.simulation import picture  # noqa: PLC0415 - loads matplotlib

        title = _title(question)
        write_picture(plot, Picture(picture(title, curves(outcomes), bound(outcomes)), title))


def _simulate_given(given: Given, sizes: str, network: Network, json_file: Path | None) -> None:
    """Simulate the schedule that a file holds, and print what it takes beside the bound."""
    require_folders(json_file)
    problem = given.schedule.problem
    word = next((word for word, each in COLLECTIVES.items() if each == problem.collective), "")
    question = Question(word, problem.ranks, network, in_order=False, algorithm=given.name, blocks=None)
    outcomes = [_given_outcome(given, question, size) for size in _sizes(sizes, sweep=False)]
    print_table(_table(question, outcomes), json_file)
    if json_file:
        write_json(json_file, as_json(question, outcomes))


def _given_outcome(given: Given, question: Question, size_bytes: int) -> Outcome:
    schedule = given.schedule
    simulation = in_rounds(schedule, question.network, size_bytes)
    return Outcome(
        size_bytes,
        given.name,
        schedule.problem.blocks,
        schedule.rounds,
        schedule.lower_bound().rounds,
        question.least_seconds(size_bytes),
        simulation.seconds,
        simulation.port_bytes,
    )


def outcomes_of(question: Question, sizes_bytes: Sequence[int]) -> list[Outcome]:
    """Simulate every size with every algorithm, with a progress bar on a terminal; the fastest first."""
    notes = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, disable=not notes.is_terminal, transient=True) as progress:
        outcomes = [
            _outcome(question, size, candidate, progress)
            for size in sizes_bytes
            for candidate in question.candidates(size)
        ]
    return sorted(outcomes, key=lambda one: (one.size_bytes, one.seconds is None, one.seconds))


def _outcome(question: Question, size_bytes: int, candidate: Candidate, progress: Progress) -> Outcome:
    planned = question.schedule(candidate.algorithm, question.blocks or candidate.blocks)
    if question.algorithm != "all":
        require_cut(question.algorithm, question.blocks, planned.problem.blocks)
    least = planned.lower_bound()
    facts = Outcome(
        size_bytes,
        candidate.algorithm,
        planned.problem.blocks,
        planned.rounds,
        least.rounds,
        question.least_seconds(size_bytes),
    )
    if question.algorithm == "all" and question.steps(planned, size_bytes) > question.max_steps:
        return facts
    task = progress.add_task(f"{candidate.algorithm}, {format_size(size_bytes)}", total=planned.rounds)
    simulation = question.played(
        planned, size_bytes, on_round=lambda done: progress.update(task, completed=done)
    )
    progress.remove_task(task)
    outcome = replace(facts, seconds=simulation.seconds, port_bytes=simulation.port_bytes)
    if isinstance(simulation, InFlightSimulation):
        return replace(outcome, drift=simulation.drift, unasked=simulation.unasked)
    return replace(outcome, basis=simulation.basis)


def as_json(question: Question, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return the whole outcome; times in seconds."""
    network = question.network
    return {
        "collective": question.collective,
        "ranks": question.ranks,
        "in_order": question.in_order,
        "latency_s": network.latency_s,
        "seconds_per_byte": network.seconds_per_byte,
        "seconds_per_combined_byte": network.seconds_per_combined_byte,
        "in_flight": asdict(question.in_flight) if question.in_flight else None,
        "results": [{**asdict(one), "times_bound": one.times_bound} for one in outcomes],
    }


def curves(outcomes: Iterable[Outcome]) -> list[Curve]:
    """Return the times of each algorithm over the sizes."""
    points: dict[str, list[tuple[int, float]]] = {}
    for one in outcomes:
        if one.seconds is not None:
            points.setdefault(one.algorithm, []).append((one.size_bytes, one.seconds))
    return [Curve(name, tuple(points[name])) for name in sorted(points)]


def bound(outcomes: Iterable[Outcome]) -> Curve:
    """Return the bound over the sizes."""
    return Curve("bound", tuple(sorted({(one.size_bytes, one.least_seconds) for one in outcomes})))


def _require_known(question: Question) -> Question:
    collective = COLLECTIVES[question.collective]
    known = [name for name in algorithms(collective) if not needs_hosts(name, collective)]
    if question.algorithm in algorithms(collective) and question.algorithm not in known:
        raise RotaError(
            f"{question.algorithm!r} is for ranks that share hosts, and the simulator has no hosts:"
            f" choose all, {', '.join(known)}"
        )
    if question.algorithm not in ("all", *known):
        raise RotaError(f"unknown algorithm {question.algorithm!r}: choose all, {', '.join(known)}")
    if not question.candidates(0):
        order = " in the order of ranks" if question.in_order else ""
        which = "no algorithm" if question.algorithm == "all" else f"{question.algorithm!r} is none that"
        raise RotaError(
            f"{which} solves {question.collective}{order} here: choose another collective or order"
        )
    return question


def _sizes(text: str, *, sweep: bool) -> list[int]:
    sizes = [parse_size(size) for size in text.split(",")]
    twice = next((size for i, size in enumerate(sizes) if size in sizes[:i]), None)
    if twice is not None:
        raise RotaError(f"--bytes names {format_size(twice)} twice: name each size once")
    if not sweep or len(sizes) > 1:
        return sizes
    smaller = [4**k * _SMALLEST_DRAWN for k in range(26) if 4**k * _SMALLEST_DRAWN < sizes[0]]
    return [*smaller, sizes[0]]


def _title(question: Question) -> str:
    network = question.network
    rate = format_rate(8 / network.seconds_per_byte) if network.seconds_per_byte else "links without limit"
    return (
        f"{question.collective} over {question.ranks} ranks,"
        f" latency {format_seconds(network.latency_s)}, {rate}"
        + (f", {question.in_flight.rounds} in flight" if question.in_flight else "")
    )


def _table(question: Question, outcomes: Sequence[Outcome]) -> Table:
    table = Table(
        title=_title(question),
        title_justify="left",
        caption=_BOUND,
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    table.add_column("size", justify="right")
    table.add_column("algorithm")
    for heading in ("blocks", "rounds", "least", "through a port", "simulated", "bound", "x bound"):
        table.add_column(heading, justify="right")
    if question.in_flight:
        table.add_column("drift", justify="right")
        table.add_column("unasked", justify="right")
    for i, one in enumerate(outcomes):
        if i and one.size_bytes != outcomes[i - 1].size_bytes:
            table.add_section()
        drift = (_counted(one.drift), _counted(one.unasked)) if question.in_flight else ()
        table.add_row(*_cells(one), *drift)
    return table


def _cells(one: Outcome) -> tuple[str, ...]:
    times = f"{one.times_bound:.3f}" if one.times_bound is not None else ""
    return (
        format_size(one.size_bytes),
        one.algorithm,
        str(one.blocks),
        str(one.rounds),
        str(one.least_rounds),
        format_size(one.port_bytes) if one.port_bytes is not None else "",
        format_seconds(one.seconds) if one.seconds is not None else "too many steps",
        format_seconds(one.least_seconds),
        times,
    )


def _basis_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """Say of which algorithms rank 0 alone was asked, and why that is enough."""
    names: dict[str, list[str]] = {}
    for one in outcomes:
        if one.basis in _BASES and one.algorithm not in names.setdefault(one.basis, []):
            names[one.basis].append(one.algorithm)
    return [f"{', '.join(each)} {_BASES[basis]}." for basis, each in names.items()]


def _counted(number: int | None) -> str:
    return "" if number is None else str(number)
