"""MPI libraries of MPI 3: Open MPI 4.1 and MPICH 3.4, from which Cray's, Intel's and MVAPICH2 descend.

They lack what MPI 4 has brought. mpi4py looks at run time for what there is, and must find what it finds
without Rota; a program that finds more, in the library with everything, gets at most an error.
"""

import sys
from pathlib import Path

import pytest
from guests import outcomes, suite_command, unpacked_suite
from mpi_jobs import ALL_FORCED, PROGRAMS, report_of, run_job, succeeded

from rota.launch import Job, preferred_job, with_environment, with_rota
from rota.library import preload_path
from rota.mpi_install import Family, MpiInstall, install_of_launcher
from rota.preload import preload_for

OLDER = Path(sys.prefix) / "mpi" / "older"
RANKS = 2
# Of some it is seen when they are loaded which functions there are.
MODULES = (
    *("test_cco_obj", "test_cco_buf", "test_cco_vec", "test_cco_vec_inter", "test_cco_pr_buf"),
    *("test_errhandler", "test_exceptions", "test_op"),
)
FORCED = {"ROTA_ALGORITHM": ALL_FORCED["ROTA_ALGORITHM"]}

pytestmark = pytest.mark.parametrize("family", ["openmpi", "mpich"])


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_suite(tmp_path_factory.mktemp("mpi4py"))


def older_install(family: Family) -> MpiInstall:
    """Return the older library; skip where it is missing."""
    launcher = OLDER / family / "bin" / "mpiexec"
    install = install_of_launcher(launcher) if launcher.exists() else None
    if install is None:
        pytest.skip(f"no {launcher}: make .venv/test.stamp")
    return install


def job_of(family: Family, suite: Path, *modules: str) -> Job:
    """Return mpi4py's tests with the older library."""
    return preferred_job(family, suite_command(suite, modules), install=older_install(family))


def test_a_guest_finds_what_is_there(family: Family, suite: Path, report: Path) -> None:
    """Test by test the same outcome, no persistent collectives and sessions among them; and Rota served."""
    job = job_of(family, suite, *MODULES)
    assert preload_for(job.mpi) == preload_path(family, "mpi3")
    native = outcomes(run_job(job, RANKS))
    served = report_of(with_rota(job), RANKS, FORCED, report)
    assert outcomes(served) == native
    assert sum(outcome == "passed" for outcome in native.values()) > 100 * RANKS
    assert {"skipped: mpi-coll-persist", "skipped: mpi-session"} <= set(native.values())
    assert {"bcast", "reduce", "allreduce", "allgather", "scan"} <= {
        line["collective"] for line in served.lines if line["schedule"] != "native"
    }


@pytest.mark.parametrize("settings", [FORCED, {"ROTA_OFF": "all"}], ids=["schedules", "native"])
def test_one_that_finds_more(family: Family, suite: Path, settings: dict[str, str]) -> None:
    """With everything preloaded mpi4py calls MPI_Bcast_c and its like, which MPICH 3 does not have."""
    job = job_of(family, suite, "test_cco_buf", "test_cco_vec", "test_cco_vec_inter")
    everything = with_environment(job, {"LD_PRELOAD": str(preload_path(family)), **settings})
    assert outcomes(run_job(everything, RANKS)) == outcomes(run_job(job, RANKS))


@pytest.mark.parametrize("settings", [{"ROTA_ALGORITHM": "alltoall=exact"}, {"ROTA_OFF": "all"}])
def test_exchanges_of_one_that_finds_more(family: Family, settings: dict[str, str]) -> None:
    job = preferred_job(
        family, (sys.executable, str(PROGRAMS / "narrowed.py")), install=older_install(family)
    )
    succeeded(run_job(with_environment(job, {"LD_PRELOAD": str(preload_path(family)), **settings}), 3))
