"""rota reproduce steady-state: what is printed is certified; Figure 12 is read in both ways."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota.cli import app
from rota.platforms import Link, Node, Platform
from rota.reproduce.beside import Verdict
from rota.reproduce.steady_printed import figure_6_series, figure_7_plan, figure_11_plan
from rota.reproduce.steady_state import PAPER, examples, point_13
from rota.steady.blocking import looped_throughput
from rota.steady.certificate import certify
from rota.steady.plan import as_text
from rota.steady.reduce import series_of_reduces

if TYPE_CHECKING:
    from pathlib import Path


def test_the_printed_solutions_are_certified() -> None:
    """Figure 7's two trees in a period of 3, and Figure 11's: both are optima, by the certificate."""
    for plan, throughput, period in (
        (figure_7_plan(), Fraction(1), 3),
        (figure_11_plan(), Fraction(2, 9), 9),
    ):
        claims = certify(as_text(plan))
        assert (claims.throughput, claims.bound, claims.period) == (throughput, throughput, period)


def test_examples_are_as_printed() -> None:
    assert {part.verdict for part in examples()} <= {Verdict.SAME, None}


def test_a_loop_of_blocking_calls_worked_out_by_hand() -> None:
    """Two ranks: send 1, combine 1/2, and again. Figure 6: rank 0 receives and combines twice."""
    links = (Link("a", "b", Fraction(1)), Link("b", "a", Fraction(1)))
    two = Platform((Node("a", Fraction(1, 2)), Node("b", Fraction(1))), links)
    series = series_of_reduces(two, ["a", "b"], "a")
    assert looped_throughput(two, series) == pytest.approx(1 / 1.5)
    platform, six = figure_6_series()
    assert looped_throughput(platform, six) == pytest.approx(1 / 3)


def test_a_node_that_is_passed_sends_one_message_at_a_time() -> None:
    """Both messages pass r at the rate of the slowest link; nothing overlaps at a."""
    names = ("a", "b", "c", "r")
    ends = [(name, "r") for name in "abc"] + [("r", name) for name in "abc"]
    platform = Platform(
        tuple(Node(name, None if name == "r" else Fraction(1)) for name in names),
        tuple(Link(*each, Fraction(1)) for each in ends),
    )
    series = series_of_reduces(platform, ["a", "b", "c"], "a")
    assert looped_throughput(platform, series) == pytest.approx(1 / 4)


def test_figure_13() -> None:
    """By hand: rank 0 receives and combines four times; ten processors share nine tasks."""
    found = point_13(Fraction(1000)).comparison
    assert found.loop == pytest.approx(1 / 4004)
    assert found.multi_tree == pytest.approx(1 / 900)
    assert found.simulated == pytest.approx(found.multi_tree, rel=0.02)


def test_quick(tmp_path: Path) -> None:
    """As users meet it, with all its files."""
    out, page, picture = tmp_path / "out.json", tmp_path / "page.md", tmp_path / "picture.svg"
    words = ["--quick", "--json", str(out), "--markdown", str(page), "--plot", str(picture)]
    outcome = CliRunner().invoke(app, ["reproduce", "steady-state", *words], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    parts = {part["number"]: part for part in json.loads(out.read_text())["parts"]}
    assert [row["density"] for row in parts["Figure 12"]["rows"]] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert all(row["simulated"] >= row["ports"] * 0.98 for row in parts["Figure 12"]["rows"])
    assert {row["verdict"] for row in parts["Figures 6 and 7"]["rows"]} <= {"as printed", ""}
    assert page.read_text().startswith(f"# {PAPER}\n")
    assert "## Figure 13" in page.read_text()
    assert f"<!-- {PAPER}: many reduction trees" in picture.read_text()
