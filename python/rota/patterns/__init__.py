"""Patterns of all-to-many communication: from arrays, from files, and generated.

>>> from rota.patterns import from_matrix
>>> from_matrix([[0, 30, 0], [5, 0, 5], [0, 0, 0]])
Pattern(3 ranks, 3 messages, 40 bytes)
"""

from rota.patterns.generate import dense, experts, figure7, generated, regular, skewed
from rota.patterns.matrix import from_matrix, from_messages, matrix_of
from rota.patterns.read import read_pattern
from rota.patterns.write import write_pattern

__all__ = [
    "dense",
    "experts",
    "figure7",
    "from_matrix",
    "from_messages",
    "generated",
    "matrix_of",
    "read_pattern",
    "regular",
    "skewed",
    "write_pattern",
]
