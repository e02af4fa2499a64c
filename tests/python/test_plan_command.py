"""The commands rota plan, rota certify and rota simulate plan.json, as users meet them."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota.cli import app
from rota.errors import RotaError

if TYPE_CHECKING:
    from pathlib import Path

FIGURE_2 = """{"directed": true,
 "nodes": [{"id": "Ps"}, {"id": "Pa"}, {"id": "Pb"}, {"id": "P0"}, {"id": "P1"}],
 "links": [{"source": "Ps", "target": "Pa", "cost": 1}, {"source": "Ps", "target": "Pb", "cost": 1},
           {"source": "Pa", "target": "P0", "cost": "2/3"}, {"source": "Pb", "target": "P0", "cost": "4/3"},
           {"source": "Pb", "target": "P1", "cost": "4/3"}]}"""

run = CliRunner()


@pytest.fixture
def figure_2(tmp_path: Path) -> Path:
    file = tmp_path / "figure2.json"
    file.write_text(FIGURE_2)
    return file


def planned(platform: Path, *options: str) -> str:
    outcome = run.invoke(app, ["plan", *options, "--platform", str(platform)], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_standard_output_has_the_plan_alone(figure_2: Path, tmp_path: Path) -> None:
    """What solves linear programs may print past Python, and once a process: HiGHS 1.16 does."""
    words = ["-m", "rota", "plan", "scatter", "--source", "Ps", "--targets", "P0,P1", "--json", "-"]
    words += ["--platform", str(figure_2)]
    printed = subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True).stdout
    assert json.loads(printed)["throughput"] == "1/2"
    (tmp_path / "plan.json").write_text(printed)
    certified = run.invoke(
        app, ["certify", str(tmp_path / "plan.json"), "--json", "-"], catch_exceptions=False
    )
    proved = json.loads(certified.stdout)
    assert (proved["kind"], proved["throughput"], proved["bound"]) == ("scatter", "1/2", "1/2")


def test_scatter(figure_2: Path, tmp_path: Path) -> None:
    plan, pictures = tmp_path / "plan.json", tmp_path / "pictures"
    options = [
        "scatter",
        "--source",
        "Ps",
        "--targets",
        "P0,P1",
        "--json",
        str(plan),
        "--plot",
        str(tmp_path / "plan.svg"),
        "--output",
        str(pictures),
    ]
    output = planned(figure_2, *options)
    assert "1/2 = 0.5: equal" in output
    assert "verified over 3 periods" in output
    document = json.loads(plan.read_text())
    assert (document["throughput"], document["period"]) == ("1/2", "12")
    assert {file.name for file in pictures.iterdir()} == {"flows.png", "period.png"}
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in pictures.iterdir())
    drawn = (tmp_path / "plan.svg").read_text()
    assert all(f"<!-- {label} -->" in drawn for label in ("m1: 6", "Pb out", "m1 → Pb"))
    assert all(f"<!-- {label} -->" in drawn for label in ("m0", "m1", "What flows over the platform"))
    certified = run.invoke(app, ["certify", str(plan)])
    assert certified.exit_code == 0
    assert "throughput 1/2 (the optimum), period 12" in certified.output
    simulated = run.invoke(app, ["simulate", str(plan), "--units", "1200"], catch_exceptions=False)
    assert simulated.exit_code == 0
    assert (
        "predicted: nodes in step with the periods          0.5         1.0000          594"
        in simulated.output
    )
    assert (
        "simulated: each node at its own pace               0.5         1.0000          594"
        in simulated.output
    )


def test_carried_out_as_json(figure_2: Path, tmp_path: Path) -> None:
    """The same numbers as in the table, which gives way to them on standard output."""
    plan, told = tmp_path / "plan.json", tmp_path / "told.json"
    planned(figure_2, "scatter", "--source", "Ps", "--targets", "P0,P1", "--json", str(plan))
    words = ["simulate", str(plan), "--units", "1200", "--json"]
    assert run.invoke(app, [*words, str(told)], catch_exceptions=False).exit_code == 0
    found = json.loads(told.read_text())
    assert (found["time_units"], found["period"]) == ("1200", "12")
    assert found["bound"] == {"throughput": "1/2", "operations": "600"}
    assert found["predicted"] == {"throughput": "1/2", "operations": 594}
    assert found["simulated"] == {"throughput": pytest.approx(0.5), "operations": 594}
    assert found["notes"][0].startswith("Verified as a schedule")
    assert json.loads(run.invoke(app, [*words, "-"], catch_exceptions=False).stdout) == found


def test_timetable(figure_2: Path, tmp_path: Path) -> None:
    """For the platform's nodes, for some of them in another order, and for too few."""
    plan, table = tmp_path / "plan.json", tmp_path / "plan.timetable"
    planned(figure_2, "scatter", "--source", "Pb", "--targets", "P0,P1", "--json", str(plan))
    written = run.invoke(app, ["timetable", str(plan), "--output", str(table)], catch_exceptions=False)
    assert written.output.startswith("plan.timetable: 5 ranks, 3 operations a period, ")
    assert table.read_text().startswith("rota timetable 1\nranks 5\noperations 3\n")
    assert "\norigin 2 0\norigin 2 1\ndelivery 3 0 0 0\ndelivery 4 1 1 1\n" in table.read_text()
    some = ["timetable", str(plan), "--output", str(table), "--nodes", "P1, P0, Pb"]
    run.invoke(app, some, catch_exceptions=False)
    assert "\norigin 2 0\norigin 2 1\ndelivery 1 0 0 0\ndelivery 0 1 1 1\n" in table.read_text()
    with pytest.raises(RotaError, match="P1 has a part in the plan, and no rank: name it among the nodes"):
        run.invoke(app, [*some[:-1], "P0,Pb"], catch_exceptions=False)
    with pytest.raises(RotaError, match="Pb is named twice; name each node once"):
        run.invoke(app, [*some[:-1], "P0,P1,Pb,Pb"], catch_exceptions=False)


