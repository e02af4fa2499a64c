"""A rank that waits beside a thread that runs on sleeps between looks, and so runs when its message comes."""

import pytest
from conftest import Compile
from mpi_jobs import run_with_rota, succeeded

from rota.library import Abi

RANKS = 3

NOT_YIELDING = {"MPIR_CVAR_ENABLE_HEAVY_YIELD": "0"}
"""MPICH's ranks look on while they wait."""


def settings(ranks: int) -> dict[str, str]:
    return {"ROTA_HOSTS": str(ranks), "ROTA_ALGORITHM": "bcast=circulant"}


@pytest.fixture(autouse=True)
def on_many_processors(many_processors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks do not outnumber the processors that their host seems to have."""
    monkeypatch.setenv("LD_PRELOAD", many_processors)


def test_ranks_sleep_beside_others(compiled: Compile) -> None:
    succeeded(run_with_rota([compiled("contended")], RANKS, settings(RANKS)))


def test_ranks_sleep_in_calls_that_return_at_once(abi: Abi, compiled: Compile) -> None:
    """Which wait in the program's own MPI_Wait.

    Ranks that yield by themselves, as Open MPI's do where they are more than processors, and MPICH's in the
    other tests, need not: what they wait for is there when it is their turn again.
    """
    if abi == "mpi5":
        pytest.skip("the MPI library has no hook in its progress: such calls are native")
    succeeded(run_with_rota([compiled("contended"), "at once"], 2, settings(2) | NOT_YIELDING))
