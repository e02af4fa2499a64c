"""What ``rota explain`` prints and writes of what would serve a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.collectives import A_MESSAGE
from rota.commands.network import network_words
from rota.units import format_seconds, format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from rota._core import Explanation, Measured


def table_of(explanation: Explanation, title: str) -> Table:
    """Return the schedules that could serve it, the fastest first."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("schedule")
    for heading in ("blocks", "rounds", "predicted", "x bound"):
        table.add_column(heading, justify="right")
    for one in sorted(explanation.candidates, key=lambda one: one.seconds):
        table.add_row(
            one.algorithm,
            str(one.blocks),
            str(one.rounds),
            format_seconds(one.seconds),
            f"{one.seconds / explanation.least_seconds:.2f}" if explanation.least_seconds else "",
        )
    return table


def lines_of(explanation: Explanation) -> list[str]:
    """Return on which network that is, the bound, what was measured, and the choice with its reason."""
    source = "measured" if explanation.has_measured_network else "without a profile"
    bytes_text = format_size(round(explanation.least_bytes))
    condition = f" with {A_MESSAGE}" if explanation.blocks > 1 else ""
    lines = [
        f"network   {network_words(explanation.network)} ({source}); ranks {_hosts_words(explanation)}",
        (
            f"bound     {counted(explanation.least_rounds, 'round')}{condition}, {bytes_text} through a port,"
            f" {format_seconds(explanation.least_seconds)}"
        ),
    ]
    if explanation.measured:
        lines.append(f"measured  {_measured_words(explanation.measured)}")
    lines.append(f"choice    {_choice_words(explanation)}")
    if explanation.competes:
        lines.append("          in a job, native calls are tried beside it, and the faster ones stay")
    if explanation.native_on_links:
        rate = "300 Mbit/s" if "medium" in explanation.native_on_links else "3 Gbit/s"
        lines.append(
            f"          native where a job finds links of more than {rate}: there sums keep their order"
            " (integers' compete in any job)"
        )
    return lines


def _hosts_words(explanation: Explanation) -> str:
    if not explanation.ranks_share_hosts:
        return "have a host each"
    return "share hosts" if explanation.lanes == 1 else f"share hosts of {explanation.lanes} links"


def _measured_words(measured: Measured) -> str:
    return (
        f"at {format_size(measured.bytes)}: native {format_seconds(measured.native_s)},"
        f" {measured.algorithm} {format_seconds(measured.rota_s)}"
    )


def _choice_words(explanation: Explanation) -> str:
    if explanation.algorithm == "native":
        return f"native: {explanation.reason}"
    blocks, rounds = counted(explanation.blocks, "block"), counted(explanation.rounds, "round")
    return f"{explanation.algorithm} in {blocks}, {rounds}"


def as_json(explanation: Explanation) -> dict[str, Any]:
    """Return everything; times in seconds."""
    return {
        "choice": {
            "algorithm": explanation.algorithm,
            "reason": explanation.reason,
            "blocks": explanation.blocks,
            "rounds": explanation.rounds,
            "competes": explanation.competes,
            "native_on_links": explanation.native_on_links,
        },
        "least": {
            "rounds": explanation.least_rounds,
            "bytes": explanation.least_bytes,
            "seconds": explanation.least_seconds,
        },
        "candidates": [
            {
                "algorithm": one.algorithm,
                "blocks": one.blocks,
                "rounds": one.rounds,
                "predicted_seconds": one.seconds,
            }
            for one in explanation.candidates
        ],
        "network": {
            "latency_s": explanation.network.latency_s,
            "seconds_per_byte": explanation.network.seconds_per_byte,
            "seconds_per_combined_byte": explanation.network.seconds_per_combined_byte,
            "is_measured": explanation.has_measured_network,
        },
        "ranks_share_hosts": explanation.ranks_share_hosts,
        "lanes": explanation.lanes,
        "measured": explanation.measured and measured_as_json(explanation.measured),
    }


def measured_as_json(measured: Measured) -> dict[str, Any]:
    """Return a line of a profile."""
    return {
        "bytes": measured.bytes,
        "native_s": measured.native_s,
        "algorithm": measured.algorithm,
        "message_bytes": measured.message_bytes,
        "rota_s": measured.rota_s,
    }
