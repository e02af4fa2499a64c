"""What a stream of random programs sees; the job begins anew behind one that ends it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota.check.watched import run_watched
from rota.errors import RotaError
from rota.launch import Job, own_words, preferred_job, with_environment, with_rota
from rota.launcher import local_command
from rota.library import Abi, programs_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Numbers:
    """Programs first to end - 1 of a source: "seed=1", or a file with one a line."""

    source: str
    first: int
    end: int
    is_multiple: bool


MULTIPLE: Final = "multiple"
"""What the text of a program begins with that begins MPI for threads."""


@contextmanager
def listed(programs: Sequence[str]) -> Iterator[Numbers]:
    """Give programs numbers, for as long as that lasts: all begin MPI for threads, or none does."""
    with tempfile.TemporaryDirectory(prefix="rota-check-") as scratch:
        file = Path(scratch) / "programs"
        file.write_text("".join(f"{program}\n" for program in programs))
        is_multiple = programs[0].partition("|")[0].strip() == MULTIPLE
        yield Numbers(str(file), 0, len(programs), is_multiple)


@dataclass(frozen=True)
class Seen:
    """What a program came to: what each rank saw, or how it ended the job."""

    ranks: tuple[str, ...] = ()
    fault: str | None = None


def how_it_differs(native: Seen, with_rota: Seen) -> str:
    """Say in what a program's two ends are not the same."""
    if with_rota.fault is not None:
        return f"natively it ends well; with Rota {with_rota.fault}"
    ranks = [
        str(rank)
        for rank, both in enumerate(zip(native.ranks, with_rota.ranks, strict=True))
        if both[0] != both[1]
    ]
    return f"with Rota other results than natively on rank {', '.join(ranks)}"


@dataclass(frozen=True)
class Bench:
    """With which MPI, on how many ranks, and after how many seconds a program counts as hanging."""

    abi: Abi
    ranks: int
    timeout_s: float


def seen_natively(
    bench: Bench,
    numbers: Numbers,
    progress: Callable[[int], object] = bool,
    *,
    stops: Callable[[int, Seen], bool] | None = None,
) -> dict[int, Seen]:
    """Return what each program came to, by its number; up to the first at which it `stops`."""
    return _seen(lambda words: _job(bench, words), bench, numbers, progress, stops)


def seen_with_rota(
    bench: Bench,
    numbers: Numbers,
    variables: Mapping[str, str],
    progress: Callable[[int], object] = bool,
    *,
    stops: Callable[[int, Seen], bool] | None = None,
) -> dict[int, Seen]:
    """Return the same with Rota preloaded, and settings of it."""

    def job(words: tuple[str, ...]) -> Job:
        return with_environment(with_rota(_job(bench, words)), variables)

    return _seen(job, bench, numbers, progress, stops)


def text_of(bench: Bench, numbers: Numbers, form: str) -> str:
    """Return the first of the programs as "text" or in "c"."""
    mode = "multiple" if numbers.is_multiple else "single"
    job = _job(bench, (form, str(bench.ranks), mode, numbers.source, str(numbers.first)))
    ended = subprocess.run(
        job.program,
        env={**os.environ, **job.rank_environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        raise RotaError(own_words(ended.stderr).partition(": ")[2])
    return ended.stdout.strip()


def _job(bench: Bench, words: tuple[str, ...]) -> Job:
    return preferred_job(bench.abi, [str(programs_path(bench.abi)), *words])


def _seen(
    job: Callable[[tuple[str, ...]], Job],
    bench: Bench,
    numbers: Numbers,
    progress: Callable[[int], object],
    stops: Callable[[int, Seen], bool] | None,
) -> dict[int, Seen]:
    results: dict[int, Seen] = {}
    first = numbers.first
    while first < numbers.end:
        found = _stretch(job, bench, numbers, first, progress)
        results |= found
        if stops and any(stops(number, seen) for number, seen in found.items()):
            break
        first = max(found) + 1
    return results


def _stretch(
    job: Callable[[tuple[str, ...]], Job],
    bench: Bench,
    numbers: Numbers,
    first: int,
    progress: Callable[[int], object],
) -> dict[int, Seen]:
    """Run one job from a program on, to the program that ends it or the last."""
    with tempfile.TemporaryDirectory(prefix="rota-check-") as scratch:
        files = Path(scratch) / "seen"
        mode = "multiple" if numbers.is_multiple else "single"
        words = (str(files), "run", mode, numbers.source, str(first), str(numbers.end))
        # Ranks that wait give way: each may have several threads.
        command = local_command(job(words), bench.ranks, cores=1)
        ended = run_watched(
            command,
            bench.timeout_s,
            lambda: sum(file.stat().st_size for file in files.parent.glob(f"{files.name}.*")),
            lambda _: progress(len(_lines(files.with_suffix(".0")))),
        )
        by_rank = [_lines(files.with_suffix(f".{rank}")) for rank in range(bench.ranks)]
    complete = min(len(lines) for lines in by_rank)
    found = {first + index: Seen(tuple(lines[index] for lines in by_rank)) for index in range(complete)}
    if ended.fault is None and ended.status == 0:
        return found
    says = own_words(ended.errors)
    if complete == 0 and says.startswith("rota-programs: "):
        raise RotaError(says.partition(": ")[2])
    fault = ended.fault or f"the job ended with status {ended.status}: {says}"
    at_end = first + complete == numbers.end
    last = numbers.end - 1 if at_end else first + complete
    return {**found, last: Seen(fault=f"at the end of all, {fault}" if at_end else fault)}


def _lines(file: Path) -> list[str]:
    """Return what a rank saw of each program; a line that is not at its end does not count."""
    if not file.exists():
        return []
    return [line.split()[1] for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
