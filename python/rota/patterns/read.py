"""Patterns from files: CSV, NumPy's .npz (dense, or sparse as SciPy saves it) and Matrix Market.

Every fault is one line that names the file, and the line or the cell.
"""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rota.errors import RotaError
from rota.patterns.cell import size_in
from rota.patterns.matrix import MAX_RANKS, from_cells, from_matrix, require_numbers, require_square
from rota.patterns.matrix_market import pattern_in_matrix_market

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rota._core import Pattern

MAX_FILE_BYTES: Final = 2**30
"""Larger files, and archives that unpack to more, are refused."""

_SEPARATORS: Final = ",;\t"
_NO_NPZ: Final = "no .npz file that NumPy can read: save it with numpy.savez or scipy.sparse.save_npz"


def read_pattern(path: Path | str, message_bytes: int | None = None) -> Pattern:
    """Read a pattern from a .csv, .npz or .mtx file; a cell is a number of bytes, 0 for no message.

    With `message_bytes` the file has zeros and ones, and every one is a message of that size. Raises
    RotaError with one line that names the file, and line or cell, and says what is wrong.
    """
    path = Path(path)
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise RotaError(f"{path}: unknown kind of file: give one that ends in {', '.join(_READERS)}")
    try:
        _require_size(path.stat().st_size)
        pattern = read(path)
        return pattern if message_bytes is None else with_equal_messages(pattern, message_bytes)
    except RotaError as fault:
        raise RotaError(f"{path}{_joint(fault)}{fault}") from fault
    except OSError as fault:
        raise RotaError(f"cannot read {path}: {fault.strerror or fault}") from fault


def with_equal_messages(pattern: Pattern, message_bytes: int) -> Pattern:
    """Return the pattern with messages of that size in place of those of one byte."""
    messages = pattern.messages
    others = np.flatnonzero(messages[:, 2] != 1)
    if others.size:
        row, column, size = messages[others[0]]
        raise RotaError(
            f"row {row}, column {column}: {size} is neither 0 nor 1: leave out --bytes, or mend the cell"
        )
    sizes = np.full(len(messages), message_bytes)
    return from_cells((pattern.ranks, pattern.ranks), messages[:, 0], messages[:, 1], sizes)


def _joint(fault: RotaError) -> str:
    """Return what stands between a file's name and a fault: a place in it follows a comma."""
    return ", " if str(fault).startswith(("line ", "row ")) else ": "


def _read_csv(path: Path) -> Pattern:
    try:
        with path.open(encoding="utf-8-sig") as file:
            return _pattern_in(_rows(file))
    except UnicodeDecodeError as fault:
        raise RotaError("not a text: give a matrix of numbers, a line for each rank") from fault


