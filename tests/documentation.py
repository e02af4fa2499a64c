"""The pages of the documentation, and what stands in them to be run."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
QUICK: Final = {
    "show",
    "verify",
    "explain",
    "simulate",
    "export",
    "all-to-many",
    "platform",
    "plan",
    "certify",
}
SLOW: Final = {"16777216", "2..20000", "all", "steady"}
"""Words of commands of QUICK that do take time."""
LESS: Final = {
    "--cases 5000": "--cases 20",
    "--programs 2000": "--programs 2",
    "--sizes 1KiB,64KiB,1MiB,16MiB": "--sizes 1KiB,64KiB",
    "--bytes 64,1MiB --hosts": "--bytes 64 --pairs 1 --hosts",
    "rota bench schedules": "rota bench schedules --samples 1",
    "rota bench all": "rota bench all --collectives bcast --sizes 64KiB --pairs 1",
    "rota tune": "rota tune --seconds 2",
    "--rate 100mbit": "--rate 1gbit",
    "--rate 200mbit": "--rate 1gbit",
}
"""What stands in long lines, and what is run in place of it; ROTA_AS_THEY_STAND=1 has all as it stands."""
_BLOCK: Final = re.compile(r"(?:^(?: {4}.*)?\n)+", re.MULTILINE)


def blocks_of(page: Path) -> list[str]:
    """Return a page's indented blocks, without the indentation."""
    return [re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in _BLOCK.findall(page.read_text())]


def name_of(page: Path) -> str:
    """Return what tests call it: ``docs/tutorial.md``."""
    return str(page.relative_to(ROOT))


def lines_of(block: str) -> list[str]:
    """Return a block's lines after ``$``."""
    return re.findall(r"^\$ (.*)$", block, re.MULTILINE)


def is_quick(words: Sequence[str]) -> bool:
    """Return whether a command of these words, behind ``rota``, takes no time."""
    return words[0] in QUICK and not SLOW & set(words)


def as_run(line: str) -> str:
    """Return a line, or less of it where it would take long."""
    if "ROTA_AS_THEY_STAND" in os.environ:
        return line
    for part, less in LESS.items():
        line = line.replace(part, less)
    return line
