"""Manual pages as manuals have them: NAME is one line, DESCRIPTION what a page says before its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def with_description(sphinx: Sphinx, page: nodes.document, _name: str) -> None:
    """Put what stands between a manual page's title and its first section into one of its own."""
    if sphinx.builder.name != "man":
        return
    for whole in page.findall(nodes.section):
        _describe(whole)
        return


def _describe(whole: nodes.section) -> None:
    said = [each for each in whole.children if not isinstance(each, nodes.title | nodes.section)]
    description = nodes.section(ids=["description"], names=["description"])
    description += nodes.title(text="Description")
    for each in said:
        whole.remove(each)
        description += each
    whole.insert(1, description)


def setup(sphinx: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of it."""
    sphinx.connect("doctree-resolved", with_description)
    return {"parallel_read_safe": True}
