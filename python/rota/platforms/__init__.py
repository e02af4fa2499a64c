"""Heterogeneous platforms: processors and routers, and the links between them, all numbers exact.

>>> from fractions import Fraction
>>> from rota.platforms import Link, Node, Platform
>>> Platform((Node("a"), Node("b")), (Link("a", "b", Fraction(2, 3)),)).link("a", "b").cost
Fraction(2, 3)
"""

from rota.platforms.files import read_platform, write_platform
from rota.platforms.graph import from_networkx, to_networkx
from rota.platforms.platform import Link, Node, Platform, Units

__all__ = [
    "Link",
    "Node",
    "Platform",
    "Units",
    "from_networkx",
    "read_platform",
    "to_networkx",
    "write_platform",
]
