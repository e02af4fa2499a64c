"""docs/slurm.md's blocks, as they stand there, in a real Slurm over the lab's hosts; and launchers in it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from mpi_programs import compile_program

from documentation import PAGES, as_run, blocks_of, lines_of
from rota.errors import RotaError
from rota.lab import Lab, LabSpec
from rota.lab.slurm import PACKAGES, configuration
from rota.library import preload_path

ROOT: Final = Path(__file__).parents[2]
HOSTS: Final = 4
BLOCK: Final = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = BLOCK.findall((ROOT / "docs" / "slurm.md").read_text())
BROADCAST: Final = (ROOT / "examples" / "broadcast.c").read_text()
# A rank that fails ends its job, where others would wait.
SURE_TO_END: Final = {"SLURM_KILL_BAD_EXIT": "1"}
# What Apptainer does with the words of docs/howto/containers.md, but for the container, which needs it.
APPTAINER: Final = """#!/bin/sh
while [ "$1" != app.sif ]; do shift; done
shift
LD_PRELOAD=${APPTAINERENV_LD_PRELOAD:-} exec "$@"
"""


def in_slurm(script: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a script on the login node of a Slurm over four hosts."""
    missing = [
        package for program, package in PACKAGES.items() if shutil.which(program, path=_path()) is None
    ]
    if missing:
        pytest.skip(f"no Slurm: install {' '.join(missing)}")
    words = ("lab", "slurm", "--hosts", str(HOSTS), "--rate", "100mbit", *options, "bash", "-euc", script)
    ran = subprocess.run(
        (sys.executable, "-m", "rota", *words),
        cwd=folder,
        env={**os.environ, **SURE_TO_END, "PATH": _path()},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if "forbids" in ran.stderr:
        pytest.skip(ran.stderr.strip().splitlines()[-1])
    return ran


def _path() -> str:
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin", "/sbin"))


@pytest.mark.long
def test_the_blocks_of_the_how_to_run_as_they_stand(tmp_path: Path) -> None:
    """In one Slurm, one after the other: programs are served by schedules, and the reports prove it."""
    shutil.copy(compile_program(BROADCAST, "openmpi", tmp_path), tmp_path / "broadcast")
    marked = [f"echo '== {number}'\n{block}" for number, block in enumerate(BLOCKS)]
    ran = in_slurm(f"exec 2>&1\n{''.join(marked)}", tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    said = dict(re.findall(r"^== (\d+)\n(.*?)(?=^== |\Z)", ran.stdout, re.MULTILINE | re.DOTALL))
    for number in "012":
        assert re.search(r"^rota: bcast +4 .* circulant ", said[number], re.MULTILINE), said[number]
        assert "0 wrong values" in said[number]
    head, *cells = map(json.loads, (tmp_path / "grid.json").read_text().splitlines())
    assert head["host_of_rank"] == [0, 1, 2, 3]
    # What links are found to carry is what they are held to, but for a burst or a busy machine.
    assert all(20e6 < rate < 130e6 for rate in head["rates_bits_per_s"])
    assert [cell["collective"] for cell in cells] == ["bcast", "bcast", "reduce", "reduce"]
    assert (tmp_path / "cluster.profile").read_text().startswith("rota-profile 1\n")


def in_this_slurm(line: str) -> str:
    """Return a line of other pages as it is for this Slurm's hosts, and where this installation is."""
    library = preload_path("openmpi")
    return as_run(line).replace("-N 16", f"-N {HOSTS}").replace(f"/opt/rota/{library.name}", str(library))


@pytest.mark.long
def test_the_lines_of_other_pages(tmp_path: Path) -> None:
    """In one Slurm too; what each starts is served by schedules, in a container or not."""
    blocks = [block for page in PAGES for block in blocks_of(page)]
    lines = [line for block in blocks for line in lines_of(block) if "srun" in line]
    assert len(lines) > 4
    shutil.copy(compile_program(BROADCAST, "openmpi", tmp_path), tmp_path / "app")
    (preloading,) = (block.lstrip() for block in blocks if block.lstrip().startswith("#!/bin/sh"))
    for name, text in (("with-rota", preloading), ("apptainer", APPTAINER)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    ran = in_slurm("\n".join(("export PATH=$PWD:$PATH ROTA_REPORT=1", *map(in_this_slurm, lines))), tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    started = sum("./app" in line for line in lines)
    assert len(re.findall(r"^rota: bcast +4 .* circulant ", ran.stderr, re.MULTILINE)) == started, ran.stderr
    assert {"grid.json", "grid.png", "cluster.profile"} <= {file.name for file in tmp_path.iterdir()}


def test_mpich_is_started_by_pmi2(tmp_path: Path) -> None:
    program = compile_program(BROADCAST, "mpich", tmp_path)
    command = f"rota run --launcher 'srun -N {HOSTS} --mpi=pmi2' --report report.json {program}"
    ran = in_slurm(command, tmp_path)
    assert ran.returncode == 0, ran.stderr
    calls = json.loads((tmp_path / "report.json").read_text())["calls"]
    assert any(call["schedule"] == "circulant" and call["ranks"] == HOSTS for call in calls)


def test_hosts_of_several_links(tmp_path: Path) -> None:
    script = 'echo "$ROTA_LANES $UCX_NET_DEVICES"; srun -N 1 ls /sys/class/net'
    ran = in_slurm(script, tmp_path, "--links", "2", "--per-host", "2")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["2", "eth0,eth1", "eth0", "eth1", "lo"]


def test_a_step_that_fails_has_its_own_status_and_nothing_is_left(tmp_path: Path) -> None:
    before = set(Path("/run").iterdir())
    assert in_slurm("exit 7", tmp_path).returncode == 7
    assert set(Path("/run").iterdir()) == before
    left = subprocess.run(("pgrep", "-x", "slurmctld"), capture_output=True, text=True, check=False)
    assert left.stdout == ""


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rota.lab.session.PACKAGES", {"no-such-daemon": "its-package"})
    with pytest.raises(RotaError, match="the lab needs no-such-daemon: install its-package"):
        Lab(LabSpec((10**8,), has_slurm=True))


def test_every_host_has_as_many_processors_as_ranks() -> None:
    text = configuration(LabSpec((10**8, 10**8), per_host=2, has_slurm=True))
    assert "NodeName=host1 NodeAddr=10.0.0.2 CPUs=2\n" in text
