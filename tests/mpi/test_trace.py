"""The trace says what really happened: every call, and every message of those that a schedule serves."""

import json
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import ALL_FORCED, SMALL_BLOCKS, Outcome, run_job, run_with_rota, succeeded
from test_last_words import end_by

from rota import Network, schedule, transfers
from rota.commands.job import job_of
from rota.library import Abi

pytestmark = ONE_ABI

RANKS = 6
LONGS = 2500 * 8
MARKS = 20
FORCED = f"{ALL_FORCED['ROTA_ALGORITHM']},alltoall=exact,inter_allgather=circulant,inter_bcast=circulant"
SETTINGS = {
    "ROTA_ALGORITHM": f"{FORCED},inter_allreduce=spread",
    "ROTA_BLOCK_BYTES": "1024",
    "ROTA_HOSTS": str(RANKS),
}
BLOCKING = ("bcast", "reduce", "allreduce", "allgather", "allgatherv", "reduce_scatter_block")
BLOCKING_TOO = ("scan", "exscan", "alltoall", "alltoallv")
PROFILE = f"""rota-profile 1
ranks {RANKS}
hosts {RANKS}
latency_s 1e-06
seconds_per_byte 1e-09
seconds_per_combined_byte 1e-10
measured reduce 4096 0.001 circulant 1024 0.002
"""
Event = dict[str, Any]


class Trace:
    """A trace that was read back."""

    def __init__(self, file: Path) -> None:
        """Read it."""
        self.file = file
        told = json.loads(file.read_text())
        self.events: list[Event] = told["traceEvents"]
        self.about: dict[str, Any] = told["otherData"]
        self.calls = self.slices("call")
        self.messages = self.slices("message")
        self.models = self.slices("model")

    def slices(self, category: str) -> list[Event]:
        return [event for event in self.events if event["ph"] == "X" and event["cat"] == category]

    def names(self, rank: int) -> set[str]:
        of_threads = (each for each in self.events if each["name"] == "thread_name" and each["pid"] == rank)
        return {each["args"]["name"] for each in of_threads}

    def by_call(self) -> dict[tuple[int, int], list[Event]]:
        """Return the messages of all ranks, by the channel and the number of the call on it."""
        found: dict[tuple[int, int], list[Event]] = defaultdict(list)
        for each in self.messages:
            found[each["args"]["channel"], each["args"]["play"]].append(each)
        return found


def traced(program: Path, ranks: int, settings: Mapping[str, str], file: Path) -> tuple[Trace, Outcome]:
    outcome = succeeded(run_with_rota([program], ranks, {**settings, "ROTA_TRACE": str(file)}))
    return Trace(file), outcome


def ends(messages: Iterable[Event]) -> tuple[Counter[Any], Counter[Any]]:
    """Count what was sent and what was received: who from, who to, in which round, how many bytes."""
    sent: Counter[Any] = Counter()
    received: Counter[Any] = Counter()
    for each in messages:
        own, (peer, number, size) = each["pid"], (each["args"][name] for name in ("peer", "round", "bytes"))
        is_sent = each["name"].startswith("to")
        (sent if is_sent else received)[
            (own, peer, number, size) if is_sent else (peer, own, number, size)
        ] += 1
    return sent, received


@pytest.fixture(scope="module")
def of_all(abi: Abi, compiled: Compile, tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, Outcome]:
    """Return the trace of one job with all kinds of calls."""
    return traced(compiled("traced"), RANKS, SETTINGS, tmp_path_factory.mktemp(abi) / "trace.json")


