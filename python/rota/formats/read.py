"""A schedule from a file: Rota's JSON, as ``rota show --json`` writes it, MSCCL's XML; or a run's trace."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota.collectives import ALGORITHMS, COLLECTIVES
from rota.errors import RotaError
from rota.formats.msccl_read import schedule_of_msccl
from rota.formats.rota_json import is_schedule, schedule_of_json
from rota.run_trace import RunTrace, is_run_trace, run_trace_of
from rota.vocabulary import alternatives, joined, option_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota import Schedule

_SUFFIXES: Final = (".json", ".xml")


@dataclass(frozen=True)
class Given:
    """A schedule that somebody has written down, and what it is called there."""

    name: str
    schedule: Schedule


def names_file(word: str) -> bool:
    """Return whether a word of the command line names a file in place of an algorithm or a collective.

    Raise RotaError for a file's name that is not of a kind that is read.
    """
    if word.endswith(_SUFFIXES):
        return True
    is_there = _is_there(word)
    if "/" in word or Path(word).suffix or (is_there and not _is_name(word)):
        fault = f"{word} is not read" if is_there else f"there is no file {word}"
        raise RotaError(f"{fault}: name a file that ends in {alternatives(_SUFFIXES)}")
    return False


def _is_there(word: str) -> bool:
    try:
        return bool(word) and Path(word).exists()
    except OSError:  # it is too long for a file's name
        return False


def _is_name(word: str) -> bool:
    return word == "all" or joined(word) in ALGORITHMS or option_word(word) in COLLECTIVES


def read_schedule(path: Path) -> Given:
    """Read a schedule; whether it achieves anything, `rota.verify` says.

    Raise RotaError for a file that cannot be read or holds none, with what is wrong and where.
    """
    with _named(path):
        return _of_msccl(path) if path.suffix == ".xml" else Given(*schedule_of_json(_parsed(_text(path))))


def read_schedule_or_trace(path: Path) -> Given | RunTrace:
    """Read a schedule, or the trace of a run; raise RotaError as read_schedule does."""
    with _named(path):
        if path.suffix == ".xml":
            return _of_msccl(path)
        told = _parsed(_text(path))
        return run_trace_of(told) if is_run_trace(told) else Given(*schedule_of_json(told))


def read_schedule_or_plan(path: Path) -> Given | str:
    """Read a schedule, or the text of a plan, right or wrong; raise RotaError as read_schedule does."""
    with _named(path):
        if path.suffix == ".xml":
            return _of_msccl(path)
        text = _text(path)
        told = _parsed(text)
        return text if _is_plan(told) else Given(*schedule_of_json(told))


def _is_plan(told: object) -> bool:
    return isinstance(told, dict) and not is_schedule(told) and ("series" in told or "platform" in told)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Have errors say which file it is."""
    try:
        yield
    except RotaError as fault:
        raise RotaError(f"{path}: {fault}") from None


def _of_msccl(path: Path) -> Given:
    return Given(*schedule_of_msccl(_text(path)))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as fault:
        raise RotaError(f"it cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise RotaError("it is no text") from None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as fault:
        raise RotaError(f"it is no JSON: {fault}") from None
    except RecursionError:
        raise RotaError("it is no JSON that holds a schedule") from None
