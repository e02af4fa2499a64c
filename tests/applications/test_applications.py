"""Real programs start and end under Rota in the lab, and their results are those without it."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from conftest import Row, Table

from applications import APPLICATIONS, Application, NotHereError, Results, results_of

HOSTS: Final = 4
RATE: Final = "1gbit"
LIMIT_S: Final = 600


@dataclass(frozen=True)
class Run:
    """What a job of the application's wrote, and how long it took."""

    results: Results
    seconds: float


def run(application: Application, words: list[str], how: tuple[str, ...], folder: Path, per_host: int) -> Run:
    """Run it over the lab's hosts, with a thread a rank, for ranks share this machine's processors."""
    lab = ("lab", "run", "--hosts", str(HOSTS), "--rate", RATE, "--per-host", str(per_host), *how, "--")
    start = time.monotonic()
    ran = subprocess.run(
        (sys.executable, "-m", "rota", *lab, *words),
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", **dict(application.environment)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    seconds = time.monotonic() - start
    if "forbids" in ran.stderr:
        pytest.skip(ran.stderr.strip().splitlines()[-1])
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
    written = (folder / application.results_in).read_text() if application.results_in else ran.stdout
    return Run(results_of(application, written), seconds)


def served_by_schedules(report: Path) -> tuple[str, int]:
    """Say which calls were, and how many there were in all."""
    calls = json.loads(report.read_text())["calls"]
    served: Counter[str] = Counter()
    for call in calls:
        if call["schedule"] != "native":
            served[call["collective"]] += call["calls"]
    said = ", ".join(f"{number} {collective}" for collective, number in served.most_common())
    return said or "none", sum(call["calls"] for call in calls)


@pytest.mark.parametrize("per_host", [1, 2])
@pytest.mark.parametrize("application", APPLICATIONS, ids=lambda application: application.name)
def test_the_same_results(application: Application, per_host: int, tmp_path: Path, table: Table) -> None:
    runs = {}
    for kind, how in {"native": ("--native",), "rota": ("--report", "report.json")}.items():
        folder = tmp_path / kind
        folder.mkdir()
        try:
            words = application.start(folder)
        except NotHereError as absent:
            pytest.skip(f"no {absent}: apt-get install {application.packages}")
        runs[kind] = run(application, words, how, folder, per_host)
    served, calls = served_by_schedules(tmp_path / "rota" / "report.json")
    table.rows.append(
        Row(application.name, per_host, runs["native"].seconds, runs["rota"].seconds, served, calls)
    )
    assert not runs["native"].results.differs_from(runs["rota"].results, application.tolerance)
