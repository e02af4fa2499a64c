"""``rota explain``: what it says with and without a profile, and what is wrong in one."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from rota.commands import explain as command
from rota.errors import RotaError

PROFILE = """rota-profile 1
ranks 16   # and a comment
hosts 16
latency_s 3.1e-05
seconds_per_byte 4.1e-08
seconds_per_combined_byte 2.2e-10
measured allreduce 65536 0.0123 circulant 36864 0.0091
measured allreduce 4096 0.0005 circulant 36864 0.0009
"""

app = typer.Typer()
app.command()(command.explain)


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROTA_ADAPT", "ROTA_ALGORITHM", "ROTA_BLOCK_BYTES", "ROTA_OFF", "ROTA_PROFILE"):
        monkeypatch.delenv(name, raising=False)


def printed(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*arguments: object) -> str:
    fault = CliRunner().invoke(app, [*map(str, arguments)]).exception
    assert isinstance(fault, RotaError)
    assert "\n" not in str(fault)
    return str(fault)


def explained(tmp_path: Path, *arguments: object) -> Any:
    path = tmp_path / "explanation.json"
    printed(*arguments, "--json", path)
    return json.loads(path.read_text())


def profile(tmp_path: Path, text: str = PROFILE) -> Path:
    path = tmp_path / "profile.txt"
    path.write_text(text)
    return path


def test_the_choice_is_the_candidate_that_is_predicted_to_be_fastest(tmp_path: Path) -> None:
    said = explained(tmp_path, "bcast", "--ranks", 100, "--bytes", "1MiB")
    best = min(said["candidates"], key=lambda one: one["predicted_seconds"])
    assert len(said["candidates"]) > 1
    assert said["choice"] == {
        "algorithm": best["algorithm"],
        "reason": "",
        "blocks": best["blocks"],
        "rounds": best["rounds"],
        "competes": True,
        "native_on_links": [],
    }
    assert best["rounds"] >= said["least"]["rounds"] == best["blocks"] - 1 + 7
    assert said["least"]["bytes"] == 1 << 20
    assert not said["network"]["is_measured"]
    assert said["measured"] is None


def test_what_was_asked_is_told_too(tmp_path: Path) -> None:
    asked = {"bytes": 1 << 20, "in_order": False}
    among = explained(tmp_path, "broadcast", "--ranks", 9, "--bytes", "1MiB")
    assert among["call"] == {"collective": "bcast", "ranks": 9, "largest_share_bytes": None, **asked}
    between = explained(tmp_path, "broadcast", "--senders", 3, "--receivers", 6, "--bytes", "1MiB")
    groups = {"senders": 3, "receivers": 6, "is_duplex": False}
    assert between["call"] == {"collective": "inter_bcast", **groups, **asked}


@pytest.mark.parametrize(
    ("collective", "size", "native"),
    [
        ("bcast", "16MiB", []),  # nothing is summed
        ("reduce", "4MiB", []),
        ("scan", "16MiB", []),
        ("exscan", "1MiB", []),
        ("exscan", "1023KiB", ["fast"]),
        ("allreduce", "16MiB", []),
        ("allreduce", "2MiB", ["fast"]),
        ("reduce", "300KiB", ["medium", "fast"]),
    ],
)
def test_sums_go_by_how_fast_links_are(tmp_path: Path, collective: str, size: str, native: list[str]) -> None:
    said = explained(tmp_path, collective, "--ranks", 4, "--bytes", size)
    assert said["choice"]["native_on_links"] == native


def test_sums_on_shared_fast_links_are_native(tmp_path: Path) -> None:
    said = explained(tmp_path, "reduce", "--ranks", 8, "--hosts", 4, "--bytes", "16MiB")
    assert said["choice"]["native_on_links"] == ["fast"]


def test_the_text_names_candidates_bound_and_choice() -> None:
    text = printed("allreduce", "--ranks", 100, "--bytes", "1MiB", "--in-order")
    for words in ("allreduce over 100 ranks, 1 MiB", "predicted", "without a profile", "bound ", "choice "):
        assert words in text
    assert "measured" not in text
    assert "circulant" not in text  # it wants operators that commute


def test_one_is_no_plural() -> None:
    assert (
        printed("bcast", "--ranks", 1, "--bytes", 64)
        .split("\n")[0]
        .strip()
        .startswith("bcast over 1 rank, 64 B")
    )
    assert " 1 ranks" not in printed("bcast", "--senders", 3, "--receivers", 1, "--bytes", 64)


def test_the_bound_says_what_a_message_may_carry() -> None:
    def bound(size: str) -> str:
        lines = printed("bcast", "--ranks", 100, "--bytes", size).splitlines()
        return next(line for line in lines if line.startswith("bound "))

    assert " rounds with one block of each owner a message, " in bound("1MiB")
    assert " 7 rounds, " in bound("64B")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--ranks", 100, "--bytes", 64), "small"),
        (("--ranks", 100, "--bytes", 0), "no data"),
        (("--ranks", 1, "--bytes", "1MiB"), "one rank"),
        (("--ranks", 2, "--bytes", "1MiB"), "two ranks"),
        (("--ranks", 100, "--bytes", "1MiB", "--hosts", 1), "one host"),
        (("--ranks", 100, "--bytes", "128KiB", "--hosts", 25), "small"),
    ],
)
def test_reasons_for_the_native_collective(arguments: tuple[object, ...], reason: str) -> None:
    assert f"native: {reason}" in printed("bcast", *arguments)


def test_hosts_of_their_own_are_no_reason() -> None:
    assert "native: " not in printed("bcast", "--ranks", 100, "--bytes", "1MiB", "--hosts", 100)


def test_on_shared_hosts_only_schedules_that_mind_it(tmp_path: Path) -> None:
    """The bound is then what must pass a host's link."""
    said = explained(tmp_path, "allgather", "--ranks", 32, "--hosts", 8, "--bytes", "8MiB")
    assert [one["algorithm"] for one in said["candidates"]] == ["hierarchical", "hierarchical_abreast"]
    assert said["choice"]["algorithm"] == "hierarchical"
    assert said["ranks_share_hosts"]
    assert said["least"]["bytes"] == (8 << 20) * 7 / 8
    shares = ("--largest-share", "4MiB")
    uneven = explained(tmp_path, "allgather", "--ranks", 32, "--hosts", 8, "--bytes", "8MiB", *shares)
    assert uneven["choice"]["algorithm"] == "hierarchical_abreast"
    in_order = explained(tmp_path, "scan", "--ranks", 32, "--hosts", 8, "--bytes", "8MiB", "--in-order")
    assert [one["algorithm"] for one in in_order["candidates"]] == ["chain_on_hosts", "hierarchical"]
    asked = ("allreduce", "--ranks", 32, "--hosts", 8, "--bytes", "8MiB", "--in-order")
    assert "native: ranks share hosts" in printed(*asked)


