"""The MPI layer under the thread sanitizer: programs with several threads in collectives at once.

The MPI libraries are not built with it: what they do among themselves it cannot judge, so only reports with
Rota's code in a stack count, and their locks order nothing. What Rota does is seen whole: librota, its
preload library and the programs are built with it.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest
from mpi_jobs import (
    ALL_FORCED,
    C_FLAGS,
    PROGRAMS,
    Outcome,
    compile_program,
    forced_between_groups,
    mpicc,
    run_command,
    succeeded,
)
from test_legal_threads import with_threads
from test_sanitized import SOURCE, cmake

from rota.launch import preferred_job, with_environment
from rota.launcher import local_command
from rota.library import Abi

ABIS: Final[tuple[Abi, ...]] = ("openmpi", "mpich")
BUILT: Final = SOURCE / "build" / "threads"
SANITIZED: Final = "-fsanitize=thread"
OPTIONS: Final = (
    "-G",
    "Ninja",
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1",
    "-DROTA_SMPI=OFF",
)
RANKS: Final = 3
WITHIN: Final = {
    "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact",
    "ROTA_BLOCK_BYTES": "16384",
}
BETWEEN: Final = {**forced_between_groups("spread"), "ROTA_BLOCK_BYTES": "16384"}
# UCX, in both libraries, would be called at the end of threads that the sanitizer no longer knows.
UNHOOKED: Final = {
    "UCX_MEM_EVENTS": "n",
    "UCX_MEM_MMAP_HOOK_MODE": "none",
    "UCX_MEM_MALLOC_HOOKS": "n",
}
# Open MPI's launcher shares memory with ranks at an address that the sanitizer has taken.
APART: Final = {"PMIX_MCA_gds": "hash"}
LIMIT_S: Final = 240  # the sanitizer is slow
WARNING: Final = "WARNING: ThreadSanitizer"

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def fixed_addresses(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return what programs are to be started by, for the sanitizer to find its place in memory."""
    directory = tmp_path_factory.mktemp("nothing")
    program = directory / "nothing"
    program.with_suffix(".c").write_text("int main(void) { return 0; }\n")
    compile_program(("gcc", SANITIZED, program.with_suffix(".c"), "-o", program), directory)
    said = ""
    for words in ((), ("setarch", "-R")):
        ended = subprocess.run((*words, program), capture_output=True, text=True, check=False)
        if ended.returncode == 0:
            return words
        said = ended.stderr.strip()
    pytest.skip(f"the thread sanitizer does not run here, nor with setarch -R: {said}")


@pytest.fixture(scope="module", params=ABIS)
def built_for(request: pytest.FixtureRequest, fixed_addresses: tuple[str, ...]) -> Abi:  # noqa: ARG001
    """Return each MPI for which both libraries are built with the sanitizer, not where it cannot run."""
    abi: Abi = request.param
    cmake("-S", ".", "-B", str(BUILT), *OPTIONS, f"-DCMAKE_CXX_FLAGS={SANITIZED}", "--log-level=WARNING")
    cmake("--build", str(BUILT), "--target", f"rota_{abi}", f"rota_preload_{abi}")
    return abi


def races_of_rota(logs: Path) -> list[str]:
    """Return the reports of all ranks that have Rota's code in a stack."""
    reports = (
        report
        for log in logs.iterdir()
        for report in re.split(r"^={18}$", log.read_text(), flags=re.MULTILINE)
    )
    return [report for report in reports if WARNING in report and "librota" in report]


def run_sanitized(
    abi: Abi, program: Path, settings: dict[str, str], words: tuple[str, ...], logs: Path
) -> Outcome:
    """Run it with Rota; what the sanitizer says goes to files in `logs`."""
    logs.mkdir()
    sanitizer = {"TSAN_OPTIONS": f"log_path={logs}/rank:exitcode=0:ignore_noninstrumented_modules=1"}
    preload = {"LD_PRELOAD": str(BUILT / "mpi" / f"librota_preload_{abi}.so")}
    job = with_environment(
        preferred_job(abi, [str(program)]), {**settings, **UNHOOKED, **sanitizer, **preload}
    )
    return run_command((*words, *local_command(job, RANKS, os.cpu_count() or 1)), {**os.environ, **APART})


@pytest.mark.parametrize(
    ("name", "settings", "reports"),
    [
        ("threads", WITHIN, False),
        ("threads", WITHIN, True),
        ("threads_within", WITHIN, False),
        ("threads_free", WITHIN, False),
        ("threads_between", BETWEEN, False),
    ],
)
def test_no_races(
    tmp_path: Path,
    built_for: Abi,
    fixed_addresses: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    settings: dict[str, str],
    *,
    reports: bool,
) -> None:
    """Threads on communicators of their own share Rota's world, its tags, its settings and its notes.

    With a report each call takes a lock, which hides races before it from the sanitizer.
    """
    monkeypatch.setattr("mpi_jobs.LIMIT_S", LIMIT_S)
    program = tmp_path / name
    compile_program((mpicc(built_for), *C_FLAGS, SANITIZED, PROGRAMS / f"{name}.c", "-o", program), tmp_path)
    reporting = {"ROTA_REPORT": str(tmp_path / "report.json")} if reports else {}
    logs = tmp_path / "logs"
    outcome = run_sanitized(built_for, program, {**settings, **reporting}, fixed_addresses, logs)
    succeeded(with_threads(outcome))
    races = races_of_rota(logs)
    assert not races, f"{len(races)} reports, the first:\n{races[0]}"
