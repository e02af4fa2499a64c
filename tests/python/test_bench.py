"""What `rota bench` makes of the times that it is given: no lab and no MPI here."""

import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rota.bench.busy import busy_loops
from rota.bench.collectives import Experiment, Outcome, call_of, pairs_of, served_by_call
from rota.bench.grid import GRID_SERIES, GRID_SIZES_BYTES, Cell, GridFile, GridSpec, cells_of
from rota.bench.limits import Demand, Load, demands
from rota.bench.names import COLLECTIVES, Series, parse_series, series_of
from rota.bench.pairs import Pairs, Served, require_possible
from rota.bench.place import Place, place_in_lab
from rota.bench.plot import plot
from rota.bench.plot_grid import plot_grid
from rota.commands.bench_all import limit_table, ratio_table, verdict
from rota.drawing.render import Picture, rendered
from rota.errors import RotaError
from rota.lab import LabSpec, Link, burst_bytes
from rota.lab.spec import MapBy
from rota.units import format_rate

MIB = 1 << 20
RATE = 200_000_000
FOUR_HOSTS = place_in_lab(LabSpec.uniform(4, RATE))
FOUR_HOSTS_OF_TWO = place_in_lab(LabSpec.uniform(4, RATE, per_host=2))
CIRCULANT = Served("circulant", 7, 9, "")


def pairs_with(ratios: Sequence[float], size_bytes: int = MIB, native_s: float = 1.0) -> Pairs:
    times = tuple(native_s * ratio for ratio in ratios)
    processor = (0.5,) * len(ratios)
    return Pairs(
        size_bytes,
        size_bytes,
        (native_s,) * len(ratios),
        times,
        processor,
        processor,
        0.5,
        0.25,
        (CIRCULANT,),
    )


def link_seconds(collective: str, data_bytes: int, shares: Sequence[int], place: Place) -> float:
    return max(demand.seconds for demand in demands(COLLECTIVES[collective], Load(data_bytes, shares), place))


def test_series_have_the_words_of_command_and_program() -> None:
    series = series_of("reduce-scatter", "irregular")
    assert (series.label, series.word) == ("reduce-scatter/irregular", "reduce_scatter/irregular")
    assert series.title == "MPI_Reduce_scatter, irregular"
    assert series_of("bcast").word == "bcast"
    assert series_of("reduce-scatter-block").title == "MPI_Reduce_scatter_block"


def test_a_collective_without_a_shape_means_each() -> None:
    assert [series.label for series in parse_series("bcast, allgatherv")] == [
        "bcast",
        "allgatherv/regular",
        "allgatherv/irregular",
        "allgatherv/degenerate",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gather", "'gather' is no collective"),
        ("", "'' is no collective"),
        ("allgatherv/odd", "'odd' is no shape of allgatherv"),
        ("alltoallv/degenerate", "'degenerate' is no shape of alltoallv"),
        ("scan/irregular", "scan has no shapes"),
        ("allgatherv,allgatherv/regular", "names allgatherv/regular twice"),
    ],
)
def test_what_is_no_series_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(RotaError, match=complaint):
        parse_series(text)


