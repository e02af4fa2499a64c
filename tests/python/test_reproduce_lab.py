"""rota reproduce --lab: papers 1 to 3 under a real MPI library over a small lab, and how that is judged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from lab_programs import open_or_skip

from rota.bench.names import series_of
from rota.cli import status_of
from rota.lab import LabSpec
from rota.reproduce.beside import Verdict
from rota.reproduce.in_lab import Curve, Figure, Times, part_of

if TYPE_CHECKING:
    from pathlib import Path

SERIES = series_of("bcast")
WAYS: dict[str, dict[str, str]] = {"theirs": {}, "ours": {}}
FIGURE = Figure("Figure 9", "of nothing", (Curve(SERIES, (1, 2), WAYS, first="theirs"),), "it is faster")


@pytest.fixture(scope="module")
def needs_lab() -> None:
    open_or_skip(LabSpec.uniform(2, 1e9)).close()


@pytest.mark.long
@pytest.mark.usefixtures("needs_lab")
@pytest.mark.parametrize(
    ("paper", "ways"),
    [
        ("circulant", {"paper's blocks", "best blocks", "Rota"}),
        ("all-to-many", {"ac", "lp", "gm", "cgm", "exact"}),
        ("inter-group", {"root", "two_stage", "Rota"}),
    ],
)
def test_the_quick_form(paper: str, ways: set[str], tmp_path: Path) -> None:
    """Less than links allow is refused where it is measured, and bursts are counted there."""
    file, page, picture = tmp_path / "parts.json", tmp_path / "page.md", tmp_path / "picture.png"
    words = ["reproduce", paper, "--lab", "--quick", "--json", str(file), "--markdown", str(page)]
    assert status_of([*words, "--plot", str(picture)]) == 0
    rows = [row for part in json.loads(file.read_text())["parts"] for row in part["rows"]]
    assert rows
    for row in rows:
        assert {*row["seconds"]} == ways
        assert all(each > 0 for each in (row["link_s"], *row["seconds"].values()))
        assert row["verdict"] in ("holds", "differs")
    assert f"`rota reproduce {paper} --lab --mpi openmpi --quick" in page.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")
    again = tmp_path / "again.png"
    assert status_of(["bench", "draw", str(file), "--plot", str(again)]) == 0
    assert again.read_bytes() == picture.read_bytes()


def test_the_largest_size_is_judged() -> None:
    def times(theirs_s: float) -> Times:
        return Times(SERIES, 1, 1.0, 0.1, {"theirs": theirs_s, "ours": 0.5}, {"theirs": 7})

    slower_at_first = part_of(FIGURE, [[times(2.0), times(0.5)]], "here")
    assert [row.verdict for row in slower_at_first.rows] == [None, Verdict.HOLDS]
    assert slower_at_first.rows[0].cells[-3].endswith(", n = 7")
    assert part_of(FIGURE, [[times(0.5), times(2.0)]], "here").verdict is Verdict.DIFFERS
