"""What a benchmark has written is drawn later as it would have been then, and says which command measured."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes

from rota.bench.collectives import Experiment, Outcome
from rota.bench.fabric import FABRICS
from rota.bench.grid import Cell, GridFile, GridSpec
from rota.bench.inter_group import group_series
from rota.bench.names import series_of
from rota.bench.never_slower import Total
from rota.bench.pairs import Pairs, Served
from rota.bench.pictures import of_grid, of_outcome, of_rows, of_starts, of_totals
from rota.bench.place import Place, place_in_lab
from rota.bench.plot import NATIVE_COLOUR, ROTA_COLOUR
from rota.bench.smpi import Point, Row, Times
from rota.bench.starts import Starts, StartsOutcome
from rota.cli import status_of
from rota.commands.asked import asked, source_line
from rota.drawing.lab_times import lab_times
from rota.drawing.render import Picture, rendered
from rota.lab import LabSpec, Link
from rota.reproduce import in_lab as lab
from rota.reproduce.beside import as_json

PLACE = place_in_lab(LabSpec.uniform(4, 10**8, links=2))
SPEC = GridSpec(PLACE, "mpich", {8: 0, 1 << 20: 0})
SERVED = (Served("circulant", 7, 9, ""), Served("native", 0, 0, "small"))
COMMAND = "rota bench something --mpi mpich --plot FILE"


def pairs_of(size_bytes: int, ratio: float) -> Pairs:
    spent = (0.5, 0.5, 0.5)
    return Pairs(
        size_bytes, size_bytes, (1.0, 2.0, 4.0), (ratio, ratio, 3.0), spent, spent, 0.5, 0.25, SERVED
    )


CELLS = tuple(
    Cell(series_of(name), pairs_of(size, ratio))
    for name, size, ratio in (("bcast", 8, 1.1), ("scan", 1 << 20, 0.5))
)
TOTALS = tuple(Total(cell.series, (cell.pairs,), (cell.pairs,) * 2) for cell in CELLS)
SERIES = series_of("allgatherv", "irregular")
OUTCOME = Outcome(Experiment("openmpi", SERIES, {8: 3}), PLACE, (Link(10**8, 9e7, 9e7),), (pairs_of(8, 0.7),))
WAYS = ("blocking", "waited", "tested", "computed_tested", "alone", "computed_alone")
STARTS = StartsOutcome(
    "openmpi",
    PLACE,
    1 << 23,
    (Starts("bcast", {f"{who}_{way}": [1.0, 3.0] for who in ("native", "rota") for way in WAYS}),),
)
GROUPS = group_series(3, 1, duplex=True)
BETWEEN = Outcome(Experiment("mpich", GROUPS, {8: 3}), PLACE, (Link(10**8, 9e7, 9e7),), (pairs_of(8, 0.7),))
ROW = Row(Point(SERIES, 36, 1 << 20, FABRICS["200gbit"]), {"ompi": Times(1.0, 2.0), "impi": Times(1.5, 0.5)})
TIMES = [
    [lab.Times(series, size, 1.0, 0.1, {"theirs": 0.5, "ours": 0.25}, {"ours": 7}) for size in (8, 1 << 20)]
    for series in (SERIES, GROUPS)
]
FIGURE = lab.Figure(
    "Figure 9",
    "of nothing",
    tuple(
        lab.Curve(curve[0].series, (8, 1 << 20), {"theirs": {}, "ours": {}}, first="theirs")
        for curve in TIMES
    ),
    "it is faster",
)
IN_LAB = {
    "paper": "A paper: in the lab",
    "mpi": "mpich",
    **PLACE.as_json(),
    "parts": as_json([lab.part_of(FIGURE, TIMES, "here")] * 2),
}
KINDS: dict[str, tuple[dict[str, Any], Picture]] = {
    "never-slower": (
        {**SPEC.as_json(), "cells": [total.as_json() for total in TOTALS]},
        of_totals(SPEC, TOTALS),
    ),
    "overlap": (STARTS.as_json(), of_starts(STARTS)),
    "bcast": (OUTCOME.as_json(), of_outcome(OUTCOME)),
    "inter-group": (BETWEEN.as_json(), of_outcome(BETWEEN)),
    "smpi": ({"rows": [ROW.as_json()]}, of_rows([ROW])),
    "reproduce": (
        IN_LAB,
        Picture(
            lab_times(TIMES * 2, lab.title_of("A paper: in the lab", "mpich", PLACE)), "A paper: in the lab"
        ),
    ),
}


def drawn(file: Path) -> str:
    picture = file.with_suffix(".svg")
    assert status_of(["bench", "draw", str(file), "--plot", str(picture)]) == 0
    return picture.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_as_it_would_have_been_drawn(kind: str, tmp_path: Path) -> None:
    written, picture = KINDS[kind]
    file = tmp_path / "measured.json"
    file.write_text(json.dumps({"command": COMMAND, **written}, indent=1))
    assert drawn(file) == rendered(picture, "svg", COMMAND).decode()


def test_collectives_that_return_at_once_are_spelt_as_all_are() -> None:
    block = replace(STARTS.results[0], collective="reduce_scatter_block")
    waited, *_ = of_starts(replace(STARTS, results=(block,))).figure.axes
    assert [label.get_text() for label in waited.get_yticklabels()] == [
        series_of("reduce_scatter_block").label
    ]


def test_a_grid_as_it_would_have_been_drawn(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    file = GridFile(path, SPEC)
    file.start(COMMAND)
    file.add(CELLS)
    picture = of_grid(SPEC, CELLS)
    assert drawn(path) == rendered(picture, "svg", COMMAND).decode()


def test_collectives_in_smpi_are_named_as_in_grids() -> None:
    """With the shape of their shares, where there are several."""
    (axes,) = of_rows([ROW]).figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"{SERIES.label}, 36 ranks, 1 MiB"]


def test_rotas_own_times_have_its_colour_in_a_lab_too() -> None:
    """Whatever the number of ways that a paper has."""
    panel, *_ = lab_times(TIMES, "A paper").axes
    colours = {line.get_label(): line.get_color() for line in panel.lines}
    assert (colours["native"], colours["ours"]) == (NATIVE_COLOUR, ROTA_COLOUR)
    assert len({*colours.values()}) == len(colours)


def test_where_links_carry_nothing_they_have_no_limit() -> None:
    """A grid of one host has no panel of limits, and a collective's times have no line for it."""
    alone = Place((0, 0, 0, 0), (), "localhost")
    within = [replace(cell, pairs=replace(cell.pairs, link_seconds=0.0)) for cell in CELLS]
    of_hosts = of_grid(SPEC, CELLS).figure
    of_one = of_grid(replace(SPEC, place=alone), within).figure
    assert [_starts(axes) for axes in of_hosts.axes] == ["Rota / native,", "Times the links' limit"]
    assert [_starts(axes) for axes in of_one.axes] == ["Rota / native,"]
    assert of_one.get_figwidth() < of_hosts.get_figwidth()
    times, _ = of_outcome(replace(OUTCOME, place=alone, results=(within[0].pairs,))).figure.axes
    assert times.get_legend_handles_labels()[1] == ["native", "Rota"]


