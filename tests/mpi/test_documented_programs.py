"""README and docs: what is compiled and run with Rota there is compiled and run here, page by page.

Commands that start no program are run by tests/python/test_documentation.py; lines that take minutes, or what
is not here, are named with the tests that run their like.
"""

import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from mpi_jobs import run_job, succeeded

from documentation import PAGES, ROOT, blocks_of, name_of
from rota.launch import preferred_job
from rota.mpi_install import find_install
from rota.platforms import Link, Node, Platform
from rota.steady import as_text, planned, series_of_reduces

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")
pytestmark = pytest.mark.long

BEGINNINGS: Final = ("rota run", "rota advise", "mpicc", ".venv/mpi/", "mpifort", "export", "ROTA_LOG")
"""Of the lines that are run here."""

ELSEWHERE: Final = {
    "--launcher": "tests/python/test_slurm.py",
    "srun ": "tests/python/test_slurm.py",
    "make": ".ci/run",
    "pip ": "tests/python/test_wheels.py",
    "python -m build": "tests/python/test_wheels.py",
    "cmake ": "tests/mpi/test_packages.py",
    "pkg-config": "tests/mpi/test_packages.py",
    "rota lab run": "tests/python/test_lab.py",
    "rota bench": "tests/python/test_bench.py",
    "rota tune": "tests/mpi/test_tune.py",
    "rota check": "tests/mpi/test_check.py",
    "rota reproduce": "tests/python/test_reproduce_lab.py",
    "rota ": "tests/python/test_documentation.py",
}
"""What is in other lines, and who runs their like."""

IN_FORTRAN: Final = """program app
  use mpi
  integer :: code
  call MPI_Init(code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_Finalize(code)
end program
"""

PRELUDE: Final = """
from array import array
from pathlib import Path
from mpi4py import MPI
from rota.series import Series
ranks = MPI.COMM_WORLD.size
sendcounts = recvcounts = [2] * ranks
sendbuf = array("d", [MPI.COMM_WORLD.rank] * 2 * ranks)
recvbuf = array("d", [-1] * 2 * ranks)
plan = Path("plan.json").read_text()
frame = array("f", [1]) * 262144
frames = [frame] * 1000
seen = []
show = lambda k, result: result and seen.append((k, memoryview(result).cast("B").cast("f")[0]))
"""
"""What stands before a sample of mpi4py's in its program."""

RIGHT: Final = {
    "AlltoallvPlan": "list(recvbuf) == [sender for sender in range(ranks) for _ in range(2)]",
    "Series": "seen == ([(k, ranks) for k in range(1000)] if MPI.COMM_WORLD.rank == 0 else [])",
}
"""What holds on each rank behind a sample that has this."""


def lines_of(page: Path) -> list[str]:
    """Return a page's lines after ``$``."""
    return re.findall(r"^\$ (.*)$", "\n".join(blocks_of(page)), re.MULTILINE)


def place_of(line: str) -> str | None:
    """Return which test runs a line's like; None: this one; StopIteration: nobody does."""
    text = line.partition(" # ")[0]
    if text.startswith(BEGINNINGS) and "--launcher" not in text:
        return None
    return next(test for part, test in ELSEWHERE.items() if part in text)


def own_lines(page: Path) -> list[str]:
    return [line for line in lines_of(page) if place_of(line) is None]


def samples_in_python(page: Path) -> list[str]:
    """Return the blocks of a page that are programs of mpi4py's, or parts of such."""
    return [block for block in blocks_of(page) if "MPI.COMM_WORLD" in block and ">>>" not in block]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go where everything is that a reader has: an environment, the examples, programs of his own."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "app.c").symlink_to(ROOT / "examples" / "broadcast.c")
    (tmp_path / "app.f90").write_text(IN_FORTRAN)
    (tmp_path / "app.py").write_text("from mpi4py import MPI\nMPI.COMM_WORLD.bcast(list(range(100000)))\n")
    compilers = find_install("openmpi").launcher.parent
    monkeypatch.setenv("PATH", f"{compilers}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    for name in ("app", "broadcast"):
        subprocess.run(("mpicc", "app.c", "-o", name), check=True)
    told = ("rota", "run", "-n", "2", "--native", "--report", "report.json", "./app")
    subprocess.run(told, check=True, capture_output=True)
    return tmp_path


@pytest.mark.parametrize("page", [*filter(own_lines, PAGES)], ids=name_of)
def test_lines(page: Path, folder: Path) -> None:
    """All that are this test's, one after the other in one shell."""
    script = "\n".join(("set -eu", *own_lines(page)))
    if "mpifort" in script and shutil.which("gfortran") is None:
        pytest.skip("no Fortran compiler: apt-get install gfortran")
    ended = subprocess.run(("bash", "-c", script), cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{script}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"


def test_others_are_run_elsewhere() -> None:
    assert all((ROOT / test).exists() for test in ELSEWHERE.values())
    assert sum(len(own_lines(page)) for page in PAGES) > 10


@pytest.mark.parametrize("page", ["howto/mpi4py.md", "howto/heterogeneous.md"])
def test_samples_of_mpi4py(page: str, folder: Path) -> None:
    """Each is the middle of a program of three ranks, for a plan of three processors."""
    hosts = ["P0", "P1", "P2"]
    links = tuple(Link(a, b, cost=Fraction(1)) for a in hosts for b in hosts if a != b)
    platform = Platform(tuple(Node(host, task=Fraction(1)) for host in hosts), links)
    (folder / "plan.json").write_text(as_text(planned(platform, series_of_reduces(platform, hosts, "P0"))))
    samples = samples_in_python(ROOT / "docs" / page)
    assert samples
    for sample in samples:
        (right,) = (condition for name, condition in RIGHT.items() if f"{name}(" in sample)
        (folder / "sample.py").write_text(f"{PRELUDE}{sample}\nassert {right}\n")
        succeeded(run_job(preferred_job("openmpi", (sys.executable, "sample.py")), 3))
