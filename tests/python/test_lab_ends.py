"""Nothing is left of a lab, however it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lab_programs import ENDLESS, RATE_BITS_PER_S, open_or_skip
from mpi_programs import compile_program

from rota.lab import LabSpec
from rota.library import Abi

WAIT = r"""
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("running");
  fflush(stdout);
  for (;;) sleep(1);
}
"""


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_after_an_interruption(abi: Abi, end: signal.Signals, tmp_path: Path) -> None:
    open_or_skip(LabSpec.uniform(1, RATE_BITS_PER_S)).close()
    program = compile_program(WAIT, abi, tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = shared_memory(), interfaces()
    environment = {**os.environ, "TMPDIR": str(scratch), "ROTA_TEST_MARK": str(tmp_path)}
    command = [sys.executable, "-c", ENDLESS, program]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as outer:
        try:
            assert outer.stdout is not None
            assert outer.stdout.readline() == b"running\n"
            assert len(marked(tmp_path)) > 4
            outer.send_signal(end)
            outer.wait(10)
        finally:
            outer.kill()
        # Who was killed could not wait for the kernel to end the rest.
        deadline_s = time.monotonic() + 10
        while marked(tmp_path) and time.monotonic() < deadline_s:
            time.sleep(0.02)
    assert marked(tmp_path) == []
    assert list(scratch.iterdir()) == []
    assert (shared_memory(), interfaces()) == before


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_job_that_ends_with_its_lab_leaves_a_report(abi: Abi, end: signal.Signals, tmp_path: Path) -> None:
    """What rank 0 had noted by then."""
    open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S)).close()
    report = tmp_path / "report.json"
    lab = ("lab", "run", "--hosts", "2", "--rate", "100mbit", "--mpi", abi, "--report", report)
    command = (sys.executable, "-m", "rota", *lab, compile_program(WAIT, abi, tmp_path))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as outer:
        try:
            assert outer.stdout is not None
            assert outer.stdout.readline() == b"running\n"
            outer.send_signal(end)
            outer.wait(10)
        finally:
            outer.kill()
    # Who was ended by SIGTERM could not wait for it.
    deadline_s = time.monotonic() + 10
    while not report.exists() and time.monotonic() < deadline_s:
        time.sleep(0.02)
    told = json.loads(report.read_text())
    assert (told["ended_by"], told["noted_by"], told["ranks"]) == ("SIGTERM", 0, 2)


def test_nothing_is_left_after_a_normal_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROTA_TEST_MARK", str(tmp_path))
    before = shared_memory(), interfaces()
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S)):
        assert len(marked(tmp_path)) > 2
    assert marked(tmp_path) == []
    assert (shared_memory(), interfaces()) == before


def marked(mark: Path) -> list[str]:
    """Return the processes, of whatever namespace, that have the mark in their environment."""
    wanted = f"ROTA_TEST_MARK={mark}".encode()

    def has_mark(process: Path) -> bool:
        try:
            return wanted in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            return False

    return [
        process.name
        for process in Path("/proc").glob("[0-9]*")
        if int(process.name) != os.getpid() and has_mark(process)
    ]


def shared_memory() -> set[str]:
    return {path.name for path in Path("/dev/shm").iterdir() if "rota" in path.name}  # noqa: S108


def interfaces() -> set[str]:
    return {path.name for path in Path("/sys/class/net").iterdir()}
