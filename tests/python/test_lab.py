"""Jobs in a lab: where their ranks are, how fast what they send is, and what they read, write and return."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_programs import ENDLESS, RATE_BITS_PER_S, TRANSFER, hosts_of, open_or_skip, times_of
from mpi_programs import compile_program

from rota.errors import RotaError
from rota.lab import Lab, LabSpec, burst_bytes, least_seconds
from rota.lab.spec import MapBy
from rota.launch import native_job, with_environment, with_rota
from rota.launcher import Output
from rota.library import ABIS, Abi

SIZE_BYTES = 1 << 20
TRIES = 8
"""Beside other work a job may be slow now and then; not so many in a row."""

# A sum whose bits depend on its order.
SUM = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  enum { ITEMS = 1 << 19 };
  double *own = calloc(ITEMS, sizeof *own), *all = calloc(ITEMS, sizeof *all);
  MPI_Init(&argc, &argv);
  MPI_Allreduce(own, all, ITEMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


def ran_in(below_s: float, lab: Lab, program: str, size_bytes: int) -> Output:
    """Run the transfer until rank 1 takes less than that; return the last of a few runs."""
    for _ in range(TRIES):
        ran = lab.capture(native_job([program, str(size_bytes)]))
        assert ran.status == 0, ran.stderr
        if times_of(ran.stdout)[1] < below_s:
            break
    return ran


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with open_or_skip(LabSpec.uniform(3, RATE_BITS_PER_S)) as opened:
        yield opened


def test_links_carry_what_they_were_asked_to(lab: Lab) -> None:
    assert [link.asked_bits_per_s for link in lab.links] == [RATE_BITS_PER_S] * 3
    for link in lab.links:
        # A busy machine may carry less; no machine may carry more.
        assert 0 < link.sent_bits_per_s < 1.05 * RATE_BITS_PER_S
        assert 0 < link.received_bits_per_s < 1.05 * RATE_BITS_PER_S


@pytest.mark.parametrize("abi", ABIS)
def test_every_rank_has_a_host_and_nothing_leaks_past_the_links(lab: Lab, abi: Abi, tmp_path: Path) -> None:
    ran = lab.capture(native_job([compile_program(TRANSFER, abi, tmp_path), str(SIZE_BYTES), "5"]))
    assert ran.status == 5
    assert hosts_of(ran.stdout) == {0: "host0", 1: "host1", 2: "host2"}
    assert f" {RATE_BITS_PER_S}\n" in ran.stdout
    for took_s in times_of(ran.stdout).values():
        assert took_s >= least_seconds(SIZE_BYTES, RATE_BITS_PER_S)


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_ranks_of_one_host_share_memory_and_others_do_not(abi: Abi, tmp_path: Path) -> None:
    program = compile_program(TRANSFER, abi, tmp_path)
    over_a_link_s = least_seconds(SIZE_BYTES, RATE_BITS_PER_S)
    with open_or_skip(LabSpec((RATE_BITS_PER_S, RATE_BITS_PER_S // 2), per_host=2)) as lab:
        ran = ran_in(over_a_link_s, lab, program, SIZE_BYTES)
    assert hosts_of(ran.stdout) == {0: "host0", 1: "host0", 2: "host1", 3: "host1"}
    times_s = times_of(ran.stdout)
    assert times_s[1] < over_a_link_s
    # The slower of the two links is what counts between hosts, and what ranks are told.
    assert min(times_s[2], times_s[3]) >= least_seconds(SIZE_BYTES, RATE_BITS_PER_S // 2)
    assert f" {RATE_BITS_PER_S // 2}\n" in ran.stdout


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_ranks_are_dealt_in_turn(abi: Abi, tmp_path: Path) -> None:
    program = compile_program(TRANSFER, abi, tmp_path)
    with open_or_skip(LabSpec((RATE_BITS_PER_S,) * 2, per_host=3, map_by=MapBy.NODE)) as lab:
        ran = lab.capture(native_job([program, str(SIZE_BYTES)]))
    assert ran.status == 0, ran.stderr
    assert hosts_of(ran.stdout) == {rank: f"host{rank % 2}" for rank in range(6)}


def test_debians_open_mpi_starts_where_ranks_share_hosts(tmp_path: Path) -> None:
    """Version 4 calls the ranks' shared memory by another name than version 5."""
    compiler = shutil.which("mpicc.openmpi")
    if compiler is None:
        pytest.skip("no mpicc.openmpi: install libopenmpi-dev")
    program = tmp_path / "debian"
    subprocess.run([compiler, "-x", "c", "-", "-o", program], input=TRANSFER, text=True, check=True)
    over_a_link_s = least_seconds(SIZE_BYTES, RATE_BITS_PER_S)
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S, per_host=2)) as lab:
        ran = ran_in(over_a_link_s, lab, str(program), SIZE_BYTES)
    assert hosts_of(ran.stdout) == {0: "host0", 1: "host0", 2: "host1", 3: "host1"}
    assert times_of(ran.stdout)[1] < over_a_link_s


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_a_message_goes_over_both_links_and_no_faster(abi: Abi, tmp_path: Path) -> None:
    """Both MPIs cut a large message in two where there are two links."""
    size_bytes = 4 * SIZE_BYTES
    program = compile_program(TRANSFER, abi, tmp_path)
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S, links=2)) as lab:
        assert len(lab.links) == 4
        ran = ran_in(least_seconds(size_bytes, RATE_BITS_PER_S), lab, program, size_bytes)
    took_s = times_of(ran.stdout)[1]
    assert (
        least_seconds(size_bytes // 2, RATE_BITS_PER_S) <= took_s < least_seconds(size_bytes, RATE_BITS_PER_S)
    )


def test_a_link_runs_ahead_by_its_burst_only() -> None:
    assert least_seconds(burst_bytes(1e8), 1e8) == 0
    assert least_seconds(burst_bytes(1e8) + 12_500_000, 1e8) == pytest.approx(1)
    # A transfer of 1 MiB at 200 Mbit/s must not seem more than a tenth too fast.
    assert least_seconds(1 << 20, 200e6) > 0.9 * (1 << 20) * 8 / 200e6


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_rota_finds_links_to_be_slow(lab: Lab, abi: Abi, tmp_path: Path) -> None:
    """And so serves sums by schedules; where memory is the link, it does not (tests/mpi/test_network.py).

    Beside other work one of the few messages that tell may be late, which links of another rate might
    make: hence several jobs.
    """
    report = tmp_path / "report.json"
    job = with_rota(native_job([compile_program(SUM, abi, tmp_path)]))
    for _ in range(TRIES):
        ran = lab.capture(with_environment(job, {"ROTA_REPORT": str(report)}))
        assert ran.status == 0
        told = json.loads(report.read_text())
        if told["networks"][0]["links"] == "slow":
            break
    assert [(each["hosts"], each["links"]) for each in told["networks"]] == [(3, "slow")]
    assert [(each["collective"], each["schedule"]) for each in told["calls"]] == [("allreduce", "circulant")]


def test_a_job_writes_its_errors_itself(lab: Lab, tmp_path: Path) -> None:
    source = TRANSFER.replace("MPI_Finalize();", 'fprintf(stderr, "over\\n"); MPI_Finalize();')
    ran = lab.capture(native_job([compile_program(source, "openmpi", tmp_path), "1"]))
    assert ran.stderr.splitlines() == ["over"] * 3


def test_a_program_reads_and_writes_the_streams_of_who_runs_it(tmp_path: Path) -> None:
    open_or_skip(LabSpec.uniform(1, RATE_BITS_PER_S)).close()
    program = compile_program(TRANSFER, "mpich", tmp_path)
    code = ENDLESS.replace("LabSpec.uniform(2,", "LabSpec.uniform(1,")
    ran = subprocess.run(
        [sys.executable, "-c", code, program, "1"], capture_output=True, text=True, check=True
    )
    assert hosts_of(ran.stdout) == {0: "host0"}


def test_a_job_that_is_too_long_to_say_is_refused(lab: Lab, tmp_path: Path) -> None:
    job = native_job([compile_program(TRANSFER, "mpich", tmp_path)])
    with pytest.raises(RotaError, match="the lab cannot run the job"):
        lab.capture(with_environment(job, {"LONG": "x" * 200_000}))
