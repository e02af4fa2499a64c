"""--blocks: a number of blocks, or the rules of paper 1."""

from __future__ import annotations

from typing import Final

from rota._core import require_paper_blocks
from rota.errors import RotaError
from rota.show.question import MAX_BLOCKS

PAPER: Final = "paper"


def is_rule(text: str) -> bool:
    """Return whether these are the rules of paper 1, with or without constants of one's own."""
    return text.partition(":")[0] == PAPER


def block_rule_of(text: str | None) -> str | None:
    """Return paper 1's rules as they are asked for, None for anything else; RotaError for wrong constants."""
    if text is None or not is_rule(text):
        return None
    try:
        require_paper_blocks(text)
    except ValueError as fault:
        raise RotaError(f"--blocks: {fault}") from fault
    return text


def number_of_blocks(text: str | None) -> int | None:
    """Return the number that is asked for; None: none is. RotaError for what is neither number nor rule."""
    if text is None or is_rule(text):
        return None
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= MAX_BLOCKS:
        return int(text)
    raise RotaError(f"--blocks: {text!r} is no number from 1 to {MAX_BLOCKS}, nor paper or paper:F=70,G=40")


def require_rule(text: str | None) -> str | None:
    """Return paper 1's rules as they are asked for, or None; RotaError for anything else."""
    if text is not None and not is_rule(text):
        raise RotaError(f"--blocks: {text!r} is none of paper 1's rules: write paper, or paper:F=70,G=40")
    return block_rule_of(text)
