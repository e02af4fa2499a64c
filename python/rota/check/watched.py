"""A job that is watched: it may take as long as it gets on, and is ended where it stands still."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from rota.check.patience import Patience
from rota.launcher import have_ended, launcher_environment
from rota.shared_memory import none_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HANGS: Final = "hangs: "
"""What the fault of a job that stands still begins with."""

_POLL_S: Final = 0.05

_State = TypeVar("_State")


@dataclass(frozen=True)
class Ended:
    """How a job ended, what it wrote, and why it had to be ended."""

    status: int
    output: str
    errors: str
    fault: str | None


def run_watched(
    command: Sequence[str], limit_s: float, state: Callable[[], _State], tell: Callable[[_State], object]
) -> Ended:
    """Run a job; `tell` its state whenever that is another, and end it where it has been the same so long."""
    with (
        none_left(),
        tempfile.TemporaryFile("w+", errors="replace") as output,
        tempfile.TemporaryFile("w+", errors="replace") as errors,
    ):
        process = subprocess.Popen(
            command, env=launcher_environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=errors
        )
        try:
            fault = _watch(process, limit_s, state, tell)
        finally:
            have_ended(process)
        output.seek(0)
        errors.seek(0)
        return Ended(process.returncode, output.read(), errors.read(), fault)


def _watch(
    process: subprocess.Popen[bytes],
    limit_s: float,
    state: Callable[[], _State],
    tell: Callable[[_State], object],
) -> str | None:
    seen, patience = state(), Patience(process.pid, limit_s)
    while True:
        try:
            process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            now = state()
            if now != seen:
                seen = now
                patience.renew()
                tell(now)
            elif patience.is_over():
                return f"{HANGS}no end after {limit_s:g} s"
        else:
            return None
