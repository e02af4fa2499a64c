"""``rota info``: what is installed here, the settings, what is known of the network, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.commands.explain_answers import measured_as_json
from rota.commands.network import network_words
from rota.commands.output import JsonFile, print_line, print_table, require_folders, write_json
from rota.commands.tune import profile_table
from rota.info import info as looked_around

if TYPE_CHECKING:
    from rota.info import Build, Info, KnownNetwork, Setting


ProfileFile = Annotated[
    Path | None,
    typer.Option(
        "--profile", help="A profile to read the network from. Default: that of ROTA_PROFILE or ROTA_LEARN."
    ),
]


def info(
    *,
    profile: ProfileFile = None,
    json_file: JsonFile = None,
) -> None:
    """Print what is installed here: version, builds of librota for each MPI, settings, network, lab.

    For each MPI ABI the library to preload, and the MPI that rota run takes where a program does not come
    with its own. For each environment variable that Rota reads what it is set to, what holds if it is not,
    and what it means. What a profile says of the network. What a lab would miss on this machine.

    Faults in the settings, with the first of which an MPI job would end, are printed beside them, and
    variables that are named as Rota's are, and are none.
    """
    require_folders(json_file)
    found = looked_around(profile)
    if json_file:
        write_json(json_file, as_json(found))
        return
    print_line(f"rota {found.version}")
    for build in found.builds:
        for line in _build_lines(build):
            print_line(line)
    print_table(_settings(found.settings))
    for fault in (*found.faults, *(each.fault for each in found.unknown)):
        print_line(f"fault     {fault}")
    _print_network(found.network)
    for line in found.missing_for_lab or ("can be built here",):
        print_line(f"lab       {line}")


def as_json(found: Info) -> dict[str, Any]:
    """Return everything; a variable that is not set has null for its value."""
    return {
        "version": found.version,
        "builds": [_build_as_json(each) for each in found.builds],
        "variables": [
            {
                "name": each.variable.name,
                "value": each.value,
                "default": each.variable.by_default,
                "valid": each.variable.valid,
                "meaning": each.variable.meaning,
                "read_by": "job" if each.variable.is_of_jobs else "command",
            }
            for each in found.settings
        ],
        "faults": list(found.faults),
        "unknown_variables": [{"name": each.name, "closest": each.closest} for each in found.unknown],
        "network": found.network and _network_as_json(found.network),
        "missing_for_lab": list(found.missing_for_lab),
    }


def _build_as_json(build: Build) -> dict[str, Any]:
    return {
        "abi": build.abi,
        "preload": build.preload and str(build.preload),
        "library": build.engine and str(build.engine),
        "mpi": build.mpi
        and {
            "version": build.mpi.version,
            "library": str(build.mpi.library),
            "launcher": str(build.mpi.launcher),
        },
        "fault": build.fault,
    }


def _network_as_json(known: KnownNetwork) -> dict[str, Any]:
    profile = known.profile
    return {
        "file": str(known.file),
        "ranks": profile.ranks,
        "hosts": profile.hosts,
        "latency_s": profile.network.latency_s,
        "seconds_per_byte": profile.network.seconds_per_byte,
        "seconds_per_combined_byte": profile.network.seconds_per_combined_byte,
        "measured": [{"collective": each.collective, **measured_as_json(each)} for each in profile.measured],
    }


def _build_lines(build: Build) -> list[str]:
    """Return them with paths whole, to be copied."""
    where = build.preload or "not in this installation"
    mpi = build.mpi
    with_ = f"{mpi.library} (version {mpi.version}, started by {mpi.launcher})" if mpi else build.fault
    return [f"{build.abi:<9} to preload  {where}", f"{'':<9} with        {with_}"]


def _settings(settings: tuple[Setting, ...]) -> Table:
    table = Table(title="settings", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("variable", no_wrap=True)
    for heading in ("set to", "default", "values", "meaning"):
        table.add_column(heading, overflow="fold")
    for each in settings:
        variable = each.variable
        meaning = variable.meaning.replace("`", "")
        table.add_row(variable.name, each.value or "", variable.by_default, variable.valid, meaning)
    return table


def _print_network(known: KnownNetwork | None) -> None:
    if known is None:
        print_line(
            "network   not known: a profile (rota tune, ROTA_LEARN) would say; jobs measure it themselves"
        )
        return
    print_line(f"network   {network_words(known.profile.network)} ({known.file})")
    if known.profile.measured:
        print_table(profile_table(known.profile))