def test_every_rank_has_every_call(abi: Abi, of_all: tuple[Trace, Outcome]) -> None:
    """With what served it, and nothing is open or lost."""
    trace, _ = of_all
    is_carried_on = abi != "mpi5"
    at_once = ["ibcast", "iallreduce", *["bcast_init"] * (3 if is_carried_on else 1)]
    expected = Counter([*["bcast"] * (MARKS + 1 + 1), *BLOCKING[1:], *BLOCKING_TOO, *at_once])
    expected += Counter(["allreduce", "allgather", "allreduce"])  # between groups, and at the end
    for rank in range(RANKS):
        calls = [each for each in trace.calls if each["pid"] == rank]
        # The root's fellows in a broadcast between groups know nothing, and are in no call.
        own = expected - Counter(["bcast"] if 0 < rank < RANKS // 2 else [])
        assert Counter(each["args"]["call"] for each in calls) == own
        assert all(each["args"]["is_over"] for each in calls)
        served = {each["args"]["call"] for each in calls if each["args"]["schedule"] != "native"}
        assert served >= {*BLOCKING, *BLOCKING_TOO, *(at_once if is_carried_on else ())}
        assert {"calls", "rounds: sends", "rounds: receives"} <= trace.names(rank)
    assert (trace.about["lost_calls"], trace.about["lost_messages"]) == (0, 0)
    assert trace.about["ended_by"] == "MPI_Finalize"
    assert [each["rank"] for each in trace.about["ranks"]] == list(range(RANKS))


def test_what_is_sent_is_received(of_all: tuple[Trace, Outcome]) -> None:
    """Each message has both its ends, which an arrow joins, and lies within its call on either rank."""
    trace, _ = of_all
    of_calls = trace.by_call()
    assert len(of_calls) > 30
    for messages in of_calls.values():
        sent, received = ends(messages)
        assert sent == received
    flows = [{each["id"] for each in trace.events if each["ph"] == end} for end in "sf"]
    assert flows[0] == flows[1]
    assert len(flows[0]) * 2 == len(trace.messages)
    calls = {
        (each["pid"], each["args"]["channel"], each["args"]["play"]): each
        for each in trace.calls
        if each["args"]["schedule"] != "native"
    }
    for each in trace.messages:
        call = calls[each["pid"], each["args"]["channel"], each["args"]["play"]]
        assert call["ts"] <= each["ts"]
        assert each["ts"] + each["dur"] <= call["ts"] + call["dur"] + 0.002


@pytest.mark.parametrize(
    ("call", "name"), [("bcast", "circulant"), ("allreduce", "circulant"), ("scan", "chain")]
)
def test_rounds_are_the_schedules(of_all: tuple[Trace, Outcome], call: str, name: str) -> None:
    """The messages of a call are those of the schedule, of as many bytes."""
    trace, _ = of_all
    one = next(
        each["args"]
        for each in trace.calls
        if each["args"]["call"] == call and each["args"]["ranks"] == RANKS and each["args"]["bytes"] == LONGS
    )
    sent, _ = ends(trace.by_call()[one["channel"], one["play"]])
    of = schedule(call, name, ranks=RANKS, blocks=one["blocks"], root=1 if call == "bcast" else 0)
    planned = transfers(of, Network(1e-6, 1e-9, 0.0), LONGS)
    assert Counter(each[:3] for each in sent.elements()) == Counter(
        (each.sender, each.receiver, each.round) for each in planned
    )
    assert sum(each[3] for each in sent.elements()) == pytest.approx(
        sum(each.bytes for each in planned), rel=0.01
    )
    assert one["rounds"] == of.rounds


def test_nothing_arrives_before_it_is_sent(of_all: tuple[Trace, Outcome]) -> None:
    """But for what clocks may be wrong, of which the trace says how much that is."""
    trace, _ = of_all
    errors = {each["rank"]: each["clock_error_us"] for each in trace.about["ranks"]}
    assert all(0 < error < 1e6 for rank, error in errors.items() if rank > 0)
    begins: dict[tuple[int, ...], float] = {}
    for each in (one for one in trace.messages if one["name"].startswith("to")):
        args = each["args"]
        begins[each["pid"], args["peer"], args["channel"], args["play"], args["round"]] = each["ts"]
    for each in (one for one in trace.messages if one["name"].startswith("from")):
        args = each["args"]
        began = begins[args["peer"], each["pid"], args["channel"], args["play"], args["round"]]
        may_be_wrong = errors[args["peer"]] + errors[each["pid"]]
        assert each["ts"] + each["dur"] >= began - may_be_wrong


def test_clocks_agree(of_all: tuple[Trace, Outcome]) -> None:
    """All ranks are on one machine, whose clock the program has read just before some calls."""
    trace, outcome = of_all
    read = defaultdict(list)
    for line in outcome.output.splitlines():
        _, rank, seconds = line.split()
        read[int(rank)].append(float(seconds) * 1e6)
    begun = defaultdict(list)
    for each in sorted(trace.calls, key=lambda each: each["ts"]):
        if each["args"]["bytes"] == 999:
            begun[each["pid"]].append(each["ts"])
    assert {len(times) for times in [*read.values(), *begun.values()]} == {MARKS}
    # The least is of a rank that lost no processor in between.
    apart = {rank: min(b - r for b, r in zip(begun[rank], read[rank], strict=True)) for rank in range(RANKS)}
    for each in trace.about["ranks"]:
        assert abs(apart[each["rank"]] - apart[0]) <= each["clock_error_us"] + 100


def test_show(of_all: tuple[Trace, Outcome], tmp_path: Path) -> None:
    """`rota show` lists the calls that schedules served, and draws one; bad words are told in a line."""
    trace, _ = of_all
    listed = _rota("show", trace.file)
    played = {(each["args"]["channel"], each["args"]["play"]) for each in trace.calls} & set(trace.by_call())
    numbers = [line.split()[0] for line in listed.stdout.splitlines() if line.strip()[:1].isdigit()]
    assert [number for number in numbers if "calls of ranks" not in number][: len(played)] == [
        str(number) for number in range(len(played))
    ]
    picture = tmp_path / "call.png"
    assert _rota("show", trace.file, "--call", 3, "--plot", picture).stdout == ""
    assert picture.read_bytes().startswith(b"\x89PNG")
    for words, fault in (
        (("--call", 9999), "the trace has calls 0 to"),
        (("--rank", 1), "leave out --rank"),
        (("--ranks", 4), "is the trace of a run: leave out --ranks"),
    ):
        refused = _rota("show", trace.file, *words, status=2)
        assert fault in refused.stderr
        assert refused.stderr.count("\n") == 1


def _rota(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "rota"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done


def test_no_model_without_a_network(of_all: tuple[Trace, Outcome]) -> None:
    """Nothing is known of it, and the trace says so."""
    trace, _ = of_all
    assert trace.models == []
    assert trace.about["model"].startswith("none")


def test_the_model_beside_it(compiled: Compile, tmp_path: Path) -> None:
    """By a profile's network: of each call that a schedule served what it should have taken."""
    profile = tmp_path / "profile"
    profile.write_text(PROFILE)
    settings = {**SETTINGS, "ROTA_PROFILE": str(profile)}
    trace, _ = traced(compiled("traced"), RANKS, settings, tmp_path / "trace.json")
    assert trace.about["model"].startswith("by the network")
    (one,) = (each for each in trace.calls if each["pid"] == 2 and each["args"]["call"] == "reduce")
    (model,) = (each for each in trace.models if each["pid"] == 2 and each["args"]["call"] == "reduce")
    assert model["ts"] == one["ts"]
    args = one["args"]
    expected_us = args["rounds"] * (1 + LONGS / args["blocks"] * 1.1e-3)
    assert model["dur"] == pytest.approx(expected_us, rel=0.1)
    assert model["args"]["took_us"] == pytest.approx(one["dur"], abs=0.01)


def test_memory_is_bounded(compiled: Compile, tmp_path: Path) -> None:
    """What there is no room for is counted, in the trace and by rank 0."""
    settings = {**SMALL_BLOCKS, "ROTA_BLOCK_BYTES": "1", "ROTA_TRACE_MEMORY": "1MiB"}
    trace, outcome = traced(compiled("long"), 3, settings, tmp_path / "trace.json")
    about = trace.about
    assert about["memory_bytes_a_rank"] == 1 << 20
    assert about["lost_messages"] > 0
    assert about["lost_messages"] == sum(each["lost_messages"] for each in about["ranks"])
    assert about["lost_messages"] == sum(each["args"]["lost_messages"] for each in trace.calls)
    (line,) = outcome.rota_errors()
    assert f"lacks 0 calls and {about['lost_messages']} messages" in line
    assert "for which 1 MiB a rank were not enough: set ROTA_TRACE_MEMORY" in line


def test_off_unless_asked(compiled: Compile, tmp_path: Path) -> None:
    """Nobody writes anything."""
    outcome = succeeded(run_with_rota([compiled("lines")], 3, {**SMALL_BLOCKS, "ROTA_TRACE": "0"}))
    assert outcome.rota_errors() == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written(compiled: Compile, tmp_path: Path) -> None:
    """The program goes on; one line says so, before it begins."""
    file = tmp_path / "missing" / "trace.json"
    outcome = succeeded(run_with_rota([compiled("lines")], 3, {**SMALL_BLOCKS, "ROTA_TRACE": str(file)}))
    (line,) = outcome.rota_errors()
    assert f"ROTA_TRACE: cannot write {file}" in line


def test_native_calls_too(compiled: Compile, tmp_path: Path) -> None:
    """`--trace` as `--report`: a run that Rota serves nothing of has a trace to compare with."""
    file = tmp_path / "trace.json"
    job = job_of([str(compiled("lines"))], mpi=None, off=None, report=None, trace=str(file), native=True)
    succeeded(run_job(job, 3))
    trace = Trace(file)
    assert {each["args"]["reason"] for each in trace.calls} == {"switched off"}
    assert trace.messages == []


def test_a_job_that_is_ended_leaves_rank_0s(compiled: Compile, tmp_path: Path) -> None:
    """As with the report."""
    file = tmp_path / "trace.json"
    end_by(
        signal.SIGTERM,
        [compiled("killed"), "wait"],
        {**SMALL_BLOCKS, "ROTA_TRACE": str(file)},
        to_rank_0=True,
    )
    trace = Trace(file)
    assert trace.about["ended_by"] == "SIGTERM"
    assert [each["args"]["call"] for each in trace.calls] == ["bcast"] * 10
    assert {each["pid"] for each in trace.calls} == {0}
