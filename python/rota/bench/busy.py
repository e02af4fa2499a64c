"""Other work on the machine: loops that take processors away from ranks, as daemons and other jobs do."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# It ends with the process that started it, however that ends.
_LOOP: Final = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    for _ in range(1 << 20): pass"


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep so many processes busy while the block runs."""
    loops = [subprocess.Popen((sys.executable, "-c", _LOOP, str(os.getpid()))) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()
