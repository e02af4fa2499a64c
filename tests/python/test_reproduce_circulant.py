"""Paper 1's tables and figures come out again, by the command in its quick form, and --blocks paper."""

from __future__ import annotations

import dataclasses
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from rota.cli import status_of
from rota.reproduce import circulant
from rota.reproduce.beside import Part, Row, Verdict, as_markdown
from rota.reproduce.circulant_printed import SCHEDULES

if TYPE_CHECKING:
    from pathlib import Path

needs_smpi = pytest.mark.skipif(shutil.which("smpirun") is None, reason="no SimGrid on this machine")


@needs_smpi
def test_the_quick_form_writes_everything(tmp_path: Path) -> None:
    json_file, page, plot = tmp_path / "parts.json", tmp_path / "page.md", tmp_path / "picture.svg"
    words = ["reproduce", "circulant", "--quick", "--json", str(json_file), "--markdown", str(page)]
    assert status_of([*words, "--plot", str(plot)]) == 0
    parts = {part["number"]: part for part in json.loads(json_file.read_text())["parts"]}
    assert list(parts) == ["Table 1", "Table 2", "Table 3", "Table 4", "Figure 1", "Figure 2"]
    assert all(parts[f"Table {number}"]["verdict"] == "as printed" for number in (1, 2, 3))
    assert all(row["older_us_here"] > row["newer_us_here"] for row in parts["Table 4"]["rows"])
    assert all(row["paper_blocks_s"] > 0 for row in parts["Figure 1"]["rows"])
    assert "## Table 4" in page.read_text()
    assert plot.read_text().startswith("<?xml")


def test_a_misprint_would_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = SCHEDULES[1]
    wrong = dataclasses.replace(printed, baseblocks=(*printed.baseblocks[:-1], 3))
    monkeypatch.setattr(circulant, "SCHEDULES", (wrong,))
    (part,) = circulant.schedule_tables()
    assert part.verdict is Verdict.DIFFERS
    assert [row.verdict for row in part.rows].count(Verdict.DIFFERS) == 1


def test_the_worst_verdict_is_the_parts() -> None:
    rows = tuple(Row((word,), {}, verdict) for word, verdict in (("a|b", Verdict.SAME), ("c", None)))
    part = Part("Table 9", "of nothing", ("",), rows)
    assert part.verdict is Verdict.SAME
    assert r"| a\|b | as printed |" in as_markdown("A paper", "rota", [part])


def _blocks(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert status_of([*words, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_blocks_by_the_papers_rules(capsys: pytest.CaptureFixture[str]) -> None:
    # sqrt(m q) / F: 16 MiB are 4194304 MPI_INTs, q = 8, F = 70: 82.75.
    asked = ("--ranks", "200", "--bytes", "16MiB", "--blocks")
    simulated = ("simulate", "bcast", "--algorithm", "circulant", *asked)
    assert _blocks(capsys, *simulated, "paper")["results"][0]["blocks"] == 83
    assert _blocks(capsys, *simulated, "paper:F=7")["results"][0]["blocks"] in range(820, 829)
    gathered = ("simulate", "allgather", "--algorithm", "circulant", *asked)
    assert _blocks(capsys, *gathered, "paper")["results"][0]["blocks"] == 145
    explained = _blocks(capsys, "explain", "bcast", *asked, "paper")
    assert explained["candidates"][0] | {"predicted_seconds": 0} == {
        "algorithm": "circulant",
        "blocks": 83,
        "rounds": 90,
        "predicted_seconds": 0,
    }


@pytest.mark.parametrize("rule", ["paper:", "paper:H=3", "paper:F=0", "paper:F=x", "papers", "0", "-1"])
def test_what_is_no_rule_is_refused(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "bcast", "--ranks", "9", "--bytes", "1KiB", f"--blocks={rule}"]
    assert status_of(words) == 2
    assert capsys.readouterr().err.startswith("rota: --blocks: ")


def test_a_million_ranks_by_symmetry(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "allgather", "--ranks", "1000000", "--bytes", "64MB", "--algorithm", "circulant"]
    assert status_of(words) == 0
    assert "its play is every rank's" in capsys.readouterr().out
