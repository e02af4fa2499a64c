"""How each family of MPI libraries is made to run over the lab's hosts, and over nothing but their links."""

from rota.lab.agent import AGENT_PATH
from rota.lab.namespaces import SHARED_MEMORY
from rota.lab.spec import INTERFACE, LabSpec, address
from rota.launch import YIELDING_MPICH, Job, launcher_command, with_environment


def lab_command(job: Job, spec: LabSpec) -> tuple[str, ...]:
    """Return the command that runs the job with one rank in each place of the lab."""
    placed = _placed_openmpi if job.install.family == "openmpi" else _placed_mpich
    return placed(with_environment(job, {"ROTA_LINK_RATE": str(spec.slowest_bits_per_s)}), spec)


def lab_environment() -> dict[str, str]:
    """Return what launchers need in their environment in a lab."""
    # Open MPI leaves a session directory behind when it is killed; this one goes away with the lab.
    return {"TMPDIR": SHARED_MEMORY}


def _placed_openmpi(job: Job, spec: LabSpec) -> tuple[str, ...]:
    # Shared memory is vader in version 4; version 5 calls it sm, and knows the old name too.
    transports = "tcp,self" if spec.per_host == 1 else "tcp,self,vader"
    settings = {
        # Version 5 says ssh, version 4 rsh; each ignores the other's. Only the switch can see into all hosts.
        "plm_ssh_agent": AGENT_PATH,
        "plm_ssh_no_tree_spawn": "1",
        "plm_rsh_agent": AGENT_PATH,
        "plm_rsh_no_tree_spawn": "1",
        "oob_tcp_if_include": INTERFACE,
        "btl_tcp_if_include": INTERFACE,
        "pml": "ob1",
        "btl": transports,
        # There are more ranks than cores: who waits must let others work.
        "mpi_yield_when_idle": "1",
    }
    options = tuple(word for name, value in settings.items() for word in ("--mca", name, value))
    return launcher_command(job, spec.ranks, ("--host", _hosts(spec), "--bind-to", "none", *options))


def _placed_mpich(job: Job, spec: LabSpec) -> tuple[str, ...]:
    transports = {
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": INTERFACE,
        "FI_PROVIDER": "tcp",
        "FI_TCP_IFACE": INTERFACE,
    }
    # Ranks of one host use MPICH's own shared memory, which a host has to itself; there they must yield.
    within_hosts = {"MPIR_CVAR_NOLOCAL": "1"} if spec.per_host == 1 else YIELDING_MPICH
    options = ("-launcher", "ssh", "-launcher-exec", AGENT_PATH, "-hosts", _hosts(spec), "-iface", INTERFACE)
    return launcher_command(with_environment(job, {**transports, **within_hosts}), spec.ranks, options)


def _hosts(spec: LabSpec) -> str:
    return ",".join(f"{address(host)}:{spec.per_host}" for host in range(spec.hosts))
