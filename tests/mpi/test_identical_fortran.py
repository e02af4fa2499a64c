"""The same in Fortran, in all three ways that a Fortran program may use MPI."""

from functools import cache
from pathlib import Path

import pytest
from mpi_jobs import (
    ALL_FORCED,
    PROGRAMS,
    Outcome,
    compile_program,
    debian_compiler,
    forced_between_groups,
    run_native,
    run_with_rota,
    succeeded,
)

from rota.mpi_install import Family

PACKAGES: dict[Family, str] = {"openmpi": "libopenmpi-dev", "mpich": "libmpich-dev"}
FLAVOURS = ("MPIF_H", "USE_MPI", "USE_MPI_F08")
# What `use mpi` declares are the functions of mpif.h; only at length once more.
EACH_FLAVOUR = [pytest.param(name, marks=pytest.mark.long if name == "USE_MPI" else ()) for name in FLAVOURS]
# Buffers of any type and rank, also where a flavour declares no interface.
FLAGS = ("-O1", "-g", "-fallow-argument-mismatch", "-w")
AT_ONCE = 6  # all-to-many calls that return at once, for each count
COUNTS = ("1", "15", "16", "17", "48", "200")  # ints; 16 make a block
# Fortran's calls by the collective that serves them.
SERVING = {"allgatherv": "allgather", "reduce_scatter_block": "reduce_scatter"}


@cache
def compiled(family: Family, flavour: str, name: str, directory: Path) -> Path:
    """Return that program of `programs/`, compiled once in each flavour for each MPI."""
    compiler = debian_compiler(family, "mpifort", PACKAGES[family])
    program = directory / f"{name}-{family}-{flavour}"
    compile_program((compiler, f"-D{flavour}", *FLAGS, PROGRAMS / f"{name}.F90", "-o", program), directory)
    return program


@cache
def native_output(program: Path, ranks: int, *arguments: str) -> str:
    return succeeded(run_native((program, *arguments), ranks)).output


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fortran")


@pytest.mark.parametrize("ranks", [1, 5])
@pytest.mark.parametrize("flavour", EACH_FLAVOUR)
@pytest.mark.parametrize("family", PACKAGES)
def test_broadcasts(family: Family, flavour: str, ranks: int, directory: Path, report: Path) -> None:
    """Every root; ints in a row, strided, at absolute addresses and as a section of an array."""
    program = compiled(family, flavour, "broadcasts", directory)
    native = native_output(program, ranks, *COUNTS)
    with_rota = succeeded(run_with_rota((program, *COUNTS), ranks, ALL_FORCED, report))
    assert with_rota.output == native
    broadcasts = int(native.rpartition("with data: ")[2])
    assert calls(with_rota, "bcast", served=ranks > 1) == broadcasts


def calls(outcome: Outcome, collective: str, *, served: bool) -> int:
    """Return how many calls of a collective a schedule served, or how many went to the MPI library."""
    lines = [line for line in outcome.lines if line["collective"] == collective]
    return sum(line["calls"] for line in lines if (line["schedule"] != "native") == served)


def calls_made(output: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many calls the program says it made, in all and with an operator that does not commute."""
    made: dict[str, int] = {}
    in_order: dict[str, int] = {}
    for line in output.splitlines():
        if line.startswith("calls: "):
            _, name, number, number_in_order = line.split()
            served_as = SERVING.get(name, name)
            made[served_as] = made.get(served_as, 0) + int(number)
            in_order[served_as] = in_order.get(served_as, 0) + int(number_in_order)
    return made, in_order


@pytest.mark.parametrize(
    ("family", "ranks"),
    [
        ("openmpi", 3),
        pytest.param("openmpi", 8, marks=pytest.mark.long),
        ("mpich", 3),
        pytest.param("mpich", 5, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("flavour", EACH_FLAVOUR)
def test_collectives(family: Family, flavour: str, ranks: int, directory: Path, report: Path) -> None:
    """Every other collective in place and not, on every kind of item; an operator written in Fortran.

    The flavours must agree with one of them without Rota.
    """
    numbers = ("1", "50") if ranks == 3 else ("37",)
    native = native_output(compiled(family, FLAVOURS[0], "collectives", directory), ranks, *numbers)
    program = compiled(family, flavour, "collectives", directory)
    with_rota = succeeded(run_with_rota((program, *numbers), ranks, ALL_FORCED, report))
    assert with_rota.output == native

    made, in_order = calls_made(native)
    assert len(made) == 6
    for collective in made:
        keeps_order = collective in ("scan", "exscan")
        left = 0 if keeps_order else in_order[collective]
        assert calls(with_rota, collective, served=False) == left
        assert calls(with_rota, collective, served=True) == made[collective] - left


@pytest.mark.parametrize(("family", "ranks"), [("openmpi", 3), ("openmpi", 4), ("mpich", 3), ("mpich", 4)])
@pytest.mark.parametrize("flavour", EACH_FLAVOUR)
def test_exchanges(family: Family, flavour: str, ranks: int, directory: Path, report: Path) -> None:
    """All-to-many calls, of all ranks and of neighbours, with one type and with several; at once too.

    Debian's MPICH has no hook in its progress.
    """
    native = native_output(compiled(family, FLAVOURS[0], "exchanges", directory), ranks, "2", "300")
    program = compiled(family, flavour, "exchanges", directory)
    settings = {"ROTA_ALGORITHM": "alltoall=exact"}
    with_rota = succeeded(run_with_rota((program, "2", "300"), ranks, settings, report))
    assert with_rota.output == native
    at_once = [line for line in with_rota.lines if line["call"].startswith("i")]
    assert {line["schedule"] != "native" for line in at_once} == {family == "openmpi"}
    assert sum(line["calls"] for line in at_once) == 2 * AT_ONCE
    served = calls(with_rota, "alltoall", served=True) - (2 * AT_ONCE if family == "openmpi" else 0)
    assert served == int(native.rpartition("calls: ")[2])


@pytest.mark.parametrize(("ranks", "first", "allgather"), [(3, 1, "circulant"), (5, 3, "spread")])
@pytest.mark.parametrize("flavour", EACH_FLAVOUR)
@pytest.mark.parametrize("family", PACKAGES)
def test_between_groups(
    family: Family, flavour: str, ranks: int, first: int, allgather: str, directory: Path, report: Path
) -> None:
    """Every collective between two groups; roots on both sides, unequal groups and shares, data one way only.

    Where ranks of two groups must keep their order, an allreduce is the MPI library's.
    """
    arguments = (str(first), "1", "17", "300")
    native = native_output(compiled(family, FLAVOURS[0], "between", directory), ranks, *arguments)
    program = compiled(family, flavour, "between", directory)
    settings = forced_between_groups(allgather)
    with_rota = succeeded(run_with_rota((program, *arguments), ranks, settings, report))
    assert with_rota.output == native

    made, in_order = calls_made(native)
    assert len(made) == 4
    for collective in made:
        left = in_order[collective] if collective == "inter_allreduce" else 0
        assert calls(with_rota, collective, served=False) == left
        assert calls(with_rota, collective, served=True) == made[collective] - left