def test_a_period_that_loses_little(tmp_path: Path) -> None:
    """Where that which loses nothing is long, one is named, and loses no more than it says."""
    platform = tmp_path / "p.xml"
    made = ["platform", "generate", "tiers", "--nodes", "14", "--seed", "3", "--output", str(platform)]
    assert run.invoke(app, made, catch_exceptions=False).exit_code == 0
    hosts = ["--hosts", "lan0.0,lan0.1,lan1.1", "--target", "lan0.0"]
    reduce = ["reduce", *hosts, "--bytes", "10MB", "--task", "10Mflop"]
    period = planned(platform, *reduce).split("shorter, 1% lost         --period ")[1].split(":")[0]
    plan = tmp_path / "plan.json"
    planned(platform, *reduce, "--period", period, "--json", str(plan))
    document = json.loads(plan.read_text())
    assert Fraction(99, 100) * Fraction(document["bound"]) <= Fraction(document["throughput"])


def test_a_changed_plan_ends_with_status_1(figure_2: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    planned(figure_2, "scatter", "--source", "Ps", "--targets", "P0,P1", "--json", str(plan))
    plan.write_text(plan.read_text().replace('"throughput": "1/2"', '"throughput": "3/2"'))
    outcome = run.invoke(app, ["certify", str(plan)])
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("rota: plan.json: refused: ")
    assert outcome.stderr.count("\n") == 1


def test_reduce_all_to_all_and_broadcast(tmp_path: Path) -> None:
    platform = tmp_path / "p.xml"
    made = ["platform", "generate", "figure9", "--output", str(platform)]
    assert run.invoke(app, made, catch_exceptions=False).exit_code == 0
    sizes = ["--bytes", "10MB"]
    hosts = ["--hosts", "11,8,13,9,6,12,7,10"]
    reduce = [*hosts, "--target", "6", "--task", "10Mflop", *sizes, "--output", str(tmp_path / "d")]
    output = planned(platform, "reduce", *reduce)
    assert "2/9 = 0.222222 operations a second" in output
    assert "2/9 = 0.222222: equal" in output
    assert "27/2 = 13.5 seconds, 3 operations" in output
    assert "verified over 3 periods" in output
    assert (tmp_path / "d" / "tree-1.png").exists()
    planned(platform, "reduce", *reduce[:-2], "--plot", str(tmp_path / "plan.svg"))
    drawn = (tmp_path / "plan.svg").read_text()
    assert all(
        label in drawn for label in ("The tree of 2/3 of all operations", "T[0,0,7] in 10", "10 computes")
    )
    assert "proved to be at most" in planned(platform, "reduce", *reduce[:-2], "--period", "100")
    assert "equal" in planned(platform, "all-to-all", "--hosts", "11,8,13", *sizes)
    assert "equal" in planned(platform, "broadcast", "--source", "6", *sizes)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["scatter", "--source", "Ps", "--targets", "Px"], "no node Px"),
        (["scatter", "--source", "P0", "--targets", "Ps"], "no path from P0 to Ps"),
        (["scatter", "--source", "Ps", "--targets", ","], "no targets"),
        (["scatter", "--source", "Ps", "--targets", "P0", "--sizes", "-1"], "not above 0"),
        (["scatter", "--source", "Ps", "--targets", "P0", "--sizes", "1,2"], "2 sizes for 1 targets"),
        (["scatter", "--source", "Ps", "--targets", "P0", "--bytes", "1MB"], "leave out their sizes"),
        (["scatter", "--source", "Ps", "--targets", "P0", "--period", "1/4"], "too short"),
        (["scatter", "--source", "Ps", "--targets", "P0", "--period", "0"], "not above 0"),
        (["reduce", "--hosts", "Pa,Pb", "--target", "P0"], "no node computes"),
        (["all-to-all", "--hosts", "Pa,Pb"], "no path"),
        (["broadcast", "--source", "P0"], "no path"),
    ],
)
def test_faults(figure_2: Path, options: list[str], fault: str) -> None:
    with pytest.raises(RotaError, match=fault) as raised:
        run.invoke(app, ["plan", *options, "--platform", str(figure_2)], catch_exceptions=False)
    assert "\n" not in str(raised.value)


