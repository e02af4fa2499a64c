"""What the report says is what happened."""

from pathlib import Path
from typing import Any

from conftest import Compile
from mpi_jobs import SMALL_BLOCKS, run_with_rota, succeeded

FIELDS = {
    "collective": str,
    "ranks": int,
    "size_class_bytes": int,
    "bytes": int | float,
    "calls": int,
    "schedule": str,
    "reason": str,
    "blocks": int,
    "rounds": int,
    "least_rounds": int,
    "schedules_made": int,
    "seconds": int | float,
    "bound_seconds": int | float,
}


def line_of(lines: list[dict[str, Any]], **wanted: object) -> dict[str, Any]:
    """Return the only line that has these values."""
    (line,) = (line for line in lines if all(line[name] == value for name, value in wanted.items()))
    return line


def test_json(compiled: Compile, report: Path) -> None:
    """Each line has the calls of one kind, in ceil(m / 64) blocks."""
    settings = {**SMALL_BLOCKS, "ROTA_LINK_RATE": "1e9", "ROTA_HOSTS": "6"}
    outcome = succeeded(run_with_rota([compiled("lines")], 6, settings, report))
    assert outcome.report is not None
    assert outcome.report["link_bits_per_second"] == 1e9
    for line in outcome.broadcasts:
        assert line.keys() == FIELDS.keys()
        assert all(isinstance(line[name], kind) for name, kind in FIELDS.items())
        assert line["collective"] == "bcast"
        assert line["seconds"] > 0
        assert line["rounds"] in (0, line["least_rounds"])
    assert len(outcome.broadcasts) == 4
    expected = {
        "calls": 5,
        "schedule": "circulant",
        "reason": "",
        "blocks": 16,
        "rounds": 18,
        "bound_seconds": 8e-6,
    }
    assert line_of(outcome.broadcasts, ranks=6, bytes=1000, size_class_bytes=512).items() >= expected.items()
    expected = {
        "calls": 2,
        "schedule": "circulant",
        "reason": "",
        "blocks": 2,
        "rounds": 4,
        "bound_seconds": 8e-7,
    }
    assert line_of(outcome.broadcasts, ranks=6, bytes=100, size_class_bytes=64).items() >= expected.items()
    expected = {"calls": 1, "schedule": "native", "reason": "no data", "blocks": 0, "rounds": 0}
    assert line_of(outcome.broadcasts, ranks=6, bytes=0, size_class_bytes=0).items() >= expected.items()
    expected = {"calls": 1, "schedule": "circulant", "reason": "", "blocks": 32, "rounds": 33}
    assert line_of(outcome.broadcasts, ranks=3, bytes=2000, size_class_bytes=1024).items() >= expected.items()


def test_table(compiled: Compile) -> None:
    """ROTA_REPORT=1: a table on standard error, every line marked as Rota's."""
    outcome = succeeded(run_with_rota([compiled("lines")], 6, {**SMALL_BLOCKS, "ROTA_REPORT": "1"}))
    heading, *rest = outcome.rota_errors()
    lines = [line for line in rest if line.split()[1] == "bcast"]
    assert [
        word for word in ("call", "ranks", "schedule", "rounds (least)", "x bound") if word not in heading
    ] == []
    assert len(lines) == 4
    (of_1000,) = (line for line in lines if "1000 B" in line)
    assert of_1000.split()[:10] == ["rota:", "bcast", "6", "1000", "B", "5", "circulant", "16", "18", "(18)"]
    assert any(line.split()[6] == "native" and line.endswith("no data") for line in lines)


def test_a_pattern_pays_for_its_schedule_once(compiled: Compile, report: Path) -> None:
    """Used a hundred times, changed by one rank, used again: two schedules made, in table and JSON."""
    settings = {"ROTA_ALGORITHM": "alltoall=exact"}
    program = [compiled("repeated")]
    as_json = succeeded(run_with_rota(program, 5, settings, report))
    lines = [line for line in as_json.lines if line["collective"] == "alltoall"]
    assert [(line["schedule"], line["calls"], line["schedules_made"]) for line in lines] == [
        ("exact", 101, 1),
        ("exact", 1, 1),
    ]
    as_table = succeeded(run_with_rota(program, 5, {**settings, "ROTA_REPORT": "1"}))
    heading, *rest = as_table.rota_errors()
    first, last = heading.index("(least)") + len("(least)"), heading.index("made") + len("made")
    made = [line[first:last].strip() for line in rest if line.split()[1] == "alltoall"]
    assert made == ["1", "1"]


def test_silent_unless_asked(compiled: Compile) -> None:
    """Without ROTA_REPORT Rota says nothing."""
    outcome = succeeded(run_with_rota([compiled("lines")], 6, SMALL_BLOCKS))
    assert outcome.rota_errors() == []


def test_report_that_cannot_be_written(compiled: Compile, tmp_path: Path) -> None:
    """The report is not lost, nor is the program: the table comes on standard error."""
    outcome = succeeded(
        run_with_rota([compiled("lines")], 6, SMALL_BLOCKS, tmp_path / "missing" / "report.json")
    )
    assert "cannot write" in outcome.rota_errors()[0]
    assert sum(line.split()[1] == "bcast" for line in outcome.rota_errors()) == 4
