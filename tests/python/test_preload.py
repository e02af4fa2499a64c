"""Which preload library goes with an MPI library."""

from pathlib import Path

import pytest

from rota.errors import RotaError
from rota.library import Abi, preload_paths
from rota.mpi_install import LinkedMpi
from rota.preload import preload_for

SESSIONS, PERSISTENT, LARGE_COUNTS = "MPI_Session_init", "MPI_Bcast_init", "MPI_Bcast_c"


def library_with(names: tuple[str, ...], directory: Path) -> Path:
    """Return a file in which these stand as in a library's table of names, MPI_X as the end of PMPI_X."""
    library = directory / "libmpi.so"
    library.write_bytes(b"\0" + b"".join(f"P{name}\0".encode() for name in ("MPI_Init", *names)))
    return library


@pytest.mark.parametrize(
    ("abi", "names", "less"),
    [
        ("openmpi", (SESSIONS, PERSISTENT), ""),
        ("openmpi", (SESSIONS, PERSISTENT, LARGE_COUNTS), ""),
        ("openmpi", (), "_mpi3"),
        ("mpich", (SESSIONS, PERSISTENT, LARGE_COUNTS), ""),
        ("mpich", (SESSIONS, LARGE_COUNTS), "_mpi3_large"),  # Intel's of 2021
        ("mpich", (LARGE_COUNTS,), "_mpi3"),
        ("mpich", (), "_mpi3"),
        ("mpi5", (SESSIONS, PERSISTENT, LARGE_COUNTS), ""),
    ],
)
def test_no_more_than_there_is(abi: Abi, names: tuple[str, ...], less: str, tmp_path: Path) -> None:
    found = preload_for(LinkedMpi(abi, library_with(names, tmp_path)))
    assert found.name == f"librota_preload_{abi}{less}.so"


def test_a_name_that_ends_early_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In LD_PRELOAD blanks and colons end a name."""
    folder = tmp_path / "my rota"
    folder.mkdir()
    here = library_with((SESSIONS, PERSISTENT, LARGE_COUNTS), folder)
    monkeypatch.setattr("rota.preload.preload_paths", lambda _: (here,))
    with pytest.raises(RotaError, match="cannot be preloaded"):
        preload_for(LinkedMpi("openmpi", here))


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_with_all_where_it_cannot_be_told(abi: Abi, tmp_path: Path) -> None:
    empty = tmp_path / "libmpi.so"
    empty.touch()
    for library in (empty, tmp_path / "none.so", Path("libmpi.so")):
        assert preload_for(LinkedMpi(abi, library)) == preload_paths(abi)[0]
