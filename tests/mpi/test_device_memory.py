"""Data in the memory of a device (GPU): where the MPI library takes pointers to it, that library's affair.

No device is needed: a stand-in for its driver says which memory is the device's; in truth it is the host's.
"""

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
    report_of,
    succeeded,
)

from rota.launch import native_job, with_rota
from rota.library import Abi

SOURCES: Final = PROGRAMS.parents[2] / "mpi"
CXX_FLAGS: Final = ("-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread")
SETTINGS: Final = {
    "ROTA_ALGORITHM": ",".join(
        (
            ALL_FORCED["ROTA_ALGORITHM"],
            forced_between_groups("spread")["ROTA_ALGORITHM"],
            "alltoall=exact",
        )
    ),
    "ROTA_BLOCK_BYTES": "512",
}

# What driver.c stands in for: the file's name and how it is built.
DRIVERS: Final = {
    "cuda": ("libcuda.so.1", ()),
    "rocm": ("libamdhip64.so.6", ("-DROCM",)),
    "level_zero": ("libze_loader.so.1", ("-DLEVEL_ZERO",)),
}

# What device_memory.c calls, by the collective in the report: how often with all data that counts on the
# host, and how often with some on the device of one rank.
CALLS: Final = {
    "bcast": (2, 4),
    "reduce": (1, 2),
    "allreduce": (3, 3),
    "allgather": (3, 3),
    "reduce_scatter": (1, 2),
    "scan": (1, 2),
    "exscan": (1, 2),
    "alltoall": (1, 2),
    "inter_bcast": (2, 1),
    "inter_reduce": (2, 1),
    "inter_allreduce": (1, 2),
    "inter_allgather": (1, 2),
}


def shared_library(source: str, name: str, flags: tuple[str, ...], directory: Path) -> Path:
    """Return that file of `programs/`, compiled as a library of that name."""
    library = directory / name
    command = ("cc", *C_FLAGS, *flags, "-shared", "-fPIC", f"-Wl,-soname,{name}")
    compile_program((*command, PROGRAMS / source, "-o", library), directory)
    return library


@pytest.fixture(scope="session")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The stand-in for each driver."""
    directory = tmp_path_factory.mktemp("drivers")
    return {
        name: shared_library("driver.c", file, flags, directory) for name, (file, flags) in DRIVERS.items()
    }


@pytest.fixture(scope="session")
def aware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What has an MPI library say that it takes pointers to a device's memory, if it is preloaded."""
    return shared_library("device_aware.c", "device_aware.so", (), tmp_path_factory.mktemp("aware"))


@pytest.fixture(scope="session")
def program(abi: Abi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp(f"device_memory-{abi}")
    built = directory / "device_memory"
    source = PROGRAMS / "device_memory.c"
    compile_program((mpicc(abi), *C_FLAGS, source, "-ldl", "-o", built), directory)
    return built


def run(words: tuple[object, ...], ranks: int, report: Path, preloaded: Path | None = None) -> Outcome:
    """Run a program with Rota, and with another library preloaded before it."""
    job = native_job([str(word) for word in words])
    others = {} if preloaded is None else {"LD_PRELOAD": str(preloaded)}
    return succeeded(report_of(with_rota(job, others), ranks, SETTINGS, report))


def calls(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """Return by collective how many calls a schedule served, and how many were native for a device's data.

    Fail if any were native for another reason.
    """

    def found(collective: str) -> tuple[int, int]:
        lines = [line for line in outcome.lines if line["collective"] == collective]
        served = sum(line["calls"] for line in lines if line["schedule"] != "native")
        native = sum(line["calls"] for line in lines if line["reason"] == "device memory")
        assert served + native == sum(line["calls"] for line in lines), lines
        return served, native

    return {collective: found(collective) for collective in CALLS}


def all_served() -> dict[str, tuple[int, int]]:
    return {collective: (host + device, 0) for collective, (host, device) in CALLS.items()}


@pytest.mark.parametrize("ranks", [3, 5])
@pytest.mark.parametrize("when", ["early", "late"])
def test_data_on_one_ranks_device(
    program: Path, drivers: dict[str, Path], aware: Path, when: str, ranks: int, report: Path
) -> None:
    """One rank's data is its device's: no rank plays a schedule. All data is the host's: all do.

    Where an argument does not count, it points nowhere, and nobody is misled.
    """
    assert calls(run((program, drivers["cuda"], when), ranks, report, aware)) == CALLS


def test_no_driver(program: Path, aware: Path, report: Path) -> None:
    """The MPI library takes pointers to a device's memory, but no process has a driver: there are none."""
    assert calls(run((program, "-", "early"), 3, report, aware)) == all_served()


@pytest.mark.parametrize("when", ["early", "late"])
def test_library_without_devices(
    abi: Abi, program: Path, drivers: dict[str, Path], when: str, report: Path
) -> None:
    """The MPI library says that it takes no such pointers: a legal program passes none, whatever its memory.

    The MPI-5 ABI cannot say: there, a driver that is loaded before MPI_Init counts as yes.
    """
    expected = CALLS if abi == "mpi5" and when == "early" else all_served()
    assert calls(run((program, drivers["cuda"], when), 3, report)) == expected


def test_questions(drivers: dict[str, Path], tmp_path: Path) -> None:
    """The answers about memory, without MPI: each driver by itself, and all in one process, loaded late."""
    program = tmp_path / "device_questions"
    files = (SOURCES / "rota_mpi/library/device.cpp", PROGRAMS / "device_questions.cpp")
    compile_program(("c++", *CXX_FLAGS, f"-I{SOURCES}", *files, "-ldl", "-o", program), tmp_path)
    paths = [str(path) for path in drivers.values()]
    for loaded in ([], *([path] for path in paths), paths, paths[::-1]):
        outcome = subprocess.run((program, *loaded), capture_output=True, text=True, check=False)
        assert (outcome.returncode, outcome.stdout.splitlines()) == (0, loaded)
