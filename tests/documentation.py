"""The pages of the documentation, and what stands in them to be run."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
_BLOCK: Final = re.compile(r"(?:^(?: {4}.*)?\n)+", re.MULTILINE)


def blocks_of(page: Path) -> list[str]:
    """Return a page's indented blocks, without the indentation."""
    return [re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in _BLOCK.findall(page.read_text())]


def name_of(page: Path) -> str:
    """Return what tests call it: ``docs/tutorial.md``."""
    return str(page.relative_to(ROOT))
