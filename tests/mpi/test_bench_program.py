"""The program that measures: it knows every collective, and refuses to time one that gives wrong results."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from mpi_jobs import Outcome, compile_program, run_job, succeeded

from rota.bench.names import COLLECTIVES, Collective
from rota.launch import preferred_job, with_environment
from rota.library import Abi, bench_path

WORDS = [
    f"{collective.mpi_name}/{shape}" if len(collective.shapes) > 1 else collective.mpi_name
    for collective in COLLECTIVES.values()
    for shape in collective.shapes
]


def bench(abi: Abi, ranks: int, words: Sequence[str], preload: Path | None = None) -> Outcome:
    job = preferred_job(abi, [str(bench_path(abi)), *words])
    return run_job(with_environment(job, {"LD_PRELOAD": str(preload)} if preload else {}), ranks)


def lines_of(outcome: Outcome) -> Iterator[dict[str, Any]]:
    return map(json.loads, succeeded(outcome).output.splitlines())


@pytest.mark.parametrize("ranks", [1, 4, 5])
def test_every_collective_is_measured(abi: Abi, ranks: int) -> None:
    words = [text for word in WORDS for text in (word, "0:1", "8:1", "1000:3")]
    lines = list(lines_of(bench(abi, ranks, words)))
    said = [(line["collective"], line["shape"], line["bytes"]) for line in lines]
    assert said == [
        (word.partition("/")[0], word.partition("/")[2] or "regular", size)
        for word in WORDS
        for size in (0, 8, 1000)
    ]
    for line in lines:
        assert len(line["native_seconds"]) == len(line["rota_seconds"]) == (3 if line["bytes"] == 1000 else 1)
        for way in ("native", "rota"):
            spent = zip(line[f"{way}_met_seconds"], line[f"{way}_seconds"], strict=True)
            assert all(until_met_s >= seconds for until_met_s, seconds in spent)
        has_data = ranks > 1 or not line["collective"].startswith("alltoall")
        assert line["data_bytes"] >= (line["bytes"] if has_data else 0)
        if line["collective"].startswith("alltoall"):
            assert line["data_bytes"] == busiest_bytes(line["messages"], ranks)
        assert sum(line["share_bytes"]) == (line["data_bytes"] if line["share_bytes"] else 0)


def test_hosts_and_their_links_are_found_out(abi: Abi) -> None:
    """On one machine there is one host, and no link."""
    (line,) = lines_of(bench(abi, 3, ["links"]))
    assert line == {"ranks": 3, "host_of_rank": [0, 0, 0], "bits_per_s": [0]}


def busiest_bytes(messages: Sequence[Sequence[int]], ranks: int) -> int:
    """Return the most that a rank sends or receives, as the program says which messages there are."""
    return max(
        sum(size for *ends, size in messages if ends[end] == rank) for rank in range(ranks) for end in (0, 1)
    )


def test_messages_have_the_shape_that_was_asked_for(abi: Abi) -> None:
    words = [f"alltoallv/{shape}" for shape in ("regular", "sparse4", "sparse8", "skewed")]
    asked = [text for word in words for text in (word, "840000:1")]
    regular, four, eight, skewed = (line["messages"] for line in lines_of(bench(abi, 13, asked)))
    for messages, degree in ((regular, 12), (four, 4), (eight, 8)):
        assert {size for *_, size in messages} == {840000 // degree}
        assert len({(sender, receiver) for sender, receiver, _ in messages}) == len(messages) == 13 * degree
        assert all(sender != receiver for sender, receiver, _ in messages)
        for end in (0, 1):
            assert sorted(message[end] for message in messages) == sorted(list(range(13)) * degree)
    assert max(size for *_, size in skewed) > 1000 * min(size for *_, size in skewed)


def test_shares_have_the_shape_that_was_asked_for(abi: Abi) -> None:
    words = [*(f"allgatherv/{shape}" for shape in ("regular", "irregular", "degenerate")), "reduce_scatter"]
    asked = [text for word in words for text in (word, "1200:1")]
    shares = [line["share_bytes"] for line in lines_of(bench(abi, 4, asked))]
    assert shares == [[300] * 4, [0, 400, 800, 0], [1200, 0, 0, 0], [296, 304, 296, 304]]


@pytest.mark.parametrize("collective", COLLECTIVES.values(), ids=COLLECTIVES.keys())
def test_wrong_results_are_not_timed(collective: Collective, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is missing: install gcc")
    source = tmp_path / "lazy.c"
    source.write_text(f"int {collective.function}(void) {{ return 0; }}\n")
    lazy = tmp_path / "lazy.so"
    compile_program((compiler, "-shared", "-fPIC", source, "-o", lazy), tmp_path)
    ended = bench("openmpi", 3, [collective.mpi_name, "240:1"], preload=lazy)
    assert ended.status == 2
    assert f"rota-bench: wrong results of {collective.mpi_name}, 240 bytes" in ended.errors
    assert ended.output == ""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "usage: [unchecked] COLLECTIVE"),
        (["bcast"], "usage: [unchecked] COLLECTIVE"),
        (["8:1"], "'8:1': name a collective before its sizes"),
        (["gather", "8:1"], "'gather': no such collective"),
        (["scan/regular", "8:1"], "'scan/regular': shapes are for"),
        (["allgatherv/odd", "8:1"], "'allgatherv/odd': the shapes are regular, irregular, degenerate"),
        (["alltoallv/irregular", "8:1"], "'alltoallv/irregular': the shapes are regular, sparse4"),
        (["bcast", "8"], "'8': write SIZE:PAIRS"),
        (["bcast", "8:0"], "'8:0': write SIZE:PAIRS"),
        (["bcast", "8:1x"], "'8:1x': write SIZE:PAIRS"),
        (["bcast", "99999999999:1"], "'99999999999:1': write SIZE:PAIRS"),
    ],
)
def test_what_is_no_case_is_refused(words: list[str], complaint: str) -> None:
    ended = bench("mpich", 1, words)
    assert ended.status == 2
    assert f"rota-bench: {complaint}" in ended.errors
    assert ended.output == ""
