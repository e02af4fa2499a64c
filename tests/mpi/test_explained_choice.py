"""What `rota explain` says a job would choose is what the job did."""

from pathlib import Path

import pytest
from mpi_jobs import report_of, succeeded

from rota.commands.explain import Groups, explained, explained_between
from rota.launch import preferred_job, with_environment
from rota.library import bench_path, engine_path

RANKS = 4
SIZES = (4096, 65536, 1 << 20)

# All ranks share a host, as in the job below, so that what was measured counts.
PROFILE = f"""rota-profile 1
ranks {RANKS}
hosts 1
latency_s 1e-05
seconds_per_byte 1e-09
seconds_per_combined_byte 1e-10
measured allreduce 4096 0.001 circulant 1024 0.002
measured allreduce 65536 0.02 circulant 16384 0.01
measured allreduce 1048576 0.1 recursive_doubling 36864 0.05
"""


def test_a_job_does_what_explain_says(tmp_path: Path, report: Path) -> None:
    profile = tmp_path / "profile.txt"
    profile.write_text(PROFILE)
    program = [str(bench_path("openmpi")), "allreduce", *(f"{size}:1" for size in SIZES)]
    job = preferred_job("openmpi", program)
    paths = f"{engine_path('openmpi').parent}:{job.rank_environment['LD_LIBRARY_PATH']}"
    settings = {"ROTA_PROFILE": str(profile), "LD_LIBRARY_PATH": paths}
    outcome = succeeded(report_of(with_environment(job, settings), RANKS, {}, report))
    done = {
        line["size_class_bytes"]: (line["schedule"], line["reason"], line["blocks"], line["rounds"])
        for line in outcome.lines
    }
    said = {}
    for size in SIZES:
        one = explained("allreduce", RANKS, size, hosts=1, profile=profile)
        said[size] = (one.algorithm, one.reason, one.blocks, one.rounds)
    assert done == said
    assert said[4096] == ("native", "measured to be faster", 0, 0)
    assert {said[65536][0], said[1 << 20][0]} == {"circulant", "recursive_doubling"}


@pytest.mark.parametrize(
    ("collective", "schedule"),
    [("allreduce", "hierarchical"), ("allgather", "hierarchical"), ("scan", "chain_on_hosts")],
)
def test_on_shared_hosts_too(
    report: Path, collective: str, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROTA_ADAPT", "off")
    ranks, hosts, sizes = 6, 3, (65536, 600_000)
    program = [str(bench_path("openmpi")), collective, *(f"{size}:1" for size in sizes)]
    job = preferred_job("openmpi", program)
    paths = f"{engine_path('openmpi').parent}:{job.rank_environment['LD_LIBRARY_PATH']}"
    job = with_environment(job, {"ROTA_HOSTS": str(hosts), "LD_LIBRARY_PATH": paths})
    outcome = succeeded(report_of(job, ranks, {}, report))
    done = [(line["schedule"], line["reason"], line["blocks"], line["rounds"]) for line in outcome.lines]
    said = [explained(collective, ranks, size, hosts=hosts) for size in sizes]
    assert sorted(done) == sorted((one.algorithm, one.reason, one.blocks, one.rounds) for one in said)
    assert [one.algorithm for one in said] == ["native", schedule]
    assert said[0].reason == "small"


@pytest.mark.parametrize(
    ("name", "is_duplex"), [("inter_allgather", False), ("inter_allgather_both_ways", True)]
)
def test_between_two_groups_too(
    monkeypatch: pytest.MonkeyPatch, report: Path, name: str, *, is_duplex: bool
) -> None:
    senders, receivers, size_bytes = 2, 3, 100_000
    settings = {"ROTA_ALGORITHM": "inter_allgather=spread", "ROTA_BLOCK_BYTES": "5000"}
    program = [str(bench_path("openmpi")), f"{name}/{senders}", f"{size_bytes}:1"]
    job = preferred_job("openmpi", program)
    paths = f"{engine_path('openmpi').parent}:{job.rank_environment['LD_LIBRARY_PATH']}"
    job = with_environment(job, {**settings, "LD_LIBRARY_PATH": paths})
    outcome = succeeded(report_of(job, senders + receivers, {}, report))
    (done,) = [line for line in outcome.lines if line["collective"] == "inter_allgather"]
    for variable, value in settings.items():
        monkeypatch.setenv(variable, value)
    said = explained_between("allgather", Groups(senders, receivers, is_duplex), size_bytes, hosts=1)
    assert (done["schedule"], done["reason"], done["blocks"], done["rounds"]) == (
        said.algorithm,
        said.reason,
        said.blocks,
        said.rounds,
    )
    assert said.algorithm == "spread"
    assert said.blocks > 1
