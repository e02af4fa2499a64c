"""How a lab ends while a job runs in it: ranks that take notes write them first.

With the lab's first process the kernel ends all others at once, in the middle of whatever they do.
"""

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Final, NoReturn

_TAKES_NOTES: Final = b"ROTA_REPORT="
_PATIENCE_S: Final = 0.3
_POLL_S: Final = 0.01


def end(status: int) -> NoReturn:
    """End this process, and with it the lab; ranks that take notes are told, and may end before it."""
    over_s = time.monotonic() + _PATIENCE_S
    for process in _noting():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
    while _noting() and time.monotonic() < over_s:
        time.sleep(_POLL_S)
    os._exit(status)


def _noting() -> list[int]:
    """Return the processes of the lab that have the variable, but for this one."""
    others = (path for path in Path("/proc").glob("[0-9]*") if path.name != str(os.getpid()))
    return [int(path.name) for path in others if _takes_notes(path)]


def _takes_notes(process: Path) -> bool:
    try:
        variables = (process / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended
        return False
    return any(each.startswith(_TAKES_NOTES) for each in variables)
