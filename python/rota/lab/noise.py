"""What a launcher says in a lab that helps nobody, kept out of the job's standard error.

Open MPI's launcher puts each agent that it starts into a process group of its own, twice: in the child before
it becomes the agent, and in the parent. If the child is the faster one the second time fails, which the
launcher itself ignores, but warns of:

    [switch:00038] plm:ssh: Warning: setpgid(42,42) failed in parent with errno=Permission denied(13)

In version 4 the launcher is called plm:rsh.
"""

import os
import re
from typing import Final

_START: Final = b"[switch:"
_NOISE: Final = re.compile(rb"\[switch:\d+\] plm:[rs]sh: Warning: setpgid\(")


class Quiet:
    """Takes what is written, piece by piece, and returns it without lines that are noise."""

    def __init__(self) -> None:
        self._held = b""  # the start of a line that may become noise
        self._is_within_line = False

    def __call__(self, piece: bytes) -> bytes:
        """Return what of this piece, and of what was held back before, may be read now."""
        lines = (self._held + piece).splitlines(keepends=True)
        self._held = b""
        if lines and not self._is_whole(lines[-1]) and self._may_become_noise(lines):
            self._held = lines.pop()
        return b"".join(line for line in lines if self._is_read(line))

    def rest(self) -> bytes:
        """Return what is held back when nothing follows."""
        return self._held

    def _may_become_noise(self, lines: list[bytes]) -> bool:
        starts_here = len(lines) > 1 or not self._is_within_line
        return starts_here and (lines[-1].startswith(_START) or _START.startswith(lines[-1]))

    def _is_read(self, line: bytes) -> bool:
        is_noise = not self._is_within_line and _NOISE.match(line) is not None
        self._is_within_line = not self._is_whole(line)
        return not is_noise

    @staticmethod
    def _is_whole(line: bytes) -> bool:
        return line.endswith(b"\n")


def pass_on(source: int, target: int) -> None:
    """Write to one file what can be read from another, without noise, until that ends; close both."""
    quiet = Quiet()
    with os.fdopen(source, "rb", buffering=0) as reader, os.fdopen(target, "wb") as writer:
        while piece := reader.read(1 << 16):
            writer.write(quiet(piece))
            writer.flush()
        writer.write(quiet.rest())
