"""Collectives and their algorithms by the words of the command line."""

from __future__ import annotations

from typing import Final

from rota import Collective, algorithms, solves
from rota.errors import RotaError
from rota.vocabulary import alternatives, joined, option_word, settings_name

COLLECTIVES: Final = {
    "bcast": Collective.broadcast,
    "reduce": Collective.reduce,
    "allgather": Collective.allgather,
    "reduce-scatter": Collective.reduce_scatter,
    "allreduce": Collective.allreduce,
    "scan": Collective.scan,
    "exscan": Collective.exscan,
}
ALGORITHMS: Final = tuple(dict.fromkeys(name for each in COLLECTIVES.values() for name in algorithms(each)))
"""Each once."""

ROOTED: Final = (Collective.broadcast, Collective.reduce)

A_MESSAGE: Final = "one block of each owner a message"
"""With this the least rounds for more than one block are the least; for one they are, whatever it carries."""


def collective_called(text: str, *others: str) -> Collective:
    """Return the collective with that name: MPI's or that of schedules, or that of a call served as one.

    `others` are further words that a command takes.
    """
    found = COLLECTIVES.get(option_word(settings_name(text)))
    if found is None:
        raise RotaError(f"unknown collective {text!r}: choose {alternatives((*COLLECTIVES, *others))}")
    return found


def word_of(text: str) -> str:
    """Return the command line's word for a collective, by any of its names."""
    collective = collective_called(text)
    return next(word for word, each in COLLECTIVES.items() if each == collective)


def algorithm_called(text: str, *others: str) -> str:
    """Return the algorithm with that name, as ALGORITHMS has it.

    `others` are further words that a command takes.
    """
    name = joined(text)
    if name not in ALGORITHMS:
        raise RotaError(f"unknown algorithm {text!r}: choose {alternatives((*ALGORITHMS, *others))}")
    return name


def collectives_of(algorithm: str) -> tuple[Collective, ...]:
    """Return the collectives that an algorithm solves."""
    return tuple(each for each in COLLECTIVES.values() if algorithm in algorithms(each))


def require_solves(algorithm: str, collective: Collective) -> None:
    """Raise RotaError unless the algorithm is one for that collective."""
    if collective not in collectives_of(algorithm):
        known = alternatives(tuple(algorithms(collective)))
        raise RotaError(f"{algorithm!r} is no algorithm for {collective.name}: choose {known}")


def require_cut(algorithm: str, asked: int | None, blocks: int) -> None:
    """Raise RotaError if a number of blocks was asked for and the schedule has another."""
    if asked is not None and asked != blocks:
        raise RotaError(f"{algorithm!r} sends each owner's data whole: leave out --blocks")


def needs_hosts(algorithm: str, collective: Collective) -> bool:
    """Return whether the algorithm is for ranks that share hosts only."""
    return not solves(collective, algorithm, ranks=1)