def test_hosts_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ("bcast", "--ranks", 32, "--bytes", "8MiB")
    assert "have a host each" in printed(*question)
    monkeypatch.setenv("ROTA_HOSTS", "8")
    assert "ranks share hosts" in printed(*question)
    assert "have a host each" in printed(*question, "--hosts", 32)


def test_links_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two links carries half, as the bound has it; a host of one rank fills one."""
    question = ("bcast", "--ranks", 32, "--bytes", "8MiB", "--hosts", 8)
    assert "8 MiB through a port" in printed(*question)
    monkeypatch.setenv("ROTA_LANES", "2")
    found = printed(*question)
    assert "ranks share hosts of 2 links" in found
    assert "4 MiB through a port" in found
    assert "8 MiB through a port" in printed(*question[:1], "--ranks", 9, *question[3:])
    assert "have a host each" in printed(*question[:-1], 32)


def test_messages_that_mpi_cannot_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the data is in one message where there is one block, however many ranks share the mean."""
    monkeypatch.setenv("ROTA_ALGORITHM", "allreduce=circulant")
    monkeypatch.setenv("ROTA_BLOCK_BYTES", str(500 << 20))
    assert "native: messages of 2 GiB" in printed("allreduce", "--ranks", 1024, "--bytes", 5_000_000_000)
    assert "native" not in printed("allreduce", "--ranks", 1024, "--bytes", 3_000_000_000)


def test_the_environment_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    question = ("allreduce", "--ranks", 16, "--bytes", "64KiB")
    monkeypatch.setenv("ROTA_OFF", "allreduce")
    assert "native: switched off" in printed(*question)
    monkeypatch.delenv("ROTA_OFF")
    monkeypatch.setenv("ROTA_PROFILE", str(profile(tmp_path)))
    assert explained(tmp_path, *question)["network"]["is_measured"]
    monkeypatch.setenv("ROTA_ALGORITHM", "allreduce=rings")
    assert "ROTA_ALGORITHM" in refusal(*question)


@pytest.mark.parametrize(("size", "native"), [("64KiB", False), ("4KiB", True)])
def test_a_profile_decides(tmp_path: Path, size: str, native: bool) -> None:  # noqa: FBT001
    asked = ("allreduce", "--ranks", 16, "--bytes", size, "--profile", profile(tmp_path))
    said = explained(tmp_path, *asked)
    assert said["measured"]["bytes"] == (4096 if native else 65536)
    assert said["network"]["latency_s"] == 3.1e-05
    assert said["choice"]["algorithm"] == ("native" if native else "circulant")
    assert said["choice"]["reason"] == ("measured to be faster" if native else "")
    assert "measured  at " in printed(*asked)


