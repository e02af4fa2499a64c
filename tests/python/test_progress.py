"""Without a terminal, long work writes a line from time to time."""

import io

import pytest
from rich.console import Console

from rota.commands import progress as module
from rota.commands.progress import progress


def test_lines_come_ever_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr(module, "monotonic", lambda: now_s)
    log = io.StringIO()
    with progress(Console(file=log), "checking", 100) as tell:
        for done in range(100):
            now_s = float(done)
            tell(done, "shrinking" if done > 50 else None)
    assert log.getvalue().splitlines() == [
        "rota: checking: 10 of 100 after 10 s",
        "rota: checking: 20 of 100 after 20 s",
        "rota: checking: 40 of 100 after 40 s",
        "rota: shrinking: 80 of 100 after 80 s",
    ]


def test_short_work_says_nothing() -> None:
    log = io.StringIO()
    with progress(Console(file=log), "checking", 3) as tell:
        for done in range(3):
            tell(done)
    assert log.getvalue() == ""
