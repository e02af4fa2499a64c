"""`rota info` says what is here; variables stand in one table, from which the README's comes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rota._core import faults_in_environment, read_profile, variables

import rota
from rota.info import info
from rota.lab import needs
from rota.library import built_abis

ROTA = str(Path(sys.executable).parent / "rota")
SOURCES = Path(__file__).parents[2]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROTA, *words], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def told(*words: str, **environment: str) -> dict[str, Any]:
    done = run("info", "--json", "-", *words, **environment)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_version() -> None:
    """It is the one of pyproject.toml, wherever it is asked for."""
    (version,) = re.findall(r'^version = "(.*)"', (SOURCES / "pyproject.toml").read_text(), re.MULTILINE)
    assert rota.__version__ == version
    assert run("--version").stdout == f"rota {version}\n"
    assert told()["version"] == version


def test_builds() -> None:
    builds = {build["abi"]: build for build in told()["builds"]}
    assert list(builds) == ["openmpi", "mpich", "mpi5"]
    for abi in built_abis():
        assert Path(builds[abi]["preload"]).exists()
        assert Path(builds[abi]["library"]).exists()
        assert Path(builds[abi]["mpi"]["launcher"]).exists()
        assert builds[abi]["mpi"]["version"][0].isdigit()


def test_an_mpi_that_is_missing(tmp_path: Path) -> None:
    """Is said so, and where it was looked for."""
    (build,) = (
        each for each in info(environment={"ROTA_MPICH_PREFIX": str(tmp_path)}).builds if each.abi == "mpich"
    )
    assert build.mpi is None
    assert str(tmp_path) in build.fault


def test_values_in_force() -> None:
    by_name = {each["name"]: each for each in told(ROTA_OFF="bcast,reduce")["variables"]}
    assert by_name["ROTA_OFF"]["value"] == "bcast,reduce"
    assert by_name["ROTA_ADAPT"]["value"] is None
    assert by_name["ROTA_ADAPT"]["default"] == "moved"
    assert by_name["ROTA_BLOCK_BYTES"]["valid"] == (
        "bytes, as 65536, or with a unit, as 64KiB, from 1 to 1073741824"
    )
    assert by_name["ROTA_MPICH_PREFIX"]["read_by"] == "command"


def test_faults_in_the_settings() -> None:
    """All are told, each as a job would; the rest is told all the same."""
    environment = {"ROTA_LOG": "loud", "ROTA_HOSTS": "0", "ROTA_LANES": "x"}
    faulty = told(**environment)
    assert {fault.split(":")[0] for fault in faulty["faults"]} == environment.keys()
    assert (
        "ROTA_LOG: 'loud' is none of its values; valid: off, info, debug, info:all, debug:all"
        in faulty["faults"]
    )
    assert faulty["builds"]
    printed = run("info", **environment).stdout
    assert [fault for fault in faulty["faults"] if f"fault     {fault}\n" not in printed] == []


def test_variables_that_are_none() -> None:
    """Each is told, with what may be meant."""
    environment = {"ROTA_REPROT": "1", "ROTA_Q": "1", "ROTA_OFF": "bcast"}
    found = told(**environment)["unknown_variables"]
    assert {"name": "ROTA_REPROT", "closest": "ROTA_REPORT"} in found
    assert {"name": "ROTA_Q", "closest": None} in found
    assert "ROTA_OFF" not in {each["name"] for each in found}
    printed = run("info", **environment).stdout
    assert "fault     ROTA_REPROT: Rota reads no such variable: is ROTA_REPORT meant?\n" in printed


def test_network_of_a_profile(tmp_path: Path) -> None:
    profile = tmp_path / "a.profile"
    profile.write_text(
        "rota-profile 1\nranks 16\nhosts 16\nlatency_s 3e-05\nseconds_per_byte 4e-08\n"
        "seconds_per_combined_byte 2e-10\nmeasured allreduce 65536 0.0123 circulant 36864 0.0091\n"
    )
    for words, environment in (
        (("--profile", str(profile)), {}),
        ((), {"ROTA_PROFILE": str(profile)}),
        ((), {"ROTA_LEARN": str(profile)}),
    ):
        network = told(*words, **environment)["network"]
        assert network["file"] == str(profile)
        assert (network["hosts"], network["latency_s"]) == (16, 3e-05)
        assert [each["collective"] for each in network["measured"]] == ["allreduce"]
    assert told()["network"] is None
    assert "200 Mbit/s" in run("info", "--profile", str(profile)).stdout


def test_profile_that_cannot_be_read(tmp_path: Path) -> None:
    done = run("info", "--profile", str(tmp_path / "none"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_lab_without_its_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each tool that is missing is named with its package."""
    monkeypatch.setattr(needs, "search_path", lambda: str(tmp_path))
    assert needs.missing_needs() == [
        "unshare: install util-linux",
        "nsenter: install util-linux",
        "ip: install iproute2",
        "tc: install iproute2",
    ]


