"""SimGrid files that include others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from rota.errors import RotaError
from rota.platforms.numbers import shortened
from rota.platforms.xml_tree import Element, tree_of

_MOST_FILES: Final = 100
_MOST_BYTES: Final = 2**26


def with_includes(root: Element, path: Path) -> Element:
    """Return the tree with the content of the included files in place of each <include>.

    Files are looked for from where the including file is, beside or below it: a platform file that comes from
    elsewhere shall not be able to name any file of this machine. Raises RotaError, which begins with the
    line, for other places, files that include themselves, and more than a hundred files.
    """
    return _Including().expanded(root, path, ())


class _Including:
    """What has been read already."""

    def __init__(self) -> None:
        self._files = 0
        self._bytes = 0

    def expanded(self, element: Element, path: Path, above: tuple[Path, ...]) -> Element:
        children: list[Element] = []
        for child in element.children:
            if child.tag == "include":
                children += self._included(child, path, above).children
            else:
                children.append(self.expanded(child, path, above))
        return replace(element, children=children)

    def _included(self, element: Element, path: Path, above: tuple[Path, ...]) -> Element:
        name = element.required("file")
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts or "\\" in name or "\0" in name:
            raise RotaError(f"{element.place}: {shortened(name)!r} is elsewhere; name a file beside this one")
        file = path.parent / name
        here = (*above, path.resolve())
        if file.resolve() in here:
            raise RotaError(f"{element.place}: {shortened(name)} includes itself in the end; break the cycle")
        self._files += 1
        if self._files > _MOST_FILES:
            raise RotaError(f"{element.place}: more than {_MOST_FILES} included files; give fewer")
        return self.expanded(self._tree(element, file, name), file, here)

    def _tree(self, element: Element, file: Path, name: str) -> Element:
        try:
            self._bytes += file.stat().st_size
            if self._bytes > _MOST_BYTES:
                raise RotaError(f"{element.place}: {shortened(name)} is too large; give less")
            content = file.read_bytes()
        except OSError as fault:
            raise RotaError(f"{element.place}: cannot read {shortened(name)}: {fault.strerror}") from fault
        try:
            root = tree_of(content, name)
        except RotaError as fault:
            raise RotaError(f"{element.place}: {shortened(name)}: {fault}") from fault
        if root.tag != "platform":
            raise RotaError(f"{element.place}: {shortened(name)} has no <platform>; name one that has")
        return root
