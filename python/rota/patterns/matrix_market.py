"""Matrix Market files: https://math.nist.gov/MatrixMarket/formats.html#MMformat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from rota.errors import RotaError
from rota.patterns.cell import size_in
from rota.patterns.matrix import from_cells, require_square

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rota._core import Pattern

_FORMS: Final = ("coordinate", "array")
_FIELDS: Final = ("integer", "unsigned-integer", "real", "double", "pattern")
_SYMMETRIES: Final = ("general", "symmetric")
_MAX_CELLS: Final = 2**28
_BANNER_WORDS: Final = 5


@dataclass(frozen=True)
class _Line:
    """A line that is no comment: its number in the file, and its words."""

    number: int
    words: list[str]


@dataclass(frozen=True)
class _Head:
    """What a file says of itself before its cells."""

    form: str
    has_values: bool
    is_symmetric: bool
    ranks: int
    cells: int


@dataclass
class _Cells:
    """Cells that are not 0."""

    rows: list[int]
    columns: list[int]
    sizes: list[int]

    def add(self, row: int, column: int, size: int, head: _Head) -> None:
        """Add a cell, and the one opposite of it if that is the same."""
        if not size:
            return
        places = [(row, column)]
        if head.is_symmetric and row != column:
            places.append((column, row))
        for each_row, each_column in places:
            self.rows.append(each_row)
            self.columns.append(each_column)
            self.sizes.append(size)


def pattern_in_matrix_market(file: Iterable[str]) -> Pattern:
    """Return the pattern in the lines of a file; in one of field "pattern" every cell is 1.

    Raises RotaError, with line or cell, for what is no such file, or has cells that are no numbers of bytes.
    """
    lines = _lines(file)
    head = _head(lines)
    cells = _Cells([], [], [])
    count = 0
    places = _array_places(head)
    for line in lines:
        if count == head.cells:
            raise RotaError(f"line {line.number}: a cell more than the {head.cells} announced: mend the head")
        if head.form == "coordinate":
            _add_coordinate(line, head, cells)
        else:
            cells.add(*next(places), _array_size(line), head)
        count += 1
    if count < head.cells:
        raise RotaError(f"{count} cells where {head.cells} are announced: give all of them")
    arrays = (np.array(part, dtype=np.int64) for part in (cells.rows, cells.columns, cells.sizes))
    return from_cells((head.ranks, head.ranks), *arrays)


def _lines(file: Iterable[str]) -> Iterator[_Line]:
    """Generate the banner, then what is neither empty nor a comment."""
    for number, text in enumerate(file, 1):
        words = text.split()
        if number == 1 or (words and not words[0].startswith("%")):
            yield _Line(number, words)


def _head(lines: Iterator[_Line]) -> _Head:
    banner, size = [*islice(lines, 2), _Line(1, []), _Line(1, [])][:2]
    words = [word.lower() for word in banner.words]
    if len(words) != _BANNER_WORDS or words[:2] != ["%%matrixmarket", "matrix"]:
        raise RotaError("line 1: no Matrix Market file: begin with %%MatrixMarket matrix …")
    form, field, symmetry = words[2:]
    for word, valid in ((form, _FORMS), (field, _FIELDS), (symmetry, _SYMMETRIES)):
        if word not in valid:
            raise RotaError(f"line 1: {word[:24]!r} is no matrix of bytes: choose {', '.join(valid)}")
    is_sparse = form == "coordinate"
    if field == "pattern" and not is_sparse:
        raise RotaError("line 1: an array without values: choose coordinate, or another field")
    numbers = _numbers(size, 3 if is_sparse else 2)
    ranks = require_square((numbers[0], numbers[1]))
    is_symmetric = symmetry == "symmetric"
    cells = numbers[2] if is_sparse else ranks * (ranks + 1) // 2 if is_symmetric else ranks * ranks
    if cells > _MAX_CELLS:
        raise RotaError(f"line {size.number}: {cells} cells are announced: give at most 2^28")
    return _Head(form, field != "pattern", is_symmetric, ranks, cells)


def _numbers(line: _Line, count: int) -> list[int]:
    """Return the line's whole numbers, which must be so many."""
    if len(line.words) != count:
        raise RotaError(f"line {line.number}: {len(line.words)} words where {count} numbers must be: mend it")
    return [size_in(word, f"line {line.number}, number {place}") for place, word in enumerate(line.words, 1)]


def _add_coordinate(line: _Line, head: _Head, cells: _Cells) -> None:
    places = line.words[:2]
    values = line.words[2:]
    if len(places) < 2 or len(values) != head.has_values:  # noqa: PLR2004 - row and column
        words = "row, column and value" if head.has_values else "row and column"
        raise RotaError(f"line {line.number}: {len(line.words)} words where {words} must be: mend it")
    row, column = _numbers(_Line(line.number, places), 2)
    for index in (row, column):
        if not 1 <= index <= head.ranks:
            raise RotaError(
                f"line {line.number}: there is no row or column {index}: count from 1 to {head.ranks}"
            )
    size = size_in(values[0], f"line {line.number}") if values else 1
    cells.add(row - 1, column - 1, size, head)


def _array_places(head: _Head) -> Iterator[tuple[int, int]]:
    """Generate where the cells of an array lie: by columns; of a symmetric one, from the diagonal on."""
    for column in range(head.ranks):
        for row in range(column if head.is_symmetric else 0, head.ranks):
            yield row, column


def _array_size(line: _Line) -> int:
    if len(line.words) != 1:
        raise RotaError(f"line {line.number}: {len(line.words)} words where one number must be: mend it")
    return size_in(line.words[0], f"line {line.number}")
