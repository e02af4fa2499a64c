"""The platforms that paper 5 draws."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from rota.platforms.toml_form import platform_in_toml

if TYPE_CHECKING:
    from rota.platforms.platform import Platform

FIGURE9_HOSTS: Final = ("11", "8", "13", "9", "6", "12", "7", "10")
"""Where the values of Figure 9's reduce are, in order; the target is node 6."""


def figure2() -> Platform:
    """Return Figure 2's platform: a source, two nodes that forward, two targets."""
    return _drawn("figure2")


def figure6() -> Platform:
    """Return Figure 6's platform: three processors, each linked with the others."""
    return _drawn("figure6")


def figure9() -> Platform:
    """Return Figure 9's platform, eight hosts and six routers, as far as the paper's text tells it."""
    return _drawn("figure9")


def _drawn(name: str) -> Platform:
    return platform_in_toml(files("rota.platforms").joinpath(f"data/{name}.toml").read_text(encoding="utf-8"))
