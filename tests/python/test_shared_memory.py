"""What a job that is cut short leaves in shared memory is removed, and nothing else is."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from rota import shared_memory
from rota.shared_memory import none_left

HOLDING: Final = {
    "open": "held = open(file, 'w')",
    "mapped": "import mmap, os\nwith open(file, 'r+b') as opened: held = mmap.mmap(opened.fileno(), 4096)",
}


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_bytes(bytes(4096))


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def interrupted_job(folder: Path) -> None:
    with none_left(folder):
        put(folder, "mpich_shm_2_0", "sm_segment.host.0.1.0", "ucx_shm_posix_3", "yours")
        raise KeyboardInterrupt


def test_what_nobody_uses_is_removed(tmp_path: Path) -> None:
    """It goes however the job ended; what was there before stays, and what is of others."""
    put(tmp_path, "mpich_shm_1_0", "mine")
    with pytest.raises(KeyboardInterrupt):
        interrupted_job(tmp_path)
    assert names_in(tmp_path) == {"mpich_shm_1_0", "mine", "yours"}


@pytest.mark.parametrize("held", HOLDING)
def test_what_another_job_uses_stays(tmp_path: Path, held: str) -> None:
    """Until it ends: where that is soon, it is waited for."""
    put(tmp_path, "mpich_shm_1_0")
    script = f"import sys\nfile = sys.argv[1]\n{HOLDING[held]}\nprint('held', flush=True)\nsys.stdin.read()"
    words = [sys.executable, "-c", script, str(tmp_path / "mpich_shm_2_0")]
    with none_left(tmp_path):
        put(tmp_path, "mpich_shm_2_0")
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
    assert names_in(tmp_path) == {"mpich_shm_1_0", "mpich_shm_2_0"}
    (tmp_path / "mpich_shm_1_0").unlink()
    process.communicate()
    with none_left(tmp_path):
        pass
    assert names_in(tmp_path) == {"mpich_shm_2_0"}  # it was there before
    assert process.returncode == 0


def test_a_job_that_leaves_nothing_is_not_looked_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_memory, "_used", lambda _: pytest.fail("looked at all processes"))
    put(tmp_path, "mpich_shm_1_0")
    with none_left(tmp_path):
        put(tmp_path, "mpich_shm_2_0")
        (tmp_path / "mpich_shm_2_0").unlink()
