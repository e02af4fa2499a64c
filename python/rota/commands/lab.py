"""``rota lab run``: an MPI program over an emulated cluster."""

import os
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.console import Console

from rota.commands.job import Mpi, Native, Off, Program, Report, Trace, job_of
from rota.errors import RotaError
from rota.lab import Lab, LabSpec, Link
from rota.lab.spec import MAX_HOSTS, MAX_LINKS, MapBy
from rota.mpi_program import find_program
from rota.units import format_rate, parse_rate
from rota.vocabulary import counted

PerHost = Annotated[int, typer.Option(min=1, help="How many ranks each host runs.")]
Rate = Annotated[str | None, typer.Option(help="The rate of every link, in each direction: 200mbit, 25MB/s.")]
Rates = Annotated[str | None, typer.Option(help="The rate of each host's link, separated by commas.")]
Links = Annotated[
    int,
    typer.Option(
        min=1, max=MAX_LINKS, help="How many links each host has, each of its rate to a switch of its own."
    ),
]
Mapped = Annotated[
    MapBy,
    typer.Option(
        "--map-by",
        help="How hosts get ranks: by slot, one after the other is filled; by node, each one in turn.",
    ),
]
Hosts = Annotated[int | None, typer.Option(min=1, max=MAX_HOSTS, help="How many hosts there are.")]


def run(
    program: Program,
    *,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    map_by: Mapped = MapBy.SLOT,
    links: Links = 1,
    mpi: Mpi = None,
    off: Off = None,
    report: Report = None,
    trace: Trace = None,
    native: Native = False,
) -> None:
    """Run an MPI program over hosts whose links have set rates, with its collectives served by Rota.

    Everything after the program's name is the program's. The exit status is the program's.
    """
    spec = lab_spec(hosts, rate, rates, per_host, links, map_by)
    job = job_of(program, mpi=mpi, off=off, report=report, trace=trace, native=native)
    with opened(spec, Console(stderr=True, highlight=False)) as lab:
        status = lab.run(job)
    raise typer.Exit(status)


def slurm(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to run there, as on a login node. Default: your shell.", metavar="[COMMAND]..."
        ),
    ] = None,
    *,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: Annotated[int, typer.Option(min=1, help="How many processors each host has for Slurm.")] = 1,
    links: Links = 1,
) -> None:
    """Run a command, or a shell, beside a Slurm over hosts whose links have set rates: srun, sbatch, ...

    Everything after the command's name is the command's. The exit status is its own. The Slurm ends with it.
    """
    spec = replace(lab_spec(hosts, rate, rates, per_host, links), has_slurm=True)
    words = command or [os.environ.get("SHELL", "/bin/sh")]
    words = [find_program(words[0]), *words[1:]]
    with opened(spec, Console(stderr=True, highlight=False)) as lab:
        status = lab.run_command(words)
    raise typer.Exit(status)


def lab_spec(
    hosts: int | None,
    rate: str | None,
    rates: str | None,
    per_host: int,
    links: int = 1,
    map_by: MapBy = MapBy.SLOT,
) -> LabSpec:
    """Return the lab that the options describe."""
    if (rate is None) == (rates is None):
        raise RotaError(
            "a lab needs the rate of its links: either --rate 200mbit or --rates with one for each host"
        )
    if rate is not None:
        if hosts is None:
            raise RotaError("a lab needs hosts: say how many with --hosts")
        return LabSpec.uniform(hosts, parse_rate(rate), per_host, links, map_by)
    each = tuple(parse_rate(text) for text in (rates or "").split(","))
    if hosts not in {None, len(each)}:
        raise RotaError(f"--rates names {len(each)} links and --hosts {hosts}: give one rate for each host")
    return LabSpec(each, per_host, links=links, map_by=map_by)


def opened(spec: LabSpec, notes: Console) -> Lab:
    """Build the lab, to be closed by whoever asks for it, and print what its links carry."""
    with notes.status("building the lab and measuring its links"):
        lab = Lab(spec)
    notes.print(describe(lab.links, spec.links), soft_wrap=True)
    return lab


_ENOUGH: Final = 0.9
"""The share of their rate that links carry where nothing but the links is short."""


def describe(links: tuple[Link, ...], per_host: int = 1) -> str:
    """Return a line on what links were asked to carry and do carry, and what it means if it is less."""
    asked = sorted({link.asked_bits_per_s for link in links})
    carried = [(rate, link) for link in links for rate in (link.sent_bits_per_s, link.received_bits_per_s)]
    shares = [rate / link.asked_bits_per_s for rate, link in carried]
    each = "links" if per_host == 1 else f"{per_host} links each"
    hosts = counted(len(links) // per_host, "host")
    lab = f"rota lab: {hosts}, {each} of {', '.join(map(format_rate, asked))};"
    if min(shares) >= _ENOUGH:
        return f"{lab} under full load they carry {min(shares):.1%} to {max(shares):.1%} of that"
    rates = [rate for rate, _ in carried]
    return (
        f"{lab} under full load they carry only {format_rate(min(rates))} to {format_rate(max(rates))}, for"
        " processors are short: times will be those of this machine's processors, not of such links; choose"
        " lower rates or fewer hosts"
    )
