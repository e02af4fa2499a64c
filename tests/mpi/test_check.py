"""Rota against the MPI libraries on random collectives, and whether ``rota check`` would notice a fault."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import QUICK_TO_START
from mpi_jobs import compiled_library

from rota.library import Abi

pytestmark = pytest.mark.usefixtures("short_slices")

ROTA = Path(sys.executable).parent / "rota"
RANKS = (3, *(pytest.param(ranks, marks=pytest.mark.long) for ranks in (1, 2, 4, 5, 7, 8, 9)))
AMONG_ALL = ("bcast", "reduce", "allreduce", "allgather", "reduce_scatter", "scan", "exscan", "alltoall")
BETWEEN_GROUPS = ("inter_bcast", "inter_reduce", "inter_allreduce", "inter_allgather")
SERVED = {*AMONG_ALL, *BETWEEN_GROUPS}
LIMIT_S = 300

Ended = subprocess.CompletedProcess[str]
Wrong = Callable[..., Ended]


def rota_check(*words: str, preload: str = "") -> Ended:
    environment = {**os.environ, "LD_PRELOAD": preload}
    return subprocess.run(
        [ROTA, "check", *words], capture_output=True, text=True, check=False, env=environment, timeout=LIMIT_S
    )


def fault_and_command(ended: Ended) -> tuple[str, list[str]]:
    """The two lines that a failure prints, the second in words."""
    assert ended.returncode == 1, f"{ended.stdout}\n{ended.stderr}"
    fault, command = ended.stdout.splitlines()
    return fault, shlex.split(command)


@pytest.fixture
def wrong(abi: Abi, tmp_path: Path) -> Wrong:
    """Return what tries one case on three ranks with a library in front that is wrong."""
    library = compiled_library(abi, "wrong", tmp_path)

    def check(*words: str) -> Ended:
        return rota_check("--mpi", abi, "-n", "3", *words, preload=str(library))

    return check


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_equal(abi: Abi, ranks: int, tmp_path: Path) -> None:
    """Random cases leave the same bits behind, and schedules of Rota's serve them."""
    told = tmp_path / "told.json"
    asked = ("--mpi", abi, "-n", str(ranks), "--cases", "400", "--seed", str(ranks))
    ended = rota_check(*asked, "--json", str(told))
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert "all equal" in ended.stdout
    rows = [line.split() for line in ended.stdout.splitlines()]
    by_schedules = {row[0] for row in rows if len(row) == 3 and row[0] in SERVED}
    assert by_schedules == (set() if ranks == 1 else SERVED)
    facts = json.loads(told.read_text())
    assert (facts["mpi"], facts["ranks"], facts["seed"], facts["cases"]) == (abi, ranks, ranks, 400)
    assert facts["mpi_version"][0].isdigit()
    assert "to the bit" in facts["compared"]
    assert facts["tried"] == 400 - sum(facts["skipped"].values()) > 200
    assert facts["equal"] == facts["tried"] - facts["native_faults"]
    assert (facts["differences"], facts["case"]) == ([], None)
    assert {
        each["collective"] for each in facts["served"] if "native" not in each["schedule"]
    } == by_schedules
    assert {each["ROTA_ROUNDS_IN_FLIGHT"] for each in facts["settings"]} == {"1", "2", "3", "4", "8"}


@pytest.mark.parametrize("abi", ["openmpi"], indirect=True)
def test_a_difference_as_json(wrong: Wrong) -> None:
    """On standard output it is alone; it has the lines that people read."""
    case = "allreduce,op=max,type=double,count=100"
    ended = wrong("--algorithm", "allreduce=ring", "--case", case, "--json", "-")
    assert ended.returncode == 1
    facts = json.loads(ended.stdout)
    (difference,) = facts["differences"]
    where = "3 ranks, openmpi: "
    assert ended.stderr.splitlines()[-2:] == [f"{where}{difference['fault']}", difference["command"]]
    assert difference["command"].startswith("rota check --mpi openmpi -n 3 --algorithm allreduce=ring")
    assert (facts["seed"], facts["case"]) == (None, case)
    assert (facts["tried"], facts["equal"], facts["skipped"]) == (1, 0, {})


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_made_small(abi: Abi, wrong: Wrong) -> None:
    """A wrong bit is found; the smallest case that has it is printed as a command that shows it again."""
    case = "allreduce,op=max,type=double,count=100,comm=reversed,in_place=1,data=7"
    fault, command = fault_and_command(wrong("--algorithm", "allreduce=ring", "--case", case))
    assert fault.startswith(f"3 ranks, {abi}: rank 0 of 3: element 0 is ")
    asked = "--algorithm allreduce=ring --block-bytes 64 --rounds-in-flight 3 --case allreduce,count=5"
    assert command == f"rota check --mpi {abi} -n 3 {asked}".split()
    assert fault_and_command(wrong(*command[6:])) == (fault, command)
    assert rota_check(*command[2:]).returncode == 0


