"""Runs scripts on SimGrid."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.library import witness_path
from rota.witness.script import Mark, script_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rota.platforms import Platform
    from rota.witness.script import Program

# Time is bytes over bandwidth and nothing else: no latency, no windows, no traffic of acknowledgements.
_MODEL: Final = ("network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0")


def played(platform: Platform, programs: Sequence[Program], time_unit: Fraction) -> tuple[float, ...]:
    """Return the times of the marks, in their order, in times of the platform.

    `time_unit` is what becomes a second in SimGrid, whose clock does not resolve a hundred thousandth of one.
    Raises RotaError if SimGrid is not there, and if actors wait for ever.
    """
    marks = {step.number for program in programs for step in program.steps if isinstance(step, Mark)}
    with TemporaryDirectory(prefix="rota-witness-") as folder:
        file = Path(folder) / "script"
        file.write_text(script_of(platform, programs, time_unit), encoding="ascii")
        done = subprocess.run(
            [
                str(witness_path()),
                str(file),
                *(f"--cfg={option}" for option in _MODEL),
                "--log=root.thres:critical",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), "{}")
    times = json.loads(line).get("marks", [])
    if done.returncode != 0 or len(times) != len(marks):
        why = next((line for line in done.stderr.splitlines() if line.strip()), "actors wait for each other")
        raise RotaError(f"SimGrid did not play the schedule to its end: {why}")
    return tuple(float(time) * float(time_unit) for time in times)
