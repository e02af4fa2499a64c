"""The options that say where jobs run: over a lab's hosts, or where a launcher of one's own starts them."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rota.bench.cluster import cluster_site, links_job
from rota.bench.place import Place, Site, place_in_lab
from rota.commands.completion import among
from rota.commands.lab import lab_spec, opened
from rota.commands.output import print_line
from rota.errors import RotaError
from rota.lab.placement import lab_command
from rota.lab.spec import MapBy
from rota.launcher import Launcher, named_launcher
from rota.library import ABIS
from rota.mpi_install import parse_abi
from rota.units import format_rate, parse_rate
from rota.vocabulary import alternatives

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from rota.lab import LabSpec
    from rota.launch import Job
    from rota.library import Abi
    from rota.mpi_install import MpiInstall

LauncherWords = Annotated[
    str | None,
    typer.Option(
        "--launcher",
        help="On your own cluster, what starts the ranks: 'srun -N 4 --mpi=pmix', 'mpirun -n 4'. How many"
        " there are, its words say, or the allocation in which it is called.",
    ),
]
MpiOfLauncher = Annotated[
    str | None,
    typer.Option(
        "--mpi",
        help="The MPI: openmpi, mpich or mpi5. Default: the one whose --launcher it is.",
        autocompletion=among(*ABIS),
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the lines that would start the jobs, and start nothing.")
]


@dataclass(frozen=True)
class InLab:
    """Over a lab's hosts."""

    spec: LabSpec

    install: MpiInstall | None = None

    def first_jobs(self, abi: Abi) -> tuple[Job, ...]:  # noqa: ARG002 - a lab's links are measured without
        """Return the jobs that come before all others."""
        return ()

    def command(self, job: Job) -> tuple[str, ...]:
        """Return the line that starts a job."""
        return lab_command(job, self.spec)

    @contextmanager
    def opened(self, abi: Abi, notes: Console) -> Iterator[Site]:  # noqa: ARG002 - it takes any
        """Build the lab, and say what its links carry."""
        with opened(self.spec, notes) as lab:
            yield Site(place_in_lab(self.spec), lab.links, lab.capture)


@dataclass(frozen=True)
class OnCluster:
    """Where a launcher starts the ranks; `rate_bits_per_s`: of the links, None for what they carry."""

    launcher: Launcher
    rate_bits_per_s: float | None

    @property
    def install(self) -> MpiInstall | None:
        """The MPI that the launcher belongs to, if it does."""
        return self.launcher.install

    def first_jobs(self, abi: Abi) -> tuple[Job, ...]:
        """Return the jobs that come before all others."""
        return (links_job(abi, self.launcher),)

    def command(self, job: Job) -> tuple[str, ...]:
        """Return the line that starts a job."""
        return self.launcher.command(job)

    @contextmanager
    def opened(self, abi: Abi, notes: Console) -> Iterator[Site]:
        """Find out where the ranks are, and say what their hosts' links carry."""
        with notes.status("finding out what the links carry"):
            site = cluster_site(abi, self.launcher, self.rate_bits_per_s)
        notes.print(_described(site), soft_wrap=True)
        yield site


Where = InLab | OnCluster


def abi_for(mpi: str | None, where: Where | None) -> Abi:
    """Return the MPI that is asked for, else the one whose launcher starts the ranks.

    Raise RotaError where neither says it.
    """
    if mpi is not None:
        return parse_abi(mpi)
    if not isinstance(where, OnCluster):
        raise RotaError(f"Missing option '--mpi': {alternatives(ABIS)}")
    if where.install is None:
        starter = Path(where.launcher.words[0]).name
        raise RotaError(f"{starter} starts programs of any MPI: say which with --mpi {alternatives(ABIS)}")
    return where.install.family


def where_of(
    hosts: int | None,
    rate: str | None,
    rates: str | None,
    per_host: int,
    launcher: str | None,
    links: int = 1,
    map_by: MapBy = MapBy.SLOT,
) -> Where:
    """Return where the options have jobs run; RotaError where they contradict each other."""
    if launcher is None:
        return InLab(lab_spec(hosts, rate, rates, per_host, links, map_by))
    if hosts is not None or rates is not None or (per_host, links, map_by) != (1, 1, MapBy.SLOT):
        raise RotaError(
            "--hosts, --rates, --per-host, --map-by and --links describe a lab: leave them out, the"
            " launcher's words say where ranks start"
        )
    return OnCluster(named_launcher(launcher), None if rate is None else parse_rate(rate))


def print_lines(where: Where, jobs: Sequence[Job]) -> None:
    """Print the lines that would start these jobs, as a shell reads them."""
    for job in jobs:
        print_line(shlex.join(where.command(job)))


def _described(site: Site) -> str:
    place: Place = site.place
    if place.hosts == 1:
        return f"rota: {place.words}: no links"
    carried = [link.sent_bits_per_s for link in site.links]
    lowest, highest = format_rate(min(carried)), format_rate(max(carried))
    range_ = lowest if lowest == highest else f"{lowest} to {highest}"
    return f"rota: {place.words}; under full load they carry {range_} each way"
