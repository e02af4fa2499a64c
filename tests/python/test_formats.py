"""Schedules from others' programs, and for them: MSCCL's XML, GOAL, traces."""

import json
import re
import shutil
import subprocess
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rota import Network, Schedule, algorithms, schedule, simulate, solves, transfers, verify
from rota.collectives import COLLECTIVES, ROOTED
from rota.errors import RotaError
from rota.formats.chrome_trace import trace_of
from rota.formats.goal import goal_of
from rota.formats.msccl_chunks import NAMES
from rota.formats.msccl_read import schedule_of_msccl
from rota.formats.msccl_write import msccl_of

NETWORK = Network(latency_s=3e-6, seconds_per_byte=1e-9, seconds_per_combined_byte=0.0)
MEBIBYTE = 2**20


def all_schedules(collectives: Any, ranks: int, blocks: int) -> list[Schedule]:
    return [
        schedule(each, algorithm, ranks=ranks, blocks=blocks, root=ranks - 1 if each in ROOTED else 0)
        for each in collectives
        for algorithm in algorithms(each)
        if solves(each, algorithm, ranks=ranks)
    ]


# --- MSCCL


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
@pytest.mark.parametrize("blocks", [1, 3])
def test_msccl_is_read_back(ranks: int, blocks: int) -> None:
    """Every algorithm's program does what the schedule does, though its rounds may be others."""
    for each in all_schedules(NAMES, ranks, blocks):
        name, read = schedule_of_msccl("".join(msccl_of(each, "a<b")))
        assert name == "a<b"
        assert verify(read) == []
        assert read.problem.collective == each.problem.collective
        assert read.effort().port_blocks <= max(each.effort().port_blocks, 2 * each.lower_bound().port_blocks)


def test_msccl_waits_for_what_it_needs() -> None:
    """No step reads a chunk without waiting, itself or its thread block before, for whoever wrote it."""
    text = "".join(msccl_of(schedule("allreduce", "circulant", ranks=8, blocks=2), ""))
    root = ET.fromstring(text)  # noqa: S314 - our own
    for gpu in root.iter("gpu"):
        steps = {(tb.get("id"), step.get("s")): step for tb in gpu.iter("tb") for step in tb.iter("step")}
        for step in steps.values():
            if step.get("depid") != "-1":
                assert steps[step.get("depid"), step.get("deps")].get("hasdep") == "1"


def program(*gpus: str, chunks: int = 2, coll: str = "allreduce") -> str:
    inside = "".join(
        f'<gpu id="{i}" i_chunks="{chunks}" o_chunks="0" s_chunks="{chunks}">{gpu}</gpu>'
        for i, gpu in enumerate(gpus)
    )
    return f'<algo name="n" nchunksperloop="{chunks}" ngpus="{len(gpus)}" coll="{coll}">{inside}</algo>'


def block(peer: int, *steps: str, number: int = 0) -> str:
    return f'<tb id="{number}" send="{peer}" recv="{peer}" chan="0">{"".join(steps)}</tb>'


def step(kind: str, source: str, target: str, count: int = 1) -> str:
    facts = f'srcbuf="{source[0]}" srcoff="{source[1:]}" dstbuf="{target[0]}" dstoff="{target[1:]}"'
    return f'<step s="0" type="{kind}" {facts} cnt="{count}" depid="-1" deps="-1" hasdep="0"/>'


def test_msccl_by_scratch_memory() -> None:
    """Both ranks send the other what it sums, and then the sums: as others' all-pairs programs do."""
    gpus = [
        block(
            1 - me,
            step("s", f"i{1 - me}", "s0"),
            step("r", f"i{me}", "s0"),
            step("re", "s0", f"i{me}"),
            step("s", f"i{me}", f"i{me}"),
            step("r", f"i{1 - me}", f"i{1 - me}"),
        )
        for me in (0, 1)
    ]
    _, read = schedule_of_msccl(program(*gpus))
    assert (read.rounds, verify(read)) == (2, [])


def test_msccl_that_forgets_a_part() -> None:
    """Is read, and refuted."""
    gpus = (
        block(1, step("s", "i1", "s0"), step("r", "i0", "s0"), step("re", "s0", "i0")),
        block(0, step("s", "i0", "s0"), step("r", "i1", "s0"), step("re", "s0", "i1")),
    )
    _, read = schedule_of_msccl(program(*gpus))
    assert {fault.block.owner for fault in verify(read)} == {0, 1}


WRONG_PROGRAMS = {
    "<a/>": "it begins with <a>",
    "<algo": "it is no XML",
    "<!DOCTYPE a><algo/>": "declares a document type",
    program("", "", coll="custom"): "its collective is 'custom'",
    program(block(1, step("x", "i0", "i0")), ""): "unknown type 'x'",
    program(block(0, step("s", "i0", "i0")), ""): "needs another rank",
    program(block(1, step("r", "i0", "i0")), ""): "waits forever",
    program(block(1, step("s", "i7", "i7")), ""): "no chunk 7",
    program(block(1, step("s", "q0", "i0")), ""): "srcbuf is 'q'",
    program(block(1, step("s", "s0", "i0")), ""): "nothing was put into",
}


