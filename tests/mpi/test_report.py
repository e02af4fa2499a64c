"""What the report says is what happened."""

from pathlib import Path
from typing import Any

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import SMALL_BLOCKS, Outcome, run_job, run_with_rota, succeeded

from rota.commands.job import job_of

FIELDS = {
    "call": str,
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
    "bound_bytes": int | float,
    "bound_seconds": int | float,
    "overlapped": float | None,
    "is_start_only": bool,
}


MEBIBYTE = 1 << 20


def line_of(lines: list[dict[str, Any]], **wanted: object) -> dict[str, Any]:
    """Return the only line that has these values."""
    (line,) = (line for line in lines if all(line[name] == value for name, value in wanted.items()))
    return line


def test_json(compiled: Compile, report: Path) -> None:
    """Each line has the calls of one kind, in ceil(m / 64) blocks."""
    settings = {**SMALL_BLOCKS, "ROTA_LINK_RATE": "1gbit", "ROTA_HOSTS": "6"}
    outcome = succeeded(run_with_rota([compiled("lines")], 6, settings, report))
    assert outcome.report is not None
    assert outcome.report["link_bits_per_second"] == 1e9
    assert outcome.report["ended_by"] == "MPI_Finalize"
    for line in outcome.broadcasts:
        assert line.keys() == FIELDS.keys()
        assert all(isinstance(line[name], kind) for name, kind in FIELDS.items())
        assert line["call"] == line["collective"] == "bcast"
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


