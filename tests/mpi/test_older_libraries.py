"""MPI libraries of MPI 3: Open MPI 4.1 and MPICH 3.4, from which Cray's, Intel's and MVAPICH2 descend.

They lack what MPI 4 has brought. mpi4py looks at run time for what there is, and must find what it finds
without Rota; a program that finds more, in the library with everything, is served too.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from guests import outcomes, suite_command, unpacked_suite
from mpi_jobs import ALL_FORCED, PROGRAMS, report_of, run_job, succeeded

from rota.launch import Job, preferred_job, with_environment, with_rota
from rota.library import preload_path, preload_paths
from rota.mpi_install import Family, MpiInstall, install_of_launcher, library_of
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


def functions_of(library: Path) -> set[str]:
    """Return MPI's functions that it defines."""
    command = ("nm", "-D", "--defined-only", library)
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = (line.split()[-1].partition("@")[0] for line in listed.splitlines())
    return {name for name in names if name.startswith("MPI_")}


def test_a_guest_finds_what_is_there(family: Family, suite: Path, report: Path) -> None:
    """Test by test the same outcome, no persistent collectives and sessions among them; and Rota served."""
    job = job_of(family, suite, *MODULES)
    assert preload_for(job.mpi) == preload_paths(family)[-1]
    native = outcomes(run_job(job, RANKS))
    served = report_of(with_rota(job), RANKS, FORCED, report)
    assert outcomes(served) == native
    assert sum(outcome == "passed" for outcome in native.values()) > 100 * RANKS
    assert {"skipped: mpi-coll-persist", "skipped: mpi-session"} <= set(native.values())
    assert {"bcast", "reduce", "allreduce", "allgather", "scan"} <= {
        line["collective"] for line in served.lines if line["schedule"] != "native"
    }


def test_no_function_is_shown_that_is_not_there(family: Family) -> None:
    mpi = library_of(older_install(family), family)
    shown = functions_of(preload_for(mpi))
    assert shown <= functions_of(mpi.library)
    assert {"MPI_Bcast", "MPI_Ineighbor_alltoallw"} <= shown
    assert not functions_of(preload_path(family)) <= functions_of(mpi.library)


@pytest.mark.long
@pytest.mark.parametrize("settings", [FORCED, {"ROTA_OFF": "all"}], ids=["schedules", "native"])
def test_one_that_finds_more(family: Family, suite: Path, settings: dict[str, str]) -> None:
    """With everything preloaded mpi4py calls MPI_Bcast_c and its like, which MPICH 3 does not have.

    Arrays of counts would have to stay until what was started with them is over: such calls are refused.
    """
    job = job_of(family, suite, "test_cco_buf", "test_cco_nb_buf", "test_cco_vec", "test_cco_vec_inter")
    everything = with_environment(job, {"LD_PRELOAD": str(preload_path(family)), **settings})
    native, served = outcomes(run_job(job, RANKS)), outcomes(run_job(everything, RANKS))
    assert set(served) == set(native)
    others = {of[1] for of in native if served[of] != native[of]}
    assert all(test.startswith("test_cco_nb_buf.") and test.endswith(".testReduceScatter") for test in others)
    assert family == "mpich" or not others


@pytest.mark.parametrize("settings", [{"ROTA_ALGORITHM": "alltoall=exact"}, {"ROTA_OFF": "all"}])
def test_large_counts_of_a_library_that_has_none(family: Family, settings: dict[str, str]) -> None:
    if family == "openmpi":
        pytest.skip("what is built with Open MPI 5's headers has no functions with large counts")
    program = (sys.executable, str(PROGRAMS / "narrowed.py"))
    job = preferred_job(family, program, install=older_install(family))
    everything = {"LD_PRELOAD": str(preload_path(family)), **settings}
    succeeded(run_job(with_environment(job, everything), 3))
