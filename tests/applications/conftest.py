"""What applications took: a table after the tests, with ROTA_APPLICATIONS=FILE also in that file."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Row:
    """One application on hosts with so many ranks each, without Rota and with it."""

    application: str
    per_host: int
    native_s: float
    rota_s: float
    served: str
    calls: int

    def markdown(self) -> str:
        times = f"{self.native_s:.1f} s | {self.rota_s:.1f} s | {self.rota_s / self.native_s:.2f}"
        return f"| {self.application} | {self.per_host} | {self.calls} | {self.served} | {times} |"


@dataclass
class Table:
    """Of all applications that have run."""

    rows: list[Row] = field(default_factory=list)

    def markdown(self) -> str:
        head = "| application | ranks a host | collective calls | by schedules | native | with Rota | ratio |"
        return "\n".join((head, "|---" * 7 + "|", *(row.markdown() for row in self.rows))) + "\n"


TABLE = Table()


@pytest.fixture(scope="session")
def table() -> Iterator[Table]:
    """Where tests put their rows."""
    yield TABLE
    if TABLE.rows and (file := os.environ.get("ROTA_APPLICATIONS")):
        Path(file).write_text(TABLE.markdown())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the table."""
    if TABLE.rows:
        terminalreporter.section("applications, over hosts of the lab")
        terminalreporter.write(TABLE.markdown())
