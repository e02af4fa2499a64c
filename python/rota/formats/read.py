"""A schedule from a file: Rota's JSON, as ``rota show --json`` writes it, MSCCL's XML; or a run's trace."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.formats.msccl_read import schedule_of_msccl
from rota.formats.rota_json import is_schedule, schedule_of_json
from rota.run_trace import RunTrace, is_run_trace, run_trace_of

if TYPE_CHECKING:
    from rota import Schedule

_SUFFIXES: Final = (".json", ".xml")


@dataclass(frozen=True)
class Given:
    """A schedule that somebody has written down, and what it is called there."""

    name: str
    schedule: Schedule


def names_file(word: str) -> bool:
    """Return whether a word of the command line names a file in place of an algorithm or a collective."""
    return word.endswith(_SUFFIXES)


def holds_schedule(word: str) -> bool:
    """Return whether a word names a file with a schedule in it; plans are JSON, too."""
    if not names_file(word):
        return False
    path = Path(word)
    return path.suffix == ".xml" or is_schedule(_parsed(path))


def read_schedule(path: Path) -> Given:
    """Read a schedule; whether it achieves anything, `rota.verify` says.

    Raise RotaError for a file that cannot be read or holds none, with what is wrong and where.
    """
    try:
        if path.suffix == ".xml":
            return Given(*schedule_of_msccl(_text(path)))
        return Given(*schedule_of_json(_parsed(path)))
    except RotaError as fault:
        raise RotaError(f"{path}: {fault}") from None


def run_trace_in(word: str) -> RunTrace | None:
    """Return the trace of a run in the file that a word names; None if there is something else in it.

    Raise RotaError as read_schedule does.
    """
    if not word.endswith(".json"):
        return None
    path = Path(word)
    told = _parsed(path)
    try:
        return run_trace_of(told) if is_run_trace(told) else None
    except RotaError as fault:
        raise RotaError(f"{path}: {fault}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as fault:
        raise RotaError(f"it cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise RotaError("it is no text") from None


def _parsed(path: Path) -> object:
    try:
        return json.loads(_text(path))
    except ValueError as fault:
        raise RotaError(f"it is no JSON: {fault}") from None
    except RotaError as fault:
        raise RotaError(f"{path}: {fault}") from None
    except RecursionError:
        raise RotaError("it is no JSON that holds a schedule") from None
