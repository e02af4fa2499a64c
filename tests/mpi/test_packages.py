"""Programs that find Rota by CMake's find_package and by pkg-config, built, and run by its schedules."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from mpi_jobs import FORCED, PROGRAMS, mpicc, report_of, succeeded

from rota.launch import native_job
from rota.library import Abi, package_dir
from short_slices import BEHIND_RANKS

PROJECT: Final = """
cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES C)
find_package(Rota 0.1 REQUIRED COMPONENTS {abi})
add_executable(consumer {source})
target_link_libraries(consumer PRIVATE Rota::{abi})
"""


def done(*words: str | Path) -> str:
    ran = subprocess.run((*BEHIND_RANKS, *words), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def configured(abi: str, compiler: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    source = PROGRAMS / "linked.c"
    (folder / "CMakeLists.txt").write_text(PROJECT.format(abi=abi, source=source))
    where = (f"-DRota_DIR={package_dir() / 'cmake/Rota'}", f"-DCMAKE_C_COMPILER={compiler}")
    words = ("cmake", "-S", folder, "-B", folder / "build", *where)
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_cmake(abi: Abi, tmp_path: Path, report: Path) -> None:
    told = configured(abi, mpicc(abi), tmp_path)
    assert told.returncode == 0, told.stderr
    done("cmake", "--build", tmp_path / "build")
    job = native_job([str(tmp_path / "build" / "consumer")])
    assert succeeded(report_of(job, 5, FORCED, report)).calls("circulant") == 10


def test_cmake_says_which_mpi_is_missing(tmp_path: Path) -> None:
    told = configured("lam", "cc", tmp_path)
    assert told.returncode != 0
    assert "this Rota is not built for lam" in told.stderr


def test_pkg_config(abi: Abi, tmp_path: Path, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config: apt-get install pkgconf")
    monkeypatch.setenv("PKG_CONFIG_PATH", str(package_dir() / "pkgconfig"))
    flags = done("pkg-config", "--cflags", "--libs", f"rota-{abi}").split()
    program = tmp_path / "consumer"
    done(mpicc(abi), PROGRAMS / "linked.c", *flags, "-o", program)
    assert succeeded(report_of(native_job([str(program)]), 5, FORCED, report)).calls("circulant") == 10
