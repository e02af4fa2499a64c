"""From a program that differs to the smallest one near it: as text, of which any word may go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from rota.check.streams import MULTIPLE, how_it_differs, listed, seen_natively, seen_with_rota, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rota.check.streams import Bench, Numbers, Seen

_BATCH: Final = 24
_LIMIT_S: Final = 240

# A program takes milliseconds; many candidates hang.
_TIMEOUT_S: Final = 4


@dataclass(frozen=True)
class Smallest:
    """A program as text and in C, and how its end differs."""

    text: str
    in_c: str
    fault: str


@dataclass(frozen=True)
class _Program:
    """Whether MPI is begun for threads, and the steps of each, in words."""

    is_multiple: bool
    threads: tuple[tuple[tuple[str, ...], ...], ...]

    def __str__(self) -> str:
        threads = " | ".join("; ".join(" ".join(step) for step in steps) for steps in self.threads)
        return f"{MULTIPLE} | {threads}" if self.is_multiple else threads


def shrunk(
    bench: Bench, text: str, variables: Mapping[str, str], shrinks: Callable[[str], object]
) -> Smallest | None:
    """Return the smallest program found that differs; None if this one does not differ alone."""
    quick = replace(bench, timeout_s=min(bench.timeout_s, _TIMEOUT_S))
    until_s = monotonic() + _LIMIT_S
    program = _parsed(text)
    found = _first_that_differs(bench, [program], variables)
    if found is None:
        return None
    fault = found[1]
    while (smaller := _smaller_one(quick, program, variables, until_s)) is not None:
        program, fault = smaller
        shrinks(str(program))
    with listed([str(program)]) as numbers:
        in_c = text_of(bench, numbers, "c")
    return Smallest(str(program), in_c, fault)


def _parsed(text: str) -> _Program:
    parts = [part.strip() for part in text.split("|")]
    is_multiple = parts[0] == MULTIPLE
    threads = parts[1:] if is_multiple else parts
    return _Program(
        is_multiple,
        tuple(tuple(tuple(step.split()) for step in thread.split(";") if step.strip()) for thread in threads),
    )


def _smaller_one(
    bench: Bench, program: _Program, variables: Mapping[str, str], until_s: float
) -> tuple[_Program, str] | None:
    """Return the first of the simpler programs that differs, if any and before the time is over, and how."""
    candidates = [each for each in dict.fromkeys(_simpler(program)) if each != program]
    for start in range(0, len(candidates), _BATCH):
        if monotonic() > until_s:
            return None
        batch = candidates[start : start + _BATCH]
        found = _first_that_differs(bench, batch, variables)
        if found is not None:
            return batch[found[0]], found[1]
    return None


def _first_that_differs(
    bench: Bench, programs: list[_Program], variables: Mapping[str, str]
) -> tuple[int, str] | None:
    """Return the position of the first program that differs, and how."""
    for is_multiple in (False, True):
        chosen = [index for index, program in enumerate(programs) if program.is_multiple == is_multiple]
        if not chosen:
            continue
        with listed([str(programs[index]) for index in chosen]) as numbers:
            found = _first_in(bench, numbers, variables)
        if found is not None:
            return chosen[found[0]], found[1]
    return None


def _first_in(bench: Bench, numbers: Numbers, variables: Mapping[str, str]) -> tuple[int, str] | None:
    native = seen_natively(bench, numbers)

    def differs(number: int, seen: Seen) -> bool:
        return native[number].fault is None and native[number] != seen

    with_rota = seen_with_rota(bench, numbers, variables, stops=differs)
    for number, seen in sorted(with_rota.items()):
        if differs(number, seen):
            return number, how_it_differs(native[number], seen)
    return None


def _simpler(program: _Program) -> Iterator[_Program]:
    """Generate simpler programs, the largest leaps first."""
    if len(program.threads) > 1:
        for index in range(len(program.threads)):
            yield replace(program, threads=program.threads[:index] + program.threads[index + 1 :])
    elif program.is_multiple:
        yield replace(program, is_multiple=False)
    for index, steps in enumerate(program.threads):
        for fewer in _fewer(steps):
            yield _with_steps(program, index, fewer)
    for index, steps in enumerate(program.threads):
        for place, step in enumerate(steps):
            for simpler in _simpler_steps(step):
                yield _with_steps(program, index, (*steps[:place], simpler, *steps[place + 1 :]))


def _with_steps(program: _Program, thread: int, steps: tuple[tuple[str, ...], ...]) -> _Program:
    return replace(program, threads=(*program.threads[:thread], steps, *program.threads[thread + 1 :]))


def _fewer(steps: tuple[tuple[str, ...], ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Generate the steps without some that follow each other: half of them, a quarter, ..., one."""
    length = len(steps) // 2
    while length > 0:
        for start in range(0, len(steps), length):
            yield steps[:start] + steps[start + length :]
        length //= 2


def _simpler_steps(step: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Generate the step with all its words at their simplest, without one of them, with a smaller number."""
    if len(step) > 2:  # noqa: PLR2004 - one word and the call's name have their turn below
        yield tuple(word for word in step if word.partition("=")[0] not in _MATTERS_LESS)
    for index in range(1, len(step)):
        yield step[:index] + step[index + 1 :]
    for index in range(1, len(step)):
        name, _, value = step[index].partition("=")
        if name in _NUMBERS and int(value) > 1:
            yield (*step[:index], f"{name}={int(value) // 2}", *step[index + 1 :])


# What a step can do without most often; and of what less is simpler.
_MATTERS_LESS: Final = frozenset(
    ("way", "type", "shape", "other", "op", "pattern", "displs", "root", "in_place", "large", "data")
)
_NUMBERS: Final = frozenset(("count",))
