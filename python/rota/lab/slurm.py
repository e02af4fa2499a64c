"""A real Slurm over the lab's hosts: slurmctld on the switch, slurmd on every host, munge for all of them.

    srun, sbatch, ...  ->  slurmctld (switch)  ->  slurmd (host0, host1, ...)  ->  ranks

What they write is in file systems that only the lab sees, over /run, /etc/slurm and /etc/munge: a Slurm that
this machine has of its own is neither seen nor touched, and what is begun ends with the lab.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rota.lab.agent import enter_host
from rota.lab.namespaces import mount_private
from rota.lab.spec import LabSpec, address, switch_address
from rota.shared_memory import SHARED_MEMORY

PACKAGES: Final = {
    "munged": "munge",
    "slurmctld": "slurmctld",
    "slurmd": "slurmd",
    "srun": "slurm-client",
}
"""The programs that are needed, and Debian's packages of them."""

_PRIVATE: Final = ("/run", "/etc/slurm", "/etc/munge")
_STATE: Final = Path("/run/slurm")
_MUNGE: Final = Path("/run/munge")
_KEY: Final = Path("/etc/munge/munge.key")
_KEY_BYTES: Final = 128
_PATIENCE_S: Final = 30.0


def hide_this_machines() -> None:
    """Put empty file systems where Slurm writes: before there are hosts, so that all of them see these."""
    for target in _PRIVATE:
        mount_private(target)
    for folder in (_STATE, _MUNGE):
        folder.mkdir(mode=0o755)


def start(spec: LabSpec, hosts: Sequence[int]) -> None:
    """Start Slurm over hosts that have these processes, and wait until all of them serve."""
    _KEY.write_bytes(os.urandom(_KEY_BYTES))
    _KEY.chmod(0o600)
    Path("/etc/slurm/slurm.conf").write_text(configuration(spec))
    # Where hosts share /tmp, what PMIx keeps of one would be in another's way.
    Path("/etc/slurm/mpi.conf").write_text(f"PMIxCliTmpDirBase={SHARED_MEMORY}\n")
    _run(_munged())
    _run(("slurmctld",))
    for host, pid in enumerate(hosts):
        _run((*enter_host(pid), "slurmd", "-N", f"host{host}"))
    _wait_for(len(hosts))


def configuration(spec: LabSpec) -> str:
    """Return slurm.conf: no more than starts jobs, for all else needs what namespaces lack."""
    lines = {
        "ClusterName": "lab",
        "SlurmctldHost": f"switch({switch_address()})",
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "AuthType": "auth/munge",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "SwitchType": "switch/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core",
        # Every host says that it has all of this machine's processors.
        "SlurmdParameters": "config_overrides",
        "ReturnToService": "2",
        "StateSaveLocation": _STATE,
        "SlurmdSpoolDir": _STATE / "%n",
        "SlurmctldPidFile": _STATE / "slurmctld.pid",
        "SlurmdPidFile": _STATE / "%n.pid",
        "SlurmctldLogFile": _STATE / "slurmctld.log",
        "SlurmdLogFile": _STATE / "%n.log",
    }
    return "".join((*(f"{name}={value}\n" for name, value in lines.items()), *_nodes(spec)))


def _nodes(spec: LabSpec) -> Iterator[str]:
    for host in range(spec.hosts):
        yield f"NodeName=host{host} NodeAddr={address(host)} CPUs={spec.per_host}\n"
    yield "PartitionName=lab Nodes=ALL Default=YES State=UP\n"


def _munged() -> tuple[str, ...]:
    files = {
        "key-file": _KEY,
        "pid-file": _MUNGE / "pid",
        "log-file": _MUNGE / "log",
        "seed-file": _MUNGE / "seed",
    }
    options = (f"--{name}={path}" for name, path in files.items())
    return ("munged", "--force", f"--socket={_MUNGE / 'munge.socket.2'}", *options)


def _run(command: Sequence[str]) -> None:
    """Start a daemon, which goes into the background by itself; its words are for its log."""
    with (_STATE / "started.log").open("ab") as log:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def _wait_for(hosts: int) -> None:
    deadline_s = time.monotonic() + _PATIENCE_S
    while _idle() < hosts:
        if time.monotonic() > deadline_s:
            raise OSError(f"Slurm serves {_idle()} of {hosts} hosts after {_PATIENCE_S:g} s")
        time.sleep(0.1)


def _idle() -> int:
    asked = ("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N")
    return len(subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split())
