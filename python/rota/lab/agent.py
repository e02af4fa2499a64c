"""The way from the switch into a host: what MPI launchers use here in the place of ssh."""

import shlex
from collections.abc import Sequence
from typing import Final

from rota.lab.spec import address
from rota.shared_memory import SHARED_MEMORY

AGENT_PATH: Final = f"{SHARED_MEMORY}/rota-agent"
"""Where launchers find the agent: in a file system that only the lab sees."""

# On the hosts too: only the switch uses it, but Open MPI's daemons end if they do not find it where they are.
INSTALL_AGENT: Final = ("sh", "-c", f"cat >{AGENT_PATH} && chmod +x {AGENT_PATH}")
"""The command that makes its input the agent of the host that it runs in."""


def enter_host(pid: int) -> tuple[str, ...]:
    """Return the start of a command that runs in the host that has this process, in the same directory."""
    return ("nsenter", "--target", str(pid), "--net", "--uts", "--ipc", "--pid", "--mount", "--wdns=.")


def agent_script(host_pids: Sequence[int]) -> str:
    """Return a shell script that is called like ssh: options, an address, the words of a command."""
    cases = "\n".join(
        f'{address(host)}) exec {shlex.join(enter_host(pid))} /bin/sh -c "$*" ;;'
        for host, pid in enumerate(host_pids)
    )
    return f"""#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
case $host in
{cases}
*) echo "rota lab: no host $host" >&2; exit 255 ;;
esac
"""
