"""The source package and the wheel, built from nothing but what they name, and used where nothing else is."""

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from short_slices import BEHIND_RANKS

ROOT = Path(__file__).parents[2]
NOT_HERE = 77
IN_CI = {".ci", ".github"}

pytestmark = pytest.mark.long


def done(words: Sequence[str | Path], environment: Mapping[str, str] = os.environ) -> str:
    behind = (*BEHIND_RANKS, *words)
    ran = subprocess.run(behind, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode == NOT_HERE:
        pytest.skip(ran.stdout.strip())
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]
    return ran.stdout


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def elsewhere() -> dict[str, str]:
    """Return this environment without what says where an MPI is: both are build requirements then."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_PREFIX")}


def test_the_source_package_is_the_checkout(tmp_path: Path) -> None:
    """File by file, but for what runs in CI; and what the wheel is built by finds both MPIs' headers.

    Of the wheel only what has few sources is compiled, for either of them.
    """
    few = [f"-Cbuild.targets=rota_preload_{abi}" for abi in ("openmpi", "mpich", "mpi5")]
    words = (sys.executable, "-m", "build", "--outdir", tmp_path, *few, "-Cinstall.components=none", ROOT)
    done(words, elsewhere())
    assert only(tmp_path, "*.whl")
    tracked = {name for name in done(("git", "ls-files")).splitlines() if name.split("/")[0] not in IN_CI}
    with tarfile.open(only(tmp_path, "*.tar.gz")) as package:
        files = {str(Path(*Path(member.name).parts[1:])) for member in package if member.isfile()}
    assert tracked <= files
    # Man pages too, where they have been made.
    assert all(name == "PKG-INFO" or name.startswith("build/man/") for name in files - tracked)


@pytest.mark.skipif("ROTA_EXAMPLES" not in os.environ, reason="compiles all: make test-wheels")
def test_a_wheel_of_the_source_package(tmp_path: Path) -> None:
    """It has all for every MPI and no MPI library; a Debian without compiler and MPI needs nothing else."""
    done((sys.executable, "-m", "build", "--outdir", tmp_path, ROOT), elsewhere())
    wheel = only(tmp_path, "*.whl")
    with ZipFile(wheel) as opened:
        files = set(opened.namelist())
    for abi in ("openmpi", "mpich", "mpi5"):
        assert {f"rota/lib/librota_{abi}.so", f"rota/lib/librota_preload_{abi}.so"} <= files
        assert {f"rota/bin/rota-{program}-{abi}" for program in ("bench", "check", "tune")} <= files
    older = ("openmpi_mpi3", "mpich_mpi3", "mpich_mpi3_large")
    assert {f"rota/lib/librota_preload_{name}.so" for name in older} <= files
    assert not {file for file in files if "libmpi" in file}
    done((ROOT / "tests" / "fresh_debian", wheel))


@pytest.mark.skipif("ROTA_EXAMPLES" not in os.environ, reason="compiles all with Zig: make test-wheels")
def test_a_wheel_for_any_glibc(tmp_path: Path) -> None:
    """No symbol is younger than 2018; it serves a fresh Debian, and the image that Apptainer's builds."""
    done((ROOT / "packaging" / "wheels", tmp_path))
    wheel = only(tmp_path, "*.whl")
    told = done(("auditwheel", "show", "--ldpaths", "/nowhere", wheel))  # not what this machine's MPI needs
    assert int(re.findall(r"manylinux_2_(\d+)_x86_64", told)[-1]) <= 28
    done((ROOT / "tests" / "fresh_debian", wheel))
    done((ROOT / "tests" / "apptainer_def", wheel))
