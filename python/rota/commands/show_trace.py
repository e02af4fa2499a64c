"""``rota show`` of a trace of a run: the calls that schedules served, and one of them as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.commands.output import print_line, print_table, write_picture
from rota.drawing.render import Picture
from rota.drawing.run_trace import run_trace_figure
from rota.errors import RotaError
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from pathlib import Path

    from rota.run_trace import RunTrace, ServedCall


def show_trace(trace: RunTrace, number: int | None, plot: Path | None) -> None:
    """Print the calls, or draw the one of that number into a file; without a number the longest."""
    if plot:
        drawn = _call(trace, number)
        write_picture(
            plot, Picture(run_trace_figure(drawn), f"MPI_{drawn.call.capitalize()}, as it happened")
        )
        return
    table = Table(box=SIMPLE_HEAD)
    for column in (
        "--call",
        "at",
        "call",
        "bytes",
        "ranks",
        "schedule",
        "blocks",
        "rounds",
        "took",
        "by the model",
    ):
        table.add_column(column, justify="left" if column in ("call", "schedule") else "right")
    shown = range(len(trace.served)) if number is None else (trace.served.index(_call(trace, number)),)
    for each in shown:
        table.add_row(str(each), *_row(trace.served[each]))
    print_table(table)
    print_line(
        f"{trace.native} calls of ranks by the MPI library's own collectives. Times are the slowest rank's;"
        f" clocks of ranks agree within {format_seconds(trace.clock_error_us / 1e6)}."
    )
    if trace.lost_calls or trace.lost_messages:
        print_line(
            f"{trace.lost_calls} calls and {trace.lost_messages} messages had no room in their ranks' memory:"
            " set ROTA_TRACE_MEMORY"
        )


def _call(trace: RunTrace, number: int | None) -> ServedCall:
    if not trace.served:
        raise RotaError("no schedule served any call of this trace: Perfetto shows the others")
    if number is None:
        return max(trace.served, key=lambda each: each.took_us)
    if number >= len(trace.served):
        raise RotaError(f"the trace has calls 0 to {len(trace.served) - 1}")
    return trace.served[number]


def _row(each: ServedCall) -> tuple[str, ...]:
    model = "" if each.expected_us is None else format_seconds(each.expected_us / 1e6)
    return (
        format_seconds(each.begin_us / 1e6),
        each.call,
        format_size(each.bytes),
        str(each.ranks),
        each.schedule,
        str(each.blocks),
        str(each.rounds),
        format_seconds(each.took_us / 1e6),
        model,
    )
