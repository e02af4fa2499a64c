"""Commands that read schedules from files, what they say of wrong ones, and ``rota export``."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rota import algorithms, verify
from rota.cli import status_of
from rota.collectives import COLLECTIVES, needs_hosts
from rota.formats.read import read_schedule
from rota.platforms.paper import figure2
from rota.show.given import given_question
from rota.show.question import Question
from rota.show.steps import Steps
from rota.steady.plan import as_text, planned
from rota.steady.scatter import series_of_scatters

ROTA = str(Path(sys.executable).parent / "rota")


def run(*words: object, status: int = 0) -> str:
    done = subprocess.run([ROTA, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert done.stderr.count("\n") == 1
        return done.stderr
    return done.stdout


@pytest.mark.parametrize("ranks", [2, 5, 8])
@pytest.mark.parametrize("per_host", [None, 2])
def test_json_is_read_back(tmp_path: Path, ranks: int, per_host: int | None) -> None:
    """Step by step, of every algorithm for every collective: what is read is written again as it was."""
    file = tmp_path / "s.json"
    for collective in COLLECTIVES.values():
        for algorithm in algorithms(collective):
            if per_host is None and needs_hosts(algorithm, collective):
                continue
            text = "".join(Steps(Question(algorithm, collective, ranks, 0, None, None, per_host)).json())
            file.write_text(text)
            given = read_schedule(file)
            assert given.name == algorithm
            # Others send from one host to several at once.
            if per_host is None or needs_hosts(algorithm, collective):
                assert verify(given.schedule) == []
            again = json.loads("".join(Steps(given_question(given, None)).json()))
            told = json.loads(text)
            told.pop("trees", None)
            assert again == told


def test_commands_take_a_file(tmp_path: Path) -> None:
    """Hosts too; what the file says already, options may not say."""
    file = tmp_path / "s.json"
    placed = ("--ranks", 12, "--per-host", 3)
    run("show", "hierarchical", *placed, "--lanes", 2, "--json", file)
    assert run("show", file) == run("show", "hierarchical", *placed, "--lanes", 2)
    run("show", "hierarchical", *placed, "--json", file)
    assert "on 4 hosts: correct" in run("verify", file)
    assert run("show", file) == run("show", "hierarchical", "--ranks", 12, "--per-host", 3)
    assert "hierarchical" in run("simulate", file, "--bytes", "1MiB,2MiB")
    run("show", file, "--plot", tmp_path / "s.svg")
    assert "give --bytes" in run("simulate", file, status=2)
    for words in (
        ("verify", file, "--ranks", "3"),
        ("verify", file, "--blocks", "3"),
        ("show", file, "--blocks", "3"),
        ("show", file, "--root", "0"),
        ("show", file, "--call", "0"),
        ("simulate", file, "--bytes", "1MiB", "--ranks", 12),
        ("simulate", file, "--bytes", "1MiB", "--algorithm", "chain"),
        ("simulate", file, "--bytes", "1MiB", "--plot", tmp_path / "times.svg"),
        ("simulate", file, "--bytes", "1MiB", "--units", 7),
        ("export", file, "--form", "goal", "--ranks", 3),
        ("export", file, "--form", "goal", "--root", 0),
    ):
        assert f"leave out {words[-2]}" in run(*words, status=2)


def test_simulate_reads_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be it a schedule or a plan."""
    run("show", "circulant", "--collective", "bcast", "--ranks", 8, "--json", tmp_path / "schedule.json")
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    (tmp_path / "plan.json").write_text(as_text(plan))
    read, read_text = [], Path.read_text

    def noting(path: Path) -> str:
        read.append(path.name)
        return read_text(path)

    assert "leave out --bytes" in run("simulate", tmp_path / "plan.json", "--bytes", "1MiB", status=2)
    assert "--units are of a plan" in run("simulate", "bcast", "--units", 7, status=2)
    monkeypatch.setattr(Path, "read_text", noting)
    assert status_of(["simulate", str(tmp_path / "schedule.json"), "--bytes", "1MiB"]) == 0
    assert status_of(["simulate", str(tmp_path / "plan.json"), "--units", "100"]) == 0
    assert read == ["schedule.json", "plan.json"]


def lossy(file: Path) -> dict[str, Any]:
    """Write a broadcast of which rank 3 leaves out the first message; return its step as it should be."""
    run("show", "circulant", "--collective", "bcast", "--ranks", 8, "--blocks", 2, "--json", file)
    told = json.loads(file.read_text())
    lost: dict[str, Any] = next(step for step in told["steps"] if step["rank"] == 3 and "receive" in step)
    told["steps"].remove(lost)
    told["steps"].append({key: what for key, what in lost.items() if key != "receive"})
    file.write_text(json.dumps(told))
    return lost


@pytest.mark.parametrize("words", [("show",), ("simulate", "--bytes", "1MiB"), ("export", "--form", "goal")])
def test_what_is_refuted_is_shown_all_the_same(tmp_path: Path, words: tuple[str, ...]) -> None:
    """With a line on standard error that says what is wrong first; of what is right, nothing is said."""
    file = tmp_path / "s.json"
    command = [ROTA, words[0], str(file), *words[1:]]
    lost = lossy(file)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stdout
    first = f"round {lost['round']}, rank {lost['receive']['from']}"
    assert f"refutes it, by 4 faults, first in {first}, " in done.stderr
    assert f"rota verify {file} says more" in done.stderr
    run("show", "circulant", "--collective", "bcast", "--ranks", 8, "--json", file)
    assert not subprocess.run(command, capture_output=True, text=True, check=True).stderr


