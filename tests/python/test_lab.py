import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mpi_programs import compile_program

from rota.commands.lab import describe, lab_spec
from rota.errors import RotaError
from rota.lab import Lab, LabSpec, Link, burst_bytes, least_seconds, network, session
from rota.lab.noise import Quiet
from rota.lab.spec import MapBy
from rota.launch import native_job, with_environment, with_rota
from rota.library import ABIS, Abi

RATE_BITS_PER_S = 100_000_000
SIZE_BYTES = 1 << 20

# Prints for every rank its host, and for all but the first how long a message from the first takes.
TRANSFER = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank, size, bytes = atoi(argv[1]);
  char host[256], *data = calloc(bytes, 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  gethostname(host, sizeof host);
  for (int peer = 1; peer < size; peer++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), took = 1e9;
    for (int i = 0; i < 3 && (rank == 0 || rank == peer); i++, start = MPI_Wtime()) {
      if (rank == 0) {
        MPI_Send(data, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(data, 1, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (MPI_Wtime() - start < took) took = MPI_Wtime() - start;
      } else {
        MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
      }
    }
    if (rank == 0) printf("took %d %.6f\n", peer, took);
  }
  printf("rank %d %s %s\n", rank, host, getenv("ROTA_LINK_RATE"));
  fflush(stdout);
  MPI_Finalize();
  return argc > 2 ? atoi(argv[2]) : 0;
}
"""

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

# Opens a lab in which something runs for ever, and says so once it runs.
# A shell that starts something in the background has it ignore interrupts.
ENDLESS = """
import signal, sys
from rota.lab import Lab, LabSpec
from rota.launch import native_job
signal.signal(signal.SIGINT, signal.default_int_handler)
with Lab(LabSpec.uniform(2, 100_000_000)) as lab:
    lab.run(native_job(sys.argv[1:]))
"""
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


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with open_or_skip(LabSpec.uniform(3, RATE_BITS_PER_S)) as opened:
        yield opened


def open_or_skip(spec: LabSpec) -> Lab:
    try:
        return Lab(spec)
    except RotaError as fault:
        if "forbids" in str(fault) or "needs" in str(fault):
            pytest.skip(str(fault))
        raise


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
    with open_or_skip(LabSpec((RATE_BITS_PER_S, RATE_BITS_PER_S // 2), per_host=2)) as lab:
        ran = lab.capture(native_job([program, str(SIZE_BYTES)]))
    assert hosts_of(ran.stdout) == {0: "host0", 1: "host0", 2: "host1", 3: "host1"}
    times_s = times_of(ran.stdout)
    assert times_s[1] < least_seconds(SIZE_BYTES, RATE_BITS_PER_S)
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
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S, per_host=2)) as lab:
        ran = lab.capture(native_job([str(program), str(SIZE_BYTES)]))
    assert ran.status == 0, ran.stderr
    assert hosts_of(ran.stdout) == {0: "host0", 1: "host0", 2: "host1", 3: "host1"}
    assert times_of(ran.stdout)[1] < least_seconds(SIZE_BYTES, RATE_BITS_PER_S)


SETPGID = (
    b"[switch:00038] plm:ssh: Warning: setpgid(42,42) failed in parent with errno=Permission denied(13)\n"
)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_what_launchers_say_that_helps_nobody_is_not_heard(step: int) -> None:
    said = b"".join(
        (b"one\n", SETPGID, b"[switch:1] plm:ssh: an error\n", SETPGID, b"not over: ", SETPGID, b"[swi")
    )
    quiet = Quiet()
    heard = [quiet(said[at : at + step]) for at in range(0, len(said), step)]
    expected = b"".join((b"one\n", b"[switch:1] plm:ssh: an error\n", b"not over: ", SETPGID, b"[swi"))
    assert b"".join((*heard, quiet.rest())) == expected


def test_what_is_said_is_heard_at_once() -> None:
    quiet = Quiet()
    assert quiet(b"ready? ") == b"ready? "
    assert quiet(b"[switch:00038] plm") == b"[switch:00038] plm"
    assert quiet(b"\n[switch:00038] plm") == b"\n"


def test_a_job_writes_its_errors_itself(lab: Lab, tmp_path: Path) -> None:
    source = TRANSFER.replace("MPI_Finalize();", 'fprintf(stderr, "over\\n"); MPI_Finalize();')
    ran = lab.capture(native_job([compile_program(source, "openmpi", tmp_path), "1"]))
    assert ran.stderr.splitlines() == ["over"] * 3


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_rota_finds_links_to_be_slow(lab: Lab, abi: Abi, tmp_path: Path) -> None:
    """And so serves sums by schedules; where memory is the link, it does not (tests/mpi/test_network.py)."""
    report = tmp_path / "report.json"
    job = with_rota(native_job([compile_program(SUM, abi, tmp_path)]))
    ran = lab.capture(with_environment(job, {"ROTA_REPORT": str(report)}))
    assert ran.status == 0
    told = json.loads(report.read_text())
    assert [(each["hosts"], each["links"]) for each in told["networks"]] == [(3, "slow")]
    assert [(each["collective"], each["schedule"]) for each in told["calls"]] == [("allreduce", "circulant")]


def test_a_program_reads_and_writes_the_streams_of_who_runs_it(tmp_path: Path) -> None:
    open_or_skip(LabSpec.uniform(1, RATE_BITS_PER_S)).close()
    program = compile_program(TRANSFER, "mpich", tmp_path)
    code = ENDLESS.replace("LabSpec.uniform(2,", "LabSpec.uniform(1,")
    ran = subprocess.run(
        [sys.executable, "-c", code, program, "1"], capture_output=True, text=True, check=True
    )
    assert hosts_of(ran.stdout) == {0: "host0"}


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


def test_nothing_is_left_after_a_normal_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROTA_TEST_MARK", str(tmp_path))
    before = shared_memory(), interfaces()
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S)):
        assert len(marked(tmp_path)) > 2
    assert marked(tmp_path) == []
    assert (shared_memory(), interfaces()) == before


def test_a_lab_needs_no_privileges(tmp_path: Path) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is missing: install util-linux")
    program = compile_program(TRANSFER, "mpich", tmp_path)
    code = ENDLESS.replace("LabSpec.uniform(2,", "LabSpec.uniform(1,")
    # Without privileges, root can still read its home, where this installation may be. The one that it
    # keeps is for calling itself root inside too.
    bare = ("setpriv", "--bounding-set=-all,+setfcap", "--inh-caps=-all")
    command = [*bare, sys.executable, "-c", code, program, "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if "forbids" in ran.stderr:
        pytest.skip(ran.stderr.strip().splitlines()[-1])
    assert hosts_of(ran.stdout) == {0: "host0"}, ran.stderr


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "search_path", lambda: str(tmp_path))
    with pytest.raises(RotaError, match="the lab needs unshare: install util-linux"):
        Lab(LabSpec.uniform(1, RATE_BITS_PER_S))


@pytest.mark.parametrize(
    ("tool", "says", "complaint"),
    [
        ("unshare", "unshare: unshare failed: Operation not permitted", "forbids the lab's namespaces"),
        (
            "tc",
            "Error: Specified qdisc kind is unknown.",
            "cannot be built: tc -batch -: Error: Specified qdisc",
        ),
    ],
)
def test_what_the_kernel_refuses_is_one_line(
    tool: str, says: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if tool != "unshare":
        open_or_skip(LabSpec.uniform(1, RATE_BITS_PER_S)).close()
    refusing = tmp_path / tool
    refusing.write_text(f"#!/bin/sh\necho '{says}' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(RotaError, match=complaint) as fault:
        Lab(LabSpec.uniform(1, RATE_BITS_PER_S))
    assert "\n" not in str(fault.value)


def test_a_job_that_is_too_long_to_say_is_refused(lab: Lab, tmp_path: Path) -> None:
    job = native_job([compile_program(TRANSFER, "mpich", tmp_path)])
    with pytest.raises(RotaError, match="the lab cannot run the job"):
        lab.capture(with_environment(job, {"LONG": "x" * 200_000}))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((0, "1gbit", None, 1), "cannot have 0 hosts"),
        ((-1, "1gbit", None, 1), "hosts: choose from 1 to"),
        ((10**6, "1gbit", None, 1), "cannot have 1000000 hosts"),
        ((2, "fast", None, 1), "'fast' is no rate"),
        ((2, "1gbit", None, 0), "cannot have 0 ranks"),
        ((3, None, "1gbit,2gbit", 1), "names 2 links and --hosts 3"),
        ((None, None, "1gbit,", 1), "'' is no rate"),
        ((2, None, None, 1), "needs the rate"),
        ((2, "1gbit", "1gbit,1gbit", 1), "needs the rate"),
        ((None, "1gbit", None, 1), "needs hosts"),
        ((2, "1gbit", None, 1, 0), "cannot have 0 links"),
    ],
)
def test_what_is_no_lab_is_refused(
    options: tuple[int | None, str | None, str | None, int], complaint: str
) -> None:
    with pytest.raises(RotaError, match=complaint):
        lab_spec(*options)


def test_each_host_has_its_own_rate() -> None:
    spec = lab_spec(None, None, "100mbit,1gbit", 2)
    assert spec == LabSpec((100_000_000, 1_000_000_000), 2)
    assert (spec.hosts, spec.ranks, spec.slowest_bits_per_s) == (2, 4, 100_000_000)
    assert "host1 root tbf rate 1000000000bit" in network.switch_rates(spec)
    assert "eth0 root tbf rate 100000000bit" in network.host_rate(spec, 0)


def test_hosts_get_ranks_by_slot_or_by_node() -> None:
    by_slot, by_node = (lab_spec(2, "1gbit", None, 3, map_by=each) for each in MapBy)
    assert by_slot.host_of_rank == (0, 0, 0, 1, 1, 1)
    assert by_node.host_of_rank == (0, 1, 0, 1, 0, 1)


def test_each_host_has_as_many_links_as_asked() -> None:
    spec = lab_spec(2, "100mbit", None, 2, 2)
    assert spec == LabSpec((100_000_000,) * 2, 2, links=2)
    assert network.host_rate(spec, 0).count("root tbf rate 100000000bit") == 2
    assert "address add 10.1.0.2/16 dev eth1" in network.host_devices(spec, 1)
    assert network.switch_rates(spec).count("root tbf") == 4
    line = describe((Link(200_000_000, 198e6, 196e6),) * 4, 2)
    assert line.startswith("rota lab: 2 hosts, 2 links each of 200 Mbit/s; under full load")


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_a_message_goes_over_both_links_and_no_faster(abi: Abi, tmp_path: Path) -> None:
    """Both MPIs cut a large message in two where there are two links."""
    size_bytes = 4 * SIZE_BYTES
    program = compile_program(TRANSFER, abi, tmp_path)
    with open_or_skip(LabSpec.uniform(2, RATE_BITS_PER_S, links=2)) as lab:
        assert len(lab.links) == 4
        ran = lab.capture(native_job([program, str(size_bytes)]))
    took_s = times_of(ran.stdout)[1]
    assert took_s >= least_seconds(size_bytes // 2, RATE_BITS_PER_S)
    assert took_s < least_seconds(size_bytes, RATE_BITS_PER_S)


def test_a_link_runs_ahead_by_its_burst_only() -> None:
    assert least_seconds(burst_bytes(1e8), 1e8) == 0
    assert least_seconds(burst_bytes(1e8) + 12_500_000, 1e8) == pytest.approx(1)
    # A transfer of 1 MiB at 200 Mbit/s must not seem more than a tenth too fast.
    assert least_seconds(1 << 20, 200e6) > 0.9 * (1 << 20) * 8 / 200e6


def test_links_are_described_in_one_line() -> None:
    line = describe((Link(200_000_000, 198e6, 196e6), Link(200_000_000, 199e6, 197e6)))
    assert line == "rota lab: 2 hosts, links of 200 Mbit/s; under full load they carry 98.0% to 99.5% of that"


def test_links_that_processors_cannot_fill() -> None:
    """What they carry is a rate, and what that means for results stands beside it."""
    line = describe((Link(10**13, 2.31e9, 1.9e9), Link(10**13, 2e9, 2e9)))
    assert "0.0" not in line
    assert (
        "links of 10 Tbit/s; under full load they carry only 1.9 Gbit/s to 2.31 Gbit/s, for processors"
        in line
    )
    assert "times will be those of this machine's processors" in line
    assert describe((Link(10**9, 0.9e9, 1e9),)).endswith("they carry 90.0% to 100.0% of that")


def hosts_of(output: str) -> dict[int, str]:
    return {int(rank): host for rank, host in re.findall(r"^rank (\d+) (\S+)", output, re.MULTILINE)}


def times_of(output: str) -> dict[int, float]:
    return {
        int(peer): float(time_s) for peer, time_s in re.findall(r"^took (\d+) (\S+)", output, re.MULTILINE)
    }


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
