"""What holds for all tests."""

import os
import shutil

import pytest

from rota.errors import RotaError
from rota.library import smpi_bench_path

# Open MPI's component for one-sided messages by libfabric, which nothing here sends, sleeps for a second in
# each MPI_Init that finds no such network: of the 1.3 s that a small job takes.
os.environ.setdefault("OMPI_MCA_btl", "^ofi")

# What takes minutes goes first: at the end nothing is left to run beside it.
LONGEST = ("test_guest_mpi4py", "test_sanitized", "test_check", "test_races")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {stem: place for place, stem in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONGEST)))


@pytest.fixture(scope="session")
def smpi() -> None:
    """Skip where programs cannot be simulated in SimGrid's SMPI."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun: apt-get install simgrid libsimgrid-dev")
    try:
        smpi_bench_path()
    except RotaError as lacks:
        pytest.skip(str(lacks))
