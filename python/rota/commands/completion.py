"""What shells complete the words of a command line to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def among(*words: str) -> Callable[[str], list[str]]:
    """Return what typer asks for the words that begin as an incomplete one does."""

    def found(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return found
