"""``{rota-header}``: the C interface, from rota.h and rota_calls.inc as they are installed.

What a comment says, it says of the declarations after it, up to the next comment. ROTA_CALL is shown as
the function that takes int counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_INCLUDE: Final = Path(__file__).parents[2] / "mpi" / "include"
_COMMENTED: Final = re.compile(r"^/\*(?P<comment>.*?)\*/\n(?P<code>.*?)(?=^/\*|\Z)", re.MULTILINE | re.DOTALL)
_ASIDE: Final = re.compile(r"/\* NOLINT.*?\*/")
_FUNCTION: Final = re.compile(r"^ROTA_API (?P<declared>[^;]*);", re.MULTILINE)
_CALL: Final = re.compile(r"^ROTA_CALL\(\w+, (?P<name>\w+),\s*(?P<parameters>\([^()]*\)),", re.MULTILINE)
_TYPE: Final = re.compile(r"^typedef [^;{]*(?:\{[^}]*\})?[^;]*;", re.MULTILINE)


@dataclass(frozen=True)
class Documented:
    """A comment, and what it is about."""

    comment: str
    types: tuple[str, ...]
    functions: tuple[str, ...]


class Header(SphinxDirective):
    """All that rota.h declares."""

    def run(self) -> list[nodes.Node]:
        """Return it."""
        texts = [(_INCLUDE / name).read_text() for name in ("rota_calls.inc", "rota.h")]
        markdown = [each for text in texts for found in documented(text) for each in _in_markdown(found)]
        return self.parse_text_to_nodes("\n".join(markdown))


def documented(header: str) -> Iterator[Documented]:
    """Yield the comments of a header that are about types and functions."""
    for found in _COMMENTED.finditer(_ASIDE.sub("", header)):
        code = found["code"]
        calls = (f"int rota_{call['name']}{call['parameters']}" for call in _CALL.finditer(code))
        declared = (function["declared"] for function in _FUNCTION.finditer(code))
        functions = (
            each.replace("ROTA_COUNT", "int").replace("ROTA_DISPLACEMENT", "int")
            for each in (*calls, *declared)
        )
        about = Documented(
            _text(found["comment"]), tuple(_TYPE.findall(code)), tuple(map(_joined, functions))
        )
        if about.types or about.functions:
            yield about


def _in_markdown(about: Documented) -> Iterator[str]:
    for declared in about.types:
        yield from ("```c", declared.rstrip(), "```", "", about.comment, "")
    *others, last = about.functions or ("",)
    for function in others:
        yield from (f"```{{c:function}} {function}", "```", "")
    if last:
        text = "" if about.types else about.comment
        yield from (f"```{{c:function}} {last}", "", text, "", "```", "")


def _text(comment: str) -> str:
    return "\n".join(line.strip().removeprefix("*").strip() for line in comment.split("\n"))


def _joined(declaration: str) -> str:
    return " ".join(declaration.split())


def setup(sphinx: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of it."""
    sphinx.add_directive("rota-header", Header)
    return {"parallel_read_safe": True}
