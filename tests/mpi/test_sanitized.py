"""The MPI layer under the address, leak and undefined-behaviour sanitizers, which end a rank at a fault.

One MPI is enough for that: MPICH has the calls with large counts. The core's own tests are in `tests/run`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mpi_jobs import (
    ALL_FORCED,
    C_FLAGS,
    PROGRAMS,
    compile_program,
    forced_between_groups,
    mpicc,
    run_job,
    succeeded,
)

from rota.check.settings import settings_in_turn
from rota.launch import preferred_job, with_environment
from rota.library import Abi
from rota.mpi_install import Family, find_install
from rota.platforms.paper import figure2
from rota.steady.plan import planned
from rota.steady.scatter import series_of_scatters
from rota.steady.timetable import timetable_of
from short_slices import BEHIND_RANKS

ABI: Abi = "mpich"
SOURCE = Path(__file__).parents[2]
BUILT = SOURCE / "build" / "sanitized" / "mpi"
TARGETS = (f"rota-check-{ABI}", f"rota_preload_{ABI}")
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
OPTIONS = {
    "LSAN_OPTIONS": f"suppressions={Path(__file__).parent / 'mpich_leaks.txt'}:print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
SETTINGS = settings_in_turn()
pytestmark = pytest.mark.long
CASES = 60


def cmake(*words: str) -> None:
    """Run it in the sources, with the tools and the MPI libraries of this environment."""
    families: tuple[Family, ...] = ("openmpi", "mpich")
    prefixes = {
        f"ROTA_{family.upper()}_PREFIX": str(find_install(family).launcher.parents[1]) for family in families
    }
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ended = subprocess.run(
        (*BEHIND_RANKS, "cmake", *words),
        cwd=SOURCE,
        env={**os.environ, **prefixes, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"cmake {' '.join(words)}\n{ended.stdout[-4000:]}\n{ended.stderr[-4000:]}"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    cmake("--preset", "sanitized", "--log-level=WARNING")
    cmake("--build", "--preset", "sanitized", "--target", *TARGETS)


def run(program: Path, words: tuple[object, ...], ranks: int, settings: dict[str, str]) -> str:
    """Return what it prints."""
    job = preferred_job(ABI, [str(program), *map(str, words)])
    return succeeded(run_job(with_environment(job, {**OPTIONS, **settings}), ranks)).output


def compiled(source: Path, library: str, directory: Path) -> Path:
    """Return a program, compiled with the sanitizers and linked to the sanitized library."""
    program = directory / source.stem
    links = (f"-I{SOURCE}/mpi/include", f"-L{BUILT}", f"-l{library}_{ABI}", f"-Wl,-rpath,{BUILT}")
    compile_program((mpicc(ABI), *C_FLAGS, *SANITIZED, source, *links, "-o", program), directory)
    return program


@pytest.mark.parametrize("turn", range(len(SETTINGS)))
def test_random_cases(tmp_path: Path, turn: int) -> None:
    """Random collectives, every schedule of each of them in its turn."""
    words = (tmp_path / "state", "seed", 1, turn * CASES, (turn + 1) * CASES)
    said = run(BUILT / TARGETS[0], words, 3 + turn % 3, SETTINGS[turn].environment)
    assert said.startswith('{"tried": ')


@pytest.mark.parametrize(
    ("name", "library", "words", "settings"),
    [
        ("neighbours", "rota_preload", (1, 15), {"ROTA_ALGORITHM": "alltoall=weighted"}),
        ("started", "rota_preload", (7, 12), {**ALL_FORCED, "ROTA_BLOCK_BYTES": "3000"}),
        ("persistent", "rota_preload", (12,), {**ALL_FORCED, "ROTA_BLOCK_BYTES": "3000"}),
        ("persistent_beside", "rota_preload", ("freed",), {**ALL_FORCED, "ROTA_BLOCK_BYTES": "3000"}),
        (
            "started_exchanges",
            "rota_preload",
            (3, 6),
            {**ALL_FORCED, "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact"},
        ),
        ("plans", "rota", (), {"ROTA_ALGORITHM": "alltoall=exact"}),
        ("lists", "rota", (), forced_between_groups("spread")),
    ],
)
def test_program(
    tmp_path: Path, name: str, library: str, words: tuple[int | str, ...], settings: dict[str, str]
) -> None:
    """Neighbours, started calls, plans, lists of ranks: random cases lack them; MPI's symbols in front."""
    run(compiled(PROGRAMS / f"{name}.c", library, tmp_path), words, 6, settings)


def test_stream(tmp_path: Path) -> None:
    """Scatters by the plan of paper 5's Figure 2, in a last period that is not full."""
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    timetable = tmp_path / "plan.timetable"
    timetable.write_text(timetable_of(plan).text)
    program = compiled(SOURCE / "examples" / "stream.c", "rota", tmp_path)
    assert ", 0 wrong numbers\n" in run(program, (timetable, 20), 5, {})
