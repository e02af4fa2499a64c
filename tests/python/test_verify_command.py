import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from rota.commands import bench_schedules
from rota.commands import verify as command
from rota.errors import RotaError

app = typer.Typer()
app.command()(command.verify)
runner = CliRunner()


def test_a_range_is_verified() -> None:
    result = runner.invoke(app, ["circulant", "--ranks", "1..300"])
    assert result.exit_code == 0
    assert result.stdout.startswith("300 numbers of ranks, 45150 ranks in ")
    assert "all conditions hold" in result.stdout
    assert "at most q - 1 = 8 (Lemma 5)" in result.stdout


def test_violations_are_printed_and_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(ranks: int) -> object:
        largest = SimpleNamespace(recursive_calls=0, iterations=0, iterations_beyond_lemma_6=0, violations=5)
        return SimpleNamespace(
            ranks=ranks, largest=largest, violations=["rank 1: first", "rank 2: second [x]"]
        )

    monkeypatch.setitem(command.CHECKS, "circulant", spoilt)
    result = runner.invoke(app, ["circulant", "--ranks", "8..9"])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:4] == [
        "p = 9, rank 1: first",
        "p = 9, rank 2: second [x]",
        "p = 8, rank 1: first",
        "p = 8, rank 2: second [x]",
    ]
    assert "4 faults" in result.stdout


def test_an_unknown_algorithm_is_a_fault() -> None:
    with pytest.raises(RotaError, match="give one of circulant"):
        command.verify("ring", "2..5")


def test_a_bad_range_is_a_fault() -> None:
    with pytest.raises(RotaError, match=r"write 2\.\.5"):
        command.verify("circulant", "5..2")


def test_schedules_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_schedules, "RANGES", (range(2, 40), range(100, 102)))
    bench_schedules.schedules(samples=3, json_file=tmp_path / "times.json")
    first, second = json.loads((tmp_path / "times.json").read_text())
    assert (first["first"], first["last"], first["samples"]) == (2, 39, 3)
    assert second["samples"] == 2
    assert first["all_ratio"] > 0
    assert "2..39" in capsys.readouterr().out


def test_a_missing_folder_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(RotaError, match="make it first"):
        bench_schedules.schedules(samples=1, json_file=tmp_path / "none" / "times.json")
