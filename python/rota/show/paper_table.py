"""The circulant schedules of q rounds as paper 1 prints them: for any number of blocks, and as JSON."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

from rota._core import circulant_schedule, circulant_skips
from rota.drawing.table import Column, table
from rota.errors import RotaError
from rota.show.words import least_possible
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota.show.question import Question

MAX_TABLE_RANKS: Final = 1024
"""Wider tables cannot be read."""


@dataclass(frozen=True)
class PaperTable:
    """The schedules of a circulant broadcast."""

    question: Question

    @property
    def skips(self) -> list[int]:
        """The q skips, without skip[q] = p."""
        return circulant_skips(self.question.ranks)[:-1]

    def columns(self) -> Iterator[Column]:
        """Compute the schedules one by one, O(log p) each."""
        asked = self.question
        for rank in range(asked.ranks) if asked.rank is None else (asked.rank,):
            found = circulant_schedule(asked.ranks, (rank - asked.root) % asked.ranks)
            yield Column(rank, found.baseblock, tuple(found.receive), tuple(found.send))

    def text(self, width: int | None) -> Iterator[str]:
        """Generate the table, in bands that fit into `width` characters, and a line on the rounds."""
        ranks, skips = self.question.ranks, self.skips
        if self.question.rank is None and ranks > MAX_TABLE_RANKS:
            raise RotaError(
                f"a table of {ranks} ranks is too wide, {MAX_TABLE_RANKS} are the most:"
                " use --rank R or --json"
            )
        root = f", root {self.question.root}" if self.question.root else ""
        yield " ".join([f"p = {ranks}, q = {len(skips)}{root}, skips", *map(str, skips)]) + "\n\n"
        yield table(tuple(self.columns()), width) + "\n\n"
        yield self._rounds() + "\n"

    def json(self) -> Iterator[str]:
        """Generate the JSON schedule by schedule, a line each, so that it may be larger than the memory."""
        root = {"root": self.question.root} if self.question.root else {}
        head = json.dumps({"ranks": self.question.ranks, **root, "skips": self.skips})
        yield head.removesuffix("}") + ', "schedules": ['
        for separator, column in zip(chain([""], repeat(",")), self.columns(), strict=False):
            yield f"{separator}\n {json.dumps(dataclasses.asdict(column))}"
        yield "\n]}\n"

    def _rounds(self) -> str:
        """Return one line on the rounds that the broadcast takes, beside the least possible number."""
        blocks, broadcast = self.question.blocks, self.question.schedule(1)
        rounds, least = broadcast.rounds, broadcast.lower_bound().rounds
        many = "n - 1 + " if blocks is None and self.question.ranks > 1 else ""
        beside = f"{least_possible(blocks, 1)}: {many}{least}"
        what = counted(blocks, "block") if blocks else "n blocks"
        return f"broadcast of {what}: {many}{rounds} rounds; {beside}"
