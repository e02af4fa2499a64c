"""`rota bench smpi`: what it is asked, and that SMPI's ranks get right results in time that repeats."""

import shutil

import pytest

from rota.bench.names import COLLECTIVES, Series, series_of
from rota.bench.smpi import Point, measure
from rota.commands.bench_smpi import parse_ranks, parse_selectors
from rota.errors import RotaError
from rota.library import smpi_bench_path

MB = 1_000_000


@pytest.fixture(scope="module")
def smpi() -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun: apt-get install simgrid libsimgrid-dev")
    try:
        smpi_bench_path()
    except RotaError as lacks:
        pytest.skip(str(lacks))


def test_limits_are_what_the_fullest_link_carries() -> None:
    limits = {word: Point(series_of(word), 8, 10 * MB).limit_s for word in COLLECTIVES}
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


@pytest.mark.usefixtures("smpi")
@pytest.mark.parametrize("word", COLLECTIVES)
def test_results_are_right_in_smpi(word: str) -> None:
    times = measure(Point(Series(COLLECTIVES[word]), 8, 200_000), "ompi", fold_memory=False)
    assert times.rota_s > 0


@pytest.mark.usefixtures("smpi")
def test_a_broadcast_is_near_the_limit_and_repeats_to_the_bit() -> None:
    point = Point(series_of("bcast"), 8, 4 * MB)
    first, second = measure(point, "ompi"), measure(point, "ompi")
    assert first == second
    assert 1 <= first.rota_s / point.limit_s < 1.3
