"""Standard output and standard error where they are full, closed or know few letters."""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import sys
from typing import TYPE_CHECKING, Final, TextIO

from rota.errors import RotaError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PLAIN: Final = dict(zip("µ→←⇒⇐×·…–—•│┃─━äéöü", "u><}{x.~--*||--aeou", strict=True))  # noqa: RUF001 - that is it
"""Letters for letters, so that columns stay columns."""


def guard_streams() -> None:
    """Have faults of standard output be RotaErrors, and standard error's be none.

    Where the reader of standard output has gone, the process ends by SIGPIPE, as others do.
    """
    sys.stdout = None if sys.stdout is None else _guarded(sys.stdout, _Output)
    sys.stderr = _nowhere() if sys.stderr is None else _guarded(sys.stderr, _Notes)


def make_plain() -> None:
    """Have letters that a stream's encoding does not know be written as others that look alike, or as ?."""
    codecs.register_error("rota.plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="rota.plain")


def require_output() -> None:
    """Raise RotaError if there is no standard output."""
    if sys.stdout is None:
        raise RotaError("standard output is closed: give one, such as > /dev/null")


class _Output(io.FileIO):
    """Standard output; after a fault it goes nowhere, so that no rest of it is tried again at the end."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or raise RotaError."""
        try:
            return super().write(data)
        except OSError as fault:
            _forget(self.fileno())
            if fault.errno == errno.EPIPE:
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.kill(os.getpid(), signal.SIGPIPE)
            raise RotaError(f"cannot write to standard output: {fault.strerror}") from fault


class _Notes(io.FileIO):
    """Standard error: what cannot be said there is not said."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or forget it."""
        try:
            return super().write(data)
        except OSError:
            _forget(self.fileno())
            return memoryview(data).nbytes


def _guarded(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    raw = kind(stream.fileno(), "wb", closefd=False)
    is_direct = stream is sys.stderr or raw.isatty() or getattr(stream, "write_through", False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=bool(is_direct)
    )


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - as long as the process


def _forget(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _plain(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    letters = fault.object[fault.start : fault.end]
    return "".join(_PLAIN.get(letter, "?") for letter in letters), fault.end
