"""The process that is the lab: first of its pid namespace, in the network namespace that is the switch.

When it ends, for whatever reason, the kernel ends every process of the lab, and with the last process of a
namespace the namespace is gone. So there is nothing to clean up. It ends when the program that opened the
lab closes its end of the control socket, or dies.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from rota.lab import control, last_words, network, slurm
from rota.lab.agent import INSTALL_AGENT, agent_script, enter_host
from rota.lab.namespaces import mount_private, start_host
from rota.lab.noise import pass_on
from rota.lab.spec import LabSpec, switch_address
from rota.lab.traffic import DOWN, UP, accept, receive, send
from rota.shared_memory import SHARED_MEMORY

_PATIENCE_S: Final = 60

# UCX looks for interfaces in /sys, which shows those of the network namespace in which it was mounted. Slurm
# looks for control groups below it.
_NEW_SYS: Final = """
cd $0
mkdir sys
mount -t sysfs sysfs sys
[ ! -d sys/fs/cgroup ] || mount --rbind /sys/fs/cgroup sys/fs/cgroup
mount --rbind sys /sys
"""
_SEE_INTERFACES: Final = ("sh", "-euc", _NEW_SYS, SHARED_MEMORY)

# What a launcher leaves running may keep its standard error open.
_LAST_WORDS_S: Final = 2


def main() -> None:
    """Build the lab, say what its links carry, run what is asked for."""
    signal.signal(signal.SIGINT, lambda *_: last_words.end(130))
    end = socket.socket(fileno=int(sys.argv[1]))
    try:
        spec = LabSpec(**json.loads(sys.argv[2]))
        if spec.has_slurm:
            slurm.hide_this_machines()
        hosts = build(spec)
        threading.Thread(target=end_with, args=(end,), daemon=True).start()
        links = measure_links(spec, hosts)
        if spec.has_slurm:
            slurm.start(spec, hosts)
        control.tell(end, {"links": links})
        while serve(end):
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        control.tell(end, {"error": _one_line(error)})


def end_with(end: socket.socket) -> None:
    """End the lab when the other end of the control channel is gone, whatever the lab is doing."""
    other = select.poll()
    other.register(end, select.POLLRDHUP)
    other.poll()
    last_words.end(1)


def build(spec: LabSpec) -> list[int]:
    """Build switch, hosts and links; return the id of a process in each host."""
    mount_private(SHARED_MEMORY)
    socket.sethostname("switch")
    hosts = [start_host(f"host{host}") for host in range(spec.hosts)]
    _feed(("ip", "-batch", "-"), network.switch_devices(spec, hosts))
    _feed(("tc", "-batch", "-"), network.switch_rates(spec))
    script = agent_script(hosts)
    _feed(INSTALL_AGENT, script)
    for host, pid in enumerate(hosts):
        _feed((*enter_host(pid), "ip", "-batch", "-"), network.host_devices(spec, host))
        _feed((*enter_host(pid), "tc", "-batch", "-"), network.host_rate(spec, host))
        _feed((*enter_host(pid), *INSTALL_AGENT), script)
        if spec.links > 1:
            _feed((*enter_host(pid), *_SEE_INTERFACES), "")
    return hosts


def measure_links(spec: LabSpec, hosts: Sequence[int]) -> list[tuple[float, float]]:
    """Load all links both ways at once; return the bits per second that each sent and received, by host."""
    links = [(pid, link) for pid in hosts for link in range(spec.links)]
    with socket.create_server(("", 0), backlog=len(links)) as server:
        server.settimeout(_PATIENCE_S)
        port = server.getsockname()[1]
        ends = [
            _start_traffic(pid, switch_address(link), port, each) for each, (pid, link) in enumerate(links)
        ]
        connections = dict(accept(server) for _ in range(2 * len(links)))
    with ThreadPoolExecutor(len(connections)) as pool:
        for each in range(len(links)):
            pool.submit(send, connections[each, DOWN])
        sent = list(pool.map(receive, (connections[each, UP] for each in range(len(links)))))
    received = [float(end.communicate()[0]) for end in ends]
    return list(zip(sent, received, strict=True))


def serve(end: socket.socket) -> bool:
    """Run one command with the standard streams that come with it; return whether there was one."""
    command, streams = control.hear(end)
    if command is None:
        return False
    stdin, stdout, stderr = streams
    said, saying = os.pipe()
    running = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=saying)
    for stream in (stdin, stdout, saying):
        os.close(stream)
    speaker = threading.Thread(target=pass_on, args=(said, stderr), daemon=True)
    speaker.start()
    status = running.wait()
    speaker.join(_LAST_WORDS_S)
    control.tell(end, {"status": status})
    return True


def _start_traffic(pid: int, switch: str, port: int, link: int) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "rota.lab.traffic", switch, str(port), str(link))
    return subprocess.Popen((*enter_host(pid), *command), stdout=subprocess.PIPE)


def _feed(command: Sequence[str], batch: str) -> None:
    subprocess.run(command, input=batch, text=True, check=True, stderr=subprocess.PIPE)


def _one_line(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = (error.stderr or "").strip().splitlines()
        return f"{' '.join(map(str, error.cmd[-3:]))}: {said[0] if said else 'failed'}"
    return str(error)


if __name__ == "__main__":
    main()
