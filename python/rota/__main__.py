"""The program ``rota``, which an interrupt ends soon, whatever it is at."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Final

from rota._core import end_when_interrupted

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_GRACE_S: Final = 0.8
"""So long Python may take to end when it is interrupted: then all is tidied up."""


def main() -> None:
    """Run the command line that the program was started with.

    An interrupt ends it as it ends other programs, within a second and leaving nothing half done.
    """
    sys.unraisablehook = _tell_of
    try:
        end_when_interrupted(_GRACE_S)
        from rota.cli import status_of  # noqa: PLC0415 - so that an interrupt finds it here meanwhile
        from rota.streams import guard_streams  # noqa: PLC0415 - the same

        guard_streams()
        sys.exit(status_of(sys.argv[1:]))
    except (KeyboardInterrupt, RuntimeError) as fault:
        # A lock of Python's that is interrupted while it is taken fails where it is given back.
        if not isinstance(fault, KeyboardInterrupt) and not isinstance(fault.__context__, KeyboardInterrupt):
            raise
        # Not by an exit, which would wait for threads; and whoever started this sees what ended it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _tell_of(dropped: UnraisableHookArgs) -> None:
    """Say nothing of an interrupt that Python drops, as where an import ends: it ends this all the same."""
    if dropped.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(dropped)


if __name__ == "__main__":
    main()
