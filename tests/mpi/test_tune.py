"""`rota tune`: a profile of this machine, and a job that goes by it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mpi_jobs import report_of, run_job, succeeded
from rota._core import read_profile

from rota.bench.names import COLLECTIVES
from rota.launch import preferred_job, with_environment
from rota.library import bench_path, tune_path

RANKS = 3


def rota(*words: object) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "rota", *map(str, words))
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_job_goes_by_what_was_measured(tmp_path: Path, report: Path) -> None:
    path = tmp_path / "profile.txt"
    tuned = rota("tune", "--mpi", "openmpi", "-n", RANKS, "--seconds", 5, "-o", path)
    assert tuned.returncode == 0, tuned.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["profile.txt"]
    profile = read_profile(str(path))
    assert (profile.ranks, profile.hosts) == (RANKS, 1)
    assert profile.network.latency_s > 0
    assert profile.network.seconds_per_combined_byte > 0
    of_one_size = {collective.reported_as for collective in COLLECTIVES.values()} - {"alltoall"}
    assert {one.collective for one in profile.measured} == of_one_size
    assert all(one.native_s > 0 and one.rota_s > 0 for one in profile.measured)
    for collective in ("bcast", "reduce", "allgather", "reduce_scatter", "allreduce", "scan", "exscan"):
        assert collective in tuned.stdout
    assert rota("explain", "scan", "--ranks", RANKS, "--bytes", 8, "--profile", path).returncode == 0

    sizes = [f"{one.bytes}:1" for one in profile.measured if one.collective == "bcast"]
    job = preferred_job("openmpi", [str(bench_path("openmpi")), "bcast", *sizes])
    outcome = succeeded(report_of(job, RANKS, {"ROTA_PROFILE": str(path)}, report))
    expected = {
        one.bytes: "native" if one.native_s <= one.rota_s else one.algorithm
        for one in profile.measured
        if one.collective == "bcast"
    }
    assert {round(line["bytes"]): line["schedule"] for line in outcome.lines} == expected
    natives = {line["reason"] for line in outcome.lines if line["schedule"] == "native"}
    assert natives <= {"measured to be faster"}


@pytest.mark.parametrize(
    ("ranks", "words", "complaint"),
    [
        (2, [], "usage: FILE"),
        (2, ["{path}", "--seconds"], "usage: FILE"),
        (2, ["{path}", "--seconds", "long"], "--seconds long: give a number above 0"),
        (2, ["{path}", "--seconds", "-1"], "--seconds -1: give a number above 0"),
        (2, ["/nowhere/profile.txt"], "cannot write /nowhere/profile.txt"),
        (1, ["{path}"], "start two or more"),
    ],
)
def test_what_the_program_refuses(tmp_path: Path, ranks: int, words: list[str], complaint: str) -> None:
    said = [word.format(path=tmp_path / "profile.txt") for word in words]
    ended = run_job(preferred_job("mpich", [str(tune_path("mpich")), *said]), ranks)
    assert ended.status == 2
    assert complaint in ended.errors
    assert list(tmp_path.iterdir()) == []


def test_wrong_results_give_no_profile(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is missing: install gcc")
    source = tmp_path / "lazy.c"
    source.write_text("int MPI_Scan(void) { return 0; }\n")
    lazy = tmp_path / "lazy.so"
    subprocess.run((compiler, "-shared", "-fPIC", str(source), "-o", str(lazy)), check=True)
    path = tmp_path / "profile.txt"
    job = preferred_job("openmpi", [str(tune_path("openmpi")), str(path), "--seconds", "1"])
    ended = run_job(with_environment(job, {"LD_PRELOAD": str(lazy)}), RANKS)
    assert ended.status == 2
    assert "rota-tune: wrong results of scan, 8 bytes, native" in ended.errors
    assert not path.exists()


def test_where_to_measure_must_be_said(tmp_path: Path) -> None:
    ended = rota("tune", "--mpi", "openmpi", "-o", tmp_path / "profile.txt")
    assert ended.returncode == 2
    assert ended.stderr.startswith("rota: say where to measure")
