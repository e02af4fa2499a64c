"""Measures of reduces: the file's form, what is said of faults, and what can be streamed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota.cli import app
from rota.errors import RotaError
from rota.platforms import write_platform
from rota.platforms.paper import figure6
from rota.steady.certificate import certify
from rota.steady.claims import seal_of
from rota.steady.measures import measures_in
from rota.steady.plan import as_text, planned
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.series import Computation, Task
from rota.steady.timetable import timetable_of

if TYPE_CHECKING:
    from pathlib import Path

run = CliRunner()
HOSTS = ("P0", "P1", "P2")

MEASURES = """
operands = [1, 2, "1/2"]
combined = "sum"
work = "result"
sizes = [ { of = [0, 2], size = 3 } ]
works = [ { of = [0, 0, 2], work = "3/2" } ]
times = [ { at = "P1", of = [0, 1, 2], time = 2 } ]
"""


def test_what_a_file_says() -> None:
    found = measures_in(MEASURES, 3)
    assert found.sizes == {
        (0, 0): 1,
        (1, 1): 2,
        (2, 2): Fraction(1, 2),
        (0, 1): 3,
        (1, 2): Fraction(5, 2),
        (0, 2): 3,
    }
    assert found.works == {
        Task(0, 0, 1): 3,
        Task(1, 1, 2): Fraction(5, 2),
        Task(0, 0, 2): Fraction(3, 2),
        Task(0, 1, 2): 3,
    }
    assert found.times == {Computation("P1", Task(0, 1, 2)): 2}
    largest = measures_in('operands = [1, 2, "1/2"]\ncombined = "largest"', 3)
    assert [largest.sizes[each] for each in ((0, 1), (1, 2), (0, 2))] == [2, 2, 2]
    assert measures_in("", 3) == Measures({(k, k): Fraction(1) for k in range(3)}, {}, {})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("operands = [1]", "operands: give a list of 3 sizes"),
        ("operands = [1, 2, 0]", "not above 0"),
        ('combined = "mean"', "combined: 'mean' is unknown: write sum or largest"),
        ("colour = 1", "unknown key 'colour'"),
        ("sizes = [ { of = [0], size = 1 } ]", "sizes, entry 1: of: give 2 numbers of hosts"),
        ("sizes = [ { of = [0, 1] } ]", "sizes, entry 1: size: give a number"),
        ("works = [ { of = [0, 0, 1], work = 1 }, { of = [0, 0, 1], work = 1 } ]", "entry 2: .* there twice"),
        ("times = [ { of = [0, 0, 1], time = 1 } ]", "times, entry 1: at: name a node"),
        ("times = [", "no TOML"),
    ],
)
def test_what_is_wrong_with_a_file(text: str, fault: str) -> None:
    with pytest.raises(RotaError, match=fault):
        measures_in(text, 3)


@pytest.mark.parametrize(
    ("measures", "fault"),
    [
        (Measures({(0, 3): Fraction(1)}), r"v\[0,3\] is no partial result"),
        (Measures({(0, 1): Fraction(0)}), "above 0"),
        (Measures({}, {Task(0, 1, 1): Fraction(1)}), r"T\[0,1,1\] is no task"),
        (Measures({}, {}, {Computation("Px", Task(0, 0, 1)): Fraction(1)}), "no node Px"),
        (Measures({}, {}, {Computation("P0", Task(0, 0, 1)): Fraction(-1)}), "above 0"),
    ],
)
def test_measures_of_nothing(measures: Measures, fault: str) -> None:
    with pytest.raises(RotaError, match=fault):
        series_of_reduces(figure6(), HOSTS, "P0", measures)


def test_planned_certified_simulated_and_not_streamed(tmp_path: Path) -> None:
    """As commands; the last of them says in one line why not."""
    platform, file, plan = tmp_path / "six.toml", tmp_path / "measures.toml", tmp_path / "plan.json"
    write_platform(figure6(), platform)
    file.write_text(MEASURES)
    words = ["--hosts", "P0,P1,P2", "--target", "P0", "--measures", str(file), "--json", str(plan)]
    outcome = run.invoke(app, ["plan", "reduce", "--platform", str(platform), *words], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    assert "verified over 3 periods" in outcome.output
    for asked in (["certify", str(plan)], ["simulate", str(plan), "--units", "1000"]):
        outcome = run.invoke(app, asked, catch_exceptions=False)
        assert outcome.exit_code == 0, outcome.output
    with pytest.raises(RotaError, match=r"partial results of different sizes: .* not streamed over MPI"):
        run.invoke(app, ["timetable", str(plan), "--output", str(tmp_path / "t")], catch_exceptions=False)


def test_what_is_alike_is_streamed() -> None:
    """Whatever tasks take, and of whatever size partial results are that are not used."""
    task_times = Measures(
        {}, {Task(0, 0, 2): Fraction(3)}, {Computation("P1", Task(1, 1, 2)): Fraction(1, 3)}
    )
    longer = Measures({(k, m): Fraction(3, 2) for k in range(3) for m in range(k, 3)})
    unused = Measures({(0, 1): Fraction(50)})
    for measures, size in ((task_times, "1 1"), (longer, "3 2"), (unused, "1 1")):
        plan = planned(figure6(), series_of_reduces(figure6(), HOSTS, "P0", measures))
        assert f"\nsize 2 {size}\n" in timetable_of(plan).text


def test_certify_counts_what_is_said_of_sizes_and_tasks() -> None:
    """A plan for other sizes, works or times than its own is refused; what is of nothing, too."""
    measures = measures_in(MEASURES, 3)
    text = as_text(planned(figure6(), series_of_reduces(figure6(), HOSTS, "P0", measures)))
    certify(text)
    used = json.loads(text)["tasks"]
    slow = [[each["node"], *each["task"], "1000"] for each in used if each["task"] != [0, 1, 2]]
    for key, change in (
        ("sizes", lambda series: series["sizes"].pop()),
        ("works", lambda series: series.update(works=[[*each[:3], "1000"] for each in series["works"]])),
        ("times", lambda series: series["times"].extend(slow)),
        ("size of no partial result", lambda series: series["sizes"].append([1, 3, "1"])),
        ("work or a time of no task", lambda series: series["works"].append([1, 2, 2, "1"])),
        ("at no node", lambda series: series["times"].append(["Px", 0, 0, 1, "1"])),
        ("there twice", lambda series: series["sizes"].append(series["sizes"][0])),
        ("out of range", lambda series: series["works"].append([1, 1, 2, "1" + "0" * 30])),
        ("not above 0", lambda series: series["times"].append(["P0", 1, 1, 2, "0"])),
    ):
        document = json.loads(text)
        if key == "out of range":
            document["series"]["works"] = [
                each for each in document["series"]["works"] if each[:3] != [1, 1, 2]
            ]
        change(document["series"])
        document["seal"] = seal_of(document)
        with pytest.raises(RotaError, match=key if " " in key else None):
            certify(json.dumps(document))
