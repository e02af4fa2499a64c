"""What a lab needs of a machine: tools, namespaces; bridges, virtual links, token buckets in its kernel."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LAB_TOOLS: Final = {"unshare": "util-linux", "nsenter": "util-linux", "ip": "iproute2", "tc": "iproute2"}

_CAP_NET_ADMIN: Final = 12
_CAP_SYS_ADMIN: Final = 21

_NAMESPACES: Final = ("--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")

_TRIALS: Final[Mapping[str, str]] = {
    "bridges, for the switch (module bridge)": "ip link add trial type bridge",
    "virtual links, for the hosts (module veth)": "ip link add near type veth peer name far",
    "token buckets, for links' rates (module sch_tbf)": (
        "tc qdisc add dev near root tbf rate 1gbit burst 200kb limit 1mb"
    ),
}
"""What makes each thing that the kernel must have, in a network namespace of its own."""


def search_path(environment: Mapping[str, str] = os.environ) -> str:
    """Return where the tools are looked for: ip and tc lie where only root looks by default."""
    return os.pathsep.join((environment.get("PATH", os.defpath), "/usr/sbin", "/sbin"))


def missing_tools(path: str, tools: Mapping[str, str] = LAB_TOOLS) -> list[str]:
    """Return what is to be installed, a line for each tool that is not there."""
    return [
        f"{tool}: install {package}"
        for tool, package in tools.items()
        if shutil.which(tool, path=path) is None
    ]


def in_namespaces() -> tuple[str, ...]:
    """Return what starts a command in namespaces of its own, in a user namespace if need be."""
    user = () if _may_make_namespaces() else ("--user", "--map-root-user")
    return ("unshare", *user, *_NAMESPACES)


def forbidden(said: str) -> str:
    """Return what is wrong where unshare has said that it may not."""
    return (
        f"this machine forbids the lab's namespaces ({said}): run as root, or allow user namespaces"
        " (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns)"
    )


def missing_needs() -> list[str]:
    """Return all that a lab would miss here, a line each; none: there can be one. Some tens of ms."""
    path = search_path()
    missing = missing_tools(path)
    if missing:
        return missing
    script = "; ".join(f"{trial} 2>/dev/null || echo {quote(need)}" for need, trial in _TRIALS.items())
    tried = subprocess.run(
        (*in_namespaces(), "sh", "-c", script),
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = tried.stdout.splitlines()
    if tried.returncode != 0:
        return [forbidden((tried.stderr.strip().splitlines() or ["unshare: it said nothing"])[-1])]
    return [f"the kernel has no {line}" for line in lines]


def _may_make_namespaces() -> bool:
    """Return whether this process has CAP_SYS_ADMIN and CAP_NET_ADMIN; in a container root may lack them."""
    status = Path("/proc/self/status").read_text()
    capabilities = int(status.partition("CapEff:")[2].split()[0], 16)
    return all(capabilities >> number & 1 for number in (_CAP_NET_ADMIN, _CAP_SYS_ADMIN))
