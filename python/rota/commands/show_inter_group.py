"""``rota show inter-group``: who gets whose data in which round, between two groups of ranks."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Final

from rota.commands.between_groups import (
    AlgorithmName,
    Blocks,
    Duplex,
    Receivers,
    Senders,
    Topology,
    blocks_in_all,
)
from rota.commands.output import JsonFile, PlotFile, require_folders, require_picture, write_picture
from rota.commands.show import PerHost  # noqa: TC001 - typer reads the annotations
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.files import write_whole
from rota.two_groups.question import FULL, RING, Question
from rota.two_groups.words import as_json, effort, text

if TYPE_CHECKING:
    from pathlib import Path

    from rota import Schedule

_MOST_SHOWN: Final = 10**6


def show(
    senders: Senders,
    receivers: Receivers,
    topology: Topology = FULL,
    algorithm: AlgorithmName = None,
    blocks: Blocks = 1,
    plot: PlotFile = None,
    json_file: JsonFile = None,
    per_host: PerHost = None,
    *,
    duplex: Duplex = False,
) -> None:
    """Show who gets whose data in which round, and the effort beside the least possible.

    As text, or as JSON (--json) or a picture of every round (--plot).

    With --topology ring and as many ranks as in the paper (Kang, Agrawal, Choudhary, Liao), the rounds of
    Figures 2 and 3: --senders 4 --receivers 6, and 6 and 4. Where ranks share hosts (--per-host), each byte
    enters a host once.
    """
    require_folders(plot, json_file)
    require_picture(plot)
    question = Question(senders, receivers, topology, duplex, per_host)
    name = question.chosen(algorithm)
    work = blocks_in_all(senders, receivers, blocks)
    if work > _MOST_SHOWN:
        raise RotaError(f"{work} blocks in all are too many to show, {_MOST_SHOWN} the most: choose fewer")
    schedule = question.schedule(name, blocks)
    if plot:
        _draw(question, name, schedule, plot)
    if json_file:
        write_whole(json_file, as_json(question, name, schedule))
    if not (plot or json_file):
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        sys.stdout.write(text(question, name, schedule, width))


def _draw(question: Question, name: str, schedule: Schedule, plot: Path) -> None:
    from rota.drawing.inter_group import inter_group_figure, require_drawable  # noqa: PLC0415 - loads matplotlib

    require_drawable(schedule)
    title = question.title(name, schedule.problem.blocks)
    remark = " ".join(f"{line}." for line in effort(question, schedule).splitlines())
    figure = inter_group_figure(schedule, title, remark, on_ring=question.topology == RING)
    write_picture(plot, Picture(figure, title))