def test_a_physical_platform_wants_sizes(tmp_path: Path) -> None:
    platform = tmp_path / "p.xml"
    run.invoke(app, ["platform", "generate", "figure9", "--output", str(platform)], catch_exceptions=False)
    reduce = ["plan", "reduce", "--platform", str(platform), "--hosts", "11,8", "--target", "6"]
    for options, fault in (
        (["--task", "10Mflop"], "how many bytes"),
        (["--bytes", "10MB"], "--task"),
        (["--bytes", "10MB", "--task", "ten"], "no amount of computing"),
        (["--bytes", "-3", "--task", "10Mflop"], "no size"),
    ):
        with pytest.raises(RotaError, match=fault):
            run.invoke(app, [*reduce, *options], catch_exceptions=False)


def test_simulate_says_so_where_there_is_no_simgrid(
    figure_2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking() -> Path:
        raise RotaError("this installation was built without SimGrid")

    monkeypatch.setattr("rota.witness.simgrid.witness_path", lacking)
    plan = tmp_path / "plan.json"
    planned(figure_2, "scatter", "--source", "Ps", "--targets", "P0,P1", "--json", str(plan))
    simulated = run.invoke(app, ["simulate", str(plan)], catch_exceptions=False)
    of_simgrid = [line for line in simulated.output.splitlines() if "SimGrid" in line]
    assert of_simgrid == ["Not played by SimGrid: this installation was built without SimGrid."]
    assert "simulated: each node at its own pace               0.5" in simulated.output


def test_simulate_wants_a_plan_that_is_right(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.json"
    with pytest.raises(RotaError, match="No such file"):
        run.invoke(app, ["simulate", str(nothing)], catch_exceptions=False)
    nothing.write_text("{}")
    with pytest.raises(RotaError, match="it holds no steps"):
        run.invoke(app, ["simulate", str(nothing)], catch_exceptions=False)
    nothing.write_text('{"series": {}}')
    with pytest.raises(RotaError, match="no plan"):
        run.invoke(app, ["simulate", str(nothing)], catch_exceptions=False)
    with pytest.raises(RotaError, match="--ranks"):
        run.invoke(app, ["simulate", "bcast"], catch_exceptions=False)
