"""XML as a tree of elements that know their line, and nothing that XML could do beyond that.

A document type may be named, as SimGrid's files do, and is never fetched. Declarations inside of it are
refused: entities that grow or read files, default attributes. So is what is nested deeper than any platform.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from rota.errors import RotaError
from rota.platforms.numbers import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH: Final = 64
MAX_ELEMENTS: Final = 600_000


@dataclass
class Element:
    """A tag, its attributes, what is inside, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    origin: str = ""
    """The file, where it is not the one that is being read but is included by it."""
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        file = f"{self.origin}, " if self.origin else ""
        return f"{file}line {self.line}, <{shortened(self.tag)}>"

    @property
    def text(self) -> str:
        """The text directly inside."""
        return "".join(self.texts)

    def named(self, *tags: str) -> Iterator[Element]:
        """Generate the children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def required(self, attribute: str) -> str:
        """Return an attribute; RotaError if it is not there or empty."""
        found = self.attributes.get(attribute, "")
        if not found:
            raise RotaError(f"{self.place}: no {attribute}; give one")
        return found


def tree_of(content: bytes, origin: str = "") -> Element:
    """Return the root element; RotaError, which begins with the line, for what is no XML or not harmless."""
    reader = _Reader(origin)
    try:
        reader.parser.Parse(content, True)  # noqa: FBT003 - expat takes no names
    except expat.ExpatError as fault:
        raise RotaError(f"line {fault.lineno}: no XML: {expat.ErrorString(fault.code)}") from fault
    except (
        ValueError,
        LookupError,
    ) as fault:  # encodings that Python does not have, or that expat cannot use
        raise RotaError(f"line 1: no XML: {shortened(str(fault))}; save it as UTF-8") from fault
    if reader.root is None:
        raise RotaError("line 1: no XML: no element")
    return reader.root


class _Reader:
    """Handlers of one document."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._refuse_entity

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self._count += 1
        if len(self._open) >= MAX_DEPTH or self._count > MAX_ELEMENTS:
            what = f"nested deeper than {MAX_DEPTH}" if self._count <= MAX_ELEMENTS else "too many elements"
            raise RotaError(f"line {line}: {what}; this is no platform")
        element = Element(_local(name), _without_namespaces(attributes), line, self._origin)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_internal: int) -> None:
        if has_internal:
            line = self.parser.CurrentLineNumber
            raise RotaError(f"line {line}: declarations in the document type; leave them out")

    def _refuse_entity(self, name: str, *_rest: object) -> None:
        raise RotaError(
            f"line {self.parser.CurrentLineNumber}: entity {shortened(name)}; write out what it stands for"
        )


def _without_namespaces(attributes: dict[str, str]) -> dict[str, str]:
    return {_local(name): value for name, value in attributes.items()}


def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition(" ")[2]