@pytest.mark.parametrize("asked", ["1", "-"])
def test_table(asked: str, compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table on standard error, every line marked as Rota's; no file."""
    monkeypatch.chdir(tmp_path)
    outcome = succeeded(run_with_rota([compiled("lines")], 6, {**SMALL_BLOCKS, "ROTA_REPORT": asked}))
    assert list(tmp_path.iterdir()) == []
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
    made = [line[first:last].strip() for line in rest if line.split()[1] == "alltoallv"]
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


@pytest.mark.parametrize(
    ("end", "files"),
    [
        ("finalize", {"report.json", "trace.json", "learnt.profile"}),
        ("abort", {"report.json", "trace.json"}),
    ],
)
def test_files_are_where_the_program_was_started(
    compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, files: set[str]
) -> None:
    """Not where it has gone since."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    named = {"ROTA_REPORT": "report.json", "ROTA_TRACE": "trace.json", "ROTA_LEARN": "learnt.profile"}
    ended = run_with_rota([compiled("elsewhere"), elsewhere, end], 2, {**SMALL_BLOCKS, **named})
    assert (ended.status == 0) == (end == "finalize"), ended.errors
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", *files}
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize(("ranks", "off"), [(4, ""), (4, "all"), (2, "")])
def test_exchanges_have_their_names_and_sizes(compiled: Compile, report: Path, ranks: int, off: str) -> None:
    """Also those that are passed on without a look; each rank has one neighbour, and between groups half."""
    outcome = succeeded(run_with_rota([compiled("every_exchange")], ranks, {"ROTA_OFF": off}, report))
    found = [
        (line["call"], line["ranks"], line["bytes"] / MEBIBYTE, line["calls"])
        for line in outcome.lines
        if line["collective"] == "alltoall"
    ]
    names = ("alltoall", "alltoallv", "alltoallw")
    assert sorted(found) == sorted(
        [(name, ranks, ranks - 1, 2) for name in names]
        + [(f"neighbor_{name}", ranks, 1, 2) for name in names]
        + [("alltoallv", ranks, ranks / 2, 2)]
    )


@ONE_ABI
def test_no_bound_for_calls_that_latency_decides(compiled: Compile) -> None:
    """A bound of the bytes alone says nothing of 2000 of them, and much of 3 MiB on a host each."""
    settings = {**SMALL_BLOCKS, "ROTA_LINK_RATE": "1e9", "ROTA_REPORT": "1"}
    small = succeeded(run_with_rota([compiled("lines")], 6, settings))
    large = succeeded(run_with_rota([compiled("every_exchange")], 4, {**settings, "ROTA_HOSTS": "4"}))
    assert {_below(small, "x bound", line) for line in _calls_in(small, "bcast")} == {""}
    assert all(float(_below(large, "x bound", line)) > 0 for line in _calls_in(large, "alltoallv"))


def test_what_the_library_starts_has_no_bound(compiled: Compile, report: Path) -> None:
    """When such a call ends, the report does not know: its time says nothing beside the links' limit."""
    program, settings = (
        (compiled("at_once"), "ibcast", 1 << 20, 3),
        {"ROTA_OFF": "all", "ROTA_LINK_RATE": "1e6"},
    )
    outcome = succeeded(run_with_rota(program, 3, settings, report))
    started = [line for line in outcome.lines if line["call"] == "ibcast"]
    assert started
    assert all(line["is_start_only"] for line in started)
    assert not any(line["is_start_only"] for line in outcome.lines if line["call"] == "bcast")
    printed = succeeded(run_with_rota(program, 3, {**settings, "ROTA_REPORT": "1"}))
    for line in _calls_in(printed, "ibcast"):
        assert _below(printed, "x bound", line) == ""
        assert line.endswith("switched off; only its start is timed")


def test_what_matters_comes_first(compiled: Compile, report: Path) -> None:
    """Three calls of a second come before 11 kinds of small ones, which are one line in the table."""
    program = [compiled("one_slow")]
    as_json = succeeded(run_with_rota(program, 3, {}, report))
    assert len(as_json.lines) > 11
    first = as_json.lines[0]
    assert (first["call"], first["bytes"], first["calls"]) == ("bcast", 512, 3)
    times = [line["calls"] * line["seconds"] for line in as_json.lines]
    assert times == sorted(times, reverse=True)
    heading, *rest = succeeded(run_with_rota(program, 3, {"ROTA_REPORT": "1"})).rota_errors()
    assert "in all" in heading
    assert rest[0].split()[:6] == ["rota:", "bcast", "3", "512", "B", "3"]
    (small,) = (line for line in rest if "more lines" in line)
    assert int(small.split()[1]) + len(rest) - 1 == len(as_json.lines)


def test_a_native_run_has_a_report_too(compiled: Compile) -> None:
    """What the MPI library's own collectives take is what schedules are compared with."""
    job = job_of([str(compiled("lines"))], mpi=None, off=None, report="-", trace=None, native=True)
    outcome = succeeded(run_job(job, 3))
    lines = _calls_in(outcome, "bcast")
    assert len(lines) == 4
    assert all("native" in line and "switched off" in line for line in lines)


def test_a_native_bound_knows_who_shares_hosts(compiled: Compile, report: Path) -> None:
    """Of two hosts' four ranks an allreduce moves all data once each way, not one and a half times."""
    settings = {"ROTA_OFF": "all", "ROTA_HOSTS": "2", "ROTA_LINK_RATE": "1e9"}
    outcome = succeeded(run_with_rota([compiled("watched")], 4, settings, report))
    lines = [line for line in outcome.lines if line["call"] == "allreduce"]
    assert lines
    for line in lines:
        assert line["bound_seconds"] == pytest.approx(8e-9 * line["bytes"])


@pytest.mark.parametrize("off", ["all", "bcast"])
def test_a_native_exchange_passes_its_hosts_links(compiled: Compile, report: Path, off: str) -> None:
    """On two hosts of two ranks a link carries the messages of both ranks to both others.

    Also where it is native because that is its turn.
    """
    settings = {"ROTA_OFF": off, "ROTA_HOSTS": "2"}
    outcome = succeeded(run_with_rota([compiled("on_two_hosts")], 4, settings, report))
    assert outcome.report is not None
    bounds = {line["call"]: (line["bytes"], line["bound_bytes"]) for line in outcome.report["calls"]}
    assert bounds["alltoall"] == (3 * MEBIBYTE, 4 * MEBIBYTE)
    assert bounds["alltoallv"] == (MEBIBYTE, 2 * MEBIBYTE)


def test_a_program_that_survives_its_error_ends_well(compiled: Compile, report: Path) -> None:
    """Messages that a failed collective has left on MPI_COMM_WORLD are none of the report's."""
    outcome = succeeded(run_with_rota([compiled("survivor")], 3, {}, report))
    assert sorted(outcome.output.splitlines()) == [
        "rank 0: survived",
        "rank 1: gathered",
        "rank 2: gathered",
    ]
    assert outcome.report is not None


def _calls_in(table: Outcome, call: str) -> list[str]:
    return [line for line in table.rota_errors() if line.split()[1] == call]


def _below(table: Outcome, title: str, line: str) -> str:
    """Return what a line of a table has below a title, which stands to the right."""
    heading = next(each for each in table.rota_errors() if title in each)
    end = heading.index(title) + len(title)
    return line[end - 10 : end].strip()
