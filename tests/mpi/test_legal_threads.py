"""Threads that call MPI at once, in any order, end with Rota as without."""

from collections.abc import Mapping
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, Outcome, forced_between_groups, run_native, run_with_rota, succeeded

NO_SUCH_FEATURE = 77
FORCED: Final = {
    "ROTA_ALGORITHM": f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact",
    "ROTA_BLOCK_BYTES": "16384",
}
BETWEEN: Final = {**forced_between_groups("spread"), "ROTA_BLOCK_BYTES": "16384"}


def with_threads(outcome: Outcome) -> Outcome:
    """Skip the test where the MPI library leaves MPI to one thread at a time."""
    if outcome.status == NO_SUCH_FEATURE:
        pytest.skip("this MPI library has no MPI_THREAD_MULTIPLE: use one that was built with it")
    return outcome


@pytest.mark.parametrize(
    ("ranks", "settings"), [(2, BETWEEN), (3, {}), (4, {}), (4, {"ROTA_HOSTS": "4"}), (5, BETWEEN)]
)
def test_threads_between_groups(compiled: Compile, ranks: int, settings: Mapping[str, str]) -> None:
    """Four threads call between groups, on each rank another one first; the world stays as it was."""
    succeeded(with_threads(run_with_rota([compiled("threads_between")], ranks, settings)))


@pytest.mark.parametrize(("ranks", "settings"), [(2, FORCED), (3, {}), (4, {"ROTA_HOSTS": "4"}), (5, FORCED)])
def test_threads_on_the_same_ranks(compiled: Compile, ranks: int, settings: Mapping[str, str]) -> None:
    """Four threads on communicators of the same ranks: whatever these share, their calls stay apart."""
    succeeded(with_threads(run_with_rota([compiled("threads_within")], ranks, settings)))


@pytest.mark.parametrize("progress", ["engine", "thread"])
def test_communicators_freed_beside_others(compiled: Compile, progress: str) -> None:
    """A thread frees a communicator while another is still in what it has carried to its end there."""
    overwritten_when_freed = {"MALLOC_PERTURB_": "165"}
    settings = {**FORCED, "ROTA_PROGRESS": progress, **overwritten_when_freed}
    succeeded(with_threads(run_with_rota([compiled("threads_free")], 3, settings)))


@pytest.mark.parametrize("settings", [{}, {"ROTA_HOSTS": "3"}])
@pytest.mark.parametrize("where", ["within", "between"])
def test_errors_of_another_thread(compiled: Compile, where: str, settings: Mapping[str, str]) -> None:
    """While a thread makes its first large call, each error of another reaches the program's handler."""
    program = (compiled("window"), where)
    native = succeeded(with_threads(run_native(program, 3)))
    with_rota = succeeded(run_with_rota(program, 3, settings))
    assert with_rota.output == native.output == ""


@pytest.mark.parametrize("settings", [{}, {"ROTA_HOSTS": "3"}])
def test_fatal_error_of_another_thread(compiled: Compile, settings: Mapping[str, str]) -> None:
    """An error that ends the job ends it also while another thread is in its first large call."""
    program = (compiled("window"), "fatal")
    native = with_threads(run_native(program, 3))
    with_rota = run_with_rota(program, 3, settings)
    for outcome in (native, with_rota):
        assert outcome.status != 0
        assert "MPI_ERR_RANK" in outcome.errors or "Invalid rank" in outcome.errors
    assert with_rota.rota_errors() == []
