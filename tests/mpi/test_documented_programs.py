"""README and docs: what is compiled and run with Rota there is compiled and run here, page by page.

Commands that start no program are run by tests/python/test_documentation.py, those of Slurm's by test_slurm.
"""

import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from mpi_jobs import run_job, succeeded

from documentation import PAGES, ROOT, as_run, blocks_of, is_quick, lines_of, name_of
from rota.launch import preferred_job
from rota.mpi_install import find_install
from rota.platforms import Link, Node, Platform
from rota.steady import as_text, planned, series_of_reduces

pytest.importorskip("mpi4py", reason="no mpi4py: pip install mpi4py")
pytestmark = pytest.mark.long

ELSEWHERE: Final = {
    "make": ".ci/run",
    "pip ": "tests/python/test_wheels.py",
    "python -m build": "tests/python/test_wheels.py",
    "srun": "tests/python/test_slurm.py",
}
"""What is in lines that are not run here, and who runs them, or their like where they compile everything."""

CONSUMER: Final = """cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES C)
add_executable(app ../app.c)
"""
"""What stands before the block of docs/howto/install.md in somebody's project."""

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


def place_of(line: str) -> str | None:
    """Return which test runs a line, or its like; None: this one."""
    text = line.partition(" # ")[0]
    if text.startswith("rota ") and is_quick(text.split()[1:]):
        return "tests/python/test_documentation.py"
    return next((test for part, test in ELSEWHERE.items() if part in text), None)


def own_lines(block: str) -> list[str]:
    return [line for line in lines_of(block) if place_of(line) is None]


def placed(line: str) -> str:
    """Return what has a shell run a line where it belongs: CMake's own is in a project's build folder."""
    return f"(cd project/build; {line})" if line.startswith("cmake ") else as_run(line)


def script_of(page: Path) -> str:
    """Return what a shell is to do for a page, block by block, each with its own environment."""
    scripts = ("\n".join(map(placed, own_lines(block))) for block in blocks_of(page))
    return "".join(f"(\n{script}\n)\n" for script in scripts if script)


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
    for name in ("app", "broadcast", "broadcasts"):
        subprocess.run(("mpicc", "app.c", "-o", name), check=True)
    told = ("rota", "run", "-n", "2", "--native", "--report", "report.json", "./app")
    subprocess.run(told, check=True, capture_output=True)
    (tmp_path / "project" / "build").mkdir(parents=True)
    (block,) = (each for each in blocks_of(ROOT / "docs/howto/install.md") if "find_package" in each)
    (tmp_path / "project" / "CMakeLists.txt").write_text(f"{CONSUMER}{block.partition('$ ')[0]}")
    return tmp_path


@pytest.mark.parametrize("page", [*filter(script_of, PAGES)], ids=name_of)
def test_lines(page: Path, folder: Path) -> None:
    """All that are this test's, one after the other."""
    script = f"set -eu\n{script_of(page)}"
    for part, package in (("mpifort", "gfortran"), ("pkg-config", "pkgconf")):
        if part in script and shutil.which(package) is None:
            pytest.skip(f"no {package}: apt-get install {package}")
    ended = subprocess.run(("bash", "-c", script), cwd=folder, capture_output=True, text=True, check=False)
    if "forbids" in ended.stderr:
        pytest.skip(ended.stderr.strip().splitlines()[-1])
    assert ended.returncode == 0, f"{script}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"


def test_others_are_run_elsewhere() -> None:
    """By tests that are there; those of make's are .ci/run's steps, or a part of one."""
    assert all((ROOT / test).exists() for test in ELSEWHERE.values())
    steps = (ROOT / ".ci" / "run").read_text()
    blocks = [block for page in PAGES for block in blocks_of(page)]
    lines = [line.partition(" # ")[0].strip() for block in blocks for line in lines_of(block)]
    made = [line for line in lines if line.startswith("make") and "wheels" not in line]
    assert len(made) > 3
    assert all(f"step {line}" in steps for line in made)
    assert sum(place_of(line) is None for line in lines) > 25


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