@pytest.mark.parametrize("collective", ["bcast", "reduce"])
def test_hosts_pass_long_data_on_in_blocks(tmp_path: Path, collective: str) -> None:
    """As a whole it would take each of ceil(log2 16) rounds between hosts as long as all of it."""
    asked = (collective, "--ranks", 64, "--hosts", 16, "--bytes", "16MiB")
    network = "rota-profile 1\nranks 64\nhosts 16\nlatency_s 5e-6\nseconds_per_byte 8e-10\n"
    said = explained(tmp_path, *asked, "--profile", profile(tmp_path, network))
    whole = next(each for each in said["candidates"] if each["algorithm"] == "hierarchical")
    assert whole["blocks"] > 10
    assert said["least"]["seconds"] < whole["predicted_seconds"] < 1.5 * said["least"]["seconds"]


def test_a_profile_says_nothing_of_much_smaller_calls(tmp_path: Path) -> None:
    text = "rota-profile 1\nranks 16\nhosts 16\nmeasured allreduce 1000000 1 circulant 60000 0.5\n"
    (tmp_path / "learnt.profile").write_text(text)
    question = ("allreduce", "--ranks", 16, "--profile", tmp_path / "learnt.profile", "--bytes")
    assert explained(tmp_path, *question, 500_000)["choice"]["algorithm"] == "circulant"
    assert explained(tmp_path, *question, 64_000_000)["choice"]["algorithm"] == "circulant"
    small = explained(tmp_path, *question, 499_999)
    assert small["measured"] is None
    assert explained(tmp_path, *question, 8)["choice"]["reason"] == "small"
    assert not small["network"]["is_measured"]


def test_shares(tmp_path: Path) -> None:
    question = ("allgather", "--ranks", 10, "--bytes", "1MiB")
    even = explained(tmp_path, *question)
    uneven = explained(tmp_path, *question, "--largest-share", "1MiB")
    assert even["least"]["bytes"] == (1 << 20) - (1 << 20) // 10
    assert uneven["least"]["bytes"] == 1 << 20
    ours = ("reduce-scatter", "--ranks", 1000, "--bytes", 100)
    assert explained(tmp_path, *ours)["choice"]["reason"] == "small"


def between(senders: int, receivers: int, size: str) -> tuple[object, ...]:
    return ("--senders", senders, "--receivers", receivers, "--bytes", size)


def test_allgathers_between_two_groups(tmp_path: Path) -> None:
    """All of the senders' data through each receiver's port; both ways at once, that of the larger group."""
    one_way = explained(tmp_path, "allgather", *between(4, 12, "1MiB"))
    assert {one["algorithm"] for one in one_way["candidates"]} == {"join", "spread", "circulant", "ring"}
    assert one_way["choice"]["algorithm"] in {"join", "spread", "circulant"}
    assert one_way["least"]["bytes"] == 4 << 20
    both_ways = explained(tmp_path, "allgather", *between(4, 12, "1MiB"), "--duplex")
    assert {one["algorithm"] for one in both_ways["candidates"]} == {"spread", "circulant"}
    assert both_ways["least"]["bytes"] == 12 << 20
    assert "allgather from 4 to 12 ranks, 1 MiB each" in printed("allgather", *between(4, 12, "1MiB"))
    assert "native: small" in printed("allgather", *between(4, 12, "64"))
    assert "hierarchical" in printed("allgather", *between(4, 12, "1MiB"), "--hosts", 15)
    assert "native: ranks share hosts" in printed("allreduce", *between(4, 12, "4MiB"), "--hosts", 15)


