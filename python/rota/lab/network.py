"""The lab's network, as input of ``ip -batch`` and ``tc -batch``.

A bridge is a switch, and there are as many as a host has links. A pair of virtual Ethernet devices is a link:
one end is a port of the bridge, the other the host's interface. A token bucket on each end holds what that
end sends to the rate, so the link is full-duplex.
"""

from collections.abc import Sequence
from typing import Final

from rota.lab.spec import SUBNET_BITS, LabSpec, address, burst_bytes, interface, switch_address

_MTU_BYTES: Final = 9000
_LARGEST_SEGMENT_BYTES: Final = 65_536
_QUEUE_BYTES: Final = 4_000_000


def switch_devices(spec: LabSpec, host_pids: Sequence[int]) -> str:
    """Return what to feed to ip in the switches' namespace, given a process in each host's namespace."""
    lines = ["link set lo up"]
    for link, device in enumerate(spec.interfaces):
        lines += [
            f"link add {device} type bridge",
            f"address add {switch_address(link)}/{SUBNET_BITS} dev {device}",
            f"link set {device} mtu {_MTU_BYTES} up",
        ]
        for host, (pid, rate) in enumerate(zip(host_pids, spec.rates_bits_per_s, strict=True)):
            port, packets = _port(host, link), _packets(rate)
            lines += [
                f"link add {port} {packets} type veth peer name {device} {packets} netns {pid}",
                f"link set {port} master {device} up",
            ]
    return _batch(lines)


def switch_rates(spec: LabSpec) -> str:
    """Return what to feed to tc in the switches' namespace: the rate at which each host receives."""
    return _batch(
        [
            _rate(_port(host, link), rate)
            for host, rate in enumerate(spec.rates_bits_per_s)
            for link in range(spec.links)
        ]
    )


def host_devices(spec: LabSpec, host: int) -> str:
    """Return what to feed to ip in a host's namespace."""
    lines = ["link set lo up"]
    for link, device in enumerate(spec.interfaces):
        lines += [
            f"address add {address(host, link)}/{SUBNET_BITS} dev {device}",
            f"link set {device} up",
        ]
    return _batch(lines)


def host_rate(spec: LabSpec, host: int) -> str:
    """Return what to feed to tc in a host's namespace: the rate at which it sends."""
    return _batch([_rate(device, spec.rates_bits_per_s[host]) for device in spec.interfaces])


def _port(host: int, link: int) -> str:
    return f"host{host}" if link == 0 else f"host{host}{interface(link)}"


def _packets(rate_bits_per_s: int) -> str:
    """Return the sizes of a link's packets and of the batches of them that go through the kernel as one.

    A bucket has to cut a batch that does not fit into it, which costs more than not to make one so large.
    """
    segment_bytes = min(_LARGEST_SEGMENT_BYTES, burst_bytes(rate_bits_per_s) * 9 // 10)
    return f"mtu {_MTU_BYTES} gso_max_size {segment_bytes}"


def _rate(device: str, rate_bits_per_s: int) -> str:
    bucket = f"rate {rate_bits_per_s}bit burst {burst_bytes(rate_bits_per_s)}b limit {_QUEUE_BYTES}b"
    return f"qdisc add dev {device} root tbf {bucket}"


def _batch(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
