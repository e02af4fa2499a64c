"""Members of enums with what they mean: autodoc takes them for values, whose docstrings are their class's."""

from __future__ import annotations

from enum import Enum
from inspect import getdoc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def described_members(described: type[Enum]) -> Iterator[str]:
    """Yield the directives that have each member and its meaning, line by line."""
    for member in described:
        yield from ("", f".. py:attribute:: {member.name}", "", f"   {getdoc(member)}")


def _add_members(
    _sphinx: Sphinx, _what: str, _name: str, found: object, _options: object, lines: list[str]
) -> None:
    if isinstance(found, type) and issubclass(found, Enum):
        lines.extend(described_members(found))


def _is_member(
    _sphinx: Sphinx, _what: str, _name: str, found: object, _skip: object, _options: object
) -> bool | None:
    return True if isinstance(found, Enum) else None


def setup(sphinx: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of it."""
    sphinx.connect("autodoc-process-docstring", _add_members)
    sphinx.connect("autodoc-skip-member", _is_member)
    return {"parallel_read_safe": True}
