"""Platform files: which form they have, reading them and writing them.

SimGrid's XML (.xml), GraphML (.graphml, or .xml), node-link JSON (.json) and TOML (.toml). Every fault is one
line that names the file, and the line or the element.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.files import write_whole
from rota.platforms.graphml import graphml_of, platform_in_graphml
from rota.platforms.node_link import node_link_of, platform_in_node_link
from rota.platforms.numbers import shortened
from rota.platforms.simgrid_include import with_includes
from rota.platforms.simgrid_read import platform_in_simgrid
from rota.platforms.simgrid_write import simgrid_of
from rota.platforms.toml_form import platform_in_toml, toml_of
from rota.platforms.xml_tree import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota.platforms.platform import Platform

MAX_FILE_BYTES: Final = 2**25
"""Larger files are refused."""

_WRITERS: Final[dict[str, Callable[[Platform], str]]] = {
    ".xml": simgrid_of,
    ".graphml": graphml_of,
    ".json": node_link_of,
    ".toml": toml_of,
}


def read_platform(path: Path | str) -> Platform:
    """Read a platform from a file, in whichever of the forms it is.

    Raises RotaError with one line that names the file, and the line or the element, and says what is wrong.
    """
    path = Path(path)
    try:
        content = _content(path)
        return platform_in(content, path)
    except RotaError as fault:
        joint = (
            ", " if str(fault).startswith(("line ", "node ", "link ", "nodes[", "links[", "edges[")) else ": "
        )
        raise RotaError(f"{path}{joint}{fault}") from fault
    except OSError as fault:
        raise RotaError(f"cannot read {path}: {fault.strerror or fault}") from fault


def write_platform(platform: Platform, path: Path | str) -> None:
    """Write a platform to a file, in the form that the end of its name says.

    `read_platform` reads exactly the same platform. Raises RotaError for unknown endings and where nothing
    can be written.
    """
    path = Path(path)
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise RotaError(f"{path}: unknown kind of file: name one that ends in {', '.join(_WRITERS)}")
    write_whole(path, write(platform))


def platform_in(content: bytes, path: Path) -> Platform:
    """Return the platform in a file's content; its includes are looked for beside `path`.

    Raises RotaError. What it quotes of the file is printable: no line breaks, nothing that terminals obey.
    """
    try:
        return _platform_in(content, path)
    except RotaError as fault:
        raise RotaError("".join(letter if letter.isprintable() else "?" for letter in str(fault))) from fault


def _platform_in(content: bytes, path: Path) -> Platform:
    form = _form(content, path)
    if form == "xml":
        return _platform_in_xml(content, path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise RotaError("not a text: give SimGrid's XML, GraphML, node-link JSON or TOML") from fault
    return platform_in_node_link(text) if form == "json" else platform_in_toml(text)


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise RotaError(f"more than {MAX_FILE_BYTES >> 20} MiB: give a smaller platform")
    return content


def _form(content: bytes, path: Path) -> str:
    """Return xml, json or toml: by how the file's name ends, else by how it begins."""
    named = {".xml": "xml", ".graphml": "xml", ".json": "json", ".toml": "toml"}.get(path.suffix.lower())
    if named is not None:
        return named
    begin = content[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    # UTF-16 begins with a mark that no text in UTF-8 begins with.
    if begin.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return "xml"
    return "json" if begin.startswith(b"{") else "toml"


def _platform_in_xml(content: bytes, path: Path) -> Platform:
    root = tree_of(content)
    if root.tag == "graphml":
        return platform_in_graphml(root)
    if root.tag == "platform":
        return platform_in_simgrid(with_includes(root, path))
    raise RotaError(f"line {root.line}: <{shortened(root.tag)}>; give SimGrid's <platform> or <graphml>")
