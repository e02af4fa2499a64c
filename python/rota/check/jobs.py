"""The checker's jobs: one for each setting of Rota, each with its share of the cases."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rota.check.watched import Ended, run_watched
from rota.errors import RotaError
from rota.launch import Job, own_job, with_environment
from rota.launcher import local_command
from rota.library import Abi, check_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rota.check.settings import Setting

NATIVE: Final = "native: "
"""What the reason follows where a call was left to the MPI library."""


@dataclass(frozen=True)
class Check:
    """What is tried: cases of a seed, or a single one, with this MPI on so many ranks."""

    abi: Abi
    ranks: int
    seed: int
    cases: int
    case: str | None
    timeout_s: float

    @property
    def total(self) -> int:
        """How many cases there are."""
        return self.cases if self.case is None else 1


@dataclass(frozen=True)
class Failure:
    """What is wrong, and the command that shows it again."""

    fault: str
    command: str


@dataclass
class Outcome:
    """What the jobs found; `served` counts Rota's calls by collective and by schedule or reason for none.

    `native`: of the native library's own faults, how many cases had one, and the first of each job.
    """

    tried: int = 0
    native_cases: int = 0
    native: list[Failure] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    served: Counter[tuple[str, str]] = field(default_factory=Counter)
    failure: Failure | None = None

    @property
    def equal(self) -> int:
        """How many cases came out equal."""
        return self.tried - self.native_cases - (self.failure is not None)


def run(what: Check, settings: list[Setting], progress: Callable[[int], object]) -> Outcome:
    """Run one job after the other until one fails; `progress` is told how many cases are done.

    Raise RotaError if a job does not start.
    """
    outcome = Outcome()
    for turn, setting in enumerate(settings):
        first, end = (what.cases * step // len(settings) for step in (turn, turn + 1))
        if what.case is not None:
            _add_job(outcome, what, setting, ("case", what.case), progress)
        else:
            _add_cases(outcome, what, setting, range(first, end), progress)
        if outcome.failure:
            break
    return outcome


def _add_cases(
    outcome: Outcome, what: Check, setting: Setting, cases: range, progress: Callable[[int], object]
) -> None:
    """Run a job for the cases, and another for those behind each in which the native library crashes."""
    left = cases
    while left:
        words = ("seed", str(what.seed), str(left.start), str(left.stop))
        crashed = _add_job(outcome, what, setting, words, progress)
        if crashed is None:
            break
        outcome.tried += crashed - left.start
        if outcome.failure:
            break
        left = range(crashed + 1, left.stop)


def _add_job(
    outcome: Outcome,
    what: Check,
    setting: Setting,
    words: tuple[str, ...],
    progress: Callable[[int], object],
) -> int | None:
    """Run a job and add what it found; return the number of the case that ended it, if one did."""
    with tempfile.TemporaryDirectory(prefix="rota-check-") as scratch:
        state = Path(scratch) / "state"
        report = Path(scratch) / "report.json"
        job = _job(what.abi, (str(state), *words), {**setting.environment, "ROTA_REPORT": str(report)})
        ended = _run(job, what, state, progress)
        if ended.fault is None and ended.status in (0, 1) and ended.output.strip():
            _add_findings(outcome, json.loads(ended.output.strip().splitlines()[-1]), what, setting)
        else:
            crashed = _last_case(state)
            failure = _broken(ended, crashed.text, what, setting)
            outcome.tried += 1
            if _breaks_natively(what, crashed.text):
                outcome.native_cases += 1
                outcome.native.append(failure)
            else:
                outcome.failure = failure
            return crashed.number
        if report.exists():
            _add_report(outcome, json.loads(report.read_text()))
    return None


def _breaks_natively(what: Check, case: str) -> bool:
    """Tell whether a case ends a job, or has it hang, also where all of it is the native library's."""
    with tempfile.TemporaryDirectory(prefix="rota-check-") as scratch:
        state = Path(scratch) / "state"
        job = _job(what.abi, (str(state), "native", case), {})
        ended = _run(job, what, state, bool)
    return ended.fault is not None or ended.status != 0


def _job(abi: Abi, words: tuple[str, ...], variables: Mapping[str, str]) -> Job:
    return with_environment(own_job(abi, [str(check_path(abi)), *words]), variables)


def _run(job: Job, what: Check, state: Path, progress: Callable[[int], object]) -> Ended:
    """Run a job, and end it if it tries the same case for too long."""

    def now() -> str:
        return state.read_text() if state.exists() else ""

    command = local_command(job, what.ranks, os.cpu_count() or 1)
    return run_watched(command, what.timeout_s, now, lambda case: _tell(case, progress))


def _tell(state: str, progress: Callable[[int], object]) -> None:
    number = state.partition(" ")[0]
    if number.isdigit():
        progress(int(number))


def _add_findings(outcome: Outcome, findings: dict[str, Any], what: Check, setting: Setting) -> None:
    outcome.tried += findings["tried"]
    outcome.skipped.update(findings["skipped"])
    if native := findings.get("native"):
        outcome.native_cases += native["cases"]
        outcome.native.append(Failure(native["fault"], _command(what, setting, native["first"])))
    if failure := findings.get("failure"):
        outcome.failure = Failure(failure["fault"], _command(what, setting, failure["smallest"]))


@dataclass(frozen=True)
class _LastCase:
    """The case that a job was in when it ended; no text: in none."""

    number: int
    text: str


def _last_case(state: Path) -> _LastCase:
    number, _, text = (state.read_text() if state.exists() else "").partition(" ")
    return _LastCase(int(number) if number.isdigit() else 0, text.strip())


def _broken(ended: Ended, case: str, what: Check, setting: Setting) -> Failure:
    """Return the failure of a job that crashed or hung in a case; raise RotaError if it was in none."""
    last = (ended.errors.strip().splitlines() or ["it said nothing"])[-1]
    said = next(
        (line for line in ended.errors.splitlines() if line.startswith(("rota: ", "rota-check: "))), ""
    )
    fault = ended.fault or f"the job ended with status {ended.status}: {said or last}"
    if not case:
        raise RotaError(said.partition(": ")[2] or fault)
    return Failure(fault, _command(what, setting, case))


def _command(what: Check, setting: Setting, case: str) -> str:
    words = (
        "rota",
        "check",
        "--mpi",
        what.abi,
        "-n",
        str(what.ranks),
        *setting.options_for(case),
        "--case",
        case,
    )
    return shlex.join(words)


def _add_report(outcome: Outcome, report: dict[str, Any]) -> None:
    for call in report["calls"]:
        schedule = call["schedule"] if call["schedule"] != "native" else f"{NATIVE}{call['reason']}"
        outcome.served[call["collective"], schedule] += call["calls"]
