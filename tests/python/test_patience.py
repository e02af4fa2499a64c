"""A job that stands still hangs, unless others keep it from a processor."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rota.check import patience
from rota.check.patience import Patience, longest_since, waits_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose last element is the time."""
    times = [0.0]
    monkeypatch.setattr(patience, "monotonic", lambda: times[-1])
    return times


def test_a_hang(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks that wait for nothing but each other."""
    monkeypatch.setattr(patience, "waits_s", lambda _: {7: 3.0})
    job = Patience(7, 60)
    clock.append(60)
    assert not job.is_over()
    clock.append(61)
    assert job.is_over()
    job.renew()
    assert not job.is_over()


def test_a_loaded_machine(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Three quarters of the time the slowest rank waits for a processor; in the end that is no excuse."""
    monkeypatch.setattr(patience, "waits_s", lambda _: {7: clock[-1] / 2, 8: clock[-1] * 3 / 4})
    job = Patience(7, 60)
    for time_s in (0, 61, 239):
        clock.append(time_s)
        assert not job.is_over()
    clock.append(241)
    assert job.is_over()
    monkeypatch.setattr(patience, "waits_s", lambda _: {7: clock[-1]})
    job.renew()
    for time_s in (242, 800):
        clock.append(time_s)
        assert not job.is_over()
    clock.append(842)
    assert job.is_over()


def test_waits_are_those_of_a_family() -> None:
    """Of this process's children too, and a wait that there was grows."""
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("this kernel does not say how long processes wait")
    spin = "while True: pass"
    started = [subprocess.Popen((sys.executable, "-c", spin)) for _ in range(2 * (os.cpu_count() or 1) + 1)]
    try:
        time.sleep(0.5)
        before = waits_s(os.getpid())
        assert {os.getpid(), *(each.pid for each in started)} <= before.keys()
        time.sleep(1)
        assert longest_since(before, waits_s(os.getpid())) > 0.1
    finally:
        for each in started:
            each.kill()
            each.wait()


def test_processes_that_come_count_and_those_that_go_do_not() -> None:
    """What a new one has waited in its life it has waited since."""
    assert longest_since({1: 5.0, 2: 1.0}, {2: 1.5}) == 0.5
    assert longest_since({1: 5.0, 2: 1.0}, {2: 1.5, 3: 9.0}) == 9.0
    assert longest_since({}, {1: 1.0}) == 1.0
    assert longest_since({1: 5.0}, {}) == 0
