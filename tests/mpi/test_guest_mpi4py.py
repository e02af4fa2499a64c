"""mpi4py's own tests, as a guest: what passes without Rota passes with it.

With ROTA_EXAMPLES, those of calls that return at once and of persistent ones run by every schedule in turn,
in place of one.
"""

import os
from functools import cache
from pathlib import Path

import pytest
from guests import outcomes, suite_command, unpacked_suite
from mpi_jobs import ALL_FORCED, report_of, run_job

from rota.check.settings import Asked, Setting, settings_in_turn
from rota.launch import Job, preferred_job, with_rota
from rota.mpi_install import Family

pytestmark = pytest.mark.usefixtures("short_slices")

# Collectives on pickled objects: bcast, allgather and the point-to-point messages between them. Quick.
OBJECTS = ("test_cco_obj", "test_cco_obj_inter", "test_errhandler", "test_threads")
# Everything that calls what Rota serves, and the errors around it.
ALL = (
    *OBJECTS,
    "test_cco_buf",
    "test_cco_buf_inter",
    "test_cco_nb_buf",
    "test_cco_nb_vec",
    "test_cco_pr_buf",
    "test_cco_pr_vec",
    "test_cco_vec",
    "test_cco_vec_inter",
    "test_exceptions",
    "test_op",
)
# Calls that return at once, and persistent ones.
STARTED = ("test_cco_nb_buf", "test_cco_nb_vec", "test_cco_pr_buf", "test_cco_pr_vec")
# Each schedule of each collective has its turn.
TURNS = settings_in_turn(Asked(block_bytes=64))
FORMS = {
    "allreduce": {"iallreduce", "allreduce_init"},
    "allgather": {"iallgatherv", "allgather_init"},
    "bcast": {"ibcast", "bcast_init"},
}
EVERY_COLLECTIVE = {"bcast", "reduce", "allgather", "reduce_scatter", "allreduce", "scan", "exscan"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_suite(tmp_path_factory.mktemp("mpi4py"))


def job_of(family: Family, suite: Path, modules: tuple[str, ...]) -> Job:
    return preferred_job(family, suite_command(suite, modules))


@cache
def natively(family: Family, suite: Path, modules: tuple[str, ...], ranks: int) -> dict[tuple[int, str], str]:
    """Return the outcomes without Rota, for all tests that compare with them."""
    return outcomes(run_job(job_of(family, suite, modules), ranks))


@pytest.mark.parametrize(
    ("family", "ranks", "modules"),
    [
        pytest.param("openmpi", 3, ALL, id="openmpi-3", marks=pytest.mark.long),
        pytest.param("openmpi", 5, OBJECTS, id="openmpi-5-objects", marks=pytest.mark.long),
        pytest.param("mpich", 2, ALL, id="mpich-2", marks=pytest.mark.long),
        pytest.param("mpich", 3, OBJECTS, id="mpich-3-objects"),
    ],
)
def test_guest(family: Family, ranks: int, modules: tuple[str, ...], suite: Path, report: Path) -> None:
    """Test by test the same outcome on every rank, most of them passes; and Rota served the calls."""
    settings = {"ROTA_ALGORITHM": ALL_FORCED["ROTA_ALGORITHM"]}
    native = natively(family, suite, modules, ranks)
    served = report_of(with_rota(job_of(family, suite, modules)), ranks, settings, report)
    assert outcomes(served) == native
    passed = sum(outcome == "passed" for outcome in native.values())
    assert passed > 0.9 * len(native)
    assert passed > (150 if modules is ALL else 40) * ranks
    by_schedules = {line["collective"] for line in served.lines if line["schedule"] != "native"}
    assert by_schedules == (EVERY_COLLECTIVE if modules is ALL else {"bcast", "allgather"})


@pytest.mark.parametrize("turn", TURNS if "ROTA_EXAMPLES" in os.environ else TURNS[1:2])
@pytest.mark.parametrize(
    ("family", "progress", "ranks", "among"),
    [
        pytest.param("openmpi", "engine", 2, STARTED, id="openmpi-2", marks=pytest.mark.long),
        pytest.param("openmpi", "engine", 3, ALL, id="openmpi-3", marks=pytest.mark.long),
        pytest.param("mpich", "thread", 2, STARTED, id="mpich-2", marks=pytest.mark.long),
        pytest.param("mpich", "thread", 3, STARTED, id="mpich-3", marks=pytest.mark.long),
    ],
)
def test_started(
    family: Family,
    progress: str,
    ranks: int,
    among: tuple[str, ...],
    turn: Setting,
    suite: Path,
    report: Path,
) -> None:
    """The same outcomes by whichever schedule, and calls of both kinds were served.

    mpi4py asks for MPI_THREAD_MULTIPLE, under which MPICH has no hook in its progress.
    """
    settings = {**turn.environment, "ROTA_PROGRESS": progress}
    served = report_of(with_rota(job_of(family, suite, STARTED)), ranks, settings, report)
    native = natively(family, suite, among, ranks)
    assert outcomes(served) == {of: native[of] for of in native if of[1].split(".")[0] in STARTED}
    calls = {line["call"] for line in served.lines if line["schedule"] != "native"}
    shares_hosts = (turn.hosts or 1) < ranks  # None: as MPI tells, all on this machine
    for collective, forms in FORMS.items():
        is_for_shared_hosts = turn.algorithms[collective].startswith("hierarchical")
        assert forms & calls == (forms if shares_hosts or not is_for_shared_hosts else set()), collective