def _rows(file: Any) -> Iterator[tuple[int, list[str]]]:  # noqa: ANN401 - an iterator over lines
    """Generate line numbers and cells; lines that are empty or begin with # do not count."""
    separator = None
    for number, line in enumerate(file, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if separator is None:
            separator = next((each for each in _SEPARATORS if each in text), " ")
        yield number, text.split() if separator == " " else text.split(separator)


def _pattern_in(rows: Iterator[tuple[int, list[str]]]) -> Pattern:
    width = first = count = 0
    froms: list[np.ndarray[Any, Any]] = []
    tos: list[np.ndarray[Any, Any]] = []
    sizes: list[np.ndarray[Any, Any]] = []
    for number, cells in rows:
        if not count:
            width, first = len(cells), number
            if width > MAX_RANKS:
                raise RotaError(f"line {number}: {width} cells: give at most {MAX_RANKS}")
        if len(cells) != width:
            raise RotaError(f"line {number}: {len(cells)} cells where line {first} has {width}")
        if count == width:
            raise RotaError(
                f"line {number}: a row more than there are columns, which are {width}: give a square"
            )
        values = np.array(_sizes(cells, number), dtype=np.int64)
        (to,) = np.nonzero(values)
        froms.append(np.full(to.size, count))
        tos.append(to)
        sizes.append(values[to])
        count += 1
    if not count:
        raise RotaError("no matrix: give numbers, a line for each rank")
    return from_cells((count, width), *(np.concatenate(parts) for parts in (froms, tos, sizes)))


def _sizes(cells: list[str], number: int) -> list[int]:
    return [size_in(cell, f"line {number}, cell {place}") for place, cell in enumerate(cells, 1)]


def _read_mtx(path: Path) -> Pattern:
    # SciPy's reader is not used: some broken files crash it.
    try:
        with path.open(encoding="utf-8") as file:
            return pattern_in_matrix_market(file)
    except UnicodeDecodeError as fault:
        raise RotaError("not a text: give a Matrix Market file") from fault


def _read_npz(path: Path) -> Pattern:
    try:
        _require_size(_unpacked_bytes(path))
        # Of odd headers Python and NumPy warn; what they make of them is checked like everything else.
        with warnings.catch_warnings(action="ignore"), np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (RotaError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except Exception as fault:  # what NumPy and zipfile make of broken bytes is of many kinds
        raise RotaError(_NO_NPZ) from fault
    # What NumPy does not take for an array, it hands out as bytes.
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise RotaError(_NO_NPZ)
    if "shape" in arrays and "data" in arrays:
        return _sparse(arrays)
    if len(arrays) != 1:
        raise RotaError(f"{len(arrays)} arrays: save one matrix")
    return from_matrix(next(iter(arrays.values())))


def _require_size(file_bytes: int) -> None:
    if file_bytes > MAX_FILE_BYTES:
        raise RotaError(f"more than {MAX_FILE_BYTES >> 30} GiB: give a sparse file, or fewer ranks")


def _unpacked_bytes(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return sum(member.file_size for member in archive.infolist())


def _sparse(arrays: dict[str, np.ndarray[Any, Any]]) -> Pattern:
    """Read what scipy.sparse.save_npz writes, with every index checked."""
    shape = arrays["shape"]
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise RotaError("a sparse matrix without rows and columns: save it with scipy.sparse.save_npz")
    size = (int(shape[0]), int(shape[1]))
    require_square(size)
    values = arrays["data"]
    if values.ndim != 1:
        raise RotaError("a sparse matrix in blocks: save it as CSR, CSC or COO")
    if "row" in arrays and "col" in arrays:
        rows, columns = (_indices(arrays[name], size[0], values.size) for name in ("row", "col"))
        return _without_zeros(size, rows, columns, values)
    if "indices" not in arrays or "indptr" not in arrays:
        raise RotaError("a sparse matrix of another kind: save it as CSR, CSC or COO")
    minor = _indices(arrays["indices"], size[0], values.size)
    major = _expanded(arrays["indptr"], size[0], values.size)
    is_by_columns = _text(arrays.get("format")) == "csc"
    return _without_zeros(size, *((minor, major) if is_by_columns else (major, minor)), values)


def _without_zeros(
    shape: tuple[int, int],
    rows: np.ndarray[Any, Any],
    columns: np.ndarray[Any, Any],
    values: np.ndarray[Any, Any],
) -> Pattern:
    require_numbers(values)
    some = values != 0
    return from_cells(shape, rows[some], columns[some], values[some])


def _text(array: np.ndarray[Any, Any] | None) -> str:
    if array is None or array.size != 1:
        return ""
    value = array.reshape(())[()]
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value)


def _indices(array: np.ndarray[Any, Any], ranks: int, count: int) -> np.ndarray[Any, Any]:
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise RotaError("a sparse matrix with indices that do not fit its data: save it again")
    if count and (int(array.min()) < 0 or int(array.max()) >= ranks):
        raise RotaError(f"a sparse matrix with an index outside of 0 to {ranks - 1}: save it again")
    return array.astype(np.int64)


def _expanded(begins: np.ndarray[Any, Any], ranks: int, count: int) -> np.ndarray[Any, Any]:
    """Return the row of each value of a CSR matrix, from where rows begin."""
    fits = begins.shape == (ranks + 1,) and begins.dtype.kind in "iu"
    if not fits or int(begins[0]) != 0 or int(begins[-1]) != count:
        raise RotaError("a sparse matrix whose rows do not make up its data: save it again")
    lengths = np.diff(begins.astype(np.int64))
    if (lengths < 0).any():
        raise RotaError("a sparse matrix whose rows do not make up its data: save it again")
    return np.repeat(np.arange(ranks), lengths)


_READERS: Final[dict[str, Callable[[Path], Pattern]]] = {
    ".csv": _read_csv,
    ".npz": _read_npz,
    ".mtx": _read_mtx,
}