def test_large_schedules_are_not_verified_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Which a line says."""
    lossy(tmp_path / "s.json")
    monkeypatch.setattr("rota.commands.refuted._MOST_WORK", 10)
    assert status_of(["show", str(tmp_path / "s.json")]) == 0
    assert "not verified here, for it is large: rota verify" in capfd.readouterr().err


def test_faults_are_found(tmp_path: Path) -> None:
    """A message that is left out is missed, by whom, in which round."""
    file = tmp_path / "s.json"
    lost = lossy(file)
    said = run("verify", file, "--json", tmp_path / "out.json", status=1)
    faults = json.loads((tmp_path / "out.json").read_text())["faults"]
    assert (faults[0]["round"], faults[0]["rank"]) == (lost["round"], lost["receive"]["from"])
    assert f"{len(faults)} faults" in said


WRONG = {
    "[]": "it holds no steps",
    "{": "it is no JSON",
    '{"steps": []}': "has no 'collective'",
    '{"steps": [], "collective": "gather", "ranks": 2, "blocks": 1}': "unknown collective 'gather'",
    '{"steps": 3, "collective": "bcast", "ranks": 2, "blocks": 1}': "its steps are no list",
    '{"steps": [], "collective": "bcast", "ranks": 0, "blocks": 1}': "it is for 0 ranks",
    '{"steps": [{}], "collective": "bcast", "ranks": 2, "blocks": 1, "rounds": 1}': "step 0 has no 'rank'",
    '{"steps": [{"rank": 9, "round": 0}, {"rank": 1, "round": 0}], "collective": "bcast", "ranks": 2,'
    ' "blocks": 1, "rounds": 1}': "rank 9, round 0: there is no such rank",
    '{"steps": [{"rank": 1, "round": 0}, {"rank": 0, "round": 0}, {"rank": 1, "round": 0}],'
    ' "collective": "bcast", "ranks": 2, "blocks": 1, "rounds": 1}': "it has two steps",
    '{"steps": [{"rank": 1, "round": 0}], "collective": "bcast", "ranks": 2, "blocks": 1}': "of rank 1 only",
    '{"steps": [{"rank": 0, "round": 2}, {"rank": 1, "round": 1}], "collective": "bcast", "ranks": 2,'
    ' "blocks": 1, "rounds": 2}': "it is to have 2 rounds, but its steps take 3",
    '{"steps": [{"rank": 1, "round": 0, "receive": {"from": 0, "blocks": [], "on_receive": "eat"}}],'
    ' "collective": "bcast", "ranks": 1, "blocks": 1}': "on_receive is 'eat'",
}


@pytest.mark.parametrize("content", WRONG)
def test_wrong_json(tmp_path: Path, content: str) -> None:
    file = tmp_path / "s.json"
    file.write_text(content)
    assert WRONG[content] in run("verify", file, status=2)


@pytest.mark.parametrize("command", ["show", "verify", "simulate"])
def test_a_wrong_file_is_named_once(tmp_path: Path, command: str) -> None:
    file = tmp_path / "s.json"
    assert run(command, file, status=2).count(str(file)) == 1
    file.write_text("{")
    assert run(command, file, status=2).count(str(file)) == 1


@pytest.mark.parametrize("content", ["{}", "[]", "3"])
def test_what_is_neither_schedule_nor_plan(tmp_path: Path, content: str) -> None:
    file = tmp_path / "s.json"
    file.write_text(content)
    assert run("simulate", file, "--bytes", "1", status=2) == run("show", file, status=2)
    assert "it holds no steps" in run("simulate", file, status=2)


def test_file_that_is_not_there() -> None:
    assert "none.xml: it cannot be read" in run("verify", "none.xml", status=2)


@pytest.mark.parametrize("command", ["show", "verify", "simulate", "export --form goal"])
def test_files_of_no_kind_that_is_read(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.goal", "noext", "circulant", "bcast"):
        (tmp_path / name).touch()
    for word, fault in (
        ("./missing", "there is no file ./missing"),
        ("b.goal", "there is no file b.goal"),
        ("a.goal", "a.goal is not read"),
        ("noext", "noext is not read"),
    ):
        assert status_of([*command.split(), word]) == 2
        assert capsys.readouterr().err == f"rota: {fault}: name a file that ends in .json or .xml\n"
    for word in ("circulant", "bcast", "x" * 300):
        assert status_of([*command.split(), word, "--blocks", "?"]) == 2
        assert "a file that ends" not in capsys.readouterr().err


def test_what_msccl_cannot_say() -> None:
    assert "MSCCL has no scan" in run(
        "export", "chain", "--collective", "scan", "--ranks", 4, "--form", "msccl", status=2
    )
    many = ("export", "chain", "--ranks", 4, "--blocks", 300, "--form", "msccl")
    assert "choose fewer --blocks" in run(*many, status=2)


def test_export_writes_files(tmp_path: Path) -> None:
    for form in ("msccl", "goal", "trace"):
        file = tmp_path / form
        assert run("export", "circulant", "--ranks", 5, "--form", form, "--output", file) == ""
        assert file.read_text() == run("export", "circulant", "--ranks", 5, "--form", form)
    words = ("export", "chain", "--ranks", 4, "--form", "goal", "--output")
    for picture in ("x.gif", "x.SVG"):
        assert "rota show --plot" in run(*words, tmp_path / picture, status=2)
        assert not (tmp_path / picture).exists()
    assert "name a file that ends in .goal" in run(*words, tmp_path / "x.xml", status=2)
    assert not (tmp_path / "x.xml").exists()
    assert run(*words, tmp_path / "x.goal") == ""
    assert "unknown form" in run("export", "circulant", "--ranks", 5, "--form", "dot", status=2)
    assert "give --ranks" in run("export", "circulant", "--form", "goal", status=2)