@pytest.mark.parametrize("text", WRONG_PROGRAMS)
def test_wrong_programs(text: str) -> None:
    with pytest.raises(RotaError, match=re.escape(WRONG_PROGRAMS[text])):
        schedule_of_msccl(text)


# --- GOAL


def replayed(text: str) -> float:
    """Play GOAL by the linear model, with its own reading of the text; return when the last rank is done."""
    ended: dict[tuple[int, str], float] = {}
    waiting: list[tuple[int, str, str]] = []
    needs: dict[tuple[int, str], list[str]] = defaultdict(list)
    rank = -1
    for line in text.splitlines():
        if found := re.fullmatch(r"rank (\d+) \{", line):
            rank = int(found[1])
        elif found := re.fullmatch(r"(\w+) requires (\w+)", line):
            needs[rank, found[1]].append(found[2])
        elif found := re.fullmatch(r"(\w+): (.+)", line):
            waiting.append((rank, found[1], found[2]))
    what = {(rank, label): doing for rank, label, doing in waiting}
    ends = {}
    for (me, label), doing in what.items():
        found = re.fullmatch(r"(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", doing)
        if found:
            kind, size, peer, tag = found[1], int(found[2]), int(found[3]), found[4]
            ends[me, label] = (peer, ("r" if kind == "send" else "s") + tag, size)

    def start_s(place: tuple[int, str]) -> float:
        return max((end_s((place[0], label)) for label in needs[place]), default=0.0)

    def end_s(place: tuple[int, str]) -> float:
        if place not in ended:
            peer, label, size = ends[place]
            both = max(start_s(place), start_s((peer, label)))
            ended[place] = both + NETWORK.latency_s + size * NETWORK.seconds_per_byte
        return ended[place]

    return max((end_s(place) for place in what), default=0.0)


@pytest.mark.parametrize("ranks", [2, 5, 8])
def test_goal_takes_what_the_model_says(ranks: int) -> None:
    for each in all_schedules((*NAMES, COLLECTIVES["scan"]), ranks, 3):
        text = "".join(goal_of(each, NETWORK, 3000))
        assert text.startswith(f"num_ranks {ranks}\n")
        assert replayed(text) == pytest.approx(simulate(each, NETWORK, 3000).seconds)


@pytest.mark.skipif(
    shutil.which("txt2bin") is None, reason="LogGOPSim's txt2bin and LogGOPSim are not on PATH"
)
@pytest.mark.parametrize("algorithm", ["circulant", "chain", "binomial"])
def test_goal_by_loggopsim(tmp_path: Path, algorithm: str) -> None:
    """LogGOPSim reads it, and comes within 1 % of the model."""
    goal, binary = tmp_path / "s.goal", tmp_path / "s.bin"
    of = schedule("bcast", algorithm, ranks=8, blocks=4)
    goal.write_text("".join(goal_of(of, NETWORK, 4 * MEBIBYTE)))
    subprocess.run(("txt2bin", "-i", goal, "-o", binary), check=True, capture_output=True)
    costs = ("-L", "3000", "-o", "0", "-g", "0", "-G", "1", "-S", "0")
    said = subprocess.run(("LogGOPSim", "-f", binary, *costs), check=True, capture_output=True, text=True)
    ends_ns = [int(end) for end in re.findall(r"Host \d+: (\d+)", said.stdout)]
    assert max(ends_ns) == pytest.approx(simulate(of, NETWORK, 4 * MEBIBYTE).seconds * 1e9, rel=0.01)


# --- traces


def test_trace() -> None:
    """Every message has a slice at both ends and an arrow between; no port does two things at once."""
    of = schedule("allreduce", "circulant", ranks=5, blocks=2)
    told = json.loads("".join(trace_of(of, NETWORK, MEBIBYTE, "it")))
    slices = [event for event in told["traceEvents"] if event["ph"] == "X"]
    messages = transfers(of, NETWORK, MEBIBYTE)
    assert len(slices) == 2 * len(messages)
    assert [sum(event["ph"] == kind for event in told["traceEvents"]) for kind in "sf"] == [len(messages)] * 2
    of_port: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for event in slices:
        of_port[event["pid"], event["tid"]].append(event)
    for events in of_port.values():
        for one, after in pairwise(sorted(events, key=lambda event: event["ts"])):
            assert one["ts"] + one["dur"] <= after["ts"] + 1e-6
    last_us = max(event["ts"] + event["dur"] for event in slices)
    assert last_us == pytest.approx(simulate(of, NETWORK, MEBIBYTE).seconds * 1e6)
