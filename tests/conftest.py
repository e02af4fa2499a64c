"""What holds for all tests."""

import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from rota.errors import RotaError
from rota.library import smpi_bench_path
from short_slices import ORDINARY, SHORTEST_NS, have_slices

# Open MPI's components for libfabric, by which nothing here sends: in each MPI_Init one sleeps for a second,
# of the 1.3 s that a small job takes; the other reads all the kernel's symbols, half of the processors' time.
os.environ.setdefault("OMPI_MCA_btl", "^ofi")
os.environ.setdefault("OMPI_MCA_mtl", "^ofi")

# How long an example takes says what else this machine has to do.
settings.register_profile("rota", deadline=None)
settings.load_profile("rota")

# What takes minutes goes first: at the end nothing is left to run beside it.
LONGEST = ("test_guest_mpi4py", "test_sanitized", "test_check", "test_races")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {stem: place for place, stem in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONGEST)))


@pytest.fixture(scope="module")
def short_slices() -> Iterator[None]:
    """Ranks get their turns soon, beside compilers and other tests."""
    have_slices(SHORTEST_NS)
    yield
    have_slices(ORDINARY)


@pytest.fixture(scope="module")
def listening() -> Iterator[None]:
    """Where tests run in the background, their children ignore interrupts no more than elsewhere."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def smpi() -> None:
    """Skip where programs cannot be simulated in SimGrid's SMPI."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun: apt-get install simgrid libsimgrid-dev")
    try:
        smpi_bench_path()
    except RotaError as lacks:
        pytest.skip(str(lacks))
