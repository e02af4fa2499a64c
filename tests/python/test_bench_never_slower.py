"""What is said of all calls of a cell together."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from rota.bench.grid import GridSpec
from rota.bench.names import series_of
from rota.bench.never_slower import Total, summary_of, total_ratio
from rota.bench.pairs import Pairs
from rota.bench.place import place_in_lab
from rota.bench.plot_never_slower import plot_never_slower
from rota.commands import bench_never_slower
from rota.commands.bench_never_slower import is_slower, never_slower, totals_table
from rota.drawing.render import Picture, rendered
from rota.lab import LabSpec

SIZES = (8, 1 << 20)
SPEC = GridSpec(place_in_lab(LabSpec.uniform(4, 10**9)), "mpich", dict.fromkeys(SIZES, 50))


def pairs_of(size_bytes: int, native_seconds: tuple[float, ...], rota_seconds: tuple[float, ...]) -> Pairs:
    idle = (0.0,) * len(rota_seconds)
    return Pairs(size_bytes, size_bytes, native_seconds, rota_seconds, idle, idle, 0, 0, ())


def total(collective: str, size_bytes: int, ratio: float, noise: float = 1.0) -> Total:
    with_rota = (pairs_of(size_bytes, (1.0,), (ratio,)),)
    return Total(series_of(collective), with_rota, (pairs_of(size_bytes, (1.0,), (noise,)),))


TOTALS = (
    total("bcast", SIZES[0], 1.01),
    total("bcast", SIZES[1], 0.5),
    total("scan", SIZES[0], 1.2, noise=1.15),
    total("scan", SIZES[1], 1.2),
)


def test_all_calls_count() -> None:
    """The first, slow one too."""
    assert total_ratio(pairs_of(8, (1.0, 1.0, 2.0), (3.0, 1.0, 2.0))) == 1.5


def test_of_several_jobs_the_median_counts() -> None:
    """One of them may have waited for a processor."""
    jobs = tuple(pairs_of(8, (1.0, 1.0), (seconds, 1.0)) for seconds in (1.2, 9.0, 1.0))
    assert Total(series_of("bcast"), jobs, jobs[:1]).ratio == 1.1


def test_the_file_has_every_time() -> None:
    written = TOTALS[2].as_json()
    assert written["with_rota"] == [{"rota_seconds": (1.2,), "native_seconds": (1.0,), "served": []}]
    assert written["without"] == [{"rota_seconds": (1.15,), "native_seconds": (1.0,), "served": []}]
    assert written["served"] == "not reported"


def test_the_summary_tells_of_noise_too() -> None:
    summary = summary_of(TOTALS)
    assert (summary.median, summary.worst) == (1.105, 1.2)
    assert (summary.noise_median, summary.noise_worst) == (1.0, 1.15)
    assert "1.105 in the median cell, 1.20 in the worst" in summary.text
    assert "1.000 and 1.15" in summary.text


def test_only_what_is_no_noise_is_slower() -> None:
    assert [is_slower(each) for each in TOTALS] == [False, False, False, True]


def test_the_table_has_both_ratios() -> None:
    table = totals_table(SPEC, TOTALS)
    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    assert cells == [["bcast", "scan"], ["1.01 (1.00)", "1.20 (1.15)"], ["0.50 (1.00)", "1.20! (1.00)"]]


def test_the_picture_names_what_it_shows() -> None:
    picture = rendered(Picture(plot_never_slower(SPEC, TOTALS), "totals"), "svg").decode()
    assert "<!-- native beside native -->" in picture
    assert "<!-- Rota beside native -->" in picture


def test_what_is_measured_is_written_though_the_rest_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An interrupt, or a job that fails, leaves the rows before it."""

    def first_row_only(*_: object) -> Iterator[tuple[Total, ...]]:
        yield TOTALS[:2]
        raise KeyboardInterrupt

    site = SimpleNamespace(place=SPEC.place)
    where = SimpleNamespace(opened=lambda *_: nullcontext(site))
    for name, stand_in in (
        ("where_of", lambda *_: where),
        ("abi_for", lambda *_: SPEC.abi),
        ("measured_totals", first_row_only),
    ):
        monkeypatch.setattr(bench_never_slower, name, stand_in)
    file = tmp_path / "totals.json"
    with pytest.raises(KeyboardInterrupt):
        never_slower(json_file=file)
    cells = json.loads(file.read_text())["cells"]
    assert [cell["size_bytes"] for cell in cells] == list(SIZES)
