"""``rota reproduce PAPER --lab``: the paper's algorithms over a lab's hosts, in place of a simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from rota.commands.completion import among
from rota.commands.lab import lab_spec
from rota.commands.output import tracked
from rota.commands.reproduced import finish, print_part
from rota.commands.where import InLab
from rota.library import ABIS
from rota.reproduce.in_lab import measured, part_of, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure as Picture

    from rota.commands.reproduced import Files
    from rota.library import Abi
    from rota.reproduce.in_lab import Figure, Times

_RATE: Final = "200mbit"
_HOSTS: Final = 16
_QUICK_HOSTS: Final = 4

MpiOfLab = Annotated[
    str, typer.Option("--mpi", help="With --lab: openmpi, mpich or mpi5.", autocompletion=among(*ABIS))
]
Lab = Annotated[
    bool,
    typer.Option(
        "--lab",
        help="Measure under a real MPI library, on 16 hosts with links of 200 Mbit/s (--quick: 4), not"
        " simulated.",
    ),
]


def reproduce_in_lab(
    paper: str, command: str, figures: Sequence[Figure], abi: Abi, files: Files, *, quick: bool
) -> None:
    """Measure the figures' curves, print each figure as soon as it is there, and write the files.

    `paper` is its title, `command` its word after ``rota reproduce``.
    """
    parts, curves = [], []
    spec = lab_spec(_QUICK_HOSTS if quick else _HOSTS, _RATE, None, 1)
    with InLab(spec).opened(abi, Console(stderr=True, highlight=False)) as site:
        where = f"{abi}, {site.place.words}"
        for figure in figures:
            found = [measured(curve, abi, site) for curve in tracked(figure.curves, figure.number.lower())]
            parts.append(part_of(figure, found, where))
            print_part(parts[-1], files.json_file)
            curves += found
    words = f"rota reproduce {command} --lab --mpi {abi}" + (" --quick" if quick else "")
    title = f"{paper}: in the lab"
    facts = {"mpi": abi, **site.place.as_json()}
    finish(title, words, parts, files, lambda: _picture(curves, title_of(title, abi, site.place)), facts)


def _picture(curves: Sequence[Sequence[Times]], title: str) -> Picture:
    from rota.drawing.lab_times import lab_times  # noqa: PLC0415 - loads matplotlib

    return lab_times(curves, title)
