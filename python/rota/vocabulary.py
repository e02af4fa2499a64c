"""The words for collectives and algorithms, joined by - or _: they mean the same everywhere.

Collectives have names of schedules and of MPI's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota._core import call_names, served_as_others

if TYPE_CHECKING:
    from fractions import Fraction

    from rota import Violation

_CALLS: Final = dict(call_names()) | {"all_to_all": "alltoall"}

SERVED: Final = tuple(call for _, call in call_names())
"""The collectives, by their names in Rota's settings."""

SERVED_AS: Final = dict(served_as_others())
"""Calls that are served as another collective, and share its settings."""


def joined(word: str) -> str:
    """Return a name as lists of algorithms have it: ``two_tree`` for ``two-tree``."""
    return word.strip().replace("-", "_")


def mpi_name(word: str) -> str:
    """Return how MPI calls a collective, in small letters: ``bcast`` for ``broadcast``.

    Words are joined by _: ``reduce_scatter`` for ``reduce-scatter``. What is no collective's name comes back
    as one that is none either.
    """
    name = joined(word)
    return _CALLS.get(name, name)


def settings_name(word: str) -> str:
    """Return which of SERVED a collective's or a call's name means; of no such name, `mpi_name`'s answer."""
    name = mpi_name(word)
    return SERVED_AS.get(name, name)


def option_word(word: str) -> str:
    """Return the same as words of the command line are written: ``reduce-scatter``."""
    return mpi_name(word).replace("_", "-")


def alternatives(words: tuple[str, ...]) -> str:
    """Return "a, b or c"."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def counted(count: int, thing: str) -> str:
    """Return ``1 block`` or ``2 blocks``."""
    return f"{count} {in_number(count, thing)}"


def in_number(count: Fraction | int, thing: str) -> str:
    """Return ``block`` of one, ``blocks`` of any other number."""
    return thing if count == 1 else f"{thing}s"


def violation_words(violation: Violation) -> str:
    """Return what the verifier finds wrong, and where."""
    block = f"block {violation.block.index} of owner {violation.block.owner}"
    return f"round {violation.round}, rank {violation.rank}, {block}: {violation.fault}"