def test_lab_where_the_kernel_lacks_something(monkeypatch: pytest.MonkeyPatch) -> None:
    if needs.missing_needs():
        pytest.skip("this machine cannot have a lab")
    trials = {"wheels (module wheel)": "ip link add trial type wheel"}
    monkeypatch.setattr(needs, "_TRIALS", trials)
    assert needs.missing_needs() == ["the kernel has no wheels (module wheel)"]


def test_every_variable_that_is_read_is_in_the_table() -> None:
    """What the sources ask the environment for, by name."""
    asked = re.compile(r'getenv\("(ROTA_\w+)"|environ(?:ment)?(?:\.get\(|\[)"(ROTA_\w+)"')
    known = {each.name for each in variables()}
    sources = [*SOURCES.glob("mpi/**/*.cpp"), *SOURCES.glob("core/**/*.cpp"), *SOURCES.glob("python/**/*.py")]
    assert len(sources) > 200
    found = {
        name for source in sources for pair in asked.findall(source.read_text()) for name in pair if name
    }
    assert found <= known


def test_no_fault_here() -> None:
    assert faults_in_environment() == []


def completed(line: str) -> set[str]:
    """Return what bash would be offered for the last word of a line."""
    words = line.split(" ")
    done = run(_ROTA_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split("\n")) - {""}


def test_completion_of_commands() -> None:
    assert completed("rota si") == {"simulate"}
    assert {"show", "run", "bench", "info", "advise"} <= completed("rota ")
    assert completed("rota bench never") == {"never-slower"}


def test_completion_of_options() -> None:
    """Though the command is loaded when it is called, and not before."""
    assert completed("rota explain allreduce --dup") == {"--duplex"}
    assert {"--ranks", "--root", "--json"} <= completed("rota show circulant --")
    assert {"--hosts", "--per-host"} <= completed("rota lab run --")


def test_completion_of_names() -> None:
    assert completed("rota show hier") == {"hierarchical", "hierarchical_abreast"}
    assert completed("rota explain allg") == {"allgather"}
    assert completed("rota platform generate fi") == {"figure2", "figure6", "figure9"}
    assert completed("rota show inter") == {"inter-group"}
    assert completed("rota simulate inter") == {"inter-group"}
    assert {"--senders", "--topology"} <= completed("rota show inter-group --")


@pytest.mark.parametrize(
    "command", ["run", "lib", "flags", "check", "tune", "lab run", "bench bcast", "bench stream scatter"]
)
def test_completion_of_mpis(command: str) -> None:
    assert completed(f"rota {command} --mpi ") == {"openmpi", "mpich", "mpi5"}


def test_completion_of_topologies() -> None:
    assert completed("rota show inter-group --topology r") == {"ring"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str) -> None:
    """`rota --show-completion` prints what a shell needs."""
    done = run("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0, done.stderr
    assert "_ROTA_COMPLETE" in done.stdout


def test_large_calls_are_read_back(tmp_path: Path) -> None:
    """An allgather has as many bytes as all of its ranks together."""
    path = tmp_path / "profile"
    path.write_text("rota-profile 1\nranks 4\nhosts 4\nmeasured allgather 3200000000 2 circulant 61440 1\n")
    (measured,) = read_profile(str(path)).measured
    assert measured.bytes == 3_200_000_000
