"""What ``rota run`` and ``rota lab run`` have in common: options that say how a program meets Rota."""

import os
from pathlib import Path
from typing import Annotated

import typer

from rota.commands.completion import among
from rota.commands.output import named_for_json, require_folders
from rota.errors import RotaError
from rota.launch import Job, native_job, native_job_with, with_environment, with_rota
from rota.library import ABIS
from rota.mpi_install import parse_abi
from rota.vocabulary import SERVED, SERVED_AS, alternatives, settings_name

Program = Annotated[
    list[str], typer.Argument(help="The MPI program and its arguments.", metavar="PROGRAM [ARGS]...")
]
Mpi = Annotated[
    str | None,
    typer.Option(
        help="The MPI that it uses: openmpi, mpich or mpi5. What it finds by itself comes first.",
        autocompletion=among(*ABIS),
    ),
]
Off = Annotated[
    str | None, typer.Option(help="Collectives to leave to the MPI library: bcast,allgatherv,... or all.")
]
Report = Annotated[
    str | None, typer.Option(help="Write a report on the collectives: JSON to this file, or a table with -.")
]
Trace = Annotated[
    str | None, typer.Option(help="Write to this file what really happened, for Perfetto: calls, messages.")
]
Native = Annotated[bool, typer.Option("--native", help="Leave everything to the MPI library, to compare.")]


def job_of(
    program: list[str],
    *,
    mpi: str | None,
    off: str | None,
    report: str | None,
    trace: str | None,
    native: bool,
) -> Job:
    """Return the job that the options describe."""
    left = _left_to_native(off)
    plain = native_job_with(parse_abi(mpi), program) if mpi else native_job(program)
    if native and not report and not trace:
        # Where Rota is preloaded already it passes all on.
        return with_environment(plain, {"ROTA_OFF": "all"}) if "LD_PRELOAD" in os.environ else plain
    # For a report on native collectives Rota is there, and passes all of them on.
    steering = {
        "ROTA_OFF": "all" if native else left,
        "ROTA_REPORT": _report_target(report),
        "ROTA_TRACE": _trace_target(trace),
    }
    return with_environment(with_rota(plain), {name: value for name, value in steering.items() if value})


def _left_to_native(off: str | None) -> str | None:
    """Return the same as ROTA_OFF has it; raise RotaError for what is no collective, before a job starts."""
    return ",".join(map(_turned_off, off.split(","))) if off else None


def _turned_off(word: str) -> str:
    name = settings_name(word)
    if name not in (*SERVED, "all"):
        valid = alternatives((*SERVED, *SERVED_AS, "all"))
        raise RotaError(f"--off: {word!r} is no collective: choose {valid}")
    return name


def _report_target(report: str | None) -> str | None:
    return report if report == "-" else _written_to(report)


def _trace_target(trace: str | None) -> str | None:
    if trace == "-":
        raise RotaError("a trace is for other programs to read: name a file for it")
    return _written_to(trace)


def _written_to(file: str | None) -> str | None:
    """Return where ranks find the file, which may run in another directory than this one.

    Raise RotaError, before the job and not after it, where none like that can be.
    """
    if not file:
        return file
    require_folders(named_for_json(Path(file)))
    return str(Path(file).absolute())
