"""Tools that intercept a program's MPI calls see the same calls with Rota as without it.

One of these tests' own, in every place where a tool may be, and three of Debian's, each of which intercepts
calls in another way:

- ompitrace (with Open MPI) defines MPI_X and calls PMPI_X;
- EZTrace defines MPI_X and calls the MPI_X that comes after its own (dlsym, RTLD_NEXT);
- valgrind's wrappers for MPI replace PMPI_X within the MPI library. They see what reaches it: calls that no
  schedule serves, and the messages of schedules.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, get_args

import pytest
from mpi_jobs import (
    ALL_FORCED,
    C_FLAGS,
    PROGRAMS,
    Outcome,
    compile_program,
    compiled_library,
    mpicc,
    report_of,
    succeeded,
)

from rota.launch import native_job, with_environment
from rota.library import Abi, preload_path
from rota.mpi_install import Family, find_install, library_of

RANKS: Final = 3
SETTINGS: Final = {**ALL_FORCED, "ROTA_ALGORITHM": ALL_FORCED["ROTA_ALGORITHM"] + ",alltoall=exact"}

Place = Literal["in the program", "library of the program", "preloaded first", "preloaded last"]
PLACES: Final[tuple[Place, ...]] = get_args(Place)
Order = Literal["tool first", "rota first"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
Calls = Mapping[str, object]
"""What a tool says about each rank's calls."""
Build = Callable[[Abi, str], Path]


@dataclass(frozen=True)
class Tool:
    """A tool that is preloaded: its libraries, its settings, and what it has written once the job is over."""

    libraries: tuple[Path, ...]
    settings: Mapping[str, str]
    calls: Callable[[], Calls]


