"""What a lab needs of the machine, and what is said where that is not there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lab_programs import ENDLESS, RATE_BITS_PER_S, TRANSFER, hosts_of, open_or_skip
from mpi_programs import compile_program

from rota.errors import RotaError
from rota.lab import Lab, LabSpec, session


def test_a_lab_needs_no_privileges(tmp_path: Path) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is missing: install util-linux")
    program = compile_program(TRANSFER, "mpich", tmp_path)
    code = ENDLESS.replace("LabSpec.uniform(2,", "LabSpec.uniform(1,")
    # Without privileges, root can still read its home, where this installation may be. The one that it
    # keeps is for calling itself root inside too.
    bare = ("setpriv", "--bounding-set=-all,+setfcap", "--inh-caps=-all")
    command = [*bare, sys.executable, "-c", code, program, "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if "forbids" in ran.stderr:
        pytest.skip(ran.stderr.strip().splitlines()[-1])
    assert hosts_of(ran.stdout) == {0: "host0"}, ran.stderr


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "search_path", lambda: str(tmp_path))
    with pytest.raises(RotaError, match="the lab needs unshare: install util-linux"):
        Lab(LabSpec.uniform(1, RATE_BITS_PER_S))


@pytest.mark.parametrize(
    ("tool", "says", "complaint"),
    [
        ("unshare", "unshare: unshare failed: Operation not permitted", "forbids the lab's namespaces"),
        (
            "tc",
            "Error: Specified qdisc kind is unknown.",
            "cannot be built: tc -batch -: Error: Specified qdisc",
        ),
    ],
)
def test_what_the_kernel_refuses_is_one_line(
    tool: str, says: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if tool != "unshare":
        open_or_skip(LabSpec.uniform(1, RATE_BITS_PER_S)).close()
    refusing = tmp_path / tool
    refusing.write_text(f"#!/bin/sh\necho '{says}' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(RotaError, match=complaint) as fault:
        Lab(LabSpec.uniform(1, RATE_BITS_PER_S))
    assert "\n" not in str(fault.value)
