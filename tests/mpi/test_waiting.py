"""A rank that waits beside a thread that runs on sleeps between looks, and so runs when its message comes."""

import pytest
from conftest import Compile
from mpi_jobs import run_with_rota, succeeded

RANKS = 3


def test_ranks_sleep_beside_others(
    compiled: Compile, many_processors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they do not outnumber the processors that their host seems to have."""
    settings = {"ROTA_HOSTS": str(RANKS), "ROTA_ALGORITHM": "bcast=circulant"}
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", many_processors)
        succeeded(run_with_rota([compiled("contended")], RANKS, settings))
