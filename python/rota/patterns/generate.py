"""Patterns made by rule and seed: the paper's, skewed ones, those of mixtures of experts, dense ones."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Final

import numpy as np

from rota._core import Pattern
from rota.errors import RotaError
from rota.patterns.matrix import MAX_RANKS, from_matrix

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota.patterns.matrix import Int64s

_MAX_BYTES: Final = 2**40


def figure7(ranks: int, degree: int, *, message_bytes: int = 1, seed: int = 0) -> Pattern:
    """Return the pattern of paper 2, Figure 7: `degree` equal messages or one less for each rank.

    A circulant matrix, from the diagonal on, whose rows and columns are renumbered at random, independently.
    What a rank has for itself is no message, so that a rank whose row or column has that has one less.
    """
    _require("ranks", ranks, 1, MAX_RANKS)
    _require("degree", degree, 0, ranks)
    random = np.random.default_rng(seed)
    sender, receiver = _circulant(ranks, degree, first=0)
    return Pattern(
        ranks,
        random.permutation(ranks).astype(np.int64)[sender],
        random.permutation(ranks).astype(np.int64)[receiver],
        np.full(sender.size, message_bytes, dtype=np.int64),
    )


def regular(ranks: int, degree: int, *, message_bytes: int = 1, seed: int = 0) -> Pattern:
    """Return a pattern with exactly `degree` equal messages from and to each of `ranks` ranks.

    Like figure7's, but the circulant begins beside the diagonal, and rows and columns are renumbered alike.
    """
    sender, receiver = _regular(ranks, degree, seed)
    return Pattern(ranks, sender, receiver, np.full(sender.size, message_bytes, dtype=np.int64))


def skewed(
    ranks: int, degree: int, *, largest_bytes: int = 1_000_000, orders: int = 5, seed: int = 0
) -> Pattern:
    """Return a regular pattern with sizes from `largest_bytes` down, over so many orders of magnitude.

    Sizes are even in their logarithm: as many between 1 and 10 kB as between 10 and 100 kB.
    """
    sender, receiver = _regular(ranks, degree, seed)
    exponents = np.random.default_rng([seed, 1]).uniform(-orders, 0, sender.size)
    sizes = np.maximum(1, np.rint(largest_bytes * 10**exponents)).astype(np.int64)
    return Pattern(ranks, sender, receiver, sizes)


def experts(
    ranks: int, *, tokens: int = 1024, choices: int = 2, token_bytes: int = 4096, seed: int = 0
) -> Pattern:
    """Return what a mixture of experts dispatches: one expert on each rank, `tokens` tokens on each rank.

    A token goes to `choices` experts, of which the k-th most popular is k times less likely than the most
    popular, the same for all ranks. Few tokens: few messages; many: a dense pattern with columns of very
    different sums.
    """
    _require("choices", choices, 1, ranks)
    random = np.random.default_rng([seed, 2])
    popularity = random.permutation(1 / np.arange(1, ranks + 1))
    # The largest of log weights plus Gumbel draws: choices without repetition, in proportion to the weights.
    counts = np.zeros((ranks, ranks), dtype=np.int64)
    for sender in range(ranks):
        keys = np.log(popularity) + random.gumbel(size=(tokens, ranks))
        chosen = np.argpartition(keys, ranks - choices, axis=1)[:, ranks - choices :]
        counts[sender] = np.bincount(chosen.ravel(), minlength=ranks)
    return from_matrix(counts * token_bytes)


def dense(ranks: int, *, message_bytes: int = 1) -> Pattern:
    """Return the pattern in which everybody has as much for everybody else: the regular all-to-all."""
    return regular(ranks, ranks - 1, message_bytes=message_bytes)


def _regular(ranks: int, degree: int, seed: int) -> tuple[Int64s, Int64s]:
    _require("ranks", ranks, 1, MAX_RANKS)
    _require("degree", degree, 0, ranks - 1)
    name = np.random.default_rng(seed).permutation(ranks).astype(np.int64)
    sender, receiver = _circulant(ranks, degree, first=1)
    return name[sender], name[receiver]


def _circulant(ranks: int, degree: int, first: int) -> tuple[Int64s, Int64s]:
    """Return where the ones are: `degree` of them in each row, from `first` past the diagonal on."""
    sender = np.repeat(np.arange(ranks, dtype=np.int64), degree)
    return sender, (sender + np.tile(np.arange(first, first + degree, dtype=np.int64), ranks)) % ranks


def _require(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise RotaError(f"{what} {value} is out of range: choose from {least} to {most}")


@dataclass(frozen=True)
class _Key:
    """A word of a specification, and what it stands for."""

    parameter: str
    least: int
    most: int


_KEYS: Final = {
    "n": _Key("ranks", 1, 8192),
    "d": _Key("degree", 0, 8192),
    "bytes": _Key("message_bytes", 1, _MAX_BYTES),
    "largest": _Key("largest_bytes", 1, _MAX_BYTES),
    "orders": _Key("orders", 0, 12),
    "tokens": _Key("tokens", 1, 100_000),
    "choices": _Key("choices", 1, 8192),
    "token-bytes": _Key("token_bytes", 1, 2**30),
}

GENERATORS: Final[dict[str, Callable[..., Pattern]]] = {
    "figure7": figure7,
    "regular": regular,
    "skewed": skewed,
    "experts": experts,
    "dense": dense,
}
"""By name, for whoever names one in a word."""


def generated(specification: str, seed: int = 0) -> Pattern:
    """Return the pattern that a word such as "figure7:n=64,d=8" specifies.

    Raises RotaError for an unknown generator or key, one that is missing, and a value out of range.
    """
    name, _, rest = specification.partition(":")
    generator = GENERATORS.get(name)
    if generator is None:
        raise RotaError(f"unknown generator {name!r}: choose {', '.join(GENERATORS)}")
    parameters = signature(generator).parameters
    valid = [key for key, meaning in _KEYS.items() if meaning.parameter in parameters]
    chosen = dict(_setting(part, valid) for part in rest.split(",") if part)
    for key in ("n", "d"):
        if key in valid and _KEYS[key].parameter not in chosen:
            raise RotaError(
                f"{specification!r} leaves out {key}: give {name}:n=64{',d=8' if 'd' in valid else ''}"
            )
    if "seed" in parameters:
        chosen["seed"] = seed
    return generator(**chosen)


def _setting(part: str, valid: list[str]) -> tuple[str, int]:
    key, equals, value = part.partition("=")
    if key not in valid or not equals:
        raise RotaError(f"{part!r} is no setting of this generator: give {', '.join(valid)} as key=number")
    if not value.isascii() or not value.isdigit() or len(value) > 15:  # noqa: PLR2004 - more than any key has
        raise RotaError(f"{part!r}: give a whole number")
    meaning = _KEYS[key]
    _require(meaning.parameter.replace("_", " "), int(value), meaning.least, meaning.most)
    return meaning.parameter, int(value)
