"""``rota tune``: the platform measured, and a profile by which Rota chooses."""

from __future__ import annotations

import os
import shlex
import tempfile
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota._core import read_profile
from rota.commands.lab import Hosts, PerHost, Rate, Rates, opened
from rota.commands.network import network_words
from rota.commands.output import print_line, print_table, require_folders
from rota.commands.progress import progress
from rota.commands.where import DryRun, InLab, LauncherWords, MpiOfLauncher, Where, abi_for, where_of
from rota.errors import RotaError
from rota.files import write_whole
from rota.launch import Job, own_job, own_words
from rota.launcher import Output, captured, local_command
from rota.library import tune_path
from rota.units import format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota._core import Profile

_LEAST_RANKS: Final = 2
_PROFILE_START: Final = "rota-profile "

ProfileFile = Annotated[Path, typer.Option("--output", "-o", help="The profile to write, for ROTA_PROFILE.")]
Ranks = Annotated[
    int | None,
    typer.Option("-n", "--ranks", min=_LEAST_RANKS, help="How many ranks to start on this machine."),
]
Seconds = Annotated[float, typer.Option(min=1, help="About the time that it may take.")]


def tune(
    output: ProfileFile,
    *,
    mpi: MpiOfLauncher = None,
    ranks: Ranks = None,
    hosts: Hosts = None,
    rate: Rate = None,
    rates: Rates = None,
    per_host: PerHost = 1,
    seconds: Seconds = 100,
    launcher: LauncherWords = None,
    dry_run: DryRun = False,
) -> None:
    """Measure the network and the collectives, native and Rota's, here, on a cluster, or in the lab (--rate).

    Rota then chooses by the profile in jobs whose environment has ROTA_PROFILE set to its path. On a cluster
    let --launcher start as many ranks as the jobs to come.

    Calls between two groups and all-to-many calls are not measured: Rota chooses there by the network alone.
    """
    require_folders(output)
    notes = Console(stderr=True, highlight=False)
    where = _where(ranks, hosts, rate, rates, per_host, launcher)
    abi = abi_for(mpi, where)
    job = own_job(
        abi, [str(tune_path(abi)), "-", "--seconds", f"{seconds:g}"], where.install if where else None
    )
    if dry_run:
        print_line(shlex.join(where.command(job) if where else _here(job, ranks)))
        return
    with _waiting(notes, seconds):
        ended = _run(job, ranks, where, notes)
    if ended.status != 0:
        raise RotaError(f"tuning ended with status {ended.status}: {own_words(ended.stderr)}")
    # A cluster's launcher may have words of its own before it.
    text = "".join(ended.stdout.partition(_PROFILE_START)[1:])
    profile = _profile_of(text)
    write_whole(output, text)
    print_table(profile_table(profile))


def _profile_of(text: str) -> Profile:
    """Return what a profile says; raise RotaError if it is none, before it replaces any."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(text)
        file.flush()
        try:
            return read_profile(file.name)
        except ValueError as fault:
            raise RotaError(
                f"what was measured came back as no profile ({str(fault).removeprefix(file.name + ':')}):"
                " have the launcher add nothing to what ranks print"
            ) from None


def _where(
    ranks: int | None,
    hosts: int | None,
    rate: str | None,
    rates: str | None,
    per_host: int,
    launcher: str | None,
) -> Where | None:
    """Return where the options have the job run, None for this machine itself."""
    is_elsewhere = not (hosts is None and rate is None and rates is None and launcher is None)
    if is_elsewhere == (ranks is not None):
        raise RotaError(
            "say where to measure: either -n RANKS for this machine, --hosts and --rate for a lab, or"
            " --launcher for a cluster"
        )
    return where_of(hosts, rate, rates, per_host, launcher) if is_elsewhere else None


def _here(job: Job, ranks: int | None) -> tuple[str, ...]:
    return local_command(job, ranks or _LEAST_RANKS, os.cpu_count() or 1)


def _run(job: Job, ranks: int | None, where: Where | None, notes: Console) -> Output:
    if isinstance(where, InLab):
        with opened(where.spec, notes) as lab:
            return lab.capture(job)
    return captured(where.command(job) if where else _here(job, ranks))


@contextmanager
def _waiting(notes: Console, seconds: float) -> Iterator[None]:
    """Say how long it takes while the block runs: the job says nothing before its end."""
    with progress(notes, f"measuring, for about {seconds:g} seconds", round(seconds)) as tell:
        began_s, over = monotonic(), Event()

        def watch() -> None:
            while not over.wait(1):
                tell(min(round(monotonic() - began_s), round(seconds)))

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def profile_table(profile: Profile) -> Table:
    """Return what a profile says, line by line."""
    where = f"{counted(profile.ranks, 'rank')} on {counted(profile.hosts, 'host')}"
    title = f"{where}, {network_words(profile.network)}"
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
