"""How far long work is: a bar on a terminal, a line from time to time where there is none."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

_FIRST_LINE_S: Final = 10.0
_LONGEST_PAUSE_S: Final = 600.0


class Tell(Protocol):
    """Says how much is done and, where that is given, what is done now."""

    def __call__(self, done: int, what: str | None = None) -> None:
        """Say it."""


@contextmanager
def progress(notes: Console, what: str, total: int) -> Iterator[Tell]:
    """Show the progress of so much work, on standard error, while the block runs."""
    if not notes.is_terminal:
        yield _Lines(notes, what, total)
        return
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, transient=True) as bar:
        task = bar.add_task(what, total=total)

        def tell(done: int, what: str | None = None) -> None:
            bar.update(task, completed=done, description=what)

        yield tell


class _Lines:
    """Lines after 10, 20, 40, ... seconds, and at last every 10 minutes: a log is to stay readable."""

    def __init__(self, notes: Console, what: str, total: int) -> None:
        self._notes, self._what, self._total = notes, what, total
        self._began_s = monotonic()
        self._next_s = _FIRST_LINE_S

    def __call__(self, done: int, what: str | None = None) -> None:
        self._what = what or self._what
        past_s = monotonic() - self._began_s
        if past_s < self._next_s:
            return
        line = f"rota: {self._what}: {done} of {self._total} after {past_s:.0f} s"
        self._notes.print(line, markup=False, soft_wrap=True)
        self._next_s = past_s + min(past_s, _LONGEST_PAUSE_S)
