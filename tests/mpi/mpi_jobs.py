"""Compiles the MPI programs beside this file and runs them with and without Rota."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from rota.check.patience import Patience
from rota.launch import Job, native_job, with_environment, with_rota
from rota.launcher import launcher_environment, local_command
from rota.library import Abi, preload_path
from rota.mpi_install import FAMILY, find_install
from short_slices import BEHIND_RANKS

PROGRAMS: Final = Path(__file__).parent / "programs"
MPI_SOURCES: Final = Path(__file__).parents[2] / "mpi"
C_FLAGS: Final = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread")
LIMIT_S: Final = 180
LOOK_S: Final = 2

# All ranks share this machine's host, where Rota would leave every broadcast to the MPI library.
FORCED: Final[Mapping[str, str]] = {"ROTA_ALGORITHM": "bcast=circulant"}
SMALL_BLOCKS: Final[Mapping[str, str]] = {**FORCED, "ROTA_BLOCK_BYTES": "64"}
ALL_FORCED: Final[Mapping[str, str]] = {
    "ROTA_ALGORITHM": "bcast=circulant,reduce=circulant,allgather=circulant,reduce_scatter=circulant,"
    "allreduce=circulant,scan=chain,exscan=chain",
    "ROTA_BLOCK_BYTES": "64",
}

# Ranks that wait give way to those that work, where there are more of them than cores: MPICH's would not.
GIVING_WAY: Final[Mapping[str, str]] = {
    "MPIR_CVAR_POLLS_BEFORE_YIELD": "1",
    "MPIR_CVAR_ENABLE_HEAVY_YIELD": "1",
}


def forced_between_groups(allgather: str) -> dict[str, str]:
    """Return the settings that have schedules serve every call between two groups, allgathers this one."""
    others = "inter_bcast=circulant,inter_reduce=chain,inter_allreduce=spread"
    return {"ROTA_ALGORITHM": f"inter_allgather={allgather},{others}", "ROTA_BLOCK_BYTES": "512"}


@dataclass(frozen=True)
class Outcome:
    """What a job did, and what Rota reported about it."""

    status: int
    output: str
    errors: str
    report: dict[str, Any] | None = None

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of the report."""
        assert self.report is not None, f"Rota wrote no report; standard error: {self.errors}"
        lines: list[dict[str, Any]] = self.report["calls"]
        return lines

    @property
    def broadcasts(self) -> list[dict[str, Any]]:
        """The lines of the report on broadcasts; programs use other collectives to compare what came out."""
        return [line for line in self.lines if line["collective"] == "bcast"]

    def calls(self, schedule: str) -> int:
        """How many broadcasts that schedule served."""
        return sum(line["calls"] for line in self.broadcasts if line["schedule"] == schedule)

    def reasons(self) -> dict[str, int]:
        """How many broadcasts went to the MPI library, by the reason for it."""
        reasons: dict[str, int] = {}
        for line in self.broadcasts:
            if line["schedule"] == "native":
                reasons[line["reason"]] = reasons.get(line["reason"], 0) + line["calls"]
        return reasons

    def rota_errors(self) -> list[str]:
        """What Rota itself said on standard error, among what the launcher says."""
        return [line for line in self.errors.splitlines() if line.startswith("rota:")]


def mpicc(abi: Abi) -> Path:
    return find_install(FAMILY[abi]).launcher.parent / ("mpicc_abi" if abi == "mpi5" else "mpicc")


def compile_program(command: Sequence[str | Path], directory: Path) -> None:
    behind = (*BEHIND_RANKS, *command)
    built = subprocess.run(behind, cwd=directory, capture_output=True, text=True, check=False)
    assert built.returncode == 0, f"{command}\n{built.stderr}"


def compiled_library(abi: Abi, name: str, directory: Path) -> Path:
    """Compile a program of `programs/` to a library in this folder, to be preloaded."""
    library = directory / f"lib{name}.so"
    compile_program(
        (mpicc(abi), *C_FLAGS, "-shared", "-fPIC", PROGRAMS / f"{name}.c", "-o", library), directory
    )
    return library


def behind_stand_in(abi: Abi, program: Sequence[object], directory: Path) -> Job:
    """Return the job of a program with Rota, and before its MPI library what makes calls fail or slow.

    That is `faults.c`; it is compiled in this folder.
    """
    stand_in = directory / "libfaults.so"
    links = ("-shared", "-fPIC", "-Wl,--no-as-needed", f"-I{MPI_SOURCES}")
    compile_program((mpicc(abi), *C_FLAGS, *links, PROGRAMS / "faults.c", "-o", stand_in, "-ldl"), directory)
    preload = {"LD_PRELOAD": f"{preload_path(abi)}:{stand_in}"}
    return with_environment(native_job([str(word) for word in program]), preload)


def debian_compiler(family: str, wrapper: str, package: str) -> str:
    """Return one of Debian's compilers, the only ones with Fortran; skip the test where it is missing."""
    found = shutil.which(f"{wrapper}.{family}")
    if found is None or shutil.which("gfortran") is None:
        pytest.skip(f"no {wrapper}.{family}: install {package} and gfortran")
    return found


def run_command(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Outcome:
    """Run a launcher's command; a job that hangs is a failure, and is ended by its launcher.

    Time in which its ranks waited for a processor is not held against it.
    """
    process = subprocess.Popen(
        command,
        env={**GIVING_WAY, **launcher_environment(environment or os.environ)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    patience = Patience(process.pid, LIMIT_S)
    with process:
        while True:
            try:
                output, errors = process.communicate(timeout=LOOK_S)
                return Outcome(process.returncode, output, errors)
            except subprocess.TimeoutExpired:
                if not patience.is_over():
                    continue
            process.terminate()
            output, errors = process.communicate()
            pytest.fail(f"hangs: {' '.join(command)}\n{output[-2000:]}\n{errors[-2000:]}")


def run_job(job: Job, ranks: int) -> Outcome:
    return run_command(local_command(job, ranks, os.cpu_count() or 1))


def run_native(program: Sequence[object], ranks: int) -> Outcome:
    return run_job(native_job([str(word) for word in program]), ranks)


def run_with_rota(
    program: Sequence[object], ranks: int, settings: Mapping[str, str], report: Path | None = None
) -> Outcome:
    """Run a program with Rota; with a report if a file for it is given."""
    return report_of(with_rota(native_job([str(word) for word in program])), ranks, settings, report)


def report_of(job: Job, ranks: int, settings: Mapping[str, str], report: Path | None) -> Outcome:
    reporting = {} if report is None else {"ROTA_REPORT": str(report)}
    outcome = run_job(with_environment(job, {**settings, **reporting}), ranks)
    # A job that was ended may have been ended while it wrote its report.
    if report is None or outcome.status != 0 or not report.exists():
        return outcome
    return Outcome(outcome.status, outcome.output, outcome.errors, json.loads(report.read_text()))


def succeeded(outcome: Outcome) -> Outcome:
    assert outcome.status == 0, f"status {outcome.status}\n{outcome.output[-2000:]}\n{outcome.errors[-4000:]}"
    return outcome
