"""What a paper prints, and beside it what comes out here: one shape for the tables and figures of all papers.

A module a paper holds what is printed as data, with the table's number, computes ours, and returns
`Part`s; a part is a table or a figure, with a verdict in every row. What is shown of them, as text, JSON and
Markdown, is here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Verdict(Enum):
    """What a comparison comes to, from best to worst."""

    SAME = "as printed"
    """Every figure that is printed came out, to its last digit."""
    HOLDS = "holds"
    """What the paper says of it is so here; the figures are of another machine or sample."""
    DIFFERS = "differs"
    """What the paper says did not come out: a note says why, as far as that is known."""
    LEFT_OUT = "left out"
    """Not computed: a note says why."""


@dataclass(frozen=True)
class Row:
    """A row: its cells as text, the same as data for JSON, and the verdict; None where nothing is printed."""

    cells: tuple[str, ...]
    data: Mapping[str, Any]
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Part:
    """A table or a figure of a paper, ours beside the printed."""

    number: str
    """As in the paper: ``Table 4``, ``Figure 1``."""
    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    printed: str = ""
    """What the paper prints or says of it, in a line."""
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """The worst of the rows' verdicts; None: nothing is printed to compare with."""
        given = [row.verdict for row in self.rows if row.verdict is not None]
        return max(given, key=list(Verdict).index, default=None)


def table_of(part: Part) -> Table:
    """Return a part as a table for people."""
    table = Table(title=f"{part.number}: {part.title}", title_justify="left")
    for number, heading in enumerate((*part.headings, "verdict")):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for row in part.rows:
        table.add_row(*row.cells, _word(row.verdict))
    return table


def lines_of(part: Part) -> list[str]:
    """Return what stands under the table: what is printed, and the notes."""
    printed = [f"Printed: {part.printed}"] if part.printed else []
    return [*printed, *part.notes]


def summary_of(parts: Sequence[Part]) -> Table:
    """Return the verdicts of all parts."""
    table = Table(title="Verdicts", title_justify="left")
    for heading in ("", "what", "verdict"):
        table.add_column(heading, no_wrap=True)
    for part in parts:
        table.add_row(part.number, part.title, _word(part.verdict))
    return table


def as_json(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Return all parts as data."""
    return [
        {
            "number": part.number,
            "title": part.title,
            "printed": part.printed,
            "verdict": _word(part.verdict),
            "notes": list(part.notes),
            "rows": [{**row.data, "verdict": _word(row.verdict)} for row in part.rows],
        }
        for part in parts
    ]


def as_markdown(paper: str, command: str, parts: Sequence[Part], picture: str | None = None) -> str:
    """Return all parts as a page: the paper's name, the command that writes it, and its picture's path."""
    lines = [f"# {paper}", "", f"Written by `{command}`.", ""]
    lines += [f"![{paper}]({picture})", ""] if picture else []
    lines += _markdown_table(
        ("", "what", "verdict"), [(part.number, part.title, _word(part.verdict)) for part in parts]
    )
    for part in parts:
        lines += [f"## {part.number}: {part.title}", ""]
        cells = [(*row.cells, _word(row.verdict)) for row in part.rows]
        lines += _markdown_table((*part.headings, "verdict"), cells)
        lines += [text for line in lines_of(part) for text in (line, "")]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    ruler = ("---", *("---:" for _ in headings[1:]))
    escaped = [tuple(cell.replace("|", r"\|") for cell in row) for row in rows]
    return [*(f"| {' | '.join(row)} |" for row in (headings, ruler, *escaped)), ""]


def _word(verdict: Verdict | None) -> str:
    return verdict.value if verdict else ""
