"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable


STANDARD_OUTPUT: Final = Path("-")
"""What takes its place among the names of files."""


def write_whole(file: Path, content: bytes | str | Iterable[str]) -> None:
    """Write a file, text as UTF-8, or standard output; RotaError if a file cannot be.

    Under its name it is there only when it is complete: whoever ends this before leaves what was there. What
    is no file of its own, as a pipe or a device, is written at once.
    """
    if file == STANDARD_OUTPUT and not isinstance(content, bytes):
        sys.stdout.writelines([content] if isinstance(content, str) else content)
        return
    try:
        if file.exists() and not file.is_file():
            _write(file, content)
        else:
            _replace(file.resolve(), content)
    except OSError as fault:
        raise RotaError(f"cannot write {file}: {fault.strerror}; name another file") from fault


def _replace(file: Path, content: bytes | str | Iterable[str]) -> None:
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        _write(part, content)
        with suppress(FileNotFoundError):
            shutil.copymode(file, part)
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _write(file: Path, content: bytes | str | Iterable[str]) -> None:
    if isinstance(content, bytes):
        file.write_bytes(content)
        return
    with file.open("w", encoding="utf-8") as opened:
        opened.writelines([content] if isinstance(content, str) else content)
