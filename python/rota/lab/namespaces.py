"""Linux namespaces: what makes a process a host of its own."""

import ctypes
import os
import signal
import socket
from typing import Final, NoReturn

from rota.shared_memory import SHARED_MEMORY

# CLONE_NEWNS, NEWUTS, NEWIPC, NEWPID, NEWNET of sched.h; Python names them from 3.12 on.
_HOST_OF_ITS_OWN: Final = 0x0002_0000 | 0x0400_0000 | 0x0800_0000 | 0x2000_0000 | 0x4000_0000

_libc: Final = ctypes.CDLL(None, use_errno=True)


def start_host(name: str) -> int:
    """Start a host; return the id of its first process, which holds it until the caller's pid namespace ends.

    The host has the processors, files and users of its surroundings, and nothing else of them: network, name,
    shared memory of both kinds and processes are its own, so no two hosts can reach each other's memory.
    """
    answer, report = os.pipe()
    if os.fork() == 0:
        _open_host(name, report)
    os.close(report)
    with os.fdopen(answer) as reader:
        said = reader.read()
    if not said.isdigit():
        raise OSError(f"host {name} cannot be started: {said or 'its first process ended'}")
    return int(said)


def mount_private(target: str) -> None:
    """Put an empty file system over a folder, for this mount namespace and those that come from it."""
    _mount("tmpfs", target)


def _open_host(name: str, report: int) -> NoReturn:
    """Be the process whose child is the host's first: only a child can be in a new pid namespace."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _check(_libc.unshare(_HOST_OF_ITS_OWN), "unshare")
        first = os.fork()
        if first == 0:
            _hold_host(name, report)
        os.write(report, str(first).encode())
        os.close(report)
        os.waitpid(first, 0)
    finally:
        os._exit(1)


def _hold_host(name: str, report: int) -> NoReturn:
    try:
        signal.signal(
            signal.SIGCHLD, signal.SIG_IGN
        )  # orphans of the host come here, and nobody waits for them
        socket.sethostname(name)
        _mount("proc", "/proc")
        mount_private(SHARED_MEMORY)
    except OSError as error:
        os.write(report, f" {error}".encode())
        os._exit(1)
    # The caller reads until everybody has closed the pipe: from then on the host is ready.
    os.close(report)
    while True:
        signal.pause()


def _mount(kind: str, target: str) -> None:
    _check(_libc.mount(kind.encode(), target.encode(), kind.encode(), 0, None), f"mount {kind} on {target}")


def _check(status: int, what: str) -> None:
    if status != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
