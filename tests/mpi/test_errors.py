"""A mistake in a collective is the same error with Rota as without, and what comes after it still works."""

from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, run_native, run_with_rota, succeeded

from rota.library import Abi
from rota.mpi_install import FAMILY, Family

# Mistakes that the MPI libraries do not see themselves: they crash or never end. What only the root sees,
# the others may wait for.
LEFT_OUT: Final[dict[Family, tuple[str, ...]]] = {
    "openmpi": (
        "allgather/null_comm",
        "reduce/same_buffer_at_root",
        *(
            f"{collective}/null_buffer"
            for collective in (
                "bcast",
                "allreduce",
                "allgather",
                "allgatherv",
                "reduce_scatter",
                "reduce_scatter_block",
                "scan",
                "alltoall",
                "alltoallv",
                "alltoallw",
            )
        ),
    ),
    "mpich": (
        "bcast/received_in_place",
        "reduce/same_buffer_at_root",
        "allgather/same_buffer",
        "allgatherv/same_buffer",
        *(
            f"{collective}/{mistake}"
            for collective in ("reduce", "allreduce", "reduce_scatter_block", "scan", "exscan")
            for mistake in ("negative_count", "null_type")
        ),
        "reduce_scatter/null_type",
    ),
}
FATAL = (
    "bcast/null_type",
    "reduce/same_buffer_at_root",
    "allreduce/null_op",
    "allgatherv/negative_count",
    "exscan/op_of_other_types",
    "alltoallv/uncommitted_strided",
)
SETTINGS = {**ALL_FORCED, "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact"}


def test_same_errors(abi: Abi, compiled: Compile, report: Path) -> None:
    """The classes of the errors are those of the MPI library; the next broadcast is served as ever."""
    program = (compiled("errors"), "return", *LEFT_OUT[FAMILY[abi]])
    native = succeeded(run_native(program, 3))
    made = native.output.splitlines()
    assert len(made) > 70
    assert sum("0" not in line.split()[1:] for line in made) > 65
    with_rota = succeeded(run_with_rota(program, 3, SETTINGS, report))
    assert with_rota.output.splitlines() == made
    (broadcasts,) = (line for line in with_rota.lines if line["bytes"] == 4000)
    assert broadcasts["schedule"] == "circulant"
    assert broadcasts["calls"] == len(made)


@pytest.mark.parametrize("mistake", FATAL)
def test_default_handler_ends_the_job(compiled: Compile, mistake: str) -> None:
    """Where the program takes no errors in hand, MPI ends it, in its own words."""
    program = (compiled("errors"), "abort", mistake)
    native = run_native(program, 3)
    assert native.status != 0
    with_rota = run_with_rota(program, 3, SETTINGS)
    assert with_rota.status == native.status
    assert with_rota.rota_errors() == []
