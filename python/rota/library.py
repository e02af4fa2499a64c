"""Where this installation keeps its compiled libraries: one build for each MPI ABI."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import rota
from rota.errors import RotaError

Abi = Literal["openmpi", "mpich", "mpi5"]
"""What a program's MPI calls look like to the linker: Open MPI's, MPICH's, or the MPI-5 standard's."""

ABIS: Final[tuple[Abi, ...]] = ("openmpi", "mpich", "mpi5")


# What programs find in the other preload libraries: all but persistent collectives; nothing of MPI 4.
_LESS: Final = ("mpi3_large", "mpi3")


def preload_path(abi: Abi) -> Path:
    """Return the library that serves the collectives of a program that preloads it: all that Rota serves.

    `rota.preload` finds out which goes with an MPI library.
    """
    return _built(f"lib/librota_preload_{abi}.so", abi)


def preload_paths(abi: Abi) -> tuple[Path, ...]:
    """Return that library, and those for older MPI libraries, in which programs find less and less."""
    names = (f"lib/librota_preload_{abi}_{less}.so" for less in _LESS)
    return (preload_path(abi), *(path for name in names for path in _existing(name)))


def engine_path(abi: Abi) -> Path:
    """Return the library that C and C++ programs link to call Rota's collectives by name."""
    return _built(f"lib/librota_{abi}.so", abi)


def bench_path(abi: Abi) -> Path:
    """Return the program that measures native and Rota's collectives in one job."""
    return _built(f"bin/rota-bench-{abi}", abi)


def check_path(abi: Abi) -> Path:
    """Return the program that compares native and Rota's collectives in one job."""
    return _built(f"bin/rota-check-{abi}", abi)


def programs_path(abi: Abi) -> Path:
    """Return the program that carries out random programs; it is not linked with Rota."""
    return _built(f"bin/rota-programs-{abi}", abi)


def starts_path(abi: Abi) -> Path:
    """Return the program that measures calls that return at once, and those that are set up once."""
    return _built(f"bin/rota-starts-{abi}", abi)


def stream_path(abi: Abi) -> Path:
    """Return the program that measures a stream of operations beside a loop of native collectives."""
    return _built(f"bin/rota-stream-{abi}", abi)


def tune_path(abi: Abi) -> Path:
    """Return the program that measures a platform and writes its profile."""
    return _built(f"bin/rota-tune-{abi}", abi)


def smpi_bench_path() -> Path:
    """Return the program of `bench_path` for SimGrid's SMPI."""
    return _found(
        "bin/rota-bench-smpi",
        "was built without SMPI: apt-get install libsimgrid-dev simgrid, then install Rota again",
    )


def witness_path() -> Path:
    """Return the program that plays schedules on SimGrid."""
    return _found(
        "bin/rota-witness",
        "was built without SimGrid: apt-get install libsimgrid-dev, then install Rota again",
    )


def include_dir() -> Path:
    """Return the directory of the headers that go with `engine_path`."""
    return _found("include", "has no headers: install Rota again from its source")


def package_dir() -> Path:
    """Return the directory of the files by which CMake and pkg-config find `engine_path`."""
    found = _found("lib/cmake/Rota", "was built without any MPI: install Rota again from its source")
    return found.parent.parent


def built_abis() -> tuple[Abi, ...]:
    """Return the ABIs that this installation can preload into."""
    return tuple(abi for abi in ABIS if any(_existing(f"lib/librota_preload_{abi}.so")))


def _built(relative: str, abi: Abi) -> Path:
    remedy = "put that MPI's mpicc where the build looks for it and install Rota again"
    return _found(relative, f"was built without {abi}: {remedy}")


def _found(relative: str, fault: str) -> Path:
    """Return what is there, or say what is the matter with this installation and what to do."""
    found = next(_existing(relative), None)
    if found is None:
        raise RotaError(f"this installation {fault}")
    return found


def _existing(relative: str) -> Iterator[Path]:
    # An editable install has two roots: the sources and what was built from them.
    return (path for root in rota.__path__ if (path := Path(root) / relative).exists())
