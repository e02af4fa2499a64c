"""``rota bench colouring``: the fewest permutations of a pattern, beside rustworkx's edge colouring."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rota import all_to_many
from rota.commands.output import JsonFile, print_table, require_folders, write_measured
from rota.errors import RotaError
from rota.patterns import regular

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota import Pattern


def colouring(
    ranks: Annotated[int, typer.Option(min=2, help="How many ranks there are.")] = 1024,
    degree: Annotated[list[int] | None, typer.Option(min=1, help="Messages a rank; may be repeated.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="Patterns, each scheduled both ways in turn.")] = 5,
    json_file: JsonFile = None,
    *,
    alone: Annotated[bool, typer.Option("--alone", help="Without rustworkx.")] = False,
) -> None:
    """Measure the processor's time for exact permutations, pattern by pattern beside rustworkx's colouring.

    rustworkx's graph_bipartite_edge_color gets its graph ready-made; Rota's time is for the whole schedule,
    from the pattern to the permutations.
    """
    if not alone and find_spec("rustworkx") is None:
        raise RotaError("rustworkx is not installed: pip install rustworkx, or measure with --alone")
    require_folders(json_file)
    rows = [_row(ranks, each, samples, alone=alone) for each in degree or [32, 511]]
    print_table(_table(rows, ranks, samples, alone=alone), json_file)
    if json_file:
        write_measured(json_file, {"ranks": ranks, "samples": samples, "rows": [asdict(row) for row in rows]})


@dataclass(frozen=True)
class Row:
    """The medians of some patterns with so many messages a rank; without rustworkx what is of it is None."""

    degree: int
    messages: int
    rota_s: float
    rustworkx_s: float | None = None
    times_faster: float | None = None


def _row(ranks: int, degree: int, samples: int, *, alone: bool) -> Row:
    ours, theirs = [], []
    for seed in range(samples):
        pattern = regular(ranks, degree, seed=seed)
        ours.append(_seconds(_rota(pattern, seed), degree))
        if not alone:
            theirs.append(_seconds(_rustworkx(pattern), degree))
    if alone:
        return Row(degree, ranks * degree, median(ours))
    ratios = (other / own for own, other in zip(ours, theirs, strict=True))
    return Row(degree, ranks * degree, median(ours), median(theirs), median(ratios))


def _table(rows: list[Row], ranks: int, samples: int, *, alone: bool) -> Table:
    table = Table(title=f"Seconds for the fewest permutations, {ranks} ranks, medians of {samples}")
    headings = ("messages a rank", "messages", "rota", *(() if alone else ("rustworkx", "times faster")))
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [str(row.degree), str(row.messages), f"{row.rota_s:.4f}"]
        if not alone:
            cells += [f"{row.rustworkx_s:.4f}", f"{row.times_faster:.1f}"]
        table.add_row(*cells)
    return table


def _seconds(colours: Callable[[], int], degree: int) -> float:
    """Return all threads' processor time for a colouring, which must have `degree` colours."""
    start_s = time.process_time()
    found = colours()
    taken_s = time.process_time() - start_s
    if found != degree:
        raise RotaError(f"{found} permutations in place of {degree}: the colouring is not exact")
    return taken_s


def _rota(pattern: Pattern, seed: int) -> Callable[[], int]:
    return lambda: all_to_many(pattern, "exact", seed=seed).rounds


def _rustworkx(pattern: Pattern) -> Callable[[], int]:
    import rustworkx  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - may be missing

    graph: Any = rustworkx.PyGraph()
    graph.add_nodes_from(range(2 * pattern.ranks))
    graph.add_edges_from(
        [(sender, pattern.ranks + receiver, None) for sender, receiver, _ in pattern.messages.tolist()]
    )

    def colours() -> int:
        return len(set(rustworkx.graph_bipartite_edge_color(graph).values()))

    return colours
