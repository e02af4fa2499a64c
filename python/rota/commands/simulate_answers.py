"""What ``rota simulate`` prints, writes and draws of what came out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.collectives import A_MESSAGE
from rota.drawing.curve import Curve
from rota.units import format_rate, format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rota.commands.simulated import Outcome, Question

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


def title_of(question: Question) -> str:
    """Return what is simulated, in a line."""
    network = question.network
    rate = format_rate(8 / network.seconds_per_byte) if network.seconds_per_byte else "links without limit"
    return (
        f"{question.collective} over {counted(question.ranks, 'rank')},"
        f" latency {format_seconds(network.latency_s)}, {rate}"
        + (f", {question.in_flight.rounds} in flight" if question.in_flight else "")
    )


def table_of(question: Question, outcomes: Sequence[Outcome]) -> Table:
    """Return a row for each size and algorithm, in their order."""
    table = Table(
        title=title_of(question),
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


def _counted(number: int | None) -> str:
    return "" if number is None else str(number)


def basis_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """Say of which algorithms rank 0 alone was asked, and why that is enough."""
    names: dict[str, list[str]] = {}
    for one in outcomes:
        if one.basis in _BASES and one.algorithm not in names.setdefault(one.basis, []):
            names[one.basis].append(one.algorithm)
    return [f"{', '.join(each)} {_BASES[basis]}." for basis, each in names.items()]


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
