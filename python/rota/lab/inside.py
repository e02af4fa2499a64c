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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from rota.lab import network
from rota.lab.agent import INSTALL_AGENT, agent_script, enter_host
from rota.lab.namespaces import mount_private_shared_memory, start_host
from rota.lab.spec import SWITCH_ADDRESS, LabSpec
from rota.lab.traffic import exchange

MAX_MESSAGE_BYTES: Final = 1 << 17


def main() -> None:
    """Build the lab, say what its links carry, run what is asked for."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    control = socket.socket(fileno=int(sys.argv[1]))
    rates = json.loads(sys.argv[2])
    try:
        hosts = build(LabSpec(tuple(rates)))
        _say(control, {"links": measure_links(hosts)})
        while serve(control):
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        _say(control, {"error": _one_line(error)})


def build(spec: LabSpec) -> list[int]:
    """Build switch, hosts and links; return the id of a process in each host."""
    mount_private_shared_memory()
    hosts = [start_host(f"host{host}") for host in range(spec.hosts)]
    _feed(("ip", "-batch", "-"), network.switch_devices(hosts))
    _feed(("tc", "-batch", "-"), network.switch_rates(spec))
    script = agent_script(hosts)
    _feed(INSTALL_AGENT, script)
    for host, pid in enumerate(hosts):
        _feed((*enter_host(pid), "ip", "-batch", "-"), network.host_devices(host))
        _feed((*enter_host(pid), "tc", "-batch", "-"), network.host_rate(spec, host))
        _feed((*enter_host(pid), *INSTALL_AGENT), script)
    return hosts


def measure_links(hosts: Sequence[int]) -> list[tuple[float, float]]:
    """Load all links both ways at once; return the bits per second that each host sent and received."""
    with socket.create_server((SWITCH_ADDRESS, 0), backlog=len(hosts)) as server:
        port = server.getsockname()[1]
        ends = [_start_traffic(pid, host, port) for host, pid in enumerate(hosts)]
        connections = dict(_accept(server) for _ in hosts)
    for connection in connections.values():
        connection.sendall(b"!")
    with ThreadPoolExecutor(len(hosts)) as pool:
        sent = dict(zip(connections, pool.map(_exchange_and_close, connections.values()), strict=True))
    received = [float(end.communicate()[0]) for end in ends]
    return [(sent[host], received[host]) for host in range(len(hosts))]


def serve(control: socket.socket) -> bool:
    """Run one command with the standard streams that come with it; return whether there was one."""
    message, streams, _, _ = socket.recv_fds(control, MAX_MESSAGE_BYTES, 3)
    if not message:
        return False
    stdin, stdout, stderr = streams
    running = subprocess.Popen(json.loads(message), stdin=stdin, stdout=stdout, stderr=stderr)
    for stream in streams:
        os.close(stream)
    _say(control, {"status": _wait(running, control)})
    return True


def _wait(running: subprocess.Popen[bytes], control: socket.socket) -> int:
    """Wait for a command to end; end the lab if whoever asked for it goes away first."""
    ended = os.pidfd_open(running.pid)
    ready, _, _ = select.select([ended, control.fileno()], [], [])
    os.close(ended)
    if ended not in ready:
        os._exit(1)
    return running.wait()


def _start_traffic(pid: int, host: int, port: int) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "rota.lab.traffic", SWITCH_ADDRESS, str(port), str(host))
    return subprocess.Popen((*enter_host(pid), *command), stdout=subprocess.PIPE)


def _accept(server: socket.socket) -> tuple[int, socket.socket]:
    connection, _ = server.accept()
    high, low = connection.recv(2, socket.MSG_WAITALL)
    return high * 256 + low, connection


def _exchange_and_close(connection: socket.socket) -> float:
    with connection:
        return exchange(connection)


def _feed(command: Sequence[str], batch: str) -> None:
    subprocess.run(command, input=batch, text=True, check=True, stderr=subprocess.PIPE)


def _say(control: socket.socket, message: object) -> None:
    control.send(json.dumps(message).encode())


def _one_line(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = (error.stderr or "").strip().splitlines()
        return f"{' '.join(map(str, error.cmd[-3:]))}: {said[0] if said else 'failed'}"
    return str(error)


if __name__ == "__main__":
    main()