def _starts(axes: Axes) -> str:
    return axes.get_title().split("\n")[0]


def test_a_grid_of_one_host_is_drawn_from_what_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    file = GridFile(path, replace(SPEC, place=Place((0, 0), (), "localhost")))
    file.start(COMMAND)
    file.add([replace(cell, pairs=replace(cell.pairs, link_seconds=0.0)) for cell in CELLS])
    assert "Rota and mpich" in drawn(path)


def test_a_grid_that_was_gone_on_with_is_as_one_that_was_not(tmp_path: Path) -> None:
    """Its rows stand in the order of all grids, and its command measures it in one go."""
    path = tmp_path / "grid.jsonl"
    file = GridFile(path, SPEC)
    with asked(["bench", "all", "--resume", "--json", str(path), "--plot", "grid.png"]):
        assert source_line() == "rota bench all --plot FILE"
        file.start(source_line())
    file.add(CELLS[1:])
    file.add(CELLS[:1])
    assert drawn(path) == rendered(of_grid(SPEC, CELLS), "svg", "rota bench all --plot FILE").decode()


def test_what_is_read_is_what_was_written() -> None:
    """But for what a file does not say."""
    assert StartsOutcome.of_json(STARTS.as_json()) == STARTS
    assert Outcome.of_json(OUTCOME.as_json()) == OUTCOME
    assert Outcome.of_json(BETWEEN.as_json()) == BETWEEN
    assert Row.of_json(ROW.as_json()) == ROW
    assert GridSpec.of_json(SPEC.as_json()) == SPEC
    assert [Cell.of_json(cell.as_json()) for cell in CELLS] == list(CELLS)
    for total in TOTALS:
        again = Total.of_json(total.as_json())
        assert (again.ratio, again.noise, again.served) == (total.ratio, total.noise, total.served)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no JSON",
        "[1, 2]",
        "{}",
        "7",
        '{"command": "x", "sizes": 3}',
        '{"command": "x", "parts": []}',
        "\x00",
    ],
)
def test_anything_else_is_refused_in_a_line(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.json"
    file.write_text(content)
    assert status_of(["bench", "draw", str(file), "--plot", str(tmp_path / "x.svg")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "has nothing to draw" in line
    assert not (tmp_path / "x.svg").exists()
