"""One option for JSON, one for a picture, one for other files, in every command that has such output."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from rota.cli import app, status_of

PICTURES = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}

# Commands with an outcome, that need neither MPI nor the lab.
JSON = (
    "show circulant --ranks 5",
    "show two_tree --ranks 5",
    "show inter-group --senders 3 --receivers 2",
    "verify circulant --ranks 2..9",
    "verify chain --ranks 2..5",
    "verify inter-group --senders 1..3 --receivers 2",
    "simulate bcast --ranks 5 --bytes 64",
    "simulate inter-group --senders 3 --receivers 2 --bytes 64",
    "all-to-many --generate dense:n=4",
    "explain bcast --ranks 5 --bytes 64",
    "platform show PLATFORM",
    "plan scatter --platform PLATFORM --source Ps --targets P0,P1",
)
PLOT = (
    "show circulant --ranks 5",
    "show two_tree --ranks 5",
    "show inter-group --senders 3 --receivers 2",
    "simulate bcast --ranks 5 --bytes 64",
    "all-to-many --generate dense:n=4",
    "platform show PLATFORM",
    "plan scatter --platform PLATFORM --source Ps --targets P0,P1",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert status_of("platform generate figure2 --output PLATFORM".replace("PLATFORM", "p.json").split()) == 0
    capsys.readouterr()
    return tmp_path


def words_of(command: str) -> list[str]:
    return command.replace("PLATFORM", "p.json").split()


def without_times(value: Any) -> Any:
    """Leave out what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key != "seconds"}
    return [without_times(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("command", JSON)
def test_json(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard output it is alone, what is for people stands beside it; in a file it is the same."""
    assert status_of([*words_of(command), "--json", "-"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert status_of([*words_of(command), "--json", "out.json"]) == 0
    assert without_times(json.loads((folder / "out.json").read_text())) == without_times(alone)


@pytest.mark.parametrize("command", PLOT)
@pytest.mark.parametrize("suffix", PICTURES)
def test_plot(command: str, suffix: str, folder: Path) -> None:
    assert status_of([*words_of(command), "--plot", f"picture{suffix}"]) == 0
    assert (folder / f"picture{suffix}").read_bytes().startswith(PICTURES[suffix])


@pytest.mark.parametrize("command", PLOT)
@pytest.mark.parametrize("name", ["x.gif", "x", "-"])
def test_no_picture(command: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([*words_of(command), "--plot", name]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"unknown picture format '{name}'" in said.err
    assert [file.name for file in folder.iterdir()] == ["p.json"]


@pytest.mark.parametrize("command", ["platform generate figure2", "all-to-many --generate dense:n=4"])
def test_no_known_file(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([*command.split(), "--output", "x.gif"]) == 2
    assert "unknown kind of file" in capsys.readouterr().err
    assert [file.name for file in folder.iterdir()] == ["p.json"]


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("platform generate figure2", "out.json"),
        ("platform convert p.json", "out.json"),
        ("all-to-many --generate dense:n=4", "out.csv"),
    ],
)
def test_standard_output(command: str, file: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets what a file would hold, and nothing else."""
    assert status_of([*command.split(), "--output", file]) == 0
    capsys.readouterr()
    assert status_of([*command.split(), "--output", "-"]) == 0
    said = capsys.readouterr()
    assert said.out == (folder / file).read_text()
    assert said.err
    assert not (folder / "-").exists()


def test_standard_output_takes_one_thing(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["all-to-many", "--generate", "dense:n=4", "--output", "-", "--json", "-"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    "command",
    [
        "platform generate figure2",
        "platform convert p.json",
        "all-to-many --generate dense:n=4",
        "plan scatter --platform p.json --source Ps --targets P0,P1",
    ],
)
def test_no_folder_is_made_on_the_way(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([*command.split(), "--output", "missing/out.xml"]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert [file.name for file in folder.iterdir()] == ["p.json"]


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Walk the tree of commands."""
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, word))
        else:
            yield (*words, word), command.loaded


def test_one_word_for_one_thing() -> None:
    """--json, --plot and --output are what outputs are called, and each means the same everywhere."""
    found: dict[str, set[str]] = {}
    said: dict[str, set[str]] = {}
    for words, command in commands(typer.main.get_command(app)):
        for parameter in command.params:
            for option in parameter.opts:
                found.setdefault(option, set()).add(" ".join(words))
                said.setdefault(option, set()).add(getattr(parameter, "help", "") or "")
            assert parameter.opts[0] not in {"target", "output"}, "what is written is named by an option"
    assert not found.keys() & {"--format", "--out", "--write", "--file", "--picture", "--svg"}
    assert {"show", "verify", "verify inter-group", "simulate", "explain", "platform show", "check"} <= found[
        "--json"
    ]
    plans = {f"plan {kind}" for kind in ("scatter", "all-to-all", "reduce", "broadcast")}
    files = {"all-to-many", "export", "platform convert", "platform generate", "timetable", "tune"}
    assert found["--output"] == plans | files
    assert all(len(said[option]) == 1 for option in ("--json", "--plot", "--markdown"))
    assert found["-o"] == found["--output"]


def test_all_that_is_measured_is_written() -> None:
    """As JSON; but for what draws it again."""
    benchmarks = {
        " ".join(words): {option for parameter in command.params for option in parameter.opts}
        for words, command in commands(typer.main.get_command(app))
        if words[0] == "bench"
    }
    assert {words for words, options in benchmarks.items() if "--json" not in options} == {"bench draw"}


def test_colourings_as_json(folder: Path) -> None:
    command = "bench colouring --alone --ranks 8 --degree 3 --samples 2 --json out.json"
    assert status_of(command.split()) == 0
    told = json.loads((folder / "out.json").read_text())
    assert told["command"] == "rota bench colouring --alone --ranks 8 --degree 3 --samples 2"
    (row,) = told["rows"]
    assert (row["degree"], row["messages"], row["rustworkx_s"]) == (3, 24, None)
    assert row["rota_s"] >= 0


def test_platforms_are_converted_into_a_named_file(folder: Path) -> None:
    assert status_of(["platform", "convert", "p.json", "--output", "p.xml"]) == 0
    assert (folder / "p.xml").read_text().startswith("<?xml")
    assert status_of(["platform", "convert", "p.json", "p.xml"]) == 2


def test_what_is_verified_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.exists()
    assert status_of(["verify", "all", "--ranks", "2..5", "--json", "-"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert [proof["algorithm"] for proof in outcome["proofs"]] == ["circulant", "two_tree"]
    assert outcome["proofs"][0]["ranks"] == 2 + 3 + 4 + 5
    assert all(played["faults"] == [] and played["schedules"] > 0 for played in outcome["played"])
    assert {played["collective"] for played in outcome["played"]} >= {"bcast", "reduce_scatter"}


def test_one_default_network(folder: Path) -> None:
    """What is simulated without options is what Rota chooses for without a profile."""
    for command in ("explain bcast --ranks 5 --bytes 64", "simulate bcast --ranks 5 --bytes 64"):
        assert status_of([*command.split(), "--json", f"{command.split()[0]}.json"]) == 0
    explained, simulated = (
        json.loads((folder / f"{word}.json").read_text()) for word in ("explain", "simulate")
    )
    for cost in ("latency_s", "seconds_per_byte", "seconds_per_combined_byte"):
        assert explained["network"][cost] == simulated[cost] > 0
    between = "simulate inter-group --senders 3 --receivers 2 --bytes 64 --json between.json"
    assert status_of(between.split()) == 0
    assert json.loads((folder / "between.json").read_text())["latency_s"] == simulated["latency_s"]


def test_quantities_are_read_alike(capsys: pytest.CaptureFixture[str]) -> None:
    shared = ["--ranks", "5", "--bytes", "1M"]
    printed = []
    for network in (
        "--latency 5us --rate 10Gbps",
        "--latency 5e-6 --rate 1.25GB/s",
        "--latency 5000ns --rate 10gbit",
    ):
        assert status_of(["simulate", "reduce", *shared, *network.split()]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]
