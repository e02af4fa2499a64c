"""Random programs natively and with Rota: the first that ends otherwise, made small."""

from __future__ import annotations

import shlex
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from rota.check.settings import OPTIONS, options_of, settings_in_turn
from rota.check.shrinking import shrunk
from rota.check.streams import (
    Bench,
    Numbers,
    Seen,
    how_it_differs,
    listed,
    seen_natively,
    seen_with_rota,
    text_of,
)
from rota.check.watched import HANGS
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rota.library import Abi

PER_JOB: Final = 200

# Enough before a program that fails only after others.
_LEAD: Final = 100


@dataclass(frozen=True)
class Check:
    """What is tried: so many programs of a seed, or a single one as text; settings of Rota, None: in turn."""

    bench: Bench
    seed: int
    programs: int
    program: str | None = None
    variables: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Difference:
    """How a program ends natively and with Rota, the smallest that does so, in C too, and the command for it.

    None: it ends so after others only.
    """

    fault: str
    command: str
    in_c: str
    program: str | None


@dataclass
class Outcome:
    """What was found; `skipped`: programs by what the MPI library does with them by itself."""

    tried: int = 0
    skipped: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    difference: Difference | None = None

    @property
    def equal(self) -> int:
        """How many programs came to the same."""
        left_out = {number for numbers in self.skipped.values() for number in numbers}
        return self.tried - len(left_out) - (self.difference is not None)

    @property
    def native_faults(self) -> int:
        """How many programs showed a fault of the MPI library's own: most of what is left out."""
        natively = (numbers for reason, numbers in self.skipped.items() if reason.startswith("natively, "))
        return len({number for numbers in natively for number in numbers})


@dataclass(frozen=True)
class _Stretch:
    """Programs of one job, and the settings of Rota for them."""

    numbers: Numbers
    variables: Mapping[str, str]


@dataclass(frozen=True)
class _Found:
    """A program that differs, by its number, and in what."""

    number: int
    how: str


def run(what: Check, progress: Callable[[int], object], shrinks: Callable[[str], object]) -> Outcome:
    """Run job after job, each natively and with Rota, until a program differs.

    `progress` is told how many programs have ended, `shrinks` each smaller program that still differs.
    """
    outcome = Outcome()
    for stretch in _stretches(what):
        outcome.difference = _difference_in(what, stretch, outcome, progress, shrinks)
        if outcome.difference is not None:
            break
    return outcome


def try_one(what: Check, program: str, shrinks: Callable[[str], object]) -> Outcome:
    """Run one program, with each setting in turn unless one is asked for."""
    outcome = Outcome()
    with listed([program]) as numbers:
        for variables in _settings(what):
            outcome.difference = _difference_in(what, _Stretch(numbers, variables), outcome, bool, shrinks)
            if outcome.difference is not None:
                break
    outcome.tried = min(outcome.tried, 1)
    return outcome


def _settings(what: Check) -> list[Mapping[str, str]]:
    """Return Rota's settings in turn: its own choice, on several hosts, and every schedule."""
    if what.variables is not None:
        return [what.variables]
    # Sums compete too, for on one machine, whose links are fast, they would be native otherwise.
    alone = {"ROTA_HOSTS": str(what.bench.ranks), "ROTA_ADAPT": "all"}
    forced = [setting.environment for setting in settings_in_turn()]
    return [*(variables for one in forced for variables in (one, {**one, **alone})), alone, {}]


def _stretches(what: Check) -> list[_Stretch]:
    # Threads and settings change from job to job, and from seed to seed, and do not change together: an odd
    # number of settings.
    settings = _settings(what)
    settings = settings if len(settings) % 2 else [*settings, {}]
    return [
        _Stretch(
            Numbers(f"seed={what.seed}", first, min(first + PER_JOB, what.programs), turn % 2 == 1),
            settings[(turn * 7) % len(settings)],
        )
        for turn, first in enumerate(range(0, what.programs, PER_JOB), what.seed)
    ]


def _difference_in(
    what: Check,
    stretch: _Stretch,
    outcome: Outcome,
    progress: Callable[[int], object],
    shrinks: Callable[[str], object],
) -> Difference | None:
    """Return the first difference that is not the MPI library's own fault; take note of those that are."""
    while (found := _first_difference(what, stretch, outcome, progress)) is not None:
        difference = _made_small(what, stretch, found, shrinks)
        other: Abi = "openmpi" if what.bench.abi != "openmpi" else "mpich"
        if not _sees_what_rota_does(other, what, stretch, difference.program):
            return difference
        outcome.skipped[f"natively, other results than with Rota and natively with {other}"].append(
            found.number
        )
        stretch = replace(stretch, numbers=replace(stretch.numbers, first=found.number + 1))
    return None


