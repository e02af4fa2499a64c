"""What begins and ends in a program, in any order and number: sessions, communicators, attributes, MPI."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import FORCED, report_of, run_native, run_with_rota, succeeded

from rota.launch import native_job, with_rota
from rota.library import Abi
from rota.mpi_install import FAMILY

HOSTS: Final = {"ROTA_HOSTS": "3"}
LARGE = 270_000  # ints: more than a mebibyte, of which the first call is a schedule's


@pytest.mark.parametrize("settings", [{}, HOSTS, FORCED])
def test_session_beside_the_world(compiled: Compile, settings: Mapping[str, str]) -> None:
    """Communicators of a session are served, or left alone, in a program that called MPI_Init too."""
    program = [compiled("sessions_beside")]
    if not settings:
        succeeded(run_native(program, 3))
    succeeded(run_with_rota(program, 3, settings))


@pytest.mark.parametrize(
    "abi", ["mpich", "mpi5"], indirect=True
)  # Open MPI 5.0.11 crashes when it begins anew
@pytest.mark.parametrize("settings", [{}, HOSTS, FORCED])
def test_sessions_one_after_the_other(compiled: Compile, settings: Mapping[str, str]) -> None:
    """A program's attribute under a key whose number was Rota's in the session before is the program's."""
    program = [compiled("sessions_keys")]
    if not settings:
        succeeded(run_native(program, 3))
    succeeded(run_with_rota(program, 3, settings))


LIBRARIES: Final = pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)  # mpi5 is MPICH's too


@LIBRARIES
@pytest.mark.long
@pytest.mark.parametrize("settings", [{}, HOSTS])
def test_kept_communicators(abi: Abi, compiled: Compile, settings: Mapping[str, str]) -> None:
    """Communicators by thousands with a large broadcast each, all kept to the end."""
    count = 3000 if abi == "openmpi" else 1500  # MPICH itself ends at 2048
    succeeded(run_with_rota([compiled("crowd"), str(count), str(LARGE), "keep"], 3, settings))


@LIBRARIES
@pytest.mark.parametrize(
    ("count", "how", "settings"),
    [pytest.param(3000, "free", {}, marks=pytest.mark.long), (500, "free", HOSTS), (500, "split", HOSTS)],
)
def test_freed_communicators(
    compiled: Compile, report: Path, count: int, how: str, settings: Mapping[str, str]
) -> None:
    """One communicator after the other, with a large broadcast each; also with ranks in another order."""
    program = (compiled("crowd"), str(count), str(LARGE), how)
    outcome = succeeded(run_with_rota(program, 3, settings, report))
    assert outcome.calls("circulant") == (count if settings == HOSTS else 0)
    assert sum(outcome.reasons().values()) == (0 if settings == HOSTS else count)


# Without it MPICH 5.0.2 does not tell its launcher of an end that comes after its own exit handler.
LATE_IN_MPICH: Final = {"MPIR_CVAR_FINALIZE_ATEXIT": "1"}


@pytest.mark.parametrize("when", ["late", "atexit", "early", "destructor"])
def test_late_finalize(abi: Abi, compiled: Compile, report: Path, when: str) -> None:
    """MPI_Finalize in a program's last words: a report as ever, with the broadcast that came before."""
    helped = LATE_IN_MPICH if FAMILY[abi] == "mpich" and when != "late" else {}
    job = native_job([str(compiled("late_finalize")), when])
    succeeded(report_of(job, 3, helped, None))
    outcome = succeeded(report_of(with_rota(job), 3, {**FORCED, **helped}, report))
    assert outcome.calls("circulant") == 2


@pytest.mark.parametrize("settings", [{}, HOSTS])
@pytest.mark.parametrize("order", ["first", "last"])
def test_broadcast_on_a_communicator_that_is_being_freed(
    compiled: Compile, order: str, settings: Mapping[str, str]
) -> None:
    """Attributes' delete functions may use the communicator; nothing stays of what that takes."""
    program = (compiled("deleted"), "free", "200", order)
    outcome = succeeded(run_with_rota(program, 3, settings))
    # 100 more of them: 12 KiB that are left of each show.
    assert int(outcome.output.rpartition(":")[2]) < 600


@pytest.mark.parametrize("settings", [{}, HOSTS])
def test_broadcast_within_finalize(compiled: Compile, settings: Mapping[str, str]) -> None:
    """MPI_Finalize deletes MPI_COMM_SELF's attributes first, while the world still works."""
    succeeded(run_with_rota((compiled("deleted"), "finalize"), 3, settings))
