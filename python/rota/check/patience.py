"""How long a job may stand still: a machine that has other work to do is no hang.

A rank that others keep from a processor gets nowhere, and those that wait for it neither. So what counts is
the time in which no rank of the job waited for a processor: of the ranks that stand still, the longest such
wait is taken off. Linux says it of each process, in /proc/PID/schedstat; where there is none, the clock
alone counts.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST: Final = 10
"""Times the limit: so long, whatever the machine does."""


class Patience:
    """With a job, the process that started it and all below that; `limit_s` of standing still are its end."""

    def __init__(self, process: int, limit_s: float) -> None:
        self._process = process
        self._limit_s = limit_s
        self.renew()

    def renew(self) -> None:
        """Take note that the job has got on."""
        self._since_s = monotonic()
        self._waits_s: Mapping[int, float] | None = None

    def is_over(self) -> bool:
        """Say whether the job has stood still for so long that it hangs."""
        still_s = monotonic() - self._since_s
        if self._waits_s is None:
            self._waits_s = waits_s(self._process)
        if still_s <= self._limit_s or still_s > _LONGEST * self._limit_s:
            return still_s > self._limit_s
        return still_s - longest_since(self._waits_s, waits_s(self._process)) > self._limit_s


def longest_since(before: Mapping[int, float], now: Mapping[int, float]) -> float:
    """Return the longest wait among processes that are there now; what was not there before began since."""
    return max((waited - before.get(process, 0.0) for process, waited in now.items()), default=0.0)


def waits_s(process: int) -> dict[int, float]:
    """Return how long a process, and each below it, has waited for a processor in its life."""
    return {each: waited for each in _family(process) if (waited := _waited_s(each)) is not None}


def _family(process: int) -> list[int]:
    parents = {
        int(entry.name): parent
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and (parent := _parent(entry)) is not None
    }
    family = [process]
    for member in family:
        family.extend(child for child, parent in parents.items() if parent == member)
    return family


def _parent(entry: Path) -> int | None:
    try:
        # Behind the name, which may hold anything: the state, and the parent.
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _waited_s(process: int) -> float | None:
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None
