"""The command line that is carried out, as its pictures name it."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from typer import Context

_WORDS: Final[ContextVar[tuple[str, ...]]] = ContextVar("words", default=())
_BESIDE: Final = ("--json", "--markdown")
"""Options whose files say the same as the picture: with another name, or left out, that is the same."""
_NAMED: Final = ("--plot", "--output", "-o")
"""Options whose files are needed, by whatever name."""
_GOES_ON: Final = "--resume"
"""What is measured by going on with a file could have been measured in one go."""


@contextmanager
def asked(words: Sequence[str]) -> Iterator[None]:
    """Remember the words of a command line while it is carried out."""
    token = _WORDS.set(tuple(words))
    try:
        yield
    finally:
        _WORDS.reset(token)


def source_line() -> str:
    """Return the command that draws the picture, whatever its file is called; nothing outside a command."""
    words: list[str] = []
    before = ""
    for word in _WORDS.get():
        option, is_joined, _ = word.partition("=")
        if option in _NAMED and is_joined:
            words.append(f"{option}=FILE")
        elif word != _GOES_ON and option not in _BESIDE and before not in _BESIDE:
            words.append("FILE" if before in _NAMED else shlex.quote(word))
        before = word
    return f"rota {' '.join(words)}" if words else ""


def require_only(context: Context, parameters: Collection[str], because: str) -> None:
    """Raise RotaError, for that reason, if the command line has options of other parameters than these."""
    for each in context.command.params:
        source = context.get_parameter_source(each.name or "")
        if source is not None and source.name == "COMMANDLINE" and each.name not in parameters:
            raise RotaError(f"{because}: leave out {each.opts[0]}")
