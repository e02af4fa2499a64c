"""What is said of a file's schedule that the verifier refutes, which is shown and simulated all the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from rota import verify
from rota.vocabulary import counted, violation_words

if TYPE_CHECKING:
    from pathlib import Path

    from rota import Schedule

_MOST_WORK: Final = 10**8
"""To verify more takes longer than some seconds, which nobody has asked for."""


def tell_if_refuted(file: Path, schedule: Schedule) -> None:
    """Say in a line on standard error what is wrong with a schedule first, or that it is too large."""
    said = _refutation(file, schedule)
    if said:
        print(f"rota: {file}: {said}", file=sys.stderr)


def _refutation(file: Path, schedule: Schedule) -> str:
    if _work(schedule) > _MOST_WORK:
        return f"not verified here, for it is large: rota verify {file} does it"
    violations = verify(schedule)
    if not violations:
        return ""
    return (
        f"the verifier refutes it, by {counted(len(violations), 'fault')}, first in"
        f" {violation_words(violations[0])}; rota verify {file} says more"
    )


def _work(schedule: Schedule) -> int:
    """Return what it takes to verify it: of each block that is sent, of whose data it is made."""
    return schedule.problem.ranks**2 * schedule.effort().port_blocks
