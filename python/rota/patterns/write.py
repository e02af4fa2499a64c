"""Patterns to files, in the forms in which they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from rota.errors import RotaError
from rota.patterns.matrix import matrix_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rota._core import Pattern


def write_pattern(pattern: Pattern, path: Path) -> None:
    """Write the pattern to a .csv, .npz (as sparse as SciPy saves it) or .mtx file."""
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise RotaError(f"{path}: unknown kind of file: give one that ends in {', '.join(_WRITERS)}")
    try:
        write(pattern, path)
    except OSError as fault:
        raise RotaError(f"cannot write {path}: {fault.strerror}; name another file") from fault


def _write_csv(pattern: Pattern, path: Path) -> None:
    lines = (",".join(map(str, row)) for row in matrix_of(pattern).tolist())
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _write_npz(pattern: Pattern, path: Path) -> None:
    messages = pattern.messages
    np.savez_compressed(
        path,
        row=messages[:, 0],
        col=messages[:, 1],
        format=np.array(b"coo"),
        shape=np.array([pattern.ranks, pattern.ranks]),
        data=messages[:, 2],
    )


def _write_mtx(pattern: Pattern, path: Path) -> None:
    head = (
        f"%%MatrixMarket matrix coordinate integer general\n{pattern.ranks} {pattern.ranks} {len(pattern)}\n"
    )
    lines = (f"{sender + 1} {receiver + 1} {size}\n" for sender, receiver, size in pattern.messages.tolist())
    path.write_text(head + "".join(lines), encoding="ascii")


_WRITERS: Final[dict[str, Callable[[Pattern, Path], None]]] = {
    ".csv": _write_csv,
    ".npz": _write_npz,
    ".mtx": _write_mtx,
}