def _sees_what_rota_does(other: Abi, what: Check, stretch: _Stretch, program: str | None) -> bool:
    """Tell whether a small program comes to the same with another MPI library as it does with Rota.

    Small, for what a whole one sees depends on the MPI library: on when its requests are over, say.
    """
    if program is None:
        return False
    with listed([program]) as one:
        try:
            there = seen_natively(replace(what.bench, abi=other), one)[0]
        except RotaError:  # it is not installed
            return False
        return there.fault is None and there == seen_with_rota(what.bench, one, stretch.variables)[0]


def _first_difference(
    what: Check, stretch: _Stretch, outcome: Outcome, progress: Callable[[int], object]
) -> _Found | None:
    """Return the first program that differs where it natively ends alike twice, and in time."""
    numbers = stretch.numbers
    native = seen_natively(what.bench, numbers)
    done = numbers.first

    def stops(number: int, seen: Seen) -> bool:
        return native[number].fault is None and native[number] != seen

    while done < numbers.end:
        rest = replace(numbers, first=done)
        with_rota = seen_with_rota(
            what.bench,
            rest,
            stretch.variables,
            lambda ended, before=done: progress(before + ended),  # type: ignore[misc]
            stops=stops,
        )
        for number, seen in sorted(with_rota.items()):
            outcome.tried += 1
            if (fault := native[number].fault) is not None:
                outcome.skipped[f"natively, {fault}"].append(number)
            elif native[number] != seen and not (
                _is_native_unsure(what, numbers, number, native, outcome)
                or _was_only_slow(
                    what, replace(stretch, numbers=numbers), number, native[number], seen, outcome
                )
            ):
                return _Found(number, how_it_differs(native[number], seen))
        done = max(with_rota) + 1
    return None


def _is_native_unsure(
    what: Check, numbers: Numbers, number: int, native: Mapping[int, Seen], outcome: Outcome
) -> bool:
    """Tell whether the program natively does not end twice alike, and take note of it."""
    again = seen_natively(what.bench, replace(numbers, first=number, end=number + 1))[number]
    if again == native[number]:
        return False
    outcome.skipped["natively, it does not always end alike"].append(number)
    return True


def _was_only_slow(
    what: Check, stretch: _Stretch, number: int, native: Seen, seen: Seen, outcome: Outcome
) -> bool:
    """Tell whether a program that did not end in time does so the second time; take note of it."""
    if seen.fault is None or not seen.fault.startswith(HANGS):
        return False
    first = max(stretch.numbers.first, number - _LEAD)
    numbers = replace(stretch.numbers, first=first, end=number + 1)
    if seen_with_rota(what.bench, numbers, stretch.variables)[number] != native:
        return False
    outcome.skipped[f"with Rota, once but not again, {seen.fault}"].append(number)
    return True


def _made_small(
    what: Check, stretch: _Stretch, found: _Found, shrinks: Callable[[str], object]
) -> Difference:
    one = replace(stretch.numbers, first=found.number, end=found.number + 1)
    text = text_of(what.bench, one, "text")
    smallest = shrunk(what.bench, text, stretch.variables, shrinks)
    if smallest is None:
        return _only_after_others(what, stretch, found, text)
    return Difference(
        smallest.fault,
        _command(what, stretch.variables, ("--program", smallest.text)),
        smallest.in_c,
        smallest.text,
    )


def _only_after_others(what: Check, stretch: _Stretch, found: _Found, text: str) -> Difference:
    """Return a difference that a program does not show alone, or does not show again."""
    before = f"programs {stretch.numbers.first} to {found.number - 1} of seed {what.seed}"
    fault = f"{found.how}; after {before}, not alone: {text}"
    words = ("--programs", str(what.programs), "--seed", str(what.seed))
    return Difference(fault, _command(what, stretch.variables, words), "", None)


def _command(what: Check, variables: Mapping[str, str], words: tuple[str, ...]) -> str:
    without_option = (f"{name}={value}" for name, value in variables.items() if name not in OPTIONS)
    start = ("rota", "check", "--mpi", what.bench.abi, "-n", str(what.bench.ranks))
    return shlex.join((*without_option, *start, *options_of(variables), *words))
