"""What launchers say that helps nobody, left out of what is heard."""

import pytest

from rota.lab.noise import Quiet

SETPGID = (
    b"[switch:00038] plm:ssh: Warning: setpgid(42,42) failed in parent with errno=Permission denied(13)\n"
)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_what_launchers_say_that_helps_nobody_is_not_heard(step: int) -> None:
    before = SETPGID.replace(b"plm:ssh", b"plm:rsh")  # Open MPI 4
    said = b"".join(
        (b"one\n", SETPGID, b"[switch:1] plm:ssh: an error\n", before, b"not over: ", SETPGID, b"[swi")
    )
    quiet = Quiet()
    heard = [quiet(said[at : at + step]) for at in range(0, len(said), step)]
    expected = b"".join((b"one\n", b"[switch:1] plm:ssh: an error\n", b"not over: ", SETPGID, b"[swi"))
    assert b"".join((*heard, quiet.rest())) == expected


def test_what_is_said_is_heard_at_once() -> None:
    quiet = Quiet()
    assert quiet(b"ready? ") == b"ready? "
    assert quiet(b"[switch:00038] plm") == b"[switch:00038] plm"
    assert quiet(b"\n[switch:00038] plm") == b"\n"