@pytest.mark.parametrize(
    ("collective", "shares", "port_bytes"),
    [
        ("bcast", (), MIB),
        ("reduce", (), MIB),
        ("scan", (), MIB),
        ("exscan", (), MIB),
        ("allreduce", (), 2 * MIB * 3 / 4),
        ("allgather", (MIB // 4,) * 4, MIB * 3 / 4),
        ("allgatherv", (0, MIB // 4, MIB // 2, MIB // 4), MIB),
        ("allgatherv", (MIB, 0, 0, 0), MIB),
        ("reduce-scatter", (MIB // 8, MIB // 2, MIB // 8, MIB // 4), MIB * 7 / 8),
        ("reduce-scatter-block", (MIB // 4,) * 4, MIB * 3 / 4),
    ],
)
def test_the_limit_with_a_rank_on_each_host(
    collective: str, shares: Sequence[int], port_bytes: float
) -> None:
    assert link_seconds(collective, MIB, shares, FOUR_HOSTS) == pytest.approx(port_bytes * 8 / RATE)


@pytest.mark.parametrize(
    ("collective", "shares", "port_bytes"),
    [
        ("bcast", (), MIB),
        ("scan", (), MIB),
        ("allreduce", (), 2 * MIB * 3 / 4),
        ("allgather", (MIB // 8,) * 8, MIB * 3 / 4),
        # The hosts' shares are 1/8, 1/4, 3/8 and 1/4.
        ("allgatherv", tuple(i % 3 * MIB // 8 for i in range(8)), MIB * 7 / 8),
        ("reduce-scatter", tuple(i % 3 * MIB // 8 for i in range(8)), MIB * 7 / 8),
    ],
)
def test_the_limit_with_two_ranks_on_each_host(
    collective: str, shares: Sequence[int], port_bytes: float
) -> None:
    assert link_seconds(collective, MIB, shares, FOUR_HOSTS_OF_TWO) == pytest.approx(port_bytes * 8 / RATE)


@pytest.mark.parametrize("collective", ["scan", "exscan"])
def test_the_limit_of_a_scan_counts_how_often_ranks_in_order_pass_a_link(collective: str) -> None:
    in_turn = place_in_lab(LabSpec((RATE,) * 4, per_host=3, map_by=MapBy.NODE))
    assert link_seconds(collective, MIB, (), in_turn) == pytest.approx(3 * MIB * 8 / RATE)
    uneven = Place((0, 0, 1, 1, 0), (RATE, 4 * RATE))
    assert link_seconds(collective, MIB, (), uneven) == pytest.approx(MIB * 8 / RATE)
    back_and_forth = Place((0, 1, 0, 1), (4 * RATE, RATE))
    assert link_seconds(collective, MIB, (), back_and_forth) == pytest.approx(2 * MIB * 8 / RATE)


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_one_host_needs_no_link(collective: str) -> None:
    shares = (MIB // 2, MIB // 2)
    assert (
        demands(
            COLLECTIVES[collective], Load(MIB, shares), place_in_lab(LabSpec.uniform(1, RATE, per_host=2))
        )
        == ()
    )


def test_links_of_several_rates() -> None:
    spec = place_in_lab(LabSpec((RATE, 8 * RATE, 8 * RATE)))
    # Whoever lacks most has the fast link here; the slow one still has to bring the rest.
    assert link_seconds("allgatherv", 9, (8, 1, 0), spec) == pytest.approx(8 * 8 / RATE)
    assert link_seconds("allgatherv", 9, (0, 1, 8), spec) == pytest.approx(9 * 8 / RATE)
    # The fast links may carry more than their part of an allreduce, the slow one no less than the data.
    assert link_seconds("allreduce", MIB, (), spec) == pytest.approx(MIB * 8 / RATE)


def test_hosts_of_two_links_need_half_the_time() -> None:
    one, two = (place_in_lab(LabSpec.uniform(4, RATE, per_host=2, links=links)) for links in (1, 2))
    for collective in ("bcast", "reduce", "allreduce", "allgatherv", "scan"):
        shares = (MIB // 8,) * 8
        needed = [link_seconds(collective, MIB, shares, place) for place in (one, two)]
        assert needed[1] == pytest.approx(needed[0] / 2)
    assert two.words == f"4 hosts, 2 ranks each, 2 links each of {format_rate(RATE)}"
    in_turn = place_in_lab(LabSpec((RATE,) * 4, per_host=2, map_by=MapBy.NODE))
    assert in_turn.words == f"4 hosts, 2 ranks each in turn, links of {format_rate(RATE)}"
    assert (two.as_json()["links_per_host"], "links_per_host" in one.as_json()) == (2, False)


def test_one_of_a_kind_is_counted_as_one() -> None:
    assert place_in_lab(LabSpec.uniform(1, RATE, per_host=2)).ranks_on_hosts == "2 ranks on 1 host"
    assert Place((0,), ()).ranks_on_hosts == "1 rank on 1 host"
    assert FOUR_HOSTS.ranks_on_hosts == "4 ranks on 4 hosts"


def test_the_limit_of_messages() -> None:
    messages = ((0, 1, MIB), (0, 2, MIB), (3, 2, 2 * MIB), (2, 0, MIB))
    needed = demands(COLLECTIVES["alltoallv"], Load(3 * MIB, (), messages), FOUR_HOSTS)
    assert [demand.size_bytes for demand in needed] == [2 * MIB, MIB, 3 * MIB, 2 * MIB]
    # Of ranks 0 and 1, on one host, to 2 and 3, on another, and back.
    needed = demands(
        COLLECTIVES["alltoallv"],
        Load(3 * MIB, (), messages),
        place_in_lab(LabSpec.uniform(2, RATE, per_host=2)),
    )
    assert [demand.size_bytes for demand in needed] == [MIB, MIB]


def test_every_link_of_a_demand_may_run_ahead() -> None:
    burst = burst_bytes(RATE)
    assert Demand(3 * burst, (RATE,)).least_seconds == pytest.approx(2 * burst * 8 / RATE)
    assert Demand(6 * burst, (RATE, RATE)).least_seconds == pytest.approx(2 * burst * 8 / RATE)
    assert Demand(burst, (RATE, RATE)).least_seconds == 0


def test_times_below_the_limit_are_refused() -> None:
    """Of calls from the first rank's beginning on: who comes late may take less."""
    late = pairs_with([0.1, 0.1, 0.1])
    require_possible([0.24], late, "MPI_Bcast")
    require_possible([0.2, 0.3, 0.3], late, "MPI_Bcast")
    with pytest.raises(RotaError, match=r"MPI_Bcast of 1 MiB took 200 ms, but the links need 250 ms"):
        require_possible([1.0, 0.2, 0.2], late, "MPI_Bcast")


def test_what_served_is_found_by_collective_and_size() -> None:
    def reported(collective: str, size_class: int, calls: int, schedule: str) -> dict[str, Any]:
        return {
            "collective": collective,
            "size_class_bytes": size_class,
            "calls": calls,
            "schedule": schedule,
            "blocks": 3,
            "rounds": 4,
            "reason": "",
        }

    report = {
        "calls": [
            reported("allgather", 64, 1, "ring"),
            reported("allgather", 64, 9, "circulant"),
            reported("scan", 64, 5, "chain"),
            reported("allgather", 0, 5, "none"),
        ]
    }
    served = served_by_call(report)
    assert [each.schedule for each in served[call_of("allgather", 100)]] == ["circulant", "ring"]
    assert [each.schedule for each in served[call_of("scan", 127)]] == ["chain"]
    assert [each.schedule for each in served[call_of("allgather", 0)]] == ["none"]
    assert call_of("scan", 128) not in served


def test_a_line_of_the_measuring_program_becomes_pairs() -> None:
    line = {
        "bytes": 6,
        "data_bytes": 8,
        "share_bytes": [2, 2, 2, 2],
        "messages": [],
        "native_seconds": [1.0, 2.0],
        "rota_seconds": [0.5, 3.0],
        "native_processor_seconds": [1.0, 3.0],
        "rota_processor_seconds": [0.25, 0.75],
    }
    pairs = pairs_of(line, {call_of("allgather", 8): (CIRCULANT,)}, COLLECTIVES["allgather"], FOUR_HOSTS)
    assert (pairs.size_bytes, pairs.data_bytes, pairs.ratios) == (6, 8, (0.5, 1.5))
    assert pairs.link_seconds == pytest.approx(6 * 8 / RATE)
    assert pairs.native_processor_seconds_per_gib == pytest.approx(2.0 * (1 << 30) / 8)
    assert pairs.rota_processor_seconds_per_gib == pytest.approx(0.5 * (1 << 30) / 8)
    assert pairs.served == (CIRCULANT,)
    assert pairs_of(line, {}, COLLECTIVES["allgather"], FOUR_HOSTS).served == ()


@pytest.mark.parametrize(
    ("count", "low", "high"),
    # 95 %: the k-th smallest and the k-th largest, k = 1 up to eight pairs, 2 for nine, 40 for a hundred.
    [(1, 1, 1), (3, 1, 3), (6, 1, 6), (8, 1, 8), (9, 2, 8), (100, 40, 61)],
)
def test_the_interval_of_the_median(count: int, low: float, high: float) -> None:
    ratios = [float(value) for value in range(1, count + 1)]
    assert pairs_with(ratios[::-1]).interval == (low, high)


def test_the_grid_is_what_it_is_said_to_be() -> None:
    assert GRID_SIZES_BYTES[:3] == (8, 32, 128)
    assert GRID_SIZES_BYTES[-2:] == (8 * MIB, 16 * MIB)
    assert {series.collective for series in GRID_SERIES} == set(COLLECTIVES.values())
    assert len(GRID_SERIES) == 16


def a_grid() -> tuple[GridSpec, list[Cell]]:
    spec = GridSpec(FOUR_HOSTS, "mpich", {8: 9, MIB: 3})
    rows = {
        "bcast": ([1.04] * 9, [0.5] * 3),
        "scan": ([1.2] * 9, [1.06] * 3),
    }
    cells = [
        Cell(series_of(name), pairs_with(ratios, size))
        for name, row in rows.items()
        for size, ratios in zip(spec.pairs_of_size, row, strict=True)
    ]
    return spec, cells


def test_a_cell_that_is_left_to_native_has_no_frame_that_accuses() -> None:
    spec, cells = a_grid()
    native = Served("native", blocks=0, rounds=0, reason="small")
    left = Cell(cells[2].series, replace(cells[2].pairs, served=(native,)))
    assert (left.is_native, left.is_much_slower) == (True, True)
    frames = [plot_grid(spec, [cell]).axes[0].patches[0].get_linestyle() for cell in (left, cells[2])]
    assert frames == [":", "-"]


def test_a_cell_in_which_schedules_took_turns_is_not_left_to_native() -> None:
    cell = a_grid()[1][2]
    turns = Served("native", blocks=0, rounds=0, reason="in turn with a schedule")
    schedule = Served("circulant", blocks=4, rounds=7, reason="")
    assert not Cell(cell.series, replace(cell.pairs, served=(turns, schedule))).is_native
    assert not Cell(cell.series, replace(cell.pairs, served=())).is_native


def test_the_table_flags_what_is_much_slower() -> None:
    spec, cells = a_grid()
    table = ratio_table(spec, cells)
    columns = [[str(cell) for cell in column.cells] for column in table.columns]
    assert columns == [["bcast", "scan"], ["1.04", "1.20!"], ["0.50", "1.06!"]]
    assert [column.header for column in table.columns] == ["", "8 B", "1 MiB"]


def test_large_sizes_are_compared_to_the_limit() -> None:
    spec, cells = a_grid()
    columns = [[str(cell) for cell in column.cells] for column in limit_table(spec, cells).columns]
    assert columns == [["bcast", "scan"], ["1.00 (2.00)", "2.12 (2.00)"]]


def test_the_verdict_names_the_worst_first() -> None:
    lines = verdict(a_grid()[1]).splitlines()
    assert lines[0] == "2 of 4 cells are not slower than native by over 5 %"
    assert lines[1] == "  scan 8 B: 1.20 (95 %: 1.20-1.20, 9 pairs), circulant, 7 blocks"
    assert lines[2] == "  scan 1 MiB: 1.06 (1.06-1.06, 3 pairs), circulant, 7 blocks"


def test_a_file_holds_the_rows_that_came(tmp_path: Path) -> None:
    spec, cells = a_grid()
    file = GridFile(tmp_path / "grid.jsonl", spec)
    file.start("rota bench all")
    assert file.read() == ()
    file.add(cells[:2])
    assert file.read() == tuple(cells[:2])
    file.add(cells[2:])
    assert file.read() == tuple(cells)


def test_a_file_of_another_grid_is_not_gone_on_with(tmp_path: Path) -> None:
    spec, cells = a_grid()
    path = tmp_path / "grid.jsonl"
    GridFile(path, spec).start("rota bench all")
    GridFile(path, spec).add(cells)
    with pytest.raises(RotaError, match="was measured elsewhere, with another MPI or other sizes"):
        GridFile(path, GridSpec(FOUR_HOSTS_OF_TWO, "mpich", {8: 9, MIB: 3})).read()
    path.write_text("no grid\n")
    with pytest.raises(RotaError, match="cannot be read as a grid"):
        GridFile(path, spec).read()
    with pytest.raises(RotaError, match="cannot be read as a grid"):
        GridFile(tmp_path / "missing", spec).read()


def test_pictures_name_what_they_show() -> None:
    spec, cells = a_grid()
    grid = rendered(Picture(plot_grid(spec, cells), "a grid"), "svg").decode()
    series = Series(COLLECTIVES["allgatherv"], "irregular")
    results = tuple(cell.pairs for cell in cells[:2])
    links = (Link(RATE, RATE, RATE),)
    outcome = Outcome(Experiment("mpich", series, {8: 9, MIB: 3}), FOUR_HOSTS, links, results)
    one = rendered(Picture(plot(outcome), "one collective"), "svg").decode()
    # Text is drawn as shapes, beside comments that spell it.
    assert "<!-- scan -->" in grid
    assert "<!-- 1.20 -->" in grid
    assert "MPI_Allgatherv, irregular, mpich" in one
    assert [cell.series for cell in cells_of(outcome)] == [series, series]


def test_busy_loops_are_busy_and_end() -> None:
    with busy_loops(2):
        time.sleep(0.5)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Each had a processor, or shared one with whatever else there is.
    assert after.ru_utime - before.ru_utime > 0.1
    with busy_loops(0):
        pass
