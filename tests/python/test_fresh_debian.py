"""A fresh Debian, without compiler and MPI, has all that `pip install` of Rota's wheel promises."""

import os
import subprocess
from pathlib import Path

import pytest

NOT_HERE = 77


@pytest.mark.long
@pytest.mark.skipif(
    "ROTA_EXAMPLES" not in os.environ, reason="builds a wheel and a Debian: with ROTA_EXAMPLES"
)
def test_a_wheel_serves_a_fresh_debian() -> None:
    script = Path(__file__).parents[1] / "fresh_debian"
    ran = subprocess.run((str(script),), capture_output=True, text=True, check=False)
    if ran.returncode == NOT_HERE:
        pytest.skip(ran.stdout.strip())
    assert ran.stdout.endswith("imported, shown, run by schedules\n"), ran.stdout + ran.stderr
