"""``{rota-variables}``: the table of the ROTA_ variables, from the one that ``rota info`` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util.docutils import SphinxDirective

from rota.info import settings_in_markdown

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


class Variables(SphinxDirective):
    """The table."""

    def run(self) -> list[nodes.Node]:
        """Return it."""
        return self.parse_text_to_nodes("\n".join(settings_in_markdown()))


def setup(sphinx: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of it."""
    sphinx.add_directive("rota-variables", Variables)
    return {"parallel_read_safe": True}
