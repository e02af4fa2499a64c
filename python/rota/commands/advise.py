"""``rota advise``: from a report of a run, what there is to gain in a program's collectives, and how."""

from __future__ import annotations

from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.advice import advise as advised
from rota.advice import read_report
from rota.commands.network import Combine, Latency, network_of, network_words
from rota.commands.output import (
    JsonFile,
    PlotFile,
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_json,
    write_picture,
)
from rota.drawing.render import Picture
from rota.errors import RotaError
from rota.units import format_rate, format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota import Network
    from rota._core import Predicted
    from rota.advice import Advice, Line

_LEAST_PART: Final = 0.01
_FEW: Final = 4
"""Of all that can be gained: lines with less are one line together, where there are more than a few."""


ReportFile = Annotated[Path, typer.Argument(help="What a job has written with ROTA_REPORT=FILE.")]


def advise(
    report: ReportFile,
    *,
    rate: Annotated[
        str | None,
        typer.Option(help="The rate of a host's link: 10gbit, 25MB/s. Default: ROTA_LINK_RATE of the job."),
    ] = None,
    latency: Latency = None,
    combine: Combine = None,
    hosts: Annotated[
        int | None,
        typer.Option(min=1, help="On how many hosts the ranks are, or are to be. Default: as in the job."),
    ] = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Say what a program's collectives took, and what they would take by the best schedule and at the limit.

    The report is one of a native run (rota run --native --report FILE, or ROTA_OFF=all ROTA_REPORT=FILE), or
    one with Rota. Predictions are the cost model's on links of that rate, as those of rota explain; the limit
    is what no schedule goes below. Calls that Rota would leave to the MPI library, for they are small, gain
    nothing; what they took beyond the limit is said in all. Calls with most to gain come first. Times are
    those of the slowest rank, so they contain what ranks waited for each other: of that, no schedule gains
    anything.

    Of irregular exchanges (alltoallv, alltoallw, among neighbours) and of calls between groups the report
    does not tell who sent how much to whom: what there is to gain is counted up to the limit. Where ranks
    share hosts, an exchange's limit is what the busiest host's link carries, as far as the job knew that: of
    irregular native ones, the mean of all hosts; on other --hosts than the job's, the busiest rank's bytes.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    told = read_report(report)
    if rate is None and not told.link_bits_per_s:
        raise RotaError(
            f"{report} does not say how fast links are: give --rate, such as --rate 10gbit,"
            " or set ROTA_LINK_RATE in the job"
        )
    network = network_of(latency, rate, combine, None if rate else 8 / told.link_bits_per_s)
    advice = advised(told, network, hosts)
    if json_file:
        write_json(json_file, as_json(advice, network))
    print_table(_table(advice), json_file)
    for line in (*_lines(advice, network), *_elsewhere(told.link_bits_per_s, network)):
        print_line(line, json_file)
    if plot:
        from rota.drawing.advice import advice_figure  # noqa: PLC0415 - loads matplotlib

        title = f"{report.name}: what its collectives took, and would take, {network_words(network)}"
        write_picture(plot, Picture(advice_figure(advice, title), title))


def as_json(advice: Sequence[Advice], network: Network) -> dict[str, Any]:
    """Return everything; times in seconds, of each call but for what is in all."""
    return {
        "network": {
            "latency_s": network.latency_s,
            "seconds_per_byte": network.seconds_per_byte,
            "seconds_per_combined_byte": network.seconds_per_combined_byte,
        },
        "took_in_all_s": sum(one.line.took_s for one in advice),
        "gain_in_all_s": sum(one.gain_s for one in advice),
        "calls": [
            {
                "call": one.line.call,
                "collective": one.line.collective,
                "ranks": one.line.ranks,
                "bytes": one.line.bytes,
                "calls": one.line.calls,
                "served_by": one.line.schedule,
                "seconds": one.line.seconds,
                "is_start_only": one.line.is_start_only,
                "limit_seconds": one.least_s,
                "left_for": one.left_for or None,
                "schedule": one.schedule
                and {
                    "algorithm": one.schedule.algorithm,
                    "blocks": one.schedule.blocks,
                    "rounds": one.schedule.rounds,
                    "seconds": one.schedule.seconds,
                },
                "took_in_all_s": one.line.took_s,
                "gain_in_all_s": one.gain_s,
                "beyond_limit_in_all_s": one.beyond_limit_s,
            }
            for one in advice
        ],
    }


def _table(advice: Sequence[Advice]) -> Table:
    table = Table(title="with most to gain first", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("call")
    for heading in ("ranks", "size", "calls"):
        table.add_column(heading, justify="right")
    table.add_column("served by")
    table.add_column("took", justify="right")
    table.add_column("could be served by")
    for heading in ("in", "limit", "took in all", "to gain", "part"):
        table.add_column(heading, justify="right")
    for one in _shown(advice):
        table.add_row(*_cells(one))
    return table


def _cells(one: Advice) -> tuple[str, ...]:
    line, schedule = one.line, one.schedule
    return (
        line.call,
        str(line.ranks),
        format_size(round(line.bytes)),
        str(line.calls),
        line.schedule,
        format_seconds(line.seconds),
        _with_schedule(line, schedule) if schedule else _without_schedule(one),
        format_seconds(schedule.seconds) if schedule else "",
        format_seconds(one.least_s) if one.least_s is not None else "",
        format_seconds(line.took_s),
        format_seconds(one.gain_s) if one.gain_s else "none",
        f"{one.gain_s / line.took_s:.0%}" if one.gain_s else "",
    )


def _with_schedule(line: Line, schedule: Predicted) -> str:
    of_what = "message" if line.is_regular_exchange else "block"
    return f"{schedule.algorithm}, {counted(schedule.blocks, of_what)}"


def _without_schedule(one: Advice) -> str:
    if one.line.is_start_only:
        return "not known: only their start was timed"
    if one.left_for:
        return f"the MPI library: {one.left_for}"
    return "all on one host" if one.least_s is None else "who sends what to whom decides"


def _shown(advice: Sequence[Advice]) -> Sequence[Advice]:
    """Return where there is most to gain; where nothing is, what took longest, which says why not."""
    least = _LEAST_PART * sum(one.gain_s for one in advice)
    shown = [one for one in advice if one.gain_s > least] or advice[:_FEW]
    return shown if len(advice) - len(shown) > _FEW else advice


def _lines(advice: Sequence[Advice], network: Network) -> list[str]:
    took = sum(one.line.took_s for one in advice)
    gain = sum(one.gain_s for one in advice)
    rest = advice[len(_shown(advice)) :]
    lines = [f"network   {network_words(network)}"]
    if rest:
        rest_took, rest_gain = sum(one.line.took_s for one in rest), sum(one.gain_s for one in rest)
        lines.append(
            f"the rest  {len(rest)} more lines, {format_seconds(rest_took)} in all,"
            f" of which there is {_to_gain(rest_gain)}"
        )
    left_s = sum(one.beyond_limit_s for one in advice if one.left_for)
    if left_s:
        lines.append(
            f"left      {format_seconds(left_s)} beyond the limit, waiting included, in calls that Rota would"
            " leave to the MPI library"
        )
    part = f", {gain / took:.0%}" if gain else ""
    return [
        *lines,
        f"in all    {format_seconds(took)}, of which there is {_to_gain(gain)}{part}",
    ]


def _elsewhere(link_bits_per_s: float, network: Network) -> list[str]:
    """Return what is to be said where the job's links were others than those that are asked about."""
    asked = 8 / network.seconds_per_byte
    if not link_bits_per_s or isclose(link_bits_per_s, asked, rel_tol=1e-6):
        return []
    taken = format_rate(link_bits_per_s)
    return [
        f"beware    times were taken on links of {taken}; on links of {format_rate(asked)} calls take others"
    ]


def _to_gain(seconds: float) -> str:
    return f"{format_seconds(seconds)} to gain" if seconds else "nothing to gain"
