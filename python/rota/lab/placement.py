"""How each family of MPI libraries runs over the lab's hosts, by all their links and nothing else."""

from rota.lab.agent import AGENT_PATH
from rota.lab.spec import INTERFACE, LabSpec, MapBy, address
from rota.launch import Job, with_environment
from rota.launcher import YIELDING_MPICH, mpi_launcher
from rota.shared_memory import SHARED_MEMORY


def lab_command(job: Job, spec: LabSpec) -> tuple[str, ...]:
    """Return the command that runs the job with one rank in each place of the lab."""
    placed = _placed_openmpi if job.install.family == "openmpi" else _placed_mpich
    links = {"ROTA_LINK_RATE": str(spec.slowest_bits_per_s)}
    return placed(with_environment(job, {**links, **_lanes(spec), **job.rank_environment}), spec)


def lab_environment(spec: LabSpec) -> dict[str, str]:
    """Return what launchers need in their environment in a lab."""
    # Open MPI leaves a session directory behind when it is killed; this one goes away with the lab.
    return {"TMPDIR": SHARED_MEMORY, **(_slurm_environment(spec) if spec.has_slurm else {})}


def _lanes(spec: LabSpec) -> dict[str, str]:
    """Return what tells Rota of several links."""
    return {"ROTA_LANES": str(spec.links)} if spec.links > 1 else {}


def _slurm_environment(spec: LabSpec) -> dict[str, str]:
    """Return what has either MPI keep to the links, and Rota know them, in jobs that Slurm starts.

    Slurm's own fence lets some of Open MPI's ranks out before others are in it, and these crash (its issue
    12495): docs/slurm.md says how often.
    """
    openmpi = {f"OMPI_MCA_{name}": value for name, value in _openmpi_transports(spec).items()}
    return {**openmpi, **_mpich_transports(spec), **_lanes(spec), "SLURM_PMIX_FENCE": "ring"}


def _openmpi_transports(spec: LabSpec) -> dict[str, str]:
    return {
        "btl_tcp_if_include": ",".join(spec.interfaces),
        "pml": "ob1",
        # Shared memory is vader in version 4; version 5 calls it sm, and knows the old name too.
        "btl": "tcp,self" if spec.per_host == 1 else "tcp,self,vader",
        # There are more ranks than cores: who waits must let others work.
        "mpi_yield_when_idle": "1",
    }


def _mpich_transports(spec: LabSpec) -> dict[str, str]:
    transports = {
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": ",".join(spec.interfaces),
        "FI_PROVIDER": "tcp",
        "FI_TCP_IFACE": INTERFACE,
    }
    # Ranks of one host use MPICH's own shared memory, which a host has to itself; there they must yield.
    within_hosts = {"MPIR_CVAR_NOLOCAL": "1"} if spec.per_host == 1 else YIELDING_MPICH
    return {**transports, **within_hosts}


def _placed_openmpi(job: Job, spec: LabSpec) -> tuple[str, ...]:
    settings = {
        # Version 5 says ssh, version 4 rsh; each ignores the other's. Only the switch can see into all hosts.
        "plm_ssh_agent": AGENT_PATH,
        "plm_ssh_no_tree_spawn": "1",
        "plm_rsh_agent": AGENT_PATH,
        "plm_rsh_no_tree_spawn": "1",
        "oob_tcp_if_include": INTERFACE,
        **_openmpi_transports(spec),
    }
    options = tuple(word for name, value in settings.items() for word in ("--mca", name, value))
    hosts = _hosts(spec, spec.per_host)
    placement = ("--host", hosts, "--map-by", spec.map_by, "--bind-to", "none", *options)
    return mpi_launcher(job.install, spec.ranks, placement).command(job)


def _placed_mpich(job: Job, spec: LabSpec) -> tuple[str, ...]:
    # Hydra fills a host's slots before the next one's; after the last host's it begins anew.
    hosts = _hosts(spec, spec.per_host if spec.map_by == MapBy.SLOT else 1)
    options = ("-launcher", "ssh", "-launcher-exec", AGENT_PATH, "-hosts", hosts, "-iface", INTERFACE)
    over_links = with_environment(job, _mpich_transports(spec))
    return mpi_launcher(job.install, spec.ranks, options).command(over_links)


def _hosts(spec: LabSpec, slots: int) -> str:
    return ",".join(f"{address(host)}:{slots}" for host in range(spec.hosts))
