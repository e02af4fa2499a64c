"""Patterns to files, in the forms in which they are read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import numpy as np

from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole
from rota.patterns.matrix import matrix_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rota._core import Pattern


def write_pattern(pattern: Pattern, path: Path) -> None:
    """Write the pattern to a .csv, .npz (as sparse as SciPy saves it) or .mtx file.

    - is standard output, which gets CSV.
    """
    write = _csv if path == STANDARD_OUTPUT else _WRITERS.get(path.suffix.lower())
    if write is None:
        raise RotaError(f"{path}: unknown kind of file: give one that ends in {', '.join(_WRITERS)}")
    write_whole(path, write(pattern))


def _csv(pattern: Pattern) -> str:
    lines = (",".join(map(str, row)) for row in matrix_of(pattern).tolist())
    return "\n".join(lines) + "\n"


def _npz(pattern: Pattern) -> bytes:
    messages = pattern.messages
    content = io.BytesIO()
    np.savez_compressed(
        content,
        row=messages[:, 0],
        col=messages[:, 1],
        format=np.array(b"coo"),
        shape=np.array([pattern.ranks, pattern.ranks]),
        data=messages[:, 2],
    )
    return content.getvalue()


def _mtx(pattern: Pattern) -> str:
    head = (
        f"%%MatrixMarket matrix coordinate integer general\n{pattern.ranks} {pattern.ranks} {len(pattern)}\n"
    )
    lines = (f"{sender + 1} {receiver + 1} {size}\n" for sender, receiver, size in pattern.messages.tolist())
    return head + "".join(lines)


_WRITERS: Final[dict[str, Callable[[Pattern], bytes | str]]] = {
    ".csv": _csv,
    ".npz": _npz,
    ".mtx": _mtx,
}
