"""``rota explain``: what serves a call, native or Rota, and why: asked of the code that decides in a job."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rota import _core
from rota.collectives import COLLECTIVES, collective_called
from rota.commands.blocks import require_rule
from rota.commands.completion import among
from rota.commands.explain_answers import as_json, lines_of, table_of
from rota.commands.output import JsonFile, print_line, print_table, require_folders, write_json
from rota.errors import RotaError
from rota.units import format_size, parse_size
from rota.vocabulary import alternatives, counted, mpi_name, option_word, settings_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota._core import Explanation, Network

MAX_COUNT: Final = 2**31 - 1
BETWEEN: Final = ("allgather", "bcast", "reduce", "allreduce")
"""The collectives that are served between two groups."""

CollectiveName = Annotated[
    str, typer.Argument(help=f"{alternatives(tuple(COLLECTIVES))}.", autocompletion=among(*COLLECTIVES))
]
Ranks = Annotated[int | None, typer.Option(min=1, max=MAX_COUNT, help="How many ranks the communicator has.")]
Senders = Annotated[
    int | None,
    typer.Option(min=1, max=MAX_COUNT, help="In place of --ranks: two groups, this many ranks in the one."),
]
Receivers = Annotated[
    int | None, typer.Option(min=1, max=MAX_COUNT, help="And this many in the other, which receives.")
]
Duplex = Annotated[
    bool, typer.Option("--duplex", help="Between two groups: the receivers have as much for the senders.")
]
Size = Annotated[
    str,
    typer.Option(
        "--bytes",
        help="The data, over all ranks in allgather and reduce-scatter; each sender's in an allgather "
        "between two groups.",
    ),
]
InOrder = Annotated[bool, typer.Option("--in-order", help="The operator does not commute.")]
Hosts = Annotated[
    int | None,
    typer.Option(
        min=1, max=MAX_COUNT, help="Below the ranks, they share hosts. Default: as they do in the profile."
    ),
]
ProfileFile = Annotated[
    Path | None, typer.Option("--profile", help="A profile of `rota tune`. Default: what ROTA_PROFILE names.")
]
LargestShare = Annotated[
    str | None,
    typer.Option(help="The largest rank's share in allgather and reduce-scatter. Default: all alike."),
]
BlockRule = Annotated[
    str | None,
    typer.Option(
        "--blocks",
        help="paper, or paper:F=70,G=40: the circulant schedules' blocks by the rules of paper 1, as with"
        " ROTA_BLOCK_BYTES=paper in a job.",
    ),
]


def explain(
    collective: CollectiveName,
    *,
    size: Size,
    ranks: Ranks = None,
    senders: Senders = None,
    receivers: Receivers = None,
    duplex: Duplex = False,
    in_order: InOrder = False,
    hosts: Hosts = None,
    profile: ProfileFile = None,
    largest_share: LargestShare = None,
    blocks: BlockRule = None,
    json_file: JsonFile = None,
) -> None:
    """Show which schedules could serve a call, the bound, what an MPI job takes and why.

    With --senders and --receivers, a call on an inter-communicator: allgather, bcast (of one of the senders),
    reduce (to one of the receivers) or allreduce. What serves an all-to-many call, rota all-to-many says.

    The environment (ROTA_PROFILE, ROTA_ALGORITHM, ...) counts as in a job. Predictions are for the profile's
    network, or without a profile for one that stands for most.
    """
    require_folders(json_file)
    size_bytes = parse_size(size)
    share_bytes = parse_size(largest_share) if largest_share else None
    if ranks is None:
        if senders is None or receivers is None or share_bytes is not None or blocks is not None:
            raise RotaError(
                "give --ranks, or of two groups --senders and --receivers, and no --largest-share or --blocks"
            )
        groups = Groups(senders, receivers, duplex)
        call: dict[str, object] = {"collective": f"inter_{mpi_name(collective)}", **asdict(groups)}
        _require_hosts(senders + receivers, hosts)
        title = f"{mpi_name(collective)} {groups.words(collective, size_bytes)}"
        explanation = explained_between(
            collective, groups, size_bytes, in_order=in_order, hosts=hosts, profile=profile
        )
    else:
        if senders or receivers or duplex:
            raise RotaError("give --ranks, or of two groups --senders and --receivers, not both")
        call = {
            "collective": settings_name(collective),
            "ranks": ranks,
            "largest_share_bytes": share_bytes,
        }
        _require_hosts(ranks, hosts)
        title = f"{option_word(collective)} over {counted(ranks, 'rank')}, {format_size(size_bytes)}"
        explanation = explained(
            collective,
            ranks,
            size_bytes,
            in_order=in_order,
            hosts=hosts,
            largest_share_bytes=share_bytes,
            profile=profile,
            blocks=require_rule(blocks),
        )
    print_table(table_of(explanation, title), json_file)
    for line in lines_of(explanation):
        print_line(line, json_file)
    if json_file:
        asked = {**call, "bytes": size_bytes, "in_order": in_order}
        write_json(json_file, {"call": asked, **as_json(explanation)})


def _require_hosts(ranks: int, hosts: int | None) -> None:
    """Raise RotaError if there are more hosts than ranks to be on them."""
    if hosts is not None and hosts > ranks:
        raise RotaError(f"{counted(ranks, 'rank')} cannot be on {hosts} hosts: give --hosts {ranks} or fewer")


def explained(
    collective: str,
    ranks: int,
    size_bytes: int,
    *,
    in_order: bool = False,
    hosts: int | None = None,
    largest_share_bytes: int | None = None,
    profile: Path | None = None,
    network: Network | None = None,
    blocks: str | None = None,
) -> Explanation:
    """Return what a job would choose, predicted for the profile's network or the one that is given.

    Raise RotaError for what is wrong in the question or a profile.
    """
    if "alltoall" in mpi_name(collective):
        raise RotaError(
            "what serves an all-to-many call depends on who sends how much to whom:"
            " ask rota all-to-many, with the pattern and --alpha"
        )
    if collective.startswith("inter"):
        raise RotaError(f"{collective} is between two groups: give --senders and --receivers")
    with _faults():
        return _core.explain(
            collective_called(collective),
            ranks,
            size_bytes,
            in_order=in_order,
            hosts=hosts,
            largest_share_bytes=largest_share_bytes,
            profile=str(profile) if profile else None,
            network=network,
            blocks=blocks,
        )


@dataclass(frozen=True)
class Groups:
    """The two groups of an inter-communicator; where `is_duplex`, both have data in an allgather."""

    senders: int
    receivers: int
    is_duplex: bool = False

    def words(self, collective: str, size_bytes: int) -> str:
        """Return who sends what to whom."""
        word = mpi_name(collective)
        to = "and" if self.is_duplex or word == "allreduce" else "to"
        each = " each" if word == "allgather" else ""
        return f"from {self.senders} {to} {counted(self.receivers, 'rank')}, {format_size(size_bytes)}{each}"


def explained_between(
    collective: str,
    groups: Groups,
    size_bytes: int,
    *,
    in_order: bool = False,
    hosts: int | None = None,
    profile: Path | None = None,
) -> Explanation:
    """Return the same for a call on an inter-communicator; `size_bytes` in an allgather: of each sender."""
    word = mpi_name(collective)
    if word not in BETWEEN:
        raise RotaError(f"{collective!r} is not served between two groups: choose {alternatives(BETWEEN)}")
    if groups.is_duplex and word != "allgather":
        raise RotaError(f"{collective} has no --duplex: leave it out")
    with _faults():
        return _core.explain_between(
            word,
            senders=groups.senders,
            receivers=groups.receivers,
            bytes=size_bytes,
            duplex=groups.is_duplex,
            in_order=in_order,
            hosts=hosts,
            profile=str(profile) if profile else None,
        )


@contextmanager
def _faults() -> Iterator[None]:
    """Have what is wrong in a question or a profile be a RotaError."""
    try:
        yield
    except ValueError as fault:
        raise RotaError(str(fault)) from fault