def test_one_root_and_the_other_group(tmp_path: Path) -> None:
    """Of the root's group the root alone takes part, so that the others' number is of no consequence."""
    for collective, other in (("bcast", 12), ("reduce", 4)):
        said = explained(tmp_path, collective, *between(4, 12, "1MiB"))
        alone = explained(tmp_path, collective, "--ranks", 1 + other, "--bytes", "1MiB")
        assert said["least"] == alone["least"]
        assert said["choice"]["algorithm"] != "native"
    both = explained(tmp_path, "allreduce", *between(4, 12, "4MiB"))
    assert both["choice"]["rounds"] >= both["least"]["rounds"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gather", "--ranks", 4, "--bytes", 8), ("'gather'", "bcast")),
        (("alltoallv", "--ranks", 4, "--bytes", 8), ("rota all-to-many",)),
        (("inter_bcast", "--ranks", 4, "--bytes", 8), ("--senders",)),
        (("bcast", "--bytes", 8), ("--ranks", "--senders")),
        (("bcast", "--bytes", 8, "--senders", 2), ("--ranks", "--receivers")),
        (("bcast", "--bytes", 8, "--ranks", 9, "--senders", 2, "--receivers", 2), ("not both",)),
        (("scan", *between(2, 2, "8")), ("'scan'", "allreduce")),
        (("bcast", *between(2, 2, "8"), "--duplex"), ("--duplex",)),
        (("allgather", *between(2, 100_000, "8")), ("100000 ranks", "2048")),
        (("allgather", *between(2, 2000, "4096TiB")), ("2^53",)),
        (("bcast", "--ranks", 4, "--bytes", 8, "--largest-share", 8), ("allgather",)),
        (("allgather", "--ranks", 4, "--bytes", 80, "--largest-share", 19), ("19", "20", "80")),
        (("allgather", "--ranks", 4, "--bytes", 80, "--largest-share", 81), ("81", "20", "80")),
        (("bcast", "--ranks", 4, "--bytes", "8192TiB"), ("too large",)),
        (("bcast", "--ranks", 5, "--bytes", "1M", "--hosts", 6), ("5 ranks", "6 hosts", "--hosts 5")),
        (("allgather", *between(2, 2, "8"), "--hosts", 5), ("4 ranks", "5 hosts", "--hosts 4")),
        (("bcast", "--ranks", 4, "--bytes", 8, "--profile", "/none"), ("/none", "rota tune")),
    ],
)
def test_questions_that_make_no_sense(arguments: tuple[object, ...], words: tuple[str, ...]) -> None:
    fault = refusal(*arguments)
    assert [word for word in words if word not in fault] == []


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, ("ranks", "must both be given")),
        ("rota-profile 1\nranks 2\nhosts 2\nlatency_s 1\n", 4, ("seconds_per_byte", "neither")),
        ("ranks 4\n", 1, ("rota-profile 1",)),
        ("rota-profile 2\n", 1, ("rota-profile 1",)),
        (PROFILE + "speed 3\n", 9, ("'speed'",)),
        (PROFILE + "ranks\n", 9, ("'ranks'", "one value")),
        (PROFILE + "ranks 1.5\n", 9, ("ranks", "whole number", "'1.5'")),
        (PROFILE + "hosts 0\n", 9, ("hosts", "1 or more", "'0'")),
        (PROFILE + "latency_s fast\n", 9, ("latency_s", "'fast'")),
        (PROFILE + "latency_s -1\n", 9, ("latency_s", "'-1'")),
        (PROFILE + "latency_s nan\n", 9, ("latency_s", "'nan'")),
        (PROFILE + "latency_s 0\n", 9, ("latency_s", "above 0")),
        (PROFILE + "measured bcast 8 1\n", 9, ("measured COLLECTIVE BYTES",)),
        (PROFILE + "measured gather 8 1 circulant 8 1\n", 9, ("'gather'", "allgather")),
        (PROFILE + "measured bcast 8 1 rings 8 1\n", 9, ("'rings'", "bcast")),
        (PROFILE + "measured bcast 0 1 circulant 8 1\n", 9, ("bytes", "'0'")),
        (PROFILE + "measured bcast 8 1 circulant 8 1x\n", 9, ("seconds", "'1x'")),
        (PROFILE + "measured bcast 8 1 circulant 8 1\n" * 17, 25, ("more than 16", "bcast")),
    ],
)
def test_faults_in_a_profile(tmp_path: Path, text: str, line: int, words: tuple[str, ...]) -> None:
    path = profile(tmp_path, text)
    fault = refusal("bcast", "--ranks", 4, "--bytes", 8, "--profile", path)
    assert fault.startswith(f"{path}:{line}: ")
    assert [word for word in words if word not in fault] == []


def test_what_a_job_finds_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is moved competes; sums go by links' pace, where they depend on their order."""
    question = ("--ranks", 16, "--bytes", "4MiB")
    assert "native calls are tried beside it" in printed("bcast", *question)
    assert "links of more than 3 Gbit/s" in printed("allreduce", "--ranks", 16, "--bytes", "3MiB")
    assert "links of more than 300 Mbit/s" in printed("scan", "--ranks", 16, "--bytes", "300KiB")
    monkeypatch.setenv("ROTA_ADAPT", "all")
    assert "native calls are tried beside it" in printed("allreduce", *question)
    monkeypatch.setenv("ROTA_ADAPT", "off")
    assert "in a job" not in printed("bcast", *question) + printed("allreduce", *question)
