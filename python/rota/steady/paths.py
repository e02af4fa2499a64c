"""The path from one node of a platform to another that is the least by some measure."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from rota.platforms import Link, Platform


class Length(NamedTuple):
    """What is added up along a path: the first number decides, between equal ones the second."""

    first: Fraction | int
    second: Fraction | int


def least_path(platform: Platform, source: str, target: str, length: Callable[[Link], Length]) -> list[Link]:
    """Return the links of the path of least length, none of which is below 0; RotaError if there is no path.

    Of paths that are equally long always the same one. Cost: O(links log links). Source: Dijkstra 1959.
    """
    platform.require_path(source, target)
    before: dict[str, str] = {}
    front = [(Length(0, 0), source, source)]
    while target not in before:
        so_far, node, previous = heapq.heappop(front)
        if node in before:
            continue
        before[node] = previous
        for link in platform.out_links(node):
            if link.target not in before:
                more = length(link)
                far = Length(so_far.first + more.first, so_far.second + more.second)
                heapq.heappush(front, (far, link.target, node))
    path: list[Link] = []
    while target != source:
        path.append(platform.link(before[target], target))
        target = before[target]
    return path[::-1]