def debian_libraries(names: Sequence[str], package: str) -> tuple[Path, ...]:
    """Return libraries of Debian's; skip the test where one is missing."""
    found = {name: next(Path("/usr/lib").glob(f"*-linux-gnu/{name}"), None) for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        pytest.skip(f"no {missing[0]}: install {package}")
    return tuple(path for path in found.values() if path is not None)


def joined(libraries: Sequence[Path]) -> str:
    """Return libraries in the order of preloading, as LD_PRELOAD wants them."""
    return ":".join(str(library) for library in libraries)


def debian_program(name: str, package: str) -> str:
    """Return a program of Debian's; skip the test where it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: install {package}")
    return found


def ompitrace(errors: Path) -> Tool:
    """Return what writes a line about each call of some functions on the rank's standard error."""
    libraries = debian_libraries(("libompitrace.so.40",), "openmpi-bin")

    def calls() -> Calls:
        """By the rank's number in its lines: the calls in order, with all arguments but addresses."""
        found = {}
        for file in errors.iterdir():
            text = file.read_text()
            rank = re.search(r"^MPI_FINALIZE\[(\d+)\]", text, re.MULTILINE)
            assert rank is not None, f"no MPI_Finalize in what the tool says:\n{text[-2000:]}"
            addresses = r"(?<=buf |fer |ion |ess )[0-9a-f]+"
            found[rank[1]] = [
                re.sub(addresses, "...", line)
                for line in text.splitlines()
                if line.startswith(("MPI_", "\trecv"))
            ]
        return found

    return Tool(libraries, {}, calls)


def eztrace(family: Family, directory: Path) -> Tool:
    """Return what writes an OTF2 trace of a job."""
    modules = debian_libraries([f"libeztrace-{name}.so" for name in ("core", "lib", family)], "eztrace")
    printer = debian_program("otf2-print", "otf2-tools")
    trace = directory / "trace"
    settings = {"EZTRACE_TRACE": family, "EZTRACE_TRACE_DIR": str(trace)}
    if family == "mpich":
        # The name that Debian's MPICH has, in case this is another: one library, whatever its name.
        alias = directory / "libmpich.so.12"
        alias.symlink_to(library_of(find_install(family), "mpich").library)
        settings["LD_LIBRARY_PATH"] = str(directory)

    def calls() -> Calls:
        """By the rank's number in the trace: how often it has called each function."""
        (archive,) = trace.glob("*/*.otf2")
        said = subprocess.run((printer, str(archive)), capture_output=True, text=True, check=True).stdout
        entered = re.findall(r'^ENTER +(\d+) .*Region: "(MPI_\w+)"', said, re.MULTILINE)
        return Counter(f"{name} on {rank}" for rank, name in entered)

    return Tool(modules, settings, calls)


TOOLS: Final[Mapping[str, tuple[Abi, Callable[[Path, Path], Tool]]]] = {
    "ompitrace": ("openmpi", lambda errors, _: ompitrace(errors)),
    "eztrace-openmpi": ("openmpi", lambda _, directory: eztrace("openmpi", directory)),
    "eztrace-mpich": ("mpich", lambda _, directory: eztrace("mpich", directory)),
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return what compiles a C program of `programs/` with an MPI."""
    directory = tmp_path_factory.mktemp("tools")

    def compiled(abi: Abi, name: str) -> Path:
        program = directory / f"{name}-{abi}"
        if not program.exists():
            command = (mpicc(abi), *C_FLAGS, PROGRAMS / f"{name}.c", "-o", program)
            compile_program(command, directory)
        return program

    return compiled


def run_with_tool(program: Path, name: str, directory: Path, order: Order | None) -> tuple[Outcome, Calls]:
    """Run a program with a tool, and with Rota in that order of preloading or without it."""
    errors = directory / "errors"
    errors.mkdir(parents=True)
    abi, tool_of = TOOLS[name]
    tool = tool_of(errors, directory)
    rota = () if order is None else (preload_path(abi),)
    libraries = (*rota, *tool.libraries) if order == "rota first" else (*tool.libraries, *rota)
    preload = {"LD_PRELOAD": joined(libraries)}
    job = with_environment(native_job([str(program), str(errors)]), {**tool.settings, **preload})
    outcome = report_of(job, RANKS, SETTINGS, directory / "report.json")
    said = "".join(file.read_text()[-1000:] for file in errors.iterdir())
    assert outcome.status == 0, f"status {outcome.status}\n{outcome.errors[-2000:]}\n{said}"
    return outcome, tool.calls()


def calls_of_program(ranks: int) -> dict[tuple[str, int], int]:
    """Return how often profiled.c calls what Rota serves, by the collective and the bytes in the report."""
    return {
        ("bcast", 4000): 5,
        ("reduce", 4000): 4,
        ("allreduce", 4000): 3,
        ("allgather", 4000 * ranks): 4,
        ("scan", 4000): 1,
        ("alltoall", 4000 * (ranks - 1)): 2,
    }


def served(outcome: Outcome, ranks: int) -> dict[tuple[str, int], int]:
    """Return the same of the calls that schedules served. A tool's own calls are of other sizes."""
    return {
        kind: sum(
            line["calls"]
            for line in outcome.lines
            if (line["collective"], line["bytes"]) == kind and line["schedule"] != "native"
        )
        for kind in calls_of_program(ranks)
    }


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", TOOLS)
def test_same_calls(name: str, order: Order, built: Build, tmp_path: Path) -> None:
    """The tool reports what it reports without Rota, and Rota has served what it can.

    What EZTrace calls when it comes after Rota is the MPI library itself: nothing is left for Rota to serve.
    """
    program = built(TOOLS[name][0], "profiled")
    _, native = run_with_tool(program, name, tmp_path / "native", None)
    outcome, calls = run_with_tool(program, name, tmp_path / "rota", order)
    assert len(native) >= RANKS
    assert calls == native
    if not (name.startswith("eztrace") and order == "rota first"):
        assert served(outcome, RANKS) == calls_of_program(RANKS)
    elif outcome.report is not None:
        assert set(served(outcome, RANKS).values()) == {0}


def counted_program(abi: Abi, place: Place, directory: Path) -> Path:
    """Return profiled.c, with counting_tool.c in it or linked to it if that is its place."""
    program = directory / "profiled"
    linked: tuple[str | Path, ...] = ()
    if place == "in the program":
        linked = (PROGRAMS / "counting_tool.c",)
    elif place == "library of the program":
        linked = (compiled_library(abi, "counting_tool", directory), f"-Wl,-rpath,{directory}")
    command = (mpicc(abi), *C_FLAGS, PROGRAMS / "profiled.c", *linked, "-o", program)
    compile_program(command, directory)
    return program


@pytest.mark.parametrize("place", PLACES)
def test_calls_counted_in_the_standards_way(abi: Abi, place: Place, tmp_path: Path) -> None:
    """A tool that defines MPI_X and calls PMPI_X, wherever it is: it counts all calls, Rota serves them."""
    program = counted_program(abi, place, tmp_path)
    tool = [compiled_library(abi, "counting_tool", tmp_path)] if place.startswith("preloaded") else []
    rota = preload_path(abi)
    with_rota = [rota, *tool] if place == "preloaded last" else [*tool, rota]
    counts = {}
    for name, preloaded in (("native", tool), ("rota", with_rota)):
        errors = tmp_path / name
        errors.mkdir()
        preload = {"LD_PRELOAD": joined(preloaded)} if preloaded else {}
        job = with_environment(native_job([str(program), str(errors)]), preload)
        outcome = succeeded(report_of(job, RANKS, SETTINGS, tmp_path / "report.json"))
        said = "".join(file.read_text() for file in errors.iterdir())
        counts[name] = sorted(re.findall(r"^tool: .*", said, re.MULTILINE))
    assert "tool: rank 1: Bcast 5" in counts["native"]
    assert counts["rota"] == counts["native"]
    assert served(outcome, RANKS) == calls_of_program(RANKS)


def valgrind_calls(log: str) -> Counter[str]:
    """Return how often valgrind's wrappers were called, by function."""
    return Counter(re.findall(r"enter PMPI_(\w+)", log))


@pytest.mark.long
def test_valgrind(built: Build, tmp_path: Path) -> None:
    """Calls that Rota does not touch are seen as without it; memory that Rota touches is without a fault."""
    ranks = 2
    valgrind = debian_program("valgrind", "valgrind")
    (wrappers,) = debian_libraries(("valgrind/libmpiwrap-amd64-linux.so",), "valgrind-mpi")
    native = native_job([str(built("openmpi", "profiled")), str(tmp_path)])
    # valgrind itself is started by a shell, which lacks the MPI library that the wrappers need. Only one of a
    # process's threads runs at a time: those that wait have to give way.
    libraries = (native.mpi.library, wrappers)
    waiting = {"OMPI_MCA_mpi_yield_when_idle": "1"}
    logs = {}
    for name, preloaded in (("native", libraries), ("rota", (preload_path("openmpi"), *libraries))):
        errors = tmp_path / name
        errors.mkdir()
        options = ("--quiet", "--fair-sched=yes", f"--log-file={errors}/valgrind.%p")
        job = replace(native, program=(valgrind, *options, native.program[0], str(errors)))
        settings = {**waiting, "MPIWRAP_DEBUG": "verbose", "LD_PRELOAD": joined(preloaded)}
        outcome = report_of(with_environment(job, settings), ranks, SETTINGS, tmp_path / "report.json")
        logs[name] = "".join(file.read_text() for file in errors.iterdir())
        assert outcome.status == 0, f"{outcome.errors[-2000:]}\n{logs[name][-4000:]}"
    assert served(outcome, ranks) == calls_of_program(ranks)
    assert "librota" not in logs["rota"]
    seen = {name: valgrind_calls(log) for name, log in logs.items()}
    for function in ("Init", "Sendrecv", "Barrier", "Finalize"):
        assert seen["rota"][function] == seen["native"][function] > 0, function
    assert seen["native"]["Bcast"] == 5 * ranks
