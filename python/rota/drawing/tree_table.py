"""The two trees as text: of each rank its parents, the colours of the edges into it, and its children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rota.two_trees import Place, Trees

_HEADS: Final = ("rank", "parent", "colour", "children", "parent", "colour", "children")
_COLOUR: Final = (
    "colour: of the edge into the rank. Edges of one colour work in the same rounds, every second one."
)


def table_of_trees(trees: Trees, ranks: Iterable[int]) -> str:
    """Return a row for each of some ranks."""
    rows = [_HEADS, *((str(rank), *_words(trees, rank)) for rank in ranks)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    over = (" " * widths[0], "first tree, even blocks", "second tree, odd blocks")
    wide = (widths[0], sum(widths[1:4]) + 4, sum(widths[4:]) + 4)
    lines = [_line(over, wide, " │ ")]
    for row in rows:
        words = [word.rjust(width) for word, width in zip(row, widths, strict=True)]
        groups = (words[0], "  ".join(words[1:4]), "  ".join(words[4:]))
        lines.append(" │ ".join(groups).rstrip())
    return "\n".join(lines) + "\n\n" + _COLOUR


def _line(words: Iterable[str], widths: Iterable[int], between: str) -> str:
    return between.join(word.ljust(width) for word, width in zip(words, widths, strict=True)).rstrip()


def _words(trees: Trees, rank: int) -> tuple[str, ...]:
    first, second = trees.places(rank)
    return *_of(first), *_of(second)


def _of(place: Place) -> tuple[str, str, str]:
    return _word(place.parent), _word(place.color), " ".join(map(str, place.children)) or "-"


def _word(number: int | None) -> str:
    return "-" if number is None else str(number)
