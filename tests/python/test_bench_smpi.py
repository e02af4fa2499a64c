"""`rota bench smpi`: what it is asked, and that SMPI's ranks get right results in time that repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rota.bench.fabric import FABRICS
from rota.bench.names import COLLECTIVES, Series, series_of
from rota.bench.smpi import Point, measure
from rota.cli import status_of
from rota.commands.bench_smpi import parse_fabric, parse_ranks, parse_selectors
from rota.errors import RotaError

if TYPE_CHECKING:
    from pathlib import Path

    from rota.bench.fabric import Fabric

MB = 1_000_000
SLOW, FAST = FABRICS["10gbit"], FABRICS["200gbit"]


def test_limits_are_what_the_fullest_link_carries() -> None:
    limits = {word: Point(series_of(word), 8, 10 * MB, SLOW).limit_s for word in COLLECTIVES}
    assert limits["bcast"] == limits["reduce"] == pytest.approx(8e-3)
    assert limits["allgatherv"] == limits["reduce-scatter"] == pytest.approx(7e-3)
    assert limits["allreduce"] == pytest.approx(14e-3)


@pytest.mark.parametrize("text", ["", "1", "-3", "8,x"])
def test_wrong_numbers_of_ranks_are_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no number of ranks"):
        parse_ranks(text)


def test_unknown_selectors_are_refused() -> None:
    with pytest.raises(RotaError, match="'lam' is no selector"):
        parse_selectors("ompi,lam")


def test_unknown_fabrics_are_refused() -> None:
    with pytest.raises(RotaError, match="'fast' is no fabric: choose from 10gbit, 200gbit"):
        parse_fabric("fast")


@pytest.mark.parametrize("fabric", FABRICS.values(), ids=FABRICS)
@pytest.mark.parametrize("size", [1, 1000, MB, 64 * MB])
def test_no_number_of_blocks_takes_less_than_the_least(fabric: Fabric, size: int) -> None:
    """All of them tried: where one rank has the data."""
    point = Point(series_of("bcast"), 36, size, fabric)
    tried = (
        (blocks - 1 + 6) * (fabric.message_s + point.limit_s / blocks)
        for blocks in range(1, min(size, 5000) + 1)
    )
    assert point.least_s == pytest.approx(min(tried), rel=2e-3)
    assert point.limit_s < point.least_s


@pytest.mark.usefixtures("smpi")
@pytest.mark.parametrize("word", COLLECTIVES)
def test_results_are_right_in_smpi(word: str) -> None:
    times = measure(Point(Series(COLLECTIVES[word]), 8, 200_000, SLOW), "ompi", fold_memory=False)
    assert times.rota_s > 0


@pytest.mark.usefixtures("smpi")
@pytest.mark.parametrize("word", ["bcast", "reduce", "allreduce", "allgatherv", "reduce-scatter"])
def test_a_fast_fabric(word: str) -> None:
    """Rota's cost model cuts data well there, with overheads and rendezvous that it is not told of."""
    point = Point(series_of(word), 12, 2 * MB, FAST)
    assert measure(point, "ompi").rota_s / point.least_s < 1.25


@pytest.mark.usefixtures("smpi")
def test_a_broadcast_is_near_the_limit_and_repeats_to_the_bit() -> None:
    point = Point(series_of("bcast"), 8, 4 * MB, SLOW)
    first, second = measure(point, "ompi"), measure(point, "ompi")
    assert first == second
    assert 1 <= first.rota_s / point.limit_s < 1.3


@pytest.mark.usefixtures("smpi")
def test_the_picture_is_drawn_again_from_the_json(tmp_path: Path) -> None:
    file, picture, again = (tmp_path / name for name in ("rows.json", "rows.svg", "again.svg"))
    words = ["bench", "smpi", "--ranks", "4,5", "--bytes", "1KiB", "--collectives", "bcast,allgatherv"]
    assert status_of([*words, "--selectors", "mpich", "--json", str(file), "--plot", str(picture)]) == 0
    assert status_of(["bench", "draw", str(file), "--plot", str(again)]) == 0
    assert again.read_bytes() == picture.read_bytes()
