"""mpi4py's own tests, as a program whose ranks say what became of each."""

import json
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from mpi_jobs import PROGRAMS, Outcome, succeeded

mpi4py = pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")


def unpacked_suite(directory: Path) -> Path:
    """Return the tests of the mpi4py that is installed; `make .venv/test.stamp` gets its source package."""
    package = f"mpi4py-{mpi4py.__version__}"
    source = Path(sys.prefix) / "sources" / f"{package}.tar.gz"
    if not source.exists():
        pytest.skip(f"no {source}: make .venv/test.stamp")
    with tarfile.open(source) as archive:
        # Python 3.11.2, Debian's, has no filters.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(directory)  # noqa: S202 - by that filter
    return directory / package / "test"


def suite_command(suite: Path, modules: Sequence[str]) -> tuple[str, ...]:
    return (sys.executable, str(PROGRAMS / "guest.py"), str(suite), *modules)


def outcomes(job: Outcome) -> dict[tuple[int, str], str]:
    """Return what became of each test on each rank."""
    of_ranks = json.loads(succeeded(job).output)
    return {(rank, test): outcome for rank, tests in enumerate(of_ranks) for test, outcome in tests.items()}
