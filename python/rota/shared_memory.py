"""The memory that processes of a host share, and what a job that is cut short leaves in it.

MPI libraries put files there for their ranks, which they remove when the job ends, or when all ranks have
them. A job that is interrupted, or that crashes, comes to neither, and the memory is taken until the machine
starts anew.
"""

from __future__ import annotations

import contextlib
import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - it is where Linux has it

_NAMES: Final = ("mpich_shm_*", "sm_segment.*", "vader_segment.*", "ucx_shm_posix_*")
_PATIENCE_S: Final = 0.3
_POLL_S: Final = 0.02


@contextmanager
def none_left(folder: Path = Path(SHARED_MEMORY)) -> Iterator[None]:
    """Run a job in this block: what MPI libraries put there meanwhile, and nobody uses, is removed behind it.

    Another job that begins meanwhile has what it needs open. Ranks that still end are waited for a moment.
    """
    before = _segments(folder)
    try:
        yield
    finally:
        over_s = time.monotonic() + _PATIENCE_S
        while (left := _segments(folder) - before) and time.monotonic() < over_s:
            for segment in left - _used(folder):
                segment.unlink(missing_ok=True)
            time.sleep(_POLL_S)


def _segments(folder: Path) -> set[Path]:
    mine = set()
    for name in _NAMES:
        for file in folder.glob(name):
            with contextlib.suppress(OSError):  # gone meanwhile
                if file.stat().st_uid == os.geteuid():
                    mine.add(file)
    return mine


def _used(folder: Path) -> set[Path]:
    """Return those files of the folder that a process has open, or mapped."""
    processes = [*Path("/proc").glob("[0-9]*")]
    # First what is open: a library closes a file only when it is mapped.
    files = {file for look in (_opened, _mapped) for process in processes for file in look(process)}
    return {file for file in files if file.parent == folder}


def _opened(process: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):  # it has ended, or is another user's
        for descriptor in (process / "fd").iterdir():
            with contextlib.suppress(OSError):  # closed meanwhile
                yield descriptor.readlink()


def _mapped(process: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):  # as above
        for line in (process / "maps").read_text(errors="replace").splitlines():
            yield Path(line[line.find("/") :]) if "/" in line else Path()
