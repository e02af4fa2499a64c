"""Patterns from arrays: dense or sparse matrices, or messages one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rota._core import Pattern
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable

Int64s = NDArray[np.int64]

MAX_RANKS: Final = 65_536
"""More are refused: every schedule is worked out for all ranks."""

_MAX_CELL: Final = 2**62


def from_messages(ranks: int, messages: Iterable[tuple[int, int, int]]) -> Pattern:
    """Return the pattern of messages (from, to, bytes) among `ranks` ranks.

    Raises ValueError for what is no rank, bytes below 0, and pairs of ranks named twice.
    """
    table = np.array(list(messages), dtype=np.int64).reshape(-1, 3)
    return Pattern(ranks, *(np.ascontiguousarray(column) for column in table.T))


def from_matrix(matrix: Any) -> Pattern:  # noqa: ANN401 - SciPy's types are not needed to read them
    """Return the pattern in which rank i sends matrix[i, j] bytes to rank j.

    `matrix` is anything that NumPy makes an array of, or a sparse array or matrix of SciPy. Raises RotaError
    for what is not square and for a cell that is no whole number of bytes, naming the cell; rows and columns
    count from 0.
    """
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        return from_cells(sparse.shape, sparse.row, sparse.col, sparse.data)
    array = np.asarray(matrix)
    require_square(array.shape)
    require_numbers(array)
    rows, columns = np.nonzero(array)
    return from_cells(array.shape, rows, columns, array[rows, columns])


def from_cells(
    shape: tuple[int, ...], rows: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]
) -> Pattern:
    """Return the pattern of a sparse matrix's cells; faults as for from_matrix."""
    ranks = require_square(shape)
    sizes = _whole(rows, columns, np.asarray(values))
    try:
        return Pattern(ranks, rows.astype(np.int64), columns.astype(np.int64), sizes)
    except ValueError as fault:
        raise RotaError(str(fault)) from fault


def matrix_of(pattern: Pattern) -> Int64s:
    """Return the pattern as a dense matrix of bytes."""
    matrix = np.zeros((pattern.ranks, pattern.ranks), dtype=np.int64)
    messages = pattern.messages
    matrix[messages[:, 0], messages[:, 1]] = messages[:, 2]
    return matrix


def require_square(shape: tuple[int, ...]) -> int:
    """Return the number of ranks of a matrix of that shape."""
    if len(shape) != 2:  # noqa: PLR2004 - rows and columns
        raise RotaError(f"{len(shape)} dimensions are no matrix: give rows and columns")
    rows, columns = shape
    if rows != columns:
        raise RotaError(
            f"{rows} rows of {columns} columns are not square: give a row and a column for each rank"
        )
    if not 1 <= rows <= MAX_RANKS:
        raise RotaError(f"{rows} ranks are out of range: give from 1 to {MAX_RANKS}")
    return int(rows)


def require_numbers(values: NDArray[Any]) -> None:
    """Raise RotaError unless these are numbers of a kind that can be whole."""
    if values.dtype.kind not in "biuf":
        raise RotaError(f"cells of type {values.dtype} are no numbers of bytes: give whole numbers from 0 on")


def _whole(rows: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]) -> Int64s:
    """Return the values as numbers of bytes."""
    require_numbers(values)
    with np.errstate(invalid="ignore"):
        good = (values >= 0) & (values <= _MAX_CELL)
        if values.dtype.kind == "f":
            good &= np.floor(values) == values
    if not good.all():
        first = int(np.argmin(good))
        place = f"row {int(rows[first])}, column {int(columns[first])}"
        raise RotaError(f"{place}: {values[first]} is no number of bytes: give whole numbers from 0 to 2^62")
    return values.astype(np.int64)
