"""Odd arguments: what is legal ends well, what is not ends as the MPI library says, on every rank."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, run_native, run_with_rota, succeeded

from rota.library import Abi
from rota.mpi_install import FAMILY, Family

FORCED: Final = {
    "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact,"
    "inter_allgather=spread,inter_bcast=circulant,inter_reduce=chain,inter_allreduce=spread",
    "ROTA_BLOCK_BYTES": "16384",
}
# One host that serves what is asked for; one that serves nothing; hosts of one rank each.
EVERYWHERE: Final = pytest.mark.parametrize(
    ("ranks", "settings"), [(2, FORCED), (3, {}), (4, {"ROTA_HOSTS": "4"}), (5, FORCED)]
)

ODD: Final = (
    "alltoallv_null",
    "alltoallw_null",
    "neighbor_alltoallv_null",
    "neighbor_alltoallw_null",
    "allgatherv_null",
    "allgatherv_null_small",
    "allgatherv_between_null",
    "alltoallw_null_type",
    "neighbor_alltoallw_null_type",
    "allgatherv_bottom",
    "alltoallv_bottom",
    "neighbor_alltoallw_bottom",
    "allgatherv_c_bottom",
    "alltoallv_c_bottom",
    "bcast_bottom",
    "reduce_to_nowhere",
    "reduce_to_what_is_sent",
    "exscan_to_nowhere",
    "reduce_scatter_nothing",
    "bcast_between_bystanders",
)
# What the MPI library itself refuses, has not, or hangs in.
REFUSED: Final[dict[Family, tuple[str, ...]]] = {
    "openmpi": (
        "allgatherv_null",  # large: each rank chooses an algorithm by the size of its own type
        "alltoallw_null_type",
        "neighbor_alltoallw_null_type",
        "allgatherv_c_bottom",
        "alltoallv_c_bottom",
    ),
    "mpich": ("exscan_to_nowhere", "bcast_between_bystanders"),
}


@EVERYWHERE
def test_one_odd_rank(abi: Abi, compiled: Compile, ranks: int, settings: Mapping[str, str]) -> None:
    """Null buffers, no types, absolute addresses, what means nothing, on one rank: all get their data."""
    cases = [case for case in ODD if case not in REFUSED[FAMILY[abi]]]
    program = (compiled("odd_rank"), *cases)
    expected = [f"{case}, odd rank {odd}: right" for case in cases for odd in range(ranks)]
    if ranks == 3:
        assert succeeded(run_native(program, ranks)).output.splitlines() == expected
    assert succeeded(run_with_rota(program, ranks, settings)).output.splitlines() == expected


COLLECTIVES: Final = ("allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan")
SERVED_AS: Final = {"reduce_scatter_block": "reduce_scatter"}


@EVERYWHERE
def test_other_names_of_types(
    compiled: Compile, report: Path, ranks: int, settings: Mapping[str, str]
) -> None:
    """MPI_REAL8 on one rank is MPI_DOUBLE on the others: sums come out right, and are served like any."""
    with_rota = succeeded(run_with_rota([compiled("other_names")], ranks, settings, report))
    made = with_rota.output.splitlines()
    assert {line.split()[0] for line in made} == {*COLLECTIVES, "inter_allreduce"}
    assert len(made) > 50
    assert all(line.endswith(": right") for line in made)
    expected = Counter(SERVED_AS.get(line.split()[0], line.split()[0]) for line in made)
    expected += Counter({"allreduce": 1, "reduce": len(made)})  # by which ranks agree on what is right
    called: Counter[str] = Counter()
    for line in with_rota.lines:
        called[line["collective"]] += line["calls"]
        assert settings != FORCED or line["schedule"] != "native"
    assert called == expected


MISTAKES: Final = (
    "null_sendtype",
    "null_recvtype",
    "uncommitted_sendtype",
    "uncommitted_recvtype",
    "negative_sendcount",
    "negative_recvcount",
    "null_sendcounts",
    "null_recvcounts",
    "null_displacements",
)


@EVERYWHERE
def test_mistake_on_a_rank_without_data(
    abi: Abi, compiled: Compile, ranks: int, settings: Mapping[str, str]
) -> None:
    """One rank's error, which its program takes in hand, is no other's: these exchange their data."""
    crashes = "null_sendcounts", "null_recvcounts", "null_displacements"
    mistakes = [name for name in MISTAKES if FAMILY[abi] == "openmpi" or name not in crashes]
    cases = [f"{call}/{mistake}" for call in ("alltoallv", "alltoallw") for mistake in mistakes]
    program = (compiled("odd_mistake"), *cases)
    native = succeeded(run_native(program, ranks))
    made = native.output.splitlines()
    assert len(made) == len(cases) * ranks
    assert "wrong" not in native.output
    assert sum(line.count(" 0 right") == ranks - 1 for line in made) >= 8 * ranks
    with_rota = succeeded(run_with_rota(program, ranks, settings))
    assert with_rota.output.splitlines() == made


ALL_CALLS: Final = (*COLLECTIVES, "bcast", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")
# MPICH crashes where there is no array, Open MPI where there is no communicator.
HANDLED: Final[dict[Family, tuple[str, ...]]] = {
    "openmpi": (
        "reduce_scatter/null_counts",
        "allgatherv/null_places",
        *(f"{call}/null_{what}" for call in ("alltoallv", "alltoallw") for what in ("counts", "places")),
    ),
    "mpich": tuple(f"{call}/freed_communicator" for call in ALL_CALLS),
}


def test_same_calls_of_handlers(abi: Abi, compiled: Compile) -> None:
    """No counts, types not committed, a freed communicator: the handler is called once, as natively."""
    types = ("uncommitted_type", "uncommitted_nothing")
    cases = (
        *HANDLED[FAMILY[abi]],
        *(f"{call}/{what}" for call in ALL_CALLS for what in types),
        "alltoallw/uncommitted_own_nothing",
    )
    program = (compiled("handled"), *cases)
    native = succeeded(run_native(program, 3))
    made = native.output.splitlines()
    assert [line.split(":")[0] for line in made] == list(cases)
    assert sum(" by 1" in line for line in made) > 30
    for settings in ({}, FORCED):
        assert succeeded(run_with_rota(program, 3, settings)).output.splitlines() == made