@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_found_at_random(abi: Abi, wrong: Wrong) -> None:
    """Random cases find a fault, and stop there."""
    settings = ("--algorithm", "allreduce=ring", "--block-bytes", "64")
    fault, command = fault_and_command(wrong(*settings, "--cases", "200", "--timeout", "10"))
    assert fault.startswith(f"3 ranks, {abi}: ")
    assert command[:6] == f"rota check --mpi {abi} -n 3".split()
    assert fault_and_command(wrong(*command[6:], "--timeout", "10"))[1] == command


@QUICK_TO_START
def test_the_native_library_is_at_fault(abi: Abi, tmp_path: Path) -> None:
    """That is counted and shown, Rota is held to MPI's definition, and the cases behind it are tried too."""
    library = compiled_library(abi, "wrong_native", tmp_path)
    asked = ("--mpi", abi, "-n", "3", "--algorithm", "scan=chain")
    ended = rota_check(*asked, "--case", "scan,count=7", preload=str(library))
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    head, fault, again, *_ = ended.stdout.splitlines()
    assert head.endswith("2 with a fault of the MPI library's own, else all equal")
    assert fault.startswith("  natively, rank 0 of 3: element 0 is ")
    assert again.split()[-2:] == ["--case", "scan,count=7"]
    many = rota_check(*asked, "--cases", "100", "--seed", "3", preload=str(library))
    assert many.returncode == 0, f"{many.stdout}\n{many.stderr}"
    assert "with a fault of the MPI library's own" in many.stdout


@QUICK_TO_START
def test_the_native_library_crashes(abi: Abi, tmp_path: Path) -> None:
    """That is counted and shown, too, and the run goes on behind it; a crash of Rota's own is a fault."""
    library = compiled_library(abi, "crash_native", tmp_path)
    asked = ("--mpi", abi, "-n", "2", "--algorithm", "scan=chain")
    told = tmp_path / "told.json"
    words = ("--cases", "30", "--seed", "3", "--json", str(told))
    ended = rota_check(*asked, *words, preload=str(library))
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    head, fault, again, *_ = ended.stdout.splitlines()
    assert "with a fault of the MPI library's own, else all equal" in head
    assert fault.startswith("  natively, the job ended with status ")
    assert "--case scan" in again
    facts = json.loads(told.read_text())
    assert facts["native_faults"] == len(facts["first_native_faults"]) > 0
    assert facts["first_native_faults"][0] == {"fault": fault.split(", ", 1)[1], "command": again.strip()}
    assert facts["equal"] + facts["native_faults"] + sum(facts["skipped"].values()) == facts["cases"] == 30


FAULTS = {
    "reduce": "the second time, element 0 is ",
    "exscan": "wrote where no received data belongs: byte -1 ",
    "allgather": "wrote into the send buffer: byte 0 ",
    "reduce_scatter_block": "returned '",
    "scan": "the job ended with status ",
    "bcast": "hangs: no end after 6 s",
    "alltoall": "element 2 is ",
    "alltoallv,count=0,changes=1": "with one message larger, rank 0 of 3: element ",
    "alltoallw,count=0": "rank 1 of 3: wrote where no received data belongs: byte ",
}


@pytest.mark.parametrize("call", FAULTS)
@pytest.mark.parametrize("abi", ["openmpi", "mpich"], indirect=True)
def test_fault(wrong: Wrong, call: str) -> None:
    """Whatever is wrong is noticed, and the case is named."""
    patience_s = "6" if "hangs" in FAULTS[call] else "10"
    fault, command = fault_and_command(wrong("--timeout", patience_s, "--case", call))
    assert FAULTS[call] in fault
    assert command[-2:] == ["--case", call]


# Of its own are shared memory and all processes; SIGINT comes to all of them, as from a terminal.
INTERRUPTED = """
import os, signal, subprocess, sys, time
from pathlib import Path
from rota.lab.namespaces import mount_private
mount_private("/dev/shm")
signal.signal(signal.SIGINT, signal.default_int_handler)
command = subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=subprocess.DEVNULL)
over = time.monotonic() + 60
while not any(Path("/dev/shm").iterdir()) and command.poll() is None and time.monotonic() < over:
    time.sleep(0.01)
print("shared", any(Path("/dev/shm").iterdir()))
os.killpg(command.pid, signal.SIGINT)
print("status", command.wait())
print("left", [file.name for file in Path("/dev/shm").iterdir()])
"""

# Beside other work a second is too short for what comes after an interrupt (test_interrupt.py has it alone).
PATIENT = """
import rota.__main__, rota.shared_memory
rota.__main__._GRACE_S = rota.shared_memory._PATIENCE_S = 20
rota.__main__.main()
"""


def test_an_interrupt_leaves_no_shared_memory(abi: Abi) -> None:
    """MPICH leaves its own there, whenever the ranks are interrupted."""
    words = (
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
    )
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no namespaces of one's own are allowed here")
    check = (sys.executable, "-c", PATIENT, "check", "--mpi", abi, "-n", "4", "--cases", "100000")
    ended = subprocess.run(
        [*words, sys.executable, "-c", INTERRUPTED, *check], capture_output=True, text=True, check=True
    )
    assert ended.stdout == f"shared True\nstatus {-signal.SIGINT}\nleft []\n", ended.stderr
