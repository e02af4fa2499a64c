"""ROTA_LEARN: what trials have shown is a profile, that later jobs go by."""

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import Outcome, behind_stand_in, report_of, run_with_rota, succeeded
from rota._core import Profile, read_profile

from rota.library import Abi

pytestmark = ONE_ABI

RANKS = 3
CALLS = 64
SIZE = 4_000_000
ALONE = {"ROTA_HOSTS": str(RANKS)}
# Messages of so few bytes take much longer than any MPI library.
HOPELESS = {**ALONE, "ROTA_BLOCK_BYTES": "500"}


def ran(compiled: Compile, collective: str, settings: dict[str, str], report: Path | None = None) -> Outcome:
    return succeeded(run_with_rota([compiled("competing"), collective, SIZE], RANKS, settings, report))


def learnt(path: Path) -> Profile:
    profile = read_profile(str(path))
    assert (profile.ranks, profile.hosts) == (RANKS, RANKS)
    return profile


def test_a_schedule_that_won(abi: Abi, compiled: Compile, report: Path, tmp_path: Path) -> None:
    """The next job takes it from its first call on, in messages of the same size."""
    if abi == "mpi5":
        pytest.skip("one name of MPICH is enough")
    path = tmp_path / "learnt.profile"
    job = behind_stand_in(abi, [compiled("competing"), "bcast", SIZE], tmp_path)
    slowly = {**ALONE, "FAULTS_SLOW": "Bcast"}
    blocks = {**slowly, "ROTA_BLOCK_BYTES": "60000", "ROTA_LEARN": str(path)}
    first = succeeded(report_of(job, RANKS, blocks, report))
    (line,) = (each for each in learnt(path).measured if each.collective == "bcast")
    assert (line.bytes, line.algorithm) == (SIZE, "circulant")
    assert line.rota_s < line.native_s
    second = succeeded(report_of(job, RANKS, {**slowly, "ROTA_PROFILE": str(path)}, report))
    assert second.calls("circulant") == CALLS
    assert {each["blocks"] for each in second.broadcasts} == {
        each["blocks"] for each in first.broadcasts if each["schedule"] == "circulant"
    }


def test_a_schedule_that_lost(compiled: Compile, report: Path, tmp_path: Path) -> None:
    """It is not tried again."""
    path = tmp_path / "learnt.profile"
    ran(compiled, "bcast", {**HOPELESS, "ROTA_LEARN": str(path)})
    outcome = ran(compiled, "bcast", {**ALONE, "ROTA_PROFILE": str(path)}, report)
    assert outcome.reasons() == {"measured to be faster": CALLS}


def test_jobs_add_to_it(compiled: Compile, tmp_path: Path) -> None:
    """Sums too, where the user lets them compete."""
    path = tmp_path / "learnt.profile"
    ran(compiled, "bcast", {**ALONE, "ROTA_LEARN": str(path)})
    of_first = learnt(path).measured
    ran(compiled, "doubles", {**ALONE, "ROTA_LEARN": str(path), "ROTA_ADAPT": "all"})
    of_both = {(each.collective, each.bytes) for each in learnt(path).measured}
    assert of_both > {(each.collective, each.bytes) for each in of_first}
    assert ("allreduce", SIZE) in of_both
    assert [each.name for each in tmp_path.iterdir()] == ["learnt.profile"]


def test_exchanges_are_no_part_of_it(compiled: Compile, tmp_path: Path) -> None:
    path = tmp_path / "learnt.profile"
    ran(compiled, "alltoall", {**ALONE, "ROTA_LEARN": str(path)})
    assert "alltoall" not in {each.collective for each in learnt(path).measured}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the user's own\n", "a profile begins with"),
        ("rota-profile 1\nranks 2\nhosts 2\nlatency_s 1\nseconds_per_byte 1\n", "of 2 ranks on 2 hosts"),
    ],
)
def test_what_is_there_stays(compiled: Compile, tmp_path: Path, text: str, words: str) -> None:
    """Where it is no profile, or another job's; what was learnt is not lost."""
    path = tmp_path / "file"
    path.write_text(text)
    outcome = ran(compiled, "bcast", {**ALONE, "ROTA_LEARN": str(path)})
    assert path.read_text() == text
    (line,) = (each for each in outcome.rota_errors() if "ROTA_LEARN" in each)
    assert words in line
    assert "measured bcast" in outcome.errors


def test_a_file_that_cannot_be_written(compiled: Compile) -> None:
    outcome = ran(compiled, "bcast", {**ALONE, "ROTA_LEARN": "/nowhere/learnt.profile"})
    (line,) = (each for each in outcome.rota_errors() if "ROTA_LEARN" in each)
    assert "cannot write /nowhere/learnt.profile" in line
    assert "measured bcast" in outcome.errors


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ROTA_ADAPT": "off"}, "use moved, or all for sums too"),
        ({"ROTA_PROFILE": "cluster.profile"}, "unset ROTA_PROFILE"),
    ],
)
def test_where_nothing_is_tried(
    compiled: Compile, tmp_path: Path, settings: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = "rota-profile 1\nranks 2\nhosts 2\nlatency_s 1\nseconds_per_byte 1\n"
    (tmp_path / "cluster.profile").write_text(profile)
    monkeypatch.chdir(tmp_path)
    program = [compiled("competing"), "bcast", SIZE]
    outcome = run_with_rota(program, RANKS, {**ALONE, **settings, "ROTA_LEARN": "learnt.profile"})
    assert outcome.status != 0
    (line,) = outcome.rota_errors()
    assert "ROTA_LEARN" in line
    assert words in line


def test_numbers_have_a_point_in_every_language(compiled: Compile, report: Path, tmp_path: Path) -> None:
    """In files, of which others read them: written, and read, by a program whose own have a comma."""
    made = (
        subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"],
            capture_output=True,
            check=False,
        )
        if shutil.which("localedef")
        else None
    )
    if made is None or made.returncode != 0:
        pytest.skip("no localedef, or no description of German: install Debian's locales")
    profile = tmp_path / "learnt"
    german = {**ALONE, "LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}
    outcome = succeeded(
        run_with_rota([compiled("comma")], RANKS, {**german, "ROTA_LEARN": str(profile)}, report)
    )
    assert sum(line["calls"] for line in outcome.broadcasts) == 5
    profile.write_text("rota-profile 1\nranks 3\nhosts 3\nlatency_s 3.1e-05\nseconds_per_byte 4.1e-08\n")
    profiled = {"ROTA_PROFILE": str(profile), "ROTA_BLOCK_BYTES": "paper:F=70.5"}
    succeeded(run_with_rota([compiled("comma")], RANKS, {**german, **profiled}, report))
