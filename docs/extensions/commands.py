"""``{rota-commands}``: the command's words, from the parser that reads them.

A section for every command. What a help text says is text, and no markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import typer
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from rota.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_WIDE_SPACES: Final = re.compile(r"[ \n]+")


class Commands(SphinxDirective):
    """Sections of commands, in the order in which ``rota --help`` lists them."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        root = typer.main.get_command(app)
        return [self._section(words, command) for words, command in _leaves("rota", root)]

    def _section(self, words: str, command: Any) -> nodes.section:  # noqa: ANN401 - its class is typer's own
        section = nodes.section(ids=[nodes.make_id(words)], names=[nodes.fully_normalize_name(words)])
        section += nodes.title(text=words)
        context = command.make_context(words, [], resilient_parsing=True)
        section += nodes.literal_block(
            text=_one_line(" ".join((words, *command.collect_usage_pieces(context))))
        )
        section += [nodes.paragraph(text=_one_line(each)) for each in (command.help or "").split("\n\n")]
        section += _definitions(each.get_help_record(context) for each in command.params)
        self.state.document.note_implicit_target(section)
        return section


def _leaves(words: str, command: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - its class is typer's own
    """Yield the commands below one, each with the words that call it."""
    for name, found in getattr(command, "commands", {}).items():
        loaded = getattr(found, "loaded", None)
        if loaded is None:
            yield from _leaves(f"{words} {name}", found)
        else:
            yield f"{words} {name}", loaded


def _definitions(records: Iterator[tuple[str, str] | None]) -> nodes.definition_list:
    return nodes.definition_list(
        "",
        *(
            nodes.definition_list_item(
                "",
                nodes.term("", "", nodes.literal(text=names)),
                nodes.definition("", nodes.paragraph(text=_one_line(meaning))),
            )
            for names, meaning in filter(None, records)
        ),
    )


def _one_line(text: str) -> str:
    return _WIDE_SPACES.sub(" ", text).strip()


def setup(sphinx: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of it."""
    sphinx.add_directive("rota-commands", Commands)
    return {"parallel_read_safe": True}
