"""The lab's network, as input of ``ip -batch`` and ``tc -batch``.

A bridge is the switch. A pair of virtual Ethernet devices is a link: one end is a port of the bridge, the
other the host's interface. A token bucket on each end holds what that end sends to the rate, so the link is
full-duplex.
"""

from collections.abc import Sequence
from typing import Final

from rota.lab.spec import INTERFACE, SUBNET, SWITCH_ADDRESS, LabSpec, address, burst_bytes

_MTU_BYTES: Final = 9000
_LARGEST_SEGMENT_BYTES: Final = 65_536
_QUEUE_BYTES: Final = 4_000_000
_PREFIX_BITS: Final = SUBNET.partition("/")[2]


def switch_devices(spec: LabSpec, host_pids: Sequence[int]) -> str:
    """Return what to feed to ip in the switch's namespace, given a process in each host's namespace."""
    bridge = (
        "link set lo up",
        f"link add {INTERFACE} type bridge",
        f"address add {SWITCH_ADDRESS}/{_PREFIX_BITS} dev {INTERFACE}",
        f"link set {INTERFACE} mtu {_MTU_BYTES} up",
    )
    ports = (
        line
        for host, (pid, rate) in enumerate(zip(host_pids, spec.rates_bits_per_s, strict=True))
        for packets in (_packets(rate),)
        for line in (
            f"link add {_port(host)} {packets} type veth peer name {INTERFACE} {packets} netns {pid}",
            f"link set {_port(host)} master {INTERFACE} up",
        )
    )
    return _batch((*bridge, *ports))


def switch_rates(spec: LabSpec) -> str:
    """Return what to feed to tc in the switch's namespace: the rate at which each host receives."""
    return _batch(tuple(_rate(_port(host), rate) for host, rate in enumerate(spec.rates_bits_per_s)))


def host_devices(host: int) -> str:
    """Return what to feed to ip in a host's namespace."""
    return _batch(
        (
            "link set lo up",
            f"address add {address(host)}/{_PREFIX_BITS} dev {INTERFACE}",
            f"link set {INTERFACE} up",
        )
    )


def host_rate(spec: LabSpec, host: int) -> str:
    """Return what to feed to tc in a host's namespace: the rate at which it sends."""
    return _batch((_rate(INTERFACE, spec.rates_bits_per_s[host]),))


def _port(host: int) -> str:
    return f"host{host}"


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
