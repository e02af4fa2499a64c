"""``rota tune``: the platform measured, and a profile by which Rota chooses."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota._core import read_profile
from rota.commands.bench import Mpi  # noqa: TC001 - typer reads the annotations
from rota.commands.explain import describe
from rota.commands.lab import Hosts, PerHost, Rate, Rates, lab_spec
from rota.commands.lab import describe as describe_links
from rota.commands.output import print_table, require_folders
from rota.errors import RotaError
from rota.files import write_whole
from rota.lab import Lab, LabSpec, Output
from rota.launch import Job, launcher_environment, local_command, own_job, own_words
from rota.library import Abi, tune_path
from rota.mpi_install import parse_abi
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from rota._core import Profile

_LEAST_RANKS: Final = 2

ProfileFile = Annotated[Path, typer.Option("--output", "-o", help="The profile to write, for ROTA_PROFILE.")]
Ranks = Annotated[
    int | None,
    typer.Option("-n", "--ranks", min=_LEAST_RANKS, help="How many ranks to start on this machine."),
]
Seconds = Annotated[float, typer.Option(min=1, help="About the time that it may take.")]


def tune(
    mpi: Mpi,
    output: ProfileFile,
    *,
    ranks: Ranks = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    seconds: Seconds = 100,
) -> None:
    """Measure the network and the collectives, native and Rota's, on this machine or in the lab (--rate).

    Rota then chooses by the profile in jobs whose environment has ROTA_PROFILE set to its path. Elsewhere
    start the program with the platform's own launcher, as the jobs to come: it is rota/bin/rota-tune-<mpi>
    of Rota's Python package, as in `srun .../rota-tune-openmpi profile.txt --seconds 100`.

    Calls between two groups and all-to-many calls are not measured: Rota chooses there by the network alone.
    """
    require_folders(output)
    notes = Console(stderr=True, highlight=False)
    abi, spec = parse_abi(mpi), _spec(ranks, hosts, rate, rates, per_host)
    with TemporaryDirectory(prefix="rota-tune-") as scratch:
        profile = Path(scratch) / "profile"
        with notes.status(f"measuring, for about {seconds:g} seconds"):
            ended = _run(_job(abi, profile, seconds), ranks, spec, notes)
        if ended.status != 0:
            raise RotaError(f"tuning ended with status {ended.status}: {own_words(ended.stderr)}")
        write_whole(output, profile.read_text())
    print_table(profile_table(read_profile(str(output))))


def _spec(
    ranks: int | None, hosts: int | None, rate: str | None, rates: str | None, per_host: int
) -> LabSpec | None:
    """Return the lab that the options describe, None for this machine itself."""
    is_lab = not (hosts is None and rate is None and rates is None)
    if is_lab == (ranks is not None):
        raise RotaError(
            "say where to measure: either -n RANKS for this machine or --hosts and --rate for a lab"
        )
    return lab_spec(hosts, rate, rates, per_host) if is_lab else None


def _job(abi: Abi, profile: Path, seconds: float) -> Job:
    return own_job(abi, [str(tune_path(abi)), str(profile), "--seconds", f"{seconds:g}"])


def _run(job: Job, ranks: int | None, spec: LabSpec | None, notes: Console) -> Output:
    if spec is not None:
        with Lab(spec) as lab:
            notes.print(describe_links(lab.links), soft_wrap=True)
            return lab.capture(job)
    done = subprocess.run(
        local_command(job, ranks or _LEAST_RANKS, os.cpu_count() or 1),
        env=launcher_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Output(done.returncode, done.stdout, done.stderr)


def profile_table(profile: Profile) -> Table:
    """Return what a profile says, line by line."""
    title = f"{profile.ranks} ranks on {profile.hosts} hosts, {describe(profile.network)}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("collective")
    for heading in ("size", "native", "Rota", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("best schedule")
    for i, one in enumerate(profile.measured):
        if i and one.collective != profile.measured[i - 1].collective:
            table.add_section()
        table.add_row(
            one.collective,
            format_size(one.bytes),
            format_seconds(one.native_s),
            format_seconds(one.rota_s),
            f"{one.rota_s / one.native_s:.3f}" if one.native_s else "",
            one.algorithm,
        )
    return table
